//! Lab `inbox`, yours to write: a receiver where a message may come as often as it likes.
//!
//! Each function opens the database at `path`, does one thing and lets go of it. What it promises
//! stands above it; the tests of a step stay in force in all later ones.

use std::path::Path;

use crate::kit::{Applied, Purged, StoreError};

/// Step 1: a history with one row a message.
///
/// - Where there is no table `inbox_log`, it creates one, empty and ready for use.
/// - Where the table is there already, it succeeds and leaves every row as it is.
/// - The columns are msg_id, biz_key, status, response and created_at, in this order.
/// - The table itself lets no `msg_id` in twice; it is compared character by character, and
///   nothing else has to be unique.
///
/// Judge by: What the application forgets, the constraint still refuses.
pub fn create(path: &Path) -> Result<(), StoreError> {
    todo!("step 1: create")
}

/// Step 3: load a message once.
///
/// - `message` is a JSON object with a text as `msg_id` and one as `order_no`. A new one gets a
///   row, with its order number as `biz_key`, and the outcome is `applied`.
/// - A message whose `msg_id` is there changes nothing, and the outcome is `duplicate`. That is no
///   error.
/// - Ids are stored and compared as they are written, whatever signs they have.
/// - `created_at` is the time of loading in UTC, as `datetime('now')` writes it.
/// - What is no message, or cannot be stored, is an error: never `applied`, never `duplicate`.
///
/// Judge by: The insert itself says which of the two it was; nobody looks first.
///
/// Step 4: load them all.
///
/// - Of many messages each `msg_id` has one row, and every further message with it is a duplicate.
/// - Two messages about one order are two messages, and both are loaded.
///
/// Step 7: store the response and return it.
///
/// - The answer to a new message is stored as JSON in `response`, and returned.
/// - A duplicate is answered with what was stored the first time, even if its body is another.
/// - All that ask at once hear the same answer.
pub fn apply(path: &Path, message: &str) -> Result<Applied, StoreError> {
    todo!("step 3: apply")
}

/// Step 5: ten at once.
///
/// - It calls `apply` with the same message ten times at once, and returns how many rows have its
///   `msg_id` then: one.
/// - Of all that come at once, one is applied and the rest are duplicates; whoever finds the
///   database locked waits.
/// - The number is counted, whatever it is.
pub fn race(path: &Path, message: &str) -> Result<u64, StoreError> {
    todo!("step 5: race")
}

/// Step 6: forget by age.
///
/// - It deletes the rows that are older than `days` days, and returns how many it deleted and how
///   many remain.
/// - A row that is younger stays, however many there are.
/// - Age is measured in UTC, to the second.
/// - If `days` is negative, nothing is deleted.
pub fn purge(path: &Path, days: i64) -> Result<Purged, StoreError> {
    todo!("step 6: purge")
}
