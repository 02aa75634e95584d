//! `idemlab new test`.

use std::path::Path;

use crate::cli::NewTest;
use crate::command::Exit;

/// Makes a test and proves it.
pub fn test(_folder: &Path, _arguments: &NewTest) -> Result<Exit, Exit> {
    Err(Exit::Fault)
}
