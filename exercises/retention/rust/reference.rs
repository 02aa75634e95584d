//! Lab `retention`, the reference: a table of idempotency keys and its cleanup.
//!
//! Every function opens the store at `path`, does one thing and lets go of it.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde_json::{Value, json};

use crate::kit::StoreError;

/// Creates the table of keys, unless it is there.
pub fn init_db(path: &Path) -> Result<(), StoreError> {
    let db = Connection::open(path)?;
    db.execute_batch(
        "CREATE TABLE IF NOT EXISTS keys(
           id TEXT PRIMARY KEY,
           fingerprint TEXT NOT NULL,
           status TEXT NOT NULL,
           response TEXT,
           expires REAL NOT NULL)",
    )?;
    Ok(())
}

/// Reserves a missing key as pending; leaves an existing one exactly as it is.
pub fn reserve(path: &Path, key: &str, digest: &str, expires: f64) -> Result<bool, StoreError> {
    let db = Connection::open(path)?;
    let inserted = db.execute(
        "INSERT OR IGNORE INTO keys(id,fingerprint,status,response,expires) \
         VALUES(?,?,'pending',NULL,?)",
        params![key, digest, expires],
    )?;
    Ok(inserted == 1)
}

/// Stores the response of the request that reserved the key, once.
pub fn finish(path: &Path, key: &str, digest: &str, response: &Value) -> Result<bool, StoreError> {
    let db = Connection::open(path)?;
    let updated = db.execute(
        "UPDATE keys SET status='done',response=? \
         WHERE id=? AND fingerprint=? AND status='pending'",
        params![serde_json::to_string(response)?, key, digest],
    )?;
    Ok(updated == 1)
}

/// Returns the response of a finished key that is still kept at `now`.
pub fn fetch(path: &Path, key: &str, now: f64) -> Result<Option<Value>, StoreError> {
    let db = Connection::open(path)?;
    let stored: Option<String> = db
        .query_row(
            "SELECT response FROM keys WHERE id=? AND status='done' AND expires>?",
            params![key, now],
            |row| row.get(0),
        )
        .optional()?;
    match stored {
        Some(text) => Ok(Some(serde_json::from_str(&text)?)),
        None => Ok(None),
    }
}

/// Refuses a limit that is not from 1 to 100; left out, it is 10.
fn checked(limit: Option<i64>) -> Result<i64, StoreError> {
    match limit.unwrap_or(10) {
        limit @ 1..=100 => Ok(limit),
        limit => Err(StoreError::bad_argument(format!(
            "limit must be from 1 to 100, and is {limit}"
        ))),
    }
}

/// Lists the finished keys that are no longer kept at `now`, in order, up to `limit`.
pub fn expired(path: &Path, now: f64, limit: Option<i64>) -> Result<Vec<String>, StoreError> {
    let limit = checked(limit)?;
    let db = Connection::open(path)?;
    let mut select = db.prepare(
        "SELECT id FROM keys WHERE status='done' AND expires<=? ORDER BY id LIMIT ?",
    )?;
    let ids = select.query_map(params![now, limit], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Deletes what `expired` would list, in one transaction, and returns the deleted ids.
pub fn purge(path: &Path, now: f64, limit: Option<i64>) -> Result<Vec<String>, StoreError> {
    let limit = checked(limit)?;
    let mut db = Connection::open(path)?;
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut ids: Vec<String> = Vec::new();
    {
        let mut select = transaction.prepare(
            "SELECT id FROM keys \
             WHERE status='done' AND expires<=? \
             ORDER BY id LIMIT ?",
        )?;
        for id in select.query_map(params![now, limit], |row| row.get(0))? {
            ids.push(id?);
        }
        let mut delete = transaction.prepare("DELETE FROM keys WHERE id=?")?;
        for id in &ids {
            delete.execute([id])?;
        }
    }
    transaction.commit()?;
    Ok(ids)
}

/// Counts the rows of each state; a state without rows is there with 0.
pub fn counts(path: &Path) -> Result<BTreeMap<String, u64>, StoreError> {
    let db = Connection::open(path)?;
    let count = |status: &str| {
        db.query_row("SELECT COUNT(*) FROM keys WHERE status=?", [status], |row| {
            row.get::<_, u64>(0)
        })
    };
    Ok(BTreeMap::from([
        ("pending".to_owned(), count("pending")?),
        ("done".to_owned(), count("done")?),
    ]))
}

/// Walks one key through its whole life and shows that it is a new request afterwards.
pub fn retention_cycle(path: &Path, key: &str) -> Result<bool, StoreError> {
    reserve(path, key, "v1", 10.0)?;
    finish(path, key, "v1", &json!({"receipt": 1}))?;
    purge(path, 10.0, None)?;
    reserve(path, key, "v2", 20.0)
}
