//! What a helper is told to apply, as one argument of its command line.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Allowance, Purpose};

/// Everything that the helper applies before it becomes the confined program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// What may be read and executed besides the system's own folders.
    pub read: Vec<PathBuf>,
    /// Where files may be written, made and removed.
    pub write: Vec<PathBuf>,
    /// The files of the cgroups through which the helper joins them.
    pub join: Vec<PathBuf>,
    /// The user whom the program runs as; the lab's own if left out.
    pub uid: Option<u32>,
    /// Whether closed folders on the way to what may be read must be passed.
    pub search: bool,
    /// Limits of one process.
    pub resources: Resources,
    /// Whether it is a compiler, which sets modes and moves files between folders.
    pub build: bool,
    /// A file that is made when something could not be applied, in the lab's own folder.
    pub failed: Option<PathBuf>,
}

/// Limits of one process, in the kernel's units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Address space, in bytes.
    pub space: Option<u64>,
    /// Private memory that can be written, in bytes.
    pub data: u64,
    /// Processor time, in seconds.
    pub cpu: u64,
    /// Size of a file, in bytes.
    pub file: u64,
    /// Open files.
    pub files: u64,
    /// Processes of the user; only where the user is the submission's own.
    pub processes: Option<u64>,
}

impl Resources {
    /// Returns the limits that an allowance means for a purpose.
    pub fn of(allowance: &Allowance, purpose: Purpose) -> Self {
        let run = Self {
            space: Some(allowance.memory),
            data: allowance.memory,
            cpu: allowance.seconds,
            file: allowance.file,
            files: allowance.files,
            processes: None,
        };
        match purpose {
            Purpose::Run => run,
            // Some runtimes reserve far more addresses than they ever use.
            Purpose::Command => Self {
                space: None,
                files: run.files.max(1024),
                ..run
            },
            Purpose::Build => Self {
                space: None,
                data: run.data.max(4 << 30),
                cpu: run.cpu.max(60),
                file: run.file.max(256 << 20),
                files: run.files.max(1024),
                ..run
            },
        }
    }
}

impl Policy {
    /// Writes the policy as an argument.
    pub fn to_argument(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
