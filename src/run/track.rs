//! How the subjects of each track are started.

pub mod program;
pub mod python;
pub mod rust;
pub mod shell;
mod warm;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

#[cfg(target_os = "linux")]
use std::sync::Arc;

use super::confine::{Purpose, SharedCell};
#[cfg(target_os = "linux")]
use super::process::Started;
use super::{Interrupt, Limits, Outcome, Process, Scratch};
use crate::model::Track;

#[cfg(target_os = "linux")]
pub(in crate::run) use warm::Nurseries;
pub use warm::Warm;

/// Far from UTC, so that who takes local time for it is seen on any machine.
const ZONE: &str = "LAB-9";

/// How to start a subject's process.
#[derive(Debug, Clone)]
pub struct Launch {
    lab: String,
    program: OsString,
    arguments: Vec<OsString>,
    folder: Option<PathBuf>,
    /// Where it runs confined, and what is opened to it there.
    confined: Option<Confined>,
    /// Whether its memory is measured.
    is_measured: bool,
    /// What can start it sooner, and the file that it answers with.
    #[cfg(target_os = "linux")]
    nurseries: Option<(Arc<Nurseries>, PathBuf)>,
}

/// How a program is confined.
#[derive(Debug, Clone)]
struct Confined {
    cell: SharedCell,
    purpose: Purpose,
    read: Vec<PathBuf>,
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
            confined: None,
            is_measured: false,
            #[cfg(target_os = "linux")]
            nurseries: None,
        }
    }

    /// Lets the process keep all memory that it was given, so that the most it needed can be told:
    /// glibc is asked for it, other libraries give back what they like.
    #[must_use]
    pub fn measured(&self) -> Self {
        let mut launch = self.clone();
        launch.is_measured = true;
        launch
    }

    /// Lets the process work in `folder` instead of the lab's own.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        self.folder = Some(folder.to_owned());
        self
    }

    /// Lets the process run in a cell, where it may read `read` besides the system.
    #[must_use]
    pub fn confined(mut self, cell: &SharedCell, purpose: Purpose, read: &[PathBuf]) -> Self {
        self.confined = Some(Confined {
            cell: SharedCell::clone(cell),
            purpose,
            read: read.to_vec(),
        });
        self
    }

    /// Returns the cell in which it runs, if it is confined.
    #[must_use]
    pub fn cell(&self) -> Option<&SharedCell> {
        self.confined.as_ref().map(|confined| &confined.cell)
    }

    /// Returns the folder in which the process works, if that is not the lab's own.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
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

    /// Lets processes come from nurseries, where they answer with `file`.
    #[cfg(target_os = "linux")]
    pub(super) fn nursed_by(mut self, nurseries: &Arc<Nurseries>, file: &Path) -> Self {
        self.nurseries = Some((Arc::clone(nurseries), file.to_owned()));
        self
    }

    /// Starts a process from the nursery with this number, or as any other where that cannot be.
    ///
    /// # Errors
    ///
    /// As [`Process::start`].
    #[cfg_attr(
        not(target_os = "linux"),
        expect(unused_variables, reason = "no nurseries")
    )]
    pub fn start_from(
        &self,
        nursery: usize,
        limits: Limits,
        interrupt: &Interrupt,
    ) -> Result<Process, Outcome> {
        #[cfg(target_os = "linux")]
        if let (Some((nurseries, file)), Some(folder)) = (&self.nurseries, &self.folder)
            && let Some(nursling) = nurseries.start(nursery, &self.lab, file, folder)
        {
            return Process::greeted(Started::Nursed(nursling), &self.lab, limits, interrupt);
        }
        self.start(limits, interrupt)
    }

    /// Starts a process, in its cell if it has one.
    ///
    /// # Errors
    ///
    /// As [`Process::start`].
    pub fn start(&self, limits: Limits, interrupt: &Interrupt) -> Result<Process, Outcome> {
        let command = self.command().map_err(|error| Outcome::Died {
            how: format!("it could not be started: {error}"),
            stderr: String::new(),
        })?;
        let started = |process| {
            if let Some(cell) = self.cell() {
                cell.started(process);
            }
        };
        Process::start_told(command, &self.lab, limits, interrupt, started)
    }

    /// Makes the command that starts one process.
    ///
    /// # Errors
    ///
    /// Fails when it is to be confined and the program cannot find itself.
    pub fn command(&self) -> io::Result<Command> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command.env("TZ", ZONE);
        if self.is_measured {
            command.env("MALLOC_MMAP_MAX_", "0");
            command.env("MALLOC_TRIM_THRESHOLD_", "1000000000000");
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        match &self.confined {
            Some(confined) => {
                let Confined { purpose, read, .. } = confined;
                confined.cell.confine(&command, *purpose, read)
            }
            None => Ok(command),
        }
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
    /// The build was stopped.
    #[error("interrupted")]
    Interrupted,
}

/// Tells how to start a source of `lab` in `track`; what must be written goes into `scratch`, and
/// what others can use too into `warm`.
///
/// # Errors
///
/// Says what is missing on this machine, or why the source does not build.
pub fn prepare(
    track: Track,
    lab: &str,
    source: &str,
    scratch: &Scratch,
    warm: &Warm,
    interrupt: &Interrupt,
) -> Result<Launch, PrepareError> {
    match track {
        Track::Rust => rust::prepare(lab, source, interrupt),
        Track::Python => Ok(python::prepare(lab, source, scratch, warm)?),
        Track::Shell => Ok(shell::prepare(lab, source, scratch)?),
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
    warm: &Warm,
    interrupt: &Interrupt,
) -> Result<Launch, PrepareError> {
    match track {
        Track::Rust => {
            let source = std::fs::read_to_string(file).map_err(|error| NotReady {
                why: format!("failed to read {}: {error}", file.display()),
            })?;
            rust::prepare(lab, &source, interrupt)
        }
        Track::Python => Ok(python::prepare_file(lab, file, warm)?),
        Track::Shell => Ok(shell::prepare_file(lab, file)?),
    }
}

/// Tells how to start a learner's file, copied into a cell before, as a subject of `lab`; what
/// must be built is built in the cell, within `patience` if that is given.
///
/// # Errors
///
/// Says what is missing on this machine, or why the source does not build.
pub fn prepare_confined(
    track: Track,
    lab: &str,
    file: &Path,
    cell: &SharedCell,
    patience: Option<Duration>,
    interrupt: &Interrupt,
) -> Result<Launch, PrepareError> {
    match track {
        Track::Rust => rust::prepare_confined(lab, file, cell, patience, interrupt),
        Track::Python => Ok(python::prepare_confined(lab, file, cell)?),
        Track::Shell => Ok(shell::prepare_confined(lab, file, cell)?),
    }
}

/// Returns the folders of the interpreter or toolchain that a confined subject must read.
#[must_use]
pub fn reads(track: Track) -> Vec<PathBuf> {
    match track {
        Track::Python => python::find().map_or(Vec::new(), |python| python.folders.clone()),
        Track::Rust => rust::reads(),
        Track::Shell => shell::reads(),
    }
}

/// Tells what a track lacks on this machine, if it lacks anything; writes nothing.
#[must_use]
pub fn missing(track: Track, source: &str) -> Option<NotReady> {
    match track {
        Track::Rust => rust::missing(source),
        Track::Python => python::find().err(),
        Track::Shell => shell::find().err(),
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
        Track::Shell => shell::find()
            .map(|found| format!("{found:?}"))
            .unwrap_or_default(),
    }
}
