//! The worksheet as plain lines and numbered questions: nothing redrawn, fit for a screen
//! reader and for a script. The end of the input ends it cleanly.
//!
//! It says what the screen says, since both ask `worksheet`; it never moves the cursor and
//! never uses colour.

mod ask;
mod closing;
mod further;
mod map;
mod own;
mod predict;
mod probe;
mod show;
mod walk;

pub use self::map::map;

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::model::{Lab, Track};
use crate::progress::{Progress, SaveError};
use crate::run::Interrupt;

/// How a plain worksheet ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The learner quit, or the input ended.
    Left,
    /// All steps were walked.
    Finished,
    /// It was interrupted.
    Interrupted,
}

/// Why a worksheet cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// The learner quit, or the input ended.
    #[error("left")]
    Left,
    /// It was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// Something cannot be written.
    #[error("failed to write: {0}")]
    Write(#[from] std::io::Error),
    /// Progress cannot be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The lab cannot run.
    #[error(transparent)]
    Fault(#[from] crate::lab::Fault),
}

/// A plain worksheet: where it reads, where it writes, and what it works on.
pub struct Plain<'a, R, W> {
    input: R,
    output: W,
    lab: &'a Lab,
    track: Track,
    progress: &'a mut Progress,
    interrupt: Interrupt,
    /// Whether it waits for a line, so that nothing is lost if the program ends.
    waiting: Arc<AtomicBool>,
    /// How many tests catch a further change, as far as that was run.
    weights: BTreeMap<String, usize>,
    /// Whether the baseline was seen green in this session.
    baseline: bool,
}

impl<'a, R: BufRead, W: Write> Plain<'a, R, W> {
    /// Makes a worksheet of `lab` in `track`.
    pub fn new(
        input: R,
        output: W,
        lab: &'a Lab,
        track: Track,
        progress: &'a mut Progress,
        interrupt: Interrupt,
    ) -> Self {
        Self {
            input,
            output,
            lab,
            track,
            progress,
            interrupt,
            waiting: Arc::default(),
            weights: BTreeMap::new(),
            baseline: false,
        }
    }

    /// Returns a flag that is set while the worksheet waits for a line and nothing runs.
    #[must_use]
    pub fn waiting(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.waiting)
    }

    /// Walks the worksheet from where the learner stopped.
    ///
    /// # Errors
    ///
    /// Fails when nothing can be written, or the lab cannot run.
    pub fn run(&mut self) -> Result<End, Stop> {
        match self.walk() {
            Ok(()) => Ok(End::Finished),
            Err(Stop::Left) => {
                writeln!(
                    self.output,
                    "\nYou can go on later: the lab opens where you stopped."
                )?;
                Ok(End::Left)
            }
            Err(Stop::Interrupted | Stop::Fault(crate::lab::Fault::Interrupted)) => {
                Ok(End::Interrupted)
            }
            Err(stop) => Err(stop),
        }
    }
}
