//! What a worksheet step shows, as text and plain values, for every face alike.
//!
//! Pure functions: the screen and the plain lines say the same because both ask here. It
//! imports `model`, `mutate`, `verdict` and `event`, and knows nothing of terminals.

mod calls;
mod closing;
mod compare;
mod fragment;
mod probe;
mod script;
mod table;

pub use calls::{call_text, letter, letter_place, summary, value_text};
pub use closing::{Certainty, TASKS, Task, certainties};
pub use compare::{Comparison, Fit, compare, compare_with};
pub use fragment::{Change, DiffLine, fragment};
pub use probe::{contradicted, probe_template};
pub use script::{LineState, ScriptLine, script_lines};
pub use table::{rows_lines, shown_lines};

use crate::model::{Lab, Mutant, Test, Track};

/// Lists the tests that a prediction chooses from: those of the step first, then earlier ones.
#[must_use]
pub fn candidates<'l>(lab: &'l Lab, mutant: &Mutant, track: Track) -> Vec<&'l Test> {
    let mut tests: Vec<&Test> = lab.tests_up_to(mutant.step, track).collect();
    tests.sort_by_key(|test| std::cmp::Reverse(test.step));
    tests
}
