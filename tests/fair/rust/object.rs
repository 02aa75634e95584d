//! Right: is an object with methods; the functions only call them.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::kit::StoreError;

struct Store(Connection);

impl Store {
    fn at(path: &Path) -> Result<Self, StoreError> {
        Ok(Self(Connection::open(path)?))
    }

    fn change(&self, sql: &str, values: &[&dyn rusqlite::ToSql]) -> Result<bool, StoreError> {
        let mut statement = self.0.prepare_cached(sql)?;
        Ok(statement.execute(values)? == 1)
    }

    fn count(&self, state: &str) -> Result<u64, StoreError> {
        let sql = "SELECT COUNT(*) FROM keys WHERE status = :state";
        Ok(self
            .0
            .query_row(sql, rusqlite::named_params! {":state": state}, |row| {
                row.get(0)
            })?)
    }
}

pub fn init_db(path: &Path) -> Result<(), StoreError> {
    Connection::open(path)?.execute_batch(
        "CREATE TABLE IF NOT EXISTS keys(id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, \
         status TEXT NOT NULL, response TEXT, expires REAL NOT NULL)",
    )?;
    Ok(())
}

pub fn reserve(path: &Path, key: &str, digest: &str, expires: f64) -> Result<bool, StoreError> {
    Store::at(path)?.change(
        "INSERT OR IGNORE INTO keys SELECT ?, ?, 'pending', NULL, ?",
        params![key, digest, expires],
    )
}

pub fn finish(path: &Path, key: &str, digest: &str, response: &Value) -> Result<bool, StoreError> {
    let text = serde_json::to_string_pretty(response)?;
    Store::at(path)?.change(
        "UPDATE keys SET (status, response) = ('done', ?) \
         WHERE (id, fingerprint, status) = (?, ?, 'pending')",
        params![text, key, digest],
    )
}

pub fn fetch(path: &Path, key: &str, now: f64) -> Result<Option<Value>, StoreError> {
    let db = Connection::open(path)?;
    let sql = "SELECT response FROM keys WHERE status = 'done' AND id = ?1 AND ?2 < expires";
    let mut select = db.prepare(sql)?;
    let mut rows = select.query(params![key, now])?;
    match rows.next()? {
        Some(row) => Ok(Some(serde_json::from_str(&row.get::<_, String>(0)?)?)),
        None => Ok(None),
    }
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
    let db = Connection::open(path)?;
    let sql = "SELECT id FROM keys WHERE status = 'done' AND ?1 >= expires ORDER BY id LIMIT ?2";
    let mut select = db.prepare(sql)?;
    let ids = select.query_map(params![now, limit], |row| row.get(0))?;
    ids.map(|id| Ok(id?)).collect()
}

pub fn purge(path: &Path, now: f64, limit: Option<i64>) -> Result<Vec<String>, StoreError> {
    let limit = bound(limit)?;
    let db = Connection::open(path)?;
    let sql = "DELETE FROM keys WHERE id IN (\
                 SELECT id FROM keys WHERE status = 'done' AND expires <= ?1 ORDER BY id LIMIT ?2) \
               RETURNING id";
    let mut delete = db.prepare(sql)?;
    let ids = delete.query_map(params![now, limit], |row| row.get(0))?;
    let mut ids = ids.collect::<Result<Vec<String>, _>>()?;
    ids.sort_unstable();
    Ok(ids)
}

pub fn counts(path: &Path) -> Result<BTreeMap<String, u64>, StoreError> {
    let store = Store::at(path)?;
    let mut all = BTreeMap::new();
    for state in ["done", "pending"] {
        all.insert(state.to_owned(), store.count(state)?);
    }
    Ok(all)
}

pub fn retention_cycle(path: &Path, key: &str) -> Result<bool, StoreError> {
    reserve(path, key, "v1", 10.0)?;
    finish(path, key, "v1", &json!({"receipt": 1}))?;
    purge(path, 10.0, None)?;
    reserve(path, key, "v2", 20.0)
}
