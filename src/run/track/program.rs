//! A learner's own program, in any language: built once, then started as its folder says.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{Launch, NotReady, PrepareError};
use crate::run::Interrupt;
use crate::run::process::{kill_group, own_group};

/// How long a build may take.
const PATIENCE: Duration = Duration::from_mins(5);
/// How often a wait looks at the interrupt.
const TICK: Duration = Duration::from_millis(10);
/// The most of a build's words that are kept, in bytes.
const WORDS: u64 = 64 * 1024;

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

/// Runs what builds a program, in its folder.
///
/// # Errors
///
/// Returns what the build said if it failed, or that it could not be started.
pub fn build(folder: &Path, words: &[String], interrupt: &Interrupt) -> Result<(), PrepareError> {
    let Some((program, arguments)) = words.split_first() else {
        return Ok(());
    };
    let failed = |error: std::io::Error| not_ready(&format!("failed to start the build: {error}"));
    let log = tempfile::NamedTempFile::new().map_err(failed)?;
    let both = || log.reopen().map_err(failed);
    let mut command = Command::new(named(program, folder));
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(both()?)
        .stderr(both()?);
    if wait(&mut command, interrupt)? {
        return Ok(());
    }
    let mut said = Vec::new();
    let _ = File::open(log.path()).map(|file| file.take(WORDS).read_to_end(&mut said));
    let said = String::from_utf8_lossy(&said);
    Err(PrepareError::DoesNotBuild(said.trim().to_owned()))
}

/// Waits for a build to end, or ends it with everything it started.
fn wait(command: &mut Command, interrupt: &Interrupt) -> Result<bool, PrepareError> {
    own_group(command);
    let mut child = command
        .spawn()
        .map_err(|error| not_ready(&format!("failed to start the build: {error}")))?;
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if interrupt.is_raised() || start.elapsed() > PATIENCE => {
                kill_group(&mut child);
                let _ = child.wait();
                return Err(PrepareError::DoesNotBuild(format!(
                    "the build was stopped after {} s",
                    start.elapsed().as_secs()
                )));
            }
            Ok(None) => thread::sleep(TICK),
            Err(error) => {
                return Err(not_ready(&format!("failed to wait for the build: {error}")).into());
            }
        }
    }
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
