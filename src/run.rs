//! Runs a script against a subject and says what was seen.
//!
//! Facts only: what a process answered, what a row held, how long it took. What it means is
//! for `verdict`. This module imports `model` and nothing else of the program.

mod callback;
pub mod confine;
mod cost;
mod interrupt;
#[cfg(target_os = "linux")]
pub(crate) mod nursery;
mod observation;
mod process;
pub mod protocol;
mod schedule;
mod scratch;
mod script;
mod store;
pub mod track;

pub use callback::Asked;
pub use confine::Confinement;
pub use cost::{Pair, ROUNDS};
pub use interrupt::Interrupt;
pub use observation::{Dump, LineSeen, Outcome, Seen};
pub use process::{Limits, Process};
pub use scratch::Scratch;
pub use script::{Session, Subject};
pub use track::{Launch, NotReady, PrepareError};
