//! One transaction around the provider: everybody else waits.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde_json::Value;

use crate::kit::{Answer, ProcessCharge, StoreError, sha256};

pub fn init_db(path: &Path) -> Result<(), StoreError> {
    Connection::open(path)?.execute(
        "CREATE TABLE IF NOT EXISTS idempotency_keys(key TEXT PRIMARY KEY, request_hash TEXT NOT NULL,
         response_status INTEGER, response_body TEXT, created_at REAL NOT NULL)",
        [],
    )?;
    Ok(())
}

/// Writes JSON with the keys of every object in order.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut parts: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)))
                .collect();
            parts.sort();
            format!("{{{}}}", parts.join(","))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        other => other.to_string(),
    }
}

pub fn handle_charge(
    path: &Path,
    key: &str,
    body: &Value,
    amount: i64,
    now: f64,
    process_charge: ProcessCharge<'_>,
    keep: f64,
) -> Result<Answer, StoreError> {
    let hash = sha256(&format!("{amount} {}", canonical(body)));
    let mut db = Connection::open(path)?;
    let transaction = db.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    let row: Option<(String, i64, String, f64)> = transaction
        .query_row(
            "SELECT request_hash,response_status,response_body,created_at FROM idempotency_keys WHERE key=?",
            [key],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )
        .optional()?;
    if let Some((first, status, body, seen)) = row
        && now - seen < keep
    {
        if first != hash {
            return Err(StoreError::Conflict(key.to_owned()));
        }
        return Ok((status, serde_json::from_str(&body)?));
    }
    let result = process_charge(amount)?;
    transaction.execute(
        "INSERT OR REPLACE INTO idempotency_keys VALUES(?,?,200,?,?)",
        params![key, hash, result.to_string(), now],
    )?;
    transaction.commit()?;
    Ok((200, result))
}

pub fn sweep(path: &Path, now: f64, keep: f64) -> Result<u64, StoreError> {
    let removed = Connection::open(path)?.execute(
        "DELETE FROM idempotency_keys WHERE response_status NOTNULL AND NOT (?-created_at<?)",
        [now, keep],
    )?;
    Ok(removed as u64)
}
