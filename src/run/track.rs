//! How the subjects of each track are started.

pub mod program;
pub mod python;
pub mod rust;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Interrupt, Scratch};
use crate::model::Track;

/// How to start a subject's process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    lab: String,
    program: OsString,
    arguments: Vec<OsString>,
    folder: Option<PathBuf>,
}

impl Launch {
    /// Describes how to start a subject of `lab`.
    #[must_use]
    pub fn new(lab: &str, program: OsString, arguments: Vec<OsString>) -> Self {
        Self {
            lab: lab.to_owned(),
            program,
            arguments,
            folder: None,
        }
    }

    /// Lets the process work in `folder` instead of the lab's own.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.to_owned());
        self
    }

    /// Returns the program that is started.
    #[must_use]
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// Returns the id of the lab that the subject answers for.
    #[must_use]
    pub fn lab(&self) -> &str {
        &self.lab
    }

    /// Makes the command that starts one process.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command
    }
}

/// Why a source cannot be run here, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct NotReady {
    /// The reason, with what would help.
    pub why: String,
}

/// Why a source cannot be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    /// This machine lacks something.
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// It is not a program, with the compiler's words.
    #[error("{0}")]
    DoesNotBuild(String),
}

/// Tells how to start a source of `lab` in `track`; what must be written goes into `scratch`.
///
/// # Errors
///
/// Says what is missing on this machine, or why the source does not build.
pub fn prepare(
    track: Track,
    lab: &str,
    source: &str,
    scratch: &Scratch,
    interrupt: &Interrupt,
) -> Result<Launch, PrepareError> {
    match track {
        Track::Rust => rust::prepare(lab, source, interrupt),
        Track::Python => Ok(python::prepare(lab, source, scratch)?),
        Track::Shell => Err(not_there_yet(track).into()),
    }
}

/// Tells how to start a learner's own file as a subject of `lab` in `track`.
///
/// # Errors
///
/// Says what is missing on this machine, or that there is no such file.
pub fn prepare_file(
    track: Track,
    lab: &str,
    file: &Path,
    interrupt: &Interrupt,
) -> Result<Launch, PrepareError> {
    match track {
        Track::Rust => {
            let source = std::fs::read_to_string(file).map_err(|error| NotReady {
                why: format!("failed to read {}: {error}", file.display()),
            })?;
            rust::prepare(lab, &source, interrupt)
        }
        Track::Python => Ok(python::prepare_file(lab, file)?),
        Track::Shell => Err(not_there_yet(track).into()),
    }
}

fn not_there_yet(track: Track) -> NotReady {
    NotReady {
        why: format!("the {track} track is not there yet"),
    }
}

/// Tells what a track lacks on this machine, if it lacks anything; writes nothing.
#[must_use]
pub fn missing(track: Track, source: &str) -> Option<NotReady> {
    match track {
        Track::Rust => rust::missing(source),
        Track::Python => python::find().err(),
        Track::Shell => Some(not_there_yet(track)),
    }
}

/// Names what runs the subjects of a track here: what their results depend on besides their
/// source. Empty where nothing can run them.
#[must_use]
pub fn engine(track: Track) -> String {
    match track {
        Track::Rust => format!("rust, SQLite {}", rusqlite::version()),
        Track::Python => python::find()
            .map(|found| format!("{found:?}"))
            .unwrap_or_default(),
        Track::Shell => String::new(),
    }
}
