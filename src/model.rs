//! The words of the lab as types that are valid by construction.
//!
//! Everything here is plain data: a pack is parsed into it, a run reads it, a screen shows it.
//! This module never reads a file, starts a process or looks at a clock, and imports nothing
//! of the program.

mod callback;
mod grading;
mod input;
mod lab;
mod mutant;
mod points;
mod prediction;
mod problem;
mod test;

pub use callback::{Callback, CallbackAnswer, Callbacks, Gate};
pub use grading::{Grading, Record, WrittenTask};
pub use input::{Delivery, Input, MOST_EVENTS};
pub use lab::{
    Argument, Chart, Clause, Folder, Kind, Lab, MOST_A_SECOND, Source, Step, Storage, Table, Task,
    Track,
};
pub use mutant::{Edit, Mutant, Origin};
pub use points::Points;
pub use prediction::{Prediction, SeenIn, Sure};
pub use problem::{PROBLEM_IDS, Problem, Severity, WORKSPACE_PROBLEM_IDS};
pub use test::{
    Action, Call, Case, Cell, Each, Expected, Forced, Growth, Joint, Line, Mark, Member, Memory,
    Part, Raises, Start, Stored, TableRows, Test, same_json,
};

/// A set of labs, as shipped or as loaded from a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Pack {
    /// The labs, in the order in which they are offered.
    pub labs: Vec<Lab>,
}

impl Pack {
    /// Finds a lab by its id.
    #[must_use]
    pub fn lab(&self, id: &str) -> Option<&Lab> {
        self.labs.iter().find(|lab| lab.id == id)
    }
}
