//! What a run saw, line by line.

use std::time::Duration;

use serde_json::Value;

use super::{Asked, Pair};
use crate::model::{Cell, TableRows};

/// How one call ended, as a fact.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It returned this value.
    Returned(Value),
    /// It raised an error.
    Raised {
        /// The error's own name, such as `ValueError`.
        kind: String,
        /// Its text.
        message: String,
    },
    /// The subject could not be loaded, so there was nobody to call.
    NotLoaded {
        /// What went wrong, in the language's own words and with its place.
        why: String,
    },
    /// It did not answer in time.
    Silent {
        /// How long the lab waited.
        waited: Duration,
    },
    /// Its process ended before it answered.
    Died {
        /// How the process ended, in words.
        how: String,
        /// The end of what it wrote to standard error.
        stderr: String,
    },
    /// It sent something that is not the protocol.
    Garbled {
        /// What it sent, shortened.
        sent: String,
        /// What is wrong with it.
        why: String,
    },
    /// The lab killed it on purpose, as the script says.
    Killed,
}

impl Outcome {
    /// Tells whether the call gave up because the database was locked.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        match self {
            Self::Raised { kind, message } => {
                kind == "Locked"
                    || message.contains("database is locked")
                    || message.contains("database table is locked")
            }
            _ => false,
        }
    }
}

/// The tables of a lab at one moment; a table that is not there is left out.
pub type Dump = Vec<TableRows>;

/// What one script line saw.
#[derive(Debug, Clone, PartialEq)]
pub struct LineSeen {
    /// The line's place in its script, counted from 1.
    pub line: usize,
    /// What was seen.
    pub seen: Seen,
    /// The tables before the line, if it is one that calls the subject.
    pub before: Dump,
    /// The tables after it.
    pub after: Dump,
    /// How long the lab held a lock on purpose while the line ran.
    pub held: Duration,
    /// How many of the subject's threads or processes waited for the lock at the same moment, if
    /// that was looked for and can be seen here.
    pub waiting: Option<usize>,
    /// What the subject asked of the lab while the line ran.
    pub asked: Vec<Asked>,
    /// Whether a call had to wait until the one that was held was let go.
    pub waited: bool,
}

/// What a line saw, by kind of line.
#[derive(Debug, Clone, PartialEq)]
pub enum Seen {
    /// The outcome of each call, in the order of the calls.
    Outcomes {
        /// One outcome a call.
        outcomes: Vec<Outcome>,
        /// Whether a lock was still held when all had answered.
        left_locked: bool,
        /// Whether the order could not be forced, with the reason.
        unforced: Option<String>,
    },
    /// The rows of the tables that were looked at.
    Rows(Dump),
    /// The answer of a query.
    Answer(Vec<Vec<Cell>>),
    /// What a call cost as its input grew, pair of sizes by pair of sizes.
    Grown {
        /// The pairs that were compared, smaller sizes first.
        pairs: Vec<Pair>,
        /// How a call ended that did not return, if one did not.
        ended: Option<Outcome>,
    },
    /// What memory two calls needed at most, each in a process of its own, try by try.
    Needed {
        /// The bytes of the call, and of the one it is set against.
        tries: Vec<(u64, u64)>,
        /// How a call ended that did not return, if one did not.
        ended: Option<Outcome>,
    },
    /// The lab's own statement ran.
    Ran,
    /// The lab's own statement was refused, with SQLite's words.
    Refused(String),
}
