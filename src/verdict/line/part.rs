//! The verdict of an answer of which only a part is laid down.

use serde_json::Value;

use super::{Fit, LineVerdict, Shown, TestWord, fault, fit};
use crate::model::{Cell, Each, Forced, Member, Part, Stored, same_json};
use crate::run::{Dump, LineSeen, Outcome};

/// Those who were to wait at the lock at the same moment must have done so.
pub(super) fn at_once(verdict: LineVerdict, forced: &Forced, seen: &LineSeen) -> LineVerdict {
    let too_few = seen.waiting.filter(|waiting| *waiting < forced.at_once);
    match too_few {
        Some(waiting) if verdict.word == TestWord::Passed => LineVerdict::failed(
            Shown::Words(format!(
                "at least {} wait for the lock at once",
                forced.at_once
            )),
            Shown::Words(format!("never more than {waiting} at once")),
        ),
        _ => verdict,
    }
}

/// Tells whether an answer has these members, given the tables when the call was over.
pub(super) fn has(members: &[Member], got: &Value, after: &Dump) -> bool {
    members.iter().all(|member| {
        let Some(got) = got.get(&member.name) else {
            return false;
        };
        match &member.value {
            Part::Is(want) => same_json(want, got),
            Part::Stored(stored) => {
                stored_value(stored, after).is_some_and(|want| same_json(&want, got))
            }
        }
    })
}

/// Reads the JSON that stands in a table.
fn stored_value(stored: &Stored, after: &Dump) -> Option<Value> {
    let table = after.iter().find(|table| table.table == stored.table)?;
    let row = table.rows.iter().find(|row| {
        let first = row.first();
        first.is_some_and(|first| stored.row.accepts(first))
    })?;
    match row.get(stored.place)? {
        Cell::Text(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

/// Judges calls with each file of a folder: the first that is wrong is told.
pub(super) fn each(each: &Each, outcomes: &[Outcome], after: &Dump) -> LineVerdict {
    for (place, (file, _, expected)) in each.calls.iter().enumerate() {
        let wanted = || Shown::Words(format!("{file}: {}", words(expected)));
        let Some(outcome) = outcomes.get(place) else {
            let seen = Shown::Words(format!("{file}: the call was not made"));
            return LineVerdict::failed(wanted(), seen);
        };
        let seen = || Shown::Words(format!("{file}: {}", told(outcome)));
        if let Some(word) = fault(outcome) {
            return LineVerdict::not_passed(word, wanted(), seen());
        }
        if fit(expected, outcome, after) == Fit::No {
            return LineVerdict::failed(wanted(), seen());
        }
    }
    LineVerdict::passed()
}

fn words(expected: &crate::model::Expected) -> String {
    plain(&Shown::expected(expected))
}

fn told(outcome: &Outcome) -> String {
    plain(&Shown::outcome(outcome))
}

fn plain(shown: &Shown) -> String {
    match shown {
        Shown::Words(words) => words.clone(),
        Shown::Returns(value) => value.to_string(),
        Shown::Raises {
            kind,
            message: Some(message),
        } => format!("{kind}: {message}"),
        other => other.to_json().to_string(),
    }
}
