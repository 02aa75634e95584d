//! What is asked and told about a learner's own code: plain values.

use std::path::PathBuf;

use crate::event::Trial;
use crate::model::Track;

/// Whose folder, and up to which step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnWhich {
    /// Name of the lab.
    pub lab: String,
    /// The tests of this step and of all before it are run.
    pub step: u32,
    /// The language of a folder that is to be made.
    pub track: Track,
    /// What it is for.
    pub aim: Aim,
}

/// What a folder is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The learner writes the functions.
    Write,
    /// A copy of the reference, to be broken.
    Break,
}

/// Something for the worker about a learner's own code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnJob {
    /// Finds the folder; if it is there, runs the tests now and whenever it changes.
    Open(OwnWhich),
    /// Makes the folder, then does the same.
    Make(OwnWhich),
    /// Runs the tests now.
    Now,
}

/// What the worker tells of a learner's own code.
#[derive(Debug, Clone, PartialEq)]
pub enum OwnNews {
    /// There is no folder yet.
    Nothing(OwnOffer),
    /// The folder is there.
    There(OwnPlace),
    /// The tests are being run.
    Running,
    /// They were run.
    Ran(Box<Trial>),
    /// The copy was run beside what was said about it.
    Broke(Box<Trial>, BreakSaid),
    /// They cannot be run, for this reason.
    NotRun(String),
    /// The folder cannot be used: a line for each problem.
    Unusable(Vec<String>),
}

/// A folder that could be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnOffer {
    /// Its name, as one reaches it from where the program was started.
    pub folder: String,
    /// The language.
    pub track: Track,
    /// What is missing here to run it, if anything is.
    pub needs: Option<String>,
}

/// A folder that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPlace {
    /// Its name, as one reaches it from where the program was started.
    pub folder: String,
    /// The file under test, by its name in the folder.
    pub file: String,
    /// Where that lies, for an editor.
    pub path: Option<PathBuf>,
    /// The language.
    pub language: String,
    /// Why changes have to be looked for, if the system does not tell of them.
    pub looking: Option<String>,
    /// Whether it was made just now.
    pub is_new: bool,
}

/// What was first said about a change of the copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakSaid {
    /// The tests that were named.
    pub tests: Vec<String>,
    /// Whether it was "I don't know".
    pub unknown: bool,
}
