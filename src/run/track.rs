//! How the subjects of each track are started.

pub mod rust;

use std::ffi::{OsStr, OsString};
use std::process::Command;

use crate::model::Track;

/// How to start a subject's process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    lab: String,
    program: OsString,
    arguments: Vec<OsString>,
}

impl Launch {
    /// Describes how to start a subject of `lab`.
    #[must_use]
    pub fn new(lab: &str, program: OsString, arguments: Vec<OsString>) -> Self {
        Self {
            lab: lab.to_owned(),
            program,
            arguments,
        }
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

/// Tells how to start a source of `lab` in `track`.
///
/// # Errors
///
/// Says what is missing on this machine.
pub fn prepare(track: Track, lab: &str, source: &str) -> Result<Launch, NotReady> {
    match track {
        Track::Rust => rust::prepare(lab, source),
        Track::Python | Track::Shell => Err(NotReady {
            why: format!("the {track} track is not there yet"),
        }),
    }
}

/// Tells what a track lacks on this machine, if it lacks anything.
#[must_use]
pub fn missing(track: Track, lab: &str, source: &str) -> Option<NotReady> {
    prepare(track, lab, source).err()
}
