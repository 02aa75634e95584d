//! Lab `charge`: its three functions as one value.

use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{Arguments, CallbackError, Functions, StoreError};

/// The provider: takes an amount in cents, and returns what it says of the charge.
pub type ProcessCharge<'a> = &'a mut dyn FnMut(i64) -> Result<Value, CallbackError>;

/// What a charge answers: a status and a body.
pub type Answer = (i64, Value);

/// Handles one request: store, key, body, amount in cents, time and window in seconds.
pub type HandleCharge =
    fn(&Path, &str, &Value, i64, f64, ProcessCharge<'_>, f64) -> Result<Answer, StoreError>;

/// The three functions of lab `charge`.
#[derive(Clone, Copy)]
pub struct Charge {
    /// Makes the table.
    pub init_db: fn(&Path) -> Result<(), StoreError>,
    /// Handles one request.
    pub handle_charge: HandleCharge,
    /// Removes dead records.
    pub sweep: fn(&Path, f64, f64) -> Result<u64, StoreError>,
}

/// How long a record is live if a call does not say: 24 hours.
const KEEP: f64 = 86_400.0;

impl Functions for Charge {
    const LAB: &'static str = "charge";

    fn call(&self, name: &str, with: &Arguments<'_>) -> Result<Value, StoreError> {
        let path = with.path()?;
        let keep = || with.number_or("keep", KEEP);
        Ok(match name {
            "init_db" => {
                (self.init_db)(path)?;
                Value::Null
            }
            "handle_charge" => {
                let amount = with.integer("amount")?;
                let missing = || StoreError::bad_argument("the argument `amount` is missing");
                let mut process_charge =
                    |amount: i64| with.ask("process_charge", &json!({"amount": amount}));
                json!((self.handle_charge)(
                    path,
                    with.text("idempotency_key")?,
                    with.json("request_body")?,
                    amount.ok_or_else(missing)?,
                    with.number("now")?,
                    &mut process_charge,
                    keep()?,
                )?)
            }
            "sweep" => json!((self.sweep)(path, with.number("now")?, keep()?)?),
            other => {
                return Err(StoreError::bad_argument(format!(
                    "there is no function `{other}`"
                )));
            }
        })
    }
}

/// Returns the SHA-256 of a text in 64 hexadecimal digits.
#[must_use]
pub fn sha256(text: &str) -> String {
    use std::fmt::Write as _;
    let mut digits = String::new();
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
