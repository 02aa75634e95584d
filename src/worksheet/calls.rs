//! Calls and whole tests in one line each, without what is expected of them.

use serde_json::Value;

use super::table::{cell_text, cut};
use crate::model::{Action, Call, Lab, Start, TableRows, Test};

/// The widest an argument is shown, in columns of the terminal.
const WIDEST: usize = 26;
/// The most calls of a test that are written out in its summary.
const WRITTEN_OUT: usize = 3;

/// Writes a value as a call shows it: a plain word as it is, anything else as JSON.
#[must_use]
pub fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Null => "nothing".to_owned(),
        other => other.to_string(),
    }
}

/// Tells whether a text can stand without quotes and be taken for nothing else.
fn is_plain(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(word)
        && !matches!(
            text,
            "null" | "true" | "false" | "nothing" | "None" | "True" | "False"
        )
}

/// Writes a call, such as `reserve(k, v2, 99)`.
#[must_use]
pub fn call_text(lab: &Lab, call: &Call) -> String {
    let step = lab.steps.iter().find(|step| step.id == call.function);
    let order = step
        .map(|step| step.arguments.as_slice())
        .unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    for argument in order {
        if let Some(value) = call.with.get(&argument.name) {
            let text = cut(&value_text(value), WIDEST);
            parts.push(if argument.optional {
                format!("{}={text}", argument.name)
            } else {
                text
            });
        }
    }
    format!("{}({})", call.function, parts.join(", "))
}

/// Writes a test by its inputs alone: what is given, what is called, where one looks.
#[must_use]
pub fn summary(lab: &Lab, test: &Test) -> String {
    let mut parts: Vec<(String, usize)> = Vec::new();
    let mut add = |part: String| match parts.last_mut() {
        Some((last, count)) if *last == part => *count += 1,
        _ => parts.push((part, 1)),
    };
    start_words(lab, test)
        .into_iter()
        .map(str::to_owned)
        .for_each(&mut add);
    test.given.iter().filter_map(given).for_each(&mut add);
    let calls: Vec<&Call> = test
        .script
        .iter()
        .filter_map(|line| plain_call(&line.action))
        .collect();
    let mut group = (calls.len() > WRITTEN_OUT).then(|| grouped(&calls));
    let written_out = group.is_none();
    for line in &test.script {
        if written_out || plain_call(&line.action).is_none() {
            add(action(lab, &line.action));
        } else if let Some(group) = group.take() {
            add(group);
        }
    }
    let parts: Vec<String> = parts.into_iter().map(times).collect();
    parts.join(" · ")
}

/// Says what a test starts with where that is not plain from its rows.
///
/// A lab whose first function makes the table has tests that start without one.
#[must_use]
pub fn start_words(lab: &Lab, test: &Test) -> Option<&'static str> {
    let makes_tables = lab
        .tests
        .iter()
        .any(|other| other.start == Start::Nothing && other.step == test.step);
    match test.start {
        Start::Nothing => Some("no table"),
        Start::Table if makes_tables && test.given.is_empty() => Some("an empty table"),
        Start::Table => None,
    }
}

/// Writes something with how often it is done in a row.
fn times((part, count): (String, usize)) -> String {
    if count == 1 {
        part
    } else {
        format!("{part} ×{count}")
    }
}

const fn plain_call(action: &Action) -> Option<&Call> {
    match action {
        Action::Call { call, .. } => Some(call),
        _ => None,
    }
}

fn given(table: &TableRows) -> Option<String> {
    match table.rows.as_slice() {
        [] => None,
        [row] => {
            let cells: Vec<String> = row.iter().map(cell_text).collect();
            Some(format!("row {}", cells.join(" ")))
        }
        rows if rows.len() <= 5 => {
            let ids: Vec<String> = rows
                .iter()
                .filter_map(|row| row.first())
                .map(cell_text)
                .collect();
            Some(format!("rows {}", ids.join(", ")))
        }
        rows => Some(format!("{} rows", rows.len())),
    }
}

/// Writes many calls by how often each function is called.
fn grouped(calls: &[&Call]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for call in calls {
        match counts.iter_mut().find(|(name, _)| *name == call.function) {
            Some((_, count)) => *count += 1,
            None => counts.push((&call.function, 1)),
        }
    }
    let parts: Vec<String> = counts
        .iter()
        .map(|(name, count)| match count {
            1 => (*name).to_owned(),
            _ => format!("{name} ×{count}"),
        })
        .collect();
    parts.join(", ")
}

fn action(lab: &Lab, action: &Action) -> String {
    match action {
        Action::Call { call, .. } => call_text(lab, call),
        Action::Rows(_) => "look at rows".to_owned(),
        Action::Query { sql, .. } => format!("ask: {}", cut(&one_line(sql), WIDEST)),
        Action::Sql(sql) => sql_words(sql),
        Action::Refused(sql) => format!("try: {}", cut(&one_line(sql), WIDEST)),
        Action::Forced(forced) => {
            let calls: Vec<String> = forced
                .calls
                .iter()
                .map(|call| call_text(lab, call))
                .collect();
            match calls.as_slice() {
                [call] => format!("{call} while the lab changes a row"),
                calls => format!("at once: {}", calls.join(" and ")),
            }
        }
        Action::Kill(call) => format!("{} killed midway", call_text(lab, call)),
    }
}

/// Names what a piece of the lab's own SQL is there for.
fn sql_words(sql: &str) -> String {
    let upper = sql.to_uppercase();
    if upper.contains("CREATE TRIGGER") {
        "a trigger".to_owned()
    } else if upper.contains("DROP TRIGGER") {
        "trigger off".to_owned()
    } else if upper.contains("RECURSIVE") {
        "many rows".to_owned()
    } else {
        cut(&one_line(sql), WIDEST)
    }
}

fn one_line(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Names the n-th test of a list, from 0: a to z, then aa, ab and so on.
#[must_use]
pub fn letter(place: usize) -> String {
    let last = char::from(b'a' + u8::try_from(place % 26).unwrap_or(0));
    match place / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letter(more - 1)),
    }
}

/// Reads a name as [`letter`] writes it.
#[must_use]
pub fn letter_place(name: &str) -> Option<usize> {
    if name.is_empty() || name.len() > 3 {
        return None;
    }
    name.bytes()
        .try_fold(0, |place, byte| {
            let digit = byte
                .is_ascii_lowercase()
                .then(|| usize::from(byte - b'a') + 1)?;
            Some(place * 26 + digit)
        })
        .map(|place| place - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z_and_are_read_back() {
        assert_eq!(
            [0, 25, 26, 27, 701, 702].map(letter),
            ["a", "z", "aa", "ab", "zz", "aaa"]
        );
        for place in 0..800 {
            assert_eq!(letter_place(&letter(place)), Some(place));
        }
        assert_eq!(letter_place("B"), None);
        assert_eq!(letter_place(""), None);
    }

    #[test]
    fn only_plain_words_stand_without_quotes() {
        assert_eq!(value_text(&Value::from("v1")), "v1");
        for odd in ["", "1", "null", "a b", "키"] {
            assert_eq!(value_text(&Value::from(odd)), format!("{odd:?}"));
        }
    }
}
