//! A pending row, claimed with ON CONFLICT DO NOTHING RETURNING, and given back by a guard that is
//! dropped; who comes meanwhile is told at once.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, named_params};
use serde_json::{Map, Value};

use crate::kit::{Answer, ProcessCharge, StoreError, sha256};

pub fn init_db(path: &Path) -> Result<(), StoreError> {
    let db = Connection::open(path)?;
    let there = db.table_exists(None, "idempotency_keys")?;
    if !there {
        db.execute_batch(
            r#"CREATE TABLE IF NOT EXISTS "idempotency_keys" (
                 key             TEXT    NOT NULL,
                 request_hash    TEXT    NOT NULL,
                 response_status INTEGER NULL,
                 response_body   TEXT    NULL,
                 created_at      REAL    NOT NULL,
                 PRIMARY KEY (key)
               )"#,
        )?;
    }
    Ok(())
}

/// The same value with the members of its objects in order.
fn in_order(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(in_order).collect(),
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            let members = members.into_iter();
            Value::Object(
                members
                    .map(|(name, value)| (name.clone(), in_order(value)))
                    .collect::<Map<_, _>>(),
            )
        }
        other => other.clone(),
    }
}

/// A claim that is given back unless it was kept.
struct Claim<'a> {
    db: &'a Connection,
    key: &'a str,
    kept: bool,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if !self.kept {
            let sql = "DELETE FROM idempotency_keys WHERE key=?1 AND response_status IS NULL";
            let _ = self.db.execute(sql, [self.key]);
        }
    }
}

pub fn handle_charge(
    path: &Path,
    idempotency_key: &str,
    request_body: &Value,
    amount: i64,
    now: f64,
    process_charge: ProcessCharge<'_>,
    keep: f64,
) -> Result<Answer, StoreError> {
    let db = Connection::open(path)?;
    let wanted = sha256(&format!("{}\u{1f}{amount}", in_order(request_body)));
    let claimed: Option<String> = db
        .query_row(
            "INSERT INTO idempotency_keys(key, request_hash, created_at) VALUES (:key, :hash, :now)
             ON CONFLICT(key) DO UPDATE
               SET request_hash = excluded.request_hash, created_at = excluded.created_at,
                   response_status = NULL, response_body = NULL
               WHERE response_status IS NOT NULL AND :now - created_at >= :keep
             RETURNING key",
            named_params! {":key": idempotency_key, ":hash": wanted, ":now": now, ":keep": keep},
            |row| row.get(0),
        )
        .optional()?;
    if claimed.is_none() {
        let (hash, status, body): (String, Option<i64>, Option<String>) = db.query_row(
            "SELECT request_hash, response_status, response_body FROM idempotency_keys WHERE key = ?",
            [idempotency_key],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        return match (hash == wanted, status, body) {
            (false, _, _) => Err(StoreError::Conflict("another request".to_owned())),
            (true, Some(status), Some(body)) => Ok((status, serde_json::from_str(&body)?)),
            (true, _, _) => Err(StoreError::InProgress("not yet".to_owned())),
        };
    }
    let mut claim = Claim {
        db: &db,
        key: idempotency_key,
        kept: false,
    };
    let receipt = process_charge(amount)?;
    db.execute(
        "UPDATE idempotency_keys SET response_status = 200, response_body = :body WHERE key = :key",
        named_params! {":key": idempotency_key, ":body": receipt.to_string()},
    )?;
    claim.kept = true;
    Ok((200, receipt))
}

pub fn sweep(path: &Path, now: f64, keep: f64) -> Result<u64, StoreError> {
    let db = Connection::open(path)?;
    let mut dead = db.prepare(
        "DELETE FROM idempotency_keys WHERE :now - created_at >= :keep AND response_status IS NOT NULL
         RETURNING 1",
    )?;
    let mut rows = dead.query(named_params! {":now": now, ":keep": keep})?;
    let mut count = 0;
    while rows.next()?.is_some() {
        count += 1;
    }
    Ok(count)
}
