//! Printing that outlives a reader who goes away.

use std::io::{self, Write};

/// Prints text on standard output. A closed pipe is the reader's right and no fault.
pub fn print(text: &str) {
    let mut output = io::stdout().lock();
    let _ = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
}

/// Prints an error on standard error.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "error: {text}");
}
