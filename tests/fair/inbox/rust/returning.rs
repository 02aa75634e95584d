//! A right solution of lab `inbox`: RETURNING tells whether there is a new row.
//!
//! Every function opens the database at `path`, does one thing and lets go of it.

use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde_json::{Value, json};

use crate::kit::{Applied, Outcome, Purged, StoreError};

/// Opens the database; whoever finds it locked waits for a while.
fn open(path: &Path) -> Result<Connection, StoreError> {
    let db = Connection::open(path)?;
    db.busy_timeout(Duration::from_secs(5))?;
    Ok(db)
}

/// Creates the history table, unless it is there.
pub fn create(path: &Path) -> Result<(), StoreError> {
    open(path)?.execute_batch(
        "CREATE TABLE IF NOT EXISTS inbox_log(
           msg_id TEXT PRIMARY KEY,
           biz_key TEXT NOT NULL,
           status TEXT NOT NULL,
           response TEXT NOT NULL,
           created_at TEXT NOT NULL)",
    )?;
    Ok(())
}

/// What the history needs to know of a message.
struct Message {
    msg_id: String,
    order_no: String,
    response: Value,
}

/// Reads a message, or says what it lacks.
fn read(message: &str) -> Result<Message, StoreError> {
    let message: Value = serde_json::from_str(message)?;
    let text = |name: &str| match message[name].as_str() {
        Some(text) if !text.is_empty() => Ok(text.to_owned()),
        _ => Err(StoreError::bad_argument(format!(
            "a message needs a text as its {name}"
        ))),
    };
    let (msg_id, order_no) = (text("msg_id")?, text("order_no")?);
    let response = json!({"msg_id": msg_id, "order_no": order_no, "amount": message["amount"]});
    Ok(Message {
        msg_id,
        order_no,
        response,
    })
}

/// Takes in a message once; answers with the response of the first time.
pub fn apply(path: &Path, message: &str) -> Result<Applied, StoreError> {
    let message = read(message)?;
    let db = open(path)?;
    let new: Option<String> = db
        .query_row(
            "INSERT INTO inbox_log(msg_id,biz_key,status,response,created_at) \
             VALUES(?,?,'done',?,datetime('now')) ON CONFLICT DO NOTHING RETURNING response",
            params![
                message.msg_id,
                message.order_no,
                message.response.to_string()
            ],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(response) = new {
        return Ok(Applied {
            outcome: Outcome::Applied,
            response: serde_json::from_str(&response)?,
        });
    }
    let outcome = Outcome::Duplicate;
    let response: String = db.query_row(
        "SELECT response FROM inbox_log WHERE msg_id=?",
        [&message.msg_id],
        |row| row.get(0),
    )?;
    Ok(Applied {
        outcome,
        response: serde_json::from_str(&response)?,
    })
}

/// Takes in the same message ten times at once; returns how many rows it has.
pub fn race(path: &Path, message: &str) -> Result<u64, StoreError> {
    let msg_id = read(message)?.msg_id;
    let ended = thread::scope(|scope| {
        let started: Vec<_> = (0..10)
            .map(|_| scope.spawn(|| apply(path, message)))
            .collect();
        let ended = started.into_iter().map(|one| one.join());
        ended.collect::<Vec<_>>()
    });
    for one in ended {
        one.expect("apply does not panic")?;
    }
    Ok(open(path)?.query_row(
        "SELECT count(*) FROM inbox_log WHERE msg_id=?",
        [msg_id],
        |row| row.get(0),
    )?)
}

/// Deletes what is older than so many days, and nothing else.
pub fn purge(path: &Path, days: i64) -> Result<Purged, StoreError> {
    if days < 0 {
        return Err(StoreError::bad_argument(format!(
            "days must be 0 or more, and is {days}"
        )));
    }
    let mut db = open(path)?;
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let deleted = transaction.execute(
        "DELETE FROM inbox_log WHERE created_at < datetime('now', ?)",
        [format!("-{days} days")],
    )?;
    let remain = transaction.query_row("SELECT count(*) FROM inbox_log", [], |row| row.get(0))?;
    transaction.commit()?;
    Ok(Purged {
        deleted: deleted as u64,
        remain,
    })
}
