//! A learner's own program, in any language: built once, then started as its folder says.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::rust::build_to_end;
use super::{Launch, NotReady, PrepareError};
use crate::run::Interrupt;
use crate::run::confine::{Purpose, SharedCell};

/// How long a build may take.
const PATIENCE: Duration = Duration::from_mins(5);

/// Tells how to start a program of `lab` that works in `folder`.
///
/// # Errors
///
/// Says that there is no such program in the folder or on the path.
pub fn launch(lab: &str, folder: &Path, words: &[String]) -> Result<Launch, NotReady> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(not_ready("the command is empty"));
    };
    let program = named(program, folder);
    if Path::new(&program).is_absolute() && !Path::new(&program).is_file() {
        let shown = program.to_string_lossy();
        return Err(not_ready(&format!("there is no program {shown}")));
    }
    let arguments = arguments.iter().map(OsString::from).collect();
    Ok(Launch::new(lab, program, arguments).in_folder(folder))
}

/// Runs what builds a program, in its folder; confined if it has a cell.
///
/// # Errors
///
/// Returns what the build said if it failed, or that it could not be started.
pub fn build(
    lab: &str,
    folder: &Path,
    words: &[String],
    cell: Option<&SharedCell>,
    interrupt: &Interrupt,
) -> Result<(), PrepareError> {
    if words.is_empty() {
        return Ok(());
    }
    let mut launch = launch(lab, folder, words)?;
    if let Some(cell) = cell {
        launch = launch.confined(cell, Purpose::Build, &[]);
    }
    let failed = |error: std::io::Error| not_ready(&format!("failed to start the build: {error}"));
    let mut command = launch.command().map_err(failed)?;
    // What a build prints as it goes is of no use beside what it says of its errors.
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let started = |process| {
        if let Some(cell) = cell {
            cell.started(process);
        }
    };
    build_to_end(&mut command, PATIENCE, interrupt, started)?
        .or_failed()
        .map_err(|said| PrepareError::DoesNotBuild(said.trim().to_owned()))
}

/// Reads a program's name as a shell would: with a `/` in it, it is a file of the folder.
fn named(program: &str, folder: &Path) -> OsString {
    if program.contains('/') {
        folder.join(program).into_os_string()
    } else {
        program.into()
    }
}

fn not_ready(why: &str) -> NotReady {
    NotReady {
        why: why.to_owned(),
    }
}
