//! Grades submissions: runs them, judges what was seen, counts the points.
//!
//! A submission is somebody else's and trusted in nothing. What cannot be run is *ungraded*,
//! never zero; what is red is run again by itself, and only what is red again counts.

mod class;
mod find;
mod score;
mod session;
mod shard;
mod submission;
mod truth;
mod written;

pub use class::{ClassFault, News, grade, key};
pub use find::{Found, NotFound, find, spelt};
pub use session::{Key, Session, SessionError};
pub use shard::{Part, merge};
pub use submission::Grader;

pub use crate::lab::Fault;
