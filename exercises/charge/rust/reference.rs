//! Lab `charge`, the reference: an idempotency key and its result, stored together.
//!
//! A key is claimed by a row without a status, in a transaction of its own, before the provider is
//! called. So no lock is held while the provider works, and a second caller finds the row.

use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde_json::{Value, json};

use crate::kit::{Answer, ProcessCharge, StoreError, sha256};

/// Creates the table of keys, unless it is there.
pub fn init_db(path: &Path) -> Result<(), StoreError> {
    let db = Connection::open(path)?;
    db.execute_batch(
        "CREATE TABLE IF NOT EXISTS idempotency_keys(
           key TEXT PRIMARY KEY,
           request_hash TEXT NOT NULL,
           response_status INTEGER,
           response_body TEXT,
           created_at REAL NOT NULL)",
    )?;
    Ok(())
}

/// Names a request: equal for equal JSON, whatever the order of its keys.
fn request_hash(request_body: &Value, amount: i64) -> String {
    let mut request = json!([request_body, amount]);
    request.sort_all_objects();
    sha256(&request.to_string())
}

/// Handles one request: charges once for a key, and answers every retry with what was stored.
pub fn handle_charge(
    path: &Path,
    idempotency_key: &str,
    request_body: &Value,
    amount: i64,
    now: f64,
    process_charge: ProcessCharge<'_>,
    keep: f64,
) -> Result<Answer, StoreError> {
    let hash = request_hash(request_body, amount);
    let mut db = Connection::open(path)?;
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let stored = claim(&transaction, idempotency_key, &hash, now, keep)?;
    transaction.commit()?;
    if let Some(answer) = stored {
        return Ok(answer);
    }
    let result = match process_charge(amount) {
        Ok(result) => result,
        Err(error) => {
            db.execute(
                "DELETE FROM idempotency_keys WHERE key=? AND response_status IS NULL",
                [idempotency_key],
            )?;
            return Err(error.into());
        }
    };
    db.execute(
        "UPDATE idempotency_keys SET response_status=200,response_body=? \
         WHERE key=? AND response_status IS NULL",
        params![result.to_string(), idempotency_key],
    )?;
    Ok((200, result))
}

/// Claims a key for a new request, or finds the answer of an earlier one.
fn claim(
    transaction: &Transaction<'_>,
    key: &str,
    hash: &str,
    now: f64,
    keep: f64,
) -> Result<Option<Answer>, StoreError> {
    transaction.execute(
        "DELETE FROM idempotency_keys \
         WHERE key=? AND response_status IS NOT NULL AND ?-created_at>=?",
        params![key, now, keep],
    )?;
    let inserted = transaction.execute(
        "INSERT OR IGNORE INTO idempotency_keys(key,request_hash,created_at) VALUES(?,?,?)",
        params![key, hash, now],
    )?;
    if inserted == 1 {
        return Ok(None);
    }
    let (first, status, body): (String, Option<i64>, Option<String>) = transaction.query_row(
        "SELECT request_hash,response_status,response_body FROM idempotency_keys WHERE key=?",
        [key],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    if first != hash {
        return Err(StoreError::Conflict(
            "the key was used for another request".to_owned(),
        ));
    }
    let Some(status) = status else {
        return Err(StoreError::InProgress(
            "the first request is still running".to_owned(),
        ));
    };
    let body = body.unwrap_or_else(|| "null".to_owned());
    Ok(Some((status, serde_json::from_str(&body)?)))
}

/// Removes the finished records that are no longer live, and says how many there were.
pub fn sweep(path: &Path, now: f64, keep: f64) -> Result<u64, StoreError> {
    let db = Connection::open(path)?;
    let removed = db.execute(
        "DELETE FROM idempotency_keys WHERE response_status IS NOT NULL AND ?-created_at>=?",
        params![now, keep],
    )?;
    Ok(removed as u64)
}
