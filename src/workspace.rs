//! A learner's own folder, or a hand-in of it: what it is about, and what is in it.
//!
//! Everything here is somebody else's: it is read with limits, never followed out of the folder,
//! and what is wrong with it is told at its place. What is missing is a fact, no error. Nothing
//! is run here, and no file that is there already is changed.

mod answers;
mod archive;
mod breaks;
mod bundle;
mod inside;
mod journal;
mod make;
mod manifest;
mod sources;
mod watch;

use std::path::{Path, PathBuf};

use crate::model::{Lab, Pack, Problem};
use crate::pack::{self, OwnProbe};

pub use answers::{ANSWERS, Answer, words};
pub use archive::{LARGEST_ARCHIVE, unpack, zipped};
pub use breaks::{BREAKS, BreakSaid, Breaks};
pub use bundle::{Bundled, bundle};
pub use journal::{JOURNAL, Journal, Said};
pub use make::{Laid, NewFile, files, lay, new_file, scripts};
pub use manifest::{Engine, MANIFEST, Manifest, Purpose, usual_name};
pub use sources::Entry;
pub use watch::{How, Watch};

use inside::read;
use manifest::Read;

/// The file with a learner's own tests.
pub const PROBES: &str = "probes.yaml";
/// The largest text of a learner's that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// Why a folder cannot be used as a workspace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// It has no manifest, and, if that was asked, no folder above it has one.
    #[error("there is no {MANIFEST} in {}", .0.display())]
    NoManifest(PathBuf),
    /// The manifest, or the archive that it should be in, has problems.
    #[error("{}", first(.0))]
    Problems(Vec<Problem>),
}

fn first(problems: &[Problem]) -> String {
    problems.first().map_or_else(String::new, |problem| {
        format!(
            "{}:{}:{}: {}",
            problem.file, problem.line, problem.column, problem.title
        )
    })
}

/// A folder with a manifest that can be read.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: PathBuf,
    read: Read,
}

/// A learner's own tests, as far as they can be read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Probes {
    /// The tests, in the order of the file; none if there is no file.
    pub probes: Vec<OwnProbe>,
    /// What is wrong with the file as a whole.
    pub problems: Vec<Problem>,
}

impl Workspace {
    /// Finds the workspace that `from` lies in: the folder itself or the nearest above it.
    ///
    /// # Errors
    ///
    /// Says that there is none, or what is wrong with its manifest.
    pub fn find(from: &Path) -> Result<Self, OpenError> {
        let start = std::path::absolute(from).unwrap_or_else(|_| from.to_owned());
        let has = |folder: &&Path| folder.join(MANIFEST).symlink_metadata().is_ok();
        match start.ancestors().find(has) {
            Some(folder) => Self::open(folder),
            None => Err(OpenError::NoManifest(from.to_owned())),
        }
    }

    /// Opens the workspace whose manifest lies in `folder`.
    ///
    /// # Errors
    ///
    /// Says that there is none, or everything that is wrong with it.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        match read(folder, MANIFEST, LARGEST) {
            Ok(None) => Err(OpenError::NoManifest(folder.to_owned())),
            Ok(Some(bytes)) => Ok(Self {
                root: folder.to_owned(),
                read: manifest::read(bytes).map_err(OpenError::Problems)?,
            }),
            Err(problem) => Err(OpenError::Problems(vec![*problem])),
        }
    }

    /// Returns the folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns what the manifest says.
    #[must_use]
    pub const fn manifest(&self) -> &Manifest {
        &self.read.manifest
    }

    /// Finds the lab that is worked on, and looks whether it has the track.
    ///
    /// # Errors
    ///
    /// Says, at its place in the manifest, what there is not.
    pub fn lab<'p>(&self, pack: &'p Pack) -> Result<&'p Lab, OpenError> {
        self.read.lab(pack).map_err(OpenError::Problems)
    }

    /// Returns where the file under test lies; nothing if it is not there, or if the manifest
    /// names none beside its command.
    ///
    /// # Errors
    ///
    /// Says why what lies there cannot be used.
    pub fn source(&self) -> Result<Option<PathBuf>, Box<Problem>> {
        match &self.manifest().source {
            Some(name) => inside::file(&self.root, name),
            None => Ok(None),
        }
    }

    /// Lists the files that make up the program, the file under test first.
    ///
    /// # Errors
    ///
    /// Says which file cannot be used, or that there are too many.
    pub fn sources(&self) -> Result<Vec<Entry>, Box<Problem>> {
        sources::list(&self.root, self.manifest())
    }

    /// Reads another file of the folder; nothing if there is none.
    ///
    /// # Errors
    ///
    /// Says why it cannot be read, or that it has more than `largest` bytes.
    pub fn read(&self, inside: &str, largest: u64) -> Result<Option<Vec<u8>>, Box<Problem>> {
        read(&self.root, inside, largest)
    }

    /// Reads the learner's own tests.
    #[must_use]
    pub fn probes(&self, lab: &Lab) -> Probes {
        match read(&self.root, PROBES, LARGEST) {
            Ok(None) => Probes::default(),
            Ok(Some(bytes)) => {
                let (probes, problems) = pack::read_own_probes(lab, PROBES, bytes);
                Probes { probes, problems }
            }
            Err(problem) => Probes {
                probes: Vec::new(),
                problems: vec![*problem],
            },
        }
    }

    /// Reads the answers to the lab's written tasks, in their order.
    #[must_use]
    pub fn answers(&self, lab: &Lab) -> Vec<Answer> {
        answers::read_all(&self.root, lab)
    }

    /// Reads a file in which a learner kept what a step showed; nothing if it is not there.
    #[must_use]
    pub fn record(&self, file: &str) -> Option<String> {
        let bytes = read(&self.root, file, LARGEST).ok().flatten()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Reads the journal of predictions; nothing if there is none.
    ///
    /// # Errors
    ///
    /// Says why it cannot be read.
    pub fn journal(&self) -> Result<Option<Journal>, Box<Problem>> {
        match read(&self.root, JOURNAL, LARGEST)? {
            Some(bytes) => Journal::parse(&bytes).map(Some),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests;
