//! Lab `invoice`, yours to write: a store in memory that lets each invoice through once.
//!
//! What the functions promise stands above them, step by step; the tests of a step stay in force
//! in all later ones.

use crate::kit::{Event, Refusal};

/// Step 1: let a new invoice through.
///
/// - `events` is a list of (t, key, payload), t in seconds and never falling. An event whose key
///   is not in the store is processed: its payload is in the answer.
/// - The answer lists the processed payloads in the order of their events. No events, no answer:
///   an empty list.
/// - The key alone says which invoice it is, compared as it is written. Two keys with the same
///   payload are two invoices.
/// - A payload may be anything, an empty one too.
/// - Each call begins with an empty store.
///
/// Step 2: first sight starts the only clock.
///
/// - An event with a key that is in the store, and with the same payload, is skipped.
/// - A duplicate changes nothing: the ttl is counted from the first sight of the key, however
///   often it comes again.
///
/// Step 4: at exactly ttl it has expired.
///
/// - A key is live while `t - first_seen < ttl`, fractions of a second counted.
/// - From exactly ttl on it has expired: the event is processed like a new one, and its clock
///   starts.
///
/// Step 5: entries expire, so the store is bounded.
///
/// - At each event everything that is due goes, one key or a thousand, and nothing that is not
///   due.
/// - What was seen first expires first, whatever came again or was refused since.
/// - What has expired is forgotten: the memory follows the live keys, not all keys that there ever
///   were.
///
/// Step 6: work that grows with the events, not with the store.
///
/// - Of a week's 1,240 deliveries, with a ttl of 72 hours, 1,180 are processed: each invoice once,
///   in order.
/// - Ten times the events in the same time take about ten times as long, for `solve` and for
///   `review`: on average an event costs the same, however many keys are live.
pub fn solve(events: &[Event], ttl: f64) -> Vec<String> {
    todo!("step 1: solve")
}

/// Step 3: a different payload is neither processed nor stored.
///
/// - An event with a key that is in the store, and with another payload, is refused: `solve`
///   leaves it out of its answer.
/// - The first payload stands and its clock runs on: what comes later is compared with the first,
///   not with what was refused.
/// - `review` takes the same events by the same rules and answers with the refusals in order, each
///   as (t, key, first payload, refused payload); nothing else is in its answer.
pub fn review(events: &[Event], ttl: f64) -> Vec<Refusal> {
    todo!("step 3: review")
}
