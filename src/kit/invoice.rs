//! Lab `invoice`: its two functions as one value, and what they are given.

use serde_json::{Value, json};

use super::{Arguments, Functions, StoreError};

/// One delivery of an invoice.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// When it comes, in seconds; never before the one in front of it.
    pub t: f64,
    /// The invoice's id.
    pub key: String,
    /// What it says.
    pub payload: String,
}

/// A payload that was refused, for a person to decide.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// When it came, in seconds.
    pub t: f64,
    /// The invoice's id.
    pub key: String,
    /// The payload that stands.
    pub first: String,
    /// The one that was refused.
    pub refused: String,
}

/// The two functions of lab `invoice`.
#[derive(Clone, Copy)]
pub struct Invoice {
    /// Returns the payloads that are processed, in order.
    pub solve: fn(&[Event], f64) -> Vec<String>,
    /// Returns the refusals, in order.
    pub review: fn(&[Event], f64) -> Vec<Refusal>,
}

impl Functions for Invoice {
    const LAB: &'static str = "invoice";

    fn call(&self, name: &str, with: &Arguments<'_>) -> Result<Value, StoreError> {
        let events = || events(with.json("events")?);
        Ok(match name {
            "solve" => json!((self.solve)(&events()?, with.number("ttl")?)),
            "review" => {
                let refusals = (self.review)(&events()?, with.number("ttl")?);
                let lists = refusals
                    .into_iter()
                    .map(|refusal| json!([refusal.t, refusal.key, refusal.first, refusal.refused]));
                lists.collect()
            }
            other => {
                return Err(StoreError::bad_argument(format!(
                    "there is no function `{other}`"
                )));
            }
        })
    }
}

/// Reads events as the lab sends them: lists of a time, a key and a payload.
fn events(value: &Value) -> Result<Vec<Event>, StoreError> {
    let wrong = || {
        StoreError::bad_argument(
            "the argument `events` takes a list of [time, text, text], each an event",
        )
    };
    let read = |event: &Value| {
        let [t, key, payload] = event.as_array()?.as_slice() else {
            return None;
        };
        Some(Event {
            t: t.as_f64()?,
            key: key.as_str()?.to_owned(),
            payload: payload.as_str()?.to_owned(),
        })
    };
    let events = value.as_array().ok_or_else(wrong)?.iter();
    events.map(|event| read(event).ok_or_else(wrong)).collect()
}
