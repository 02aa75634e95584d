//! Makes mutants and tests: finds the place of a fragment, runs what was made, and writes the
//! file with the promises that the run has shown.
//!
//! It asks nobody and prints nothing; that is for the command. A file is written whole or not
//! at all, and never over another.

mod anchor;
mod copy;
mod diff;
mod file;
mod mutant;
mod proof;
mod test;
mod yaml;

pub use anchor::{Fit, Spot, edit, nearest_line, spots, without_marks};
pub use copy::copy_shipped;
pub use diff::{Change, changes};
pub use file::{FileError, append, create, schema};
pub use mutant::{edits_by_track, same_as};
pub use proof::{Promises, Proof, Shown, promises, prove};
pub use test::{Catches, Verdict, try_test};
pub use yaml::{TestHead, header, mutant as mutant_yaml, test as test_yaml};
