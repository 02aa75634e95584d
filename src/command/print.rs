//! Printing that outlives a reader who goes away.

use std::io::{self, Write};

use super::Exit;

/// Prints text on standard output. A closed pipe is the reader's right and no fault.
///
/// # Errors
///
/// Says that the text could not be written, a full disk being no reason to look successful.
pub fn print(text: &str) -> Result<(), Exit> {
    let mut output = io::stdout().lock();
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("failed to write the report: {error}"));
            Err(Exit::Fault)
        }
        _ => Ok(()),
    }
}

/// Prints an error on standard error.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "error: {text}");
}
