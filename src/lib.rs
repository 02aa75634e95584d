//! An interactive lab and grader for idempotency keys.
//!
//! The way through: pack files → pack → model → mutate → run → verdict → event → listeners.
//! `ARCHITECTURE.md` has the picture, and who may import whom.

pub mod cli;
pub mod command;
pub mod event;
pub mod grade;
pub mod gradebook;
pub mod kit;
pub mod lab;
pub mod model;
pub mod mutate;
pub mod pack;
pub mod plain;
pub mod progress;
pub mod report;
pub mod run;
pub mod tui;
pub mod verdict;
pub mod worksheet;
pub mod workspace;
