//! Lab `retention`: its eight functions as one value.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::{Arguments, Functions, StoreError};

/// A function that takes a path, the time and a limit, and answers with ids.
pub type Cleanup = fn(&Path, f64, Option<i64>) -> Result<Vec<String>, StoreError>;

/// The eight functions of lab `retention`.
#[derive(Clone, Copy)]
pub struct Retention {
    /// Step 1.
    pub init_db: fn(&Path) -> Result<(), StoreError>,
    /// Step 2.
    pub reserve: fn(&Path, &str, &str, f64) -> Result<bool, StoreError>,
    /// Step 3.
    pub finish: fn(&Path, &str, &str, &Value) -> Result<bool, StoreError>,
    /// Step 4.
    pub fetch: fn(&Path, &str, f64) -> Result<Option<Value>, StoreError>,
    /// Step 5.
    pub expired: Cleanup,
    /// Step 6.
    pub purge: Cleanup,
    /// Step 7.
    pub counts: fn(&Path) -> Result<BTreeMap<String, u64>, StoreError>,
    /// Step 8.
    pub retention_cycle: fn(&Path, &str) -> Result<bool, StoreError>,
}

impl Functions for Retention {
    const LAB: &'static str = "retention";

    fn call(&self, name: &str, with: &Arguments<'_>) -> Result<Value, StoreError> {
        let path = with.path()?;
        Ok(match name {
            "init_db" => {
                (self.init_db)(path)?;
                Value::Null
            }
            "reserve" => json!((self.reserve)(
                path,
                with.text("key")?,
                with.text("digest")?,
                with.number("expires")?
            )?),
            "finish" => json!((self.finish)(
                path,
                with.text("key")?,
                with.text("digest")?,
                with.json("response")?
            )?),
            "fetch" => json!((self.fetch)(path, with.text("key")?, with.number("now")?)?),
            "expired" => json!((self.expired)(
                path,
                with.number("now")?,
                with.integer("limit")?
            )?),
            "purge" => json!((self.purge)(
                path,
                with.number("now")?,
                with.integer("limit")?
            )?),
            "counts" => json!((self.counts)(path)?),
            "retention_cycle" => json!((self.retention_cycle)(path, with.text("key")?)?),
            other => {
                return Err(StoreError::bad_argument(format!(
                    "there is no function `{other}`"
                )));
            }
        })
    }
}
