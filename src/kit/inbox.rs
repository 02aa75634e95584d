//! Lab `inbox`: its four functions as one value, and what they answer.

use std::path::Path;

use serde_json::{Value, json};

use super::{Arguments, Functions, StoreError};

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is new, and was taken in.
    Applied,
    /// It was there already.
    Duplicate,
}

impl Outcome {
    /// Returns the word by which it is told.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Duplicate => "duplicate",
        }
    }
}

/// How a message was received.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    /// What became of it.
    pub outcome: Outcome,
    /// What its sender is told.
    pub response: Value,
}

/// What a purge did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purged {
    /// How many rows it deleted.
    pub deleted: u64,
    /// How many rows are left.
    pub remain: u64,
}

/// The four functions of lab `inbox`.
#[derive(Clone, Copy)]
pub struct Inbox {
    /// Creates the history table.
    pub create: fn(&Path) -> Result<(), StoreError>,
    /// Takes in a message, given as its JSON text.
    pub apply: fn(&Path, &str) -> Result<Applied, StoreError>,
    /// Takes in a message ten times at once; returns how many rows it has.
    pub race: fn(&Path, &str) -> Result<u64, StoreError>,
    /// Deletes what is older than so many days.
    pub purge: fn(&Path, i64) -> Result<Purged, StoreError>,
}

impl Functions for Inbox {
    const LAB: &'static str = "inbox";

    fn call(&self, name: &str, with: &Arguments<'_>) -> Result<Value, StoreError> {
        let path = with.path()?;
        Ok(match name {
            "create" => {
                (self.create)(path)?;
                Value::Null
            }
            "apply" => {
                let Applied { outcome, response } = (self.apply)(path, with.text("message")?)?;
                json!({"outcome": outcome.word(), "response": response})
            }
            "race" => json!((self.race)(path, with.text("message")?)?),
            "purge" => {
                let days = with.integer("days")?;
                let days =
                    days.ok_or_else(|| StoreError::bad_argument("the argument `days` is missing"))?;
                let Purged { deleted, remain } = (self.purge)(path, days)?;
                json!({"deleted": deleted, "remain": remain})
            }
            other => {
                return Err(StoreError::bad_argument(format!(
                    "there is no function `{other}`"
                )));
            }
        })
    }
}
