//! What a worksheet step shows, as text and plain values, for every face alike.
//!
//! Pure functions: the screen and the plain lines say the same because both ask here. It
//! imports `model`, `mutate`, `verdict` and `event` (and the observations of `run` that they
//! carry), and knows nothing of terminals.

mod attempt;
mod calls;
mod catalogue;
mod chart;
mod closing;
mod compare;
mod count;
mod fold;
mod fragment;
mod group;
mod map;
mod marked;
mod own;
mod probe;
mod script;
mod sighted;
mod sql;
mod storage;
mod table;

pub use crate::event::Attempt;
pub use attempt::{Standing, certainty, first_attempt, fit_so_far, is_done, standings};
pub use calls::{call_text, letter, letter_place, summary, value_text};
pub use catalogue::{Ease, Further, WHY, further, no_test_can_tell, told, unweighed};
pub use chart::chart_lines;
pub use closing::{export, tasks_to_close_with};
pub use compare::{Comparison, Fit, compare, notice_it};
pub use count::{counted, lasted};
pub use fold::{folded, paragraphs};
pub use fragment::{Change, DiffLine, fragment};
pub use map::{
    in_order, is_step_done, lab_to_open, next_in_order, put_in_order, suggested_order,
    suggested_place,
};
pub use marked::{Pieces, marked};
pub use own::{own_end, own_steps, promise, said_first, step_mark, to_write};
pub use probe::{ProbeForm, ProbeWorth, contradicted, probe_template, probe_yaml};
pub use script::{Around, LineState, ScriptLine, rows_around, script_lines};
pub use sighted::{offered_kinds, sighted, sighted_sentence};
pub use storage::storage_lines;
pub use table::{cut, rows_lines, shown_lines};

use crate::model::{Lab, Mutant, Test, Track};

/// Lists the tests that a prediction chooses from: those of the step first, then earlier ones.
#[must_use]
pub fn candidates<'l>(lab: &'l Lab, mutant: &Mutant, track: Track) -> Vec<&'l Test> {
    let mut tests: Vec<&Test> = lab.tests_up_to(mutant.step, track).collect();
    tests.sort_by_key(|test| std::cmp::Reverse(test.step));
    tests
}
