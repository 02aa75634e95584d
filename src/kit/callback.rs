//! Callbacks: functions of the lab that a subject may call in the middle of a call.

use serde_json::{Value, json};

/// The error of a callback: what the lab says went wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CallbackError(pub String);

/// The way from a subject to the lab in the middle of a call.
///
/// It is given a message without its id, and returns the answer.
pub type Ask<'a> = dyn Fn(Value) -> std::io::Result<Value> + 'a;

/// Calls the callback `name` of the lab.
///
/// # Errors
///
/// Returns the error that the callback raises, or that the lab cannot be heard any more.
pub fn ask(channel: &Ask<'_>, name: &str, with: &Value) -> Result<Value, CallbackError> {
    let message = json!({"callback": name, "with": with});
    let mut answer = channel(message).map_err(|error| CallbackError(error.to_string()))?;
    match answer.get_mut("gives") {
        Some(value) => Ok(value.take()),
        None => {
            let text = answer["raises"]["message"].as_str().unwrap_or_default();
            Err(CallbackError(text.to_owned()))
        }
    }
}
