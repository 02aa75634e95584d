//! Right: reads whole rows and decides in Rust, under one lock.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, TransactionBehavior, params};
use serde_json::{Value, json};

use crate::kit::StoreError;

struct Row {
    id: String,
    status: String,
    response: Option<String>,
    expires: f64,
}

fn all(db: &Connection) -> Result<Vec<Row>, StoreError> {
    let mut select = db.prepare("SELECT id, status, response, expires FROM keys")?;
    let rows = select.query_map([], |row| {
        Ok(Row {
            id: row.get("id")?,
            status: row.get("status")?,
            response: row.get("response")?,
            expires: row.get("expires")?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn due(db: &Connection, now: f64, limit: i64) -> Result<Vec<String>, StoreError> {
    let mut ids: Vec<String> = all(db)?
        .into_iter()
        .filter(|row| row.status == "done" && row.expires <= now)
        .map(|row| row.id)
        .collect();
    ids.sort();
    ids.truncate(usize::try_from(limit).unwrap_or(10));
    Ok(ids)
}

pub fn init_db(path: &Path) -> Result<(), StoreError> {
    Connection::open(path)?.execute_batch(
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, \
         status TEXT NOT NULL, response TEXT, expires REAL NOT NULL)",
    )?;
    Ok(())
}

pub fn reserve(path: &Path, key: &str, digest: &str, expires: f64) -> Result<bool, StoreError> {
    let db = Connection::open(path)?;
    let sql = "INSERT OR IGNORE INTO keys VALUES(?1, ?2, 'pending', NULL, ?3)";
    Ok(db.execute(sql, params![key, digest, expires])? > 0)
}

pub fn finish(path: &Path, key: &str, digest: &str, response: &Value) -> Result<bool, StoreError> {
    let db = Connection::open(path)?;
    let sql = "UPDATE keys SET response = ?3, status = 'done' \
               WHERE id = ?1 AND fingerprint = ?2 AND status = 'pending'";
    Ok(db.execute(sql, params![key, digest, response.to_string()])? == 1)
}

pub fn fetch(path: &Path, key: &str, now: f64) -> Result<Option<Value>, StoreError> {
    let rows = all(&Connection::open(path)?)?;
    let row = rows.into_iter().find(|row| row.id == key);
    let kept = row.filter(|row| row.status == "done" && row.expires > now);
    let text = kept.and_then(|row| row.response);
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}

fn bound(limit: Option<i64>) -> Result<i64, StoreError> {
    let limit = limit.unwrap_or(10);
    if (1..=100).contains(&limit) {
        Ok(limit)
    } else {
        Err(StoreError::bad_argument("from 1 to 100"))
    }
}

pub fn expired(path: &Path, now: f64, limit: Option<i64>) -> Result<Vec<String>, StoreError> {
    let limit = bound(limit)?;
    due(&Connection::open(path)?, now, limit)
}

pub fn purge(path: &Path, now: f64, limit: Option<i64>) -> Result<Vec<String>, StoreError> {
    let limit = bound(limit)?;
    let mut db = Connection::open(path)?;
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let ids = due(&transaction, now, limit)?;
    for id in &ids {
        transaction.execute("DELETE FROM keys WHERE id = ?", params![id])?;
    }
    transaction.commit()?;
    Ok(ids)
}

pub fn counts(path: &Path) -> Result<BTreeMap<String, u64>, StoreError> {
    let rows = all(&Connection::open(path)?)?;
    let count = |state: &str| rows.iter().filter(|row| row.status == state).count() as u64;
    Ok(["pending", "done"]
        .into_iter()
        .map(|state| (state.to_owned(), count(state)))
        .collect())
}

pub fn retention_cycle(path: &Path, key: &str) -> Result<bool, StoreError> {
    reserve(path, key, "v1", 10.0)?;
    finish(path, key, "v1", &json!({"receipt": 1}))?;
    purge(path, 10.0, None)?;
    reserve(path, key, "v2", 20.0)
}
