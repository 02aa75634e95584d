//! Callbacks: what a subject may ask of the lab in the middle of a call.

use serde_json::{Map, Value};

use super::{Call, Case};

/// What the lab answers to the callbacks of one line, and how many it expects.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Callbacks {
    /// The answers; a callback that has none here must not be called.
    pub answers: Vec<Callback>,
    /// How often each is called in the line; one that has no number may be called any number of
    /// times.
    pub called: Vec<(String, u64)>,
}

impl Callbacks {
    /// Finds the answer to a callback.
    #[must_use]
    pub fn answer(&self, name: &str) -> Option<&Callback> {
        self.answers.iter().find(|callback| callback.name == name)
    }

    /// Tells whether the line says nothing of callbacks.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.called.is_empty()
    }
}

/// The answer to a callback.
#[derive(Debug, Clone, PartialEq)]
pub struct Callback {
    /// The callback's name.
    pub name: String,
    /// The arguments it must be called with, if they are looked at.
    pub with: Option<Map<String, Value>>,
    /// What it does.
    pub answer: CallbackAnswer,
}

/// What a callback does.
#[derive(Debug, Clone, PartialEq)]
pub enum CallbackAnswer {
    /// It returns this value.
    Gives(Value),
    /// It raises an error with this text.
    Raises(String),
}

/// Calls made while the first of them is held in the middle of a callback.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// The calls, each from a process of its own; the first is the one that is held.
    pub calls: Vec<Call>,
    /// The callback in which it is held.
    pub held: String,
    /// Whether the other calls must answer while it is held.
    pub at_once: bool,
    /// The ways to end that are right, outcome by outcome in the order of the calls.
    pub expect: Vec<Case>,
}
