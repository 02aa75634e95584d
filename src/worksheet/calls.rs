//! Calls and whole tests in one line each, without what is expected of them.

use std::fmt::Write as _;

use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use super::folded;
use super::group::grouped;
use super::sql::{meanwhile_words, sql_words, statement};
use super::table::{cell_text, cut};
use crate::model::{Action, Call, CallbackAnswer, Kind, Lab, Line, Start, TableRows, Test};

/// The widest an argument is shown, in columns of the terminal.
const WIDEST: usize = 26;
/// The widest a list is shown, in columns of the terminal.
const WIDEST_LIST: usize = 50;
/// The widest a text that is a JSON object is shown: a message, say.
const WIDEST_MESSAGE: usize = 52;
/// The longest list that is written out where nothing cuts it.
const LONGEST: usize = 120;
/// The most calls of a test that are written out in its summary.
const WRITTEN_OUT: usize = 3;

/// Writes a value as a call shows it: a plain word as it is, anything else as JSON.
#[must_use]
pub fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Null => "nothing".to_owned(),
        Value::Array(items) if items.len() > LONGEST => {
            let first: Vec<String> = items.iter().take(3).map(Value::to_string).collect();
            format!("[{}, …{} more]", first.join(","), items.len() - 3)
        }
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
    let step = lab.function(&call.function);
    let order = step
        .map(|step| step.arguments.as_slice())
        .unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    for argument in order {
        let made = call.inputs.iter().find(|(name, _)| *name == argument.name);
        let text = match (call.with.get(&argument.name), made) {
            (_, Some((_, input))) => input.title.clone(),
            (Some(Value::Array(items)), None) if argument.kind == Kind::List => {
                list_text(items, WIDEST_LIST)
            }
            (Some(value), None) => {
                let (text, widest) = argument_text(argument.kind, value);
                cut(&text, widest)
            }
            (None, None) => continue,
        };
        parts.push(if argument.optional {
            format!("{}={text}", argument.name)
        } else {
            text
        });
    }
    format!("{}({})", call.function, parts.join(", "))
}

/// Writes an argument in full, and says how wide it is shown in a call.
///
/// A text that is a JSON object is written as it is, not as JSON once more.
pub(super) fn argument_text(kind: Kind, value: &Value) -> (String, usize) {
    match value {
        Value::String(text) if kind == Kind::Text && is_object(text) => {
            (text.clone(), WIDEST_MESSAGE)
        }
        other => (value_text(other), WIDEST),
    }
}

fn is_object(text: &str) -> bool {
    text.starts_with('{')
        && !text.contains(char::is_control)
        && serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object())
}

/// Writes a list in a row: `(0,inv-1,A) (5,inv-1,A)`; what does not fit is counted.
fn list_text(items: &[Value], width: usize) -> String {
    if items.is_empty() {
        return "[]".to_owned();
    }
    let mut text = String::new();
    for (place, item) in items.iter().enumerate() {
        let item = item_text(item);
        if place > 0 && text.width() + item.width() + 10 > width && place + 1 < items.len() {
            let left = items.len() - place;
            return format!("{text} …{left} more");
        }
        if place > 0 {
            text.push(' ');
        }
        text.push_str(&cut(&item, width));
    }
    text
}

/// Writes one item of a list: a list in it stands in round brackets.
fn item_text(item: &Value) -> String {
    match item {
        Value::Array(parts) => {
            let parts: Vec<String> = parts.iter().map(value_text).collect();
            format!("({})", parts.join(","))
        }
        other => value_text(other),
    }
}

/// Writes the arguments of a call that [`call_text`] cuts, in lines of their own.
#[must_use]
pub fn long_arguments(lab: &Lab, call: &Call) -> Vec<String> {
    /// The most lines of one argument.
    const MOST: usize = 8;
    let step = lab.function(&call.function);
    let arguments = step.map(|step| step.arguments.as_slice());
    let mut lines = Vec::new();
    for argument in arguments.unwrap_or_default() {
        let Some(value) = call.with.get(&argument.name) else {
            continue;
        };
        let (all, in_all) = match value {
            Value::Array(items) if argument.kind == Kind::List => {
                if !list_text(items, WIDEST_LIST).ends_with(" more") {
                    continue;
                }
                let all: Vec<String> = items.iter().map(item_text).collect();
                (all.join(" "), format!("{} in all", items.len()))
            }
            value => {
                let (text, widest) = argument_text(argument.kind, value);
                if text.width() <= widest {
                    continue;
                }
                let in_all = format!("{} characters in all", text.chars().count());
                (format!("{}: {text}", argument.name), in_all)
            }
        };
        let rows = folded(&all, 64, "", "");
        lines.extend(rows.iter().take(MOST).cloned());
        if rows.len() > MOST {
            lines.push(format!("… and more: {in_all}"));
        }
    }
    lines
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
    let calls: Vec<(&Call, String)> = test
        .script
        .iter()
        .filter_map(|line| Some((plain_call(&line.action)?, circumstances(line))))
        .collect();
    let mut group = (calls.len() > WRITTEN_OUT).then(|| grouped(lab, &calls));
    let written_out = group.is_none();
    for line in &test.script {
        if written_out || plain_call(&line.action).is_none() {
            add(action(lab, &line.action) + &circumstances(line));
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

/// Says what tells a line from another with the same call: its process, what a callback does.
fn circumstances(line: &Line) -> String {
    let mut text = String::new();
    if let Some(call) = plain_call(&line.action).filter(|call| call.process > 1) {
        let _ = write!(text, " from process {}", call.process);
    }
    for callback in &line.callbacks.answers {
        let name = &callback.name;
        let _ = match &callback.answer {
            CallbackAnswer::Raises(_) => write!(text, " ({name} fails)"),
            CallbackAnswer::Gives(value) if is_empty(value) => {
                write!(text, " ({name} gives {})", value_text(value))
            }
            CallbackAnswer::Gives(_) => Ok(()),
        };
    }
    text
}

/// Tells whether a value is one that is easily taken for none.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(true) => false,
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

fn action(lab: &Lab, action: &Action) -> String {
    match action {
        Action::Call { call, .. } => call_text(lab, call),
        Action::Rows(_) => "look at rows".to_owned(),
        Action::Query { sql, .. } => format!("ask: {}", statement(sql)),
        Action::Sql(sql) => sql_words(sql),
        Action::Refused(sql) => format!("try: {}", statement(sql)),
        Action::Forced(forced) => {
            let calls: Vec<String> = forced
                .calls
                .iter()
                .map(|call| call_text(lab, call))
                .collect();
            match calls.as_slice() {
                [call] if forced.meanwhile.is_empty() => {
                    format!("{call} while the lab holds the lock")
                }
                [call] => format!(
                    "{call} while the lab {}",
                    meanwhile_words(&forced.meanwhile)
                ),
                [call, ..] if calls.len() > 2 && calls.iter().all(|other| other == call) => {
                    format!("{} times at once: {call}", calls.len())
                }
                calls => format!("at once: {}", calls.join(" and ")),
            }
        }
        Action::Kill(call) | Action::KillDuring { call, .. } => {
            format!("{} killed midway", call_text(lab, call))
        }
        Action::Gate(gate) => {
            let calls: Vec<String> = gate.calls.iter().map(|call| call_text(lab, call)).collect();
            match calls.split_first() {
                Some((first, others)) => {
                    format!("{first} and, meanwhile, {}", others.join(" and "))
                }
                None => String::new(),
            }
        }
        Action::Growth(growth) => {
            let most = growth.times.last().copied().unwrap_or(1);
            let events = growth.call.events(most);
            format!(
                "{} up to {events} events: how long?",
                call_text(lab, &growth.call)
            )
        }
        Action::Each(each) => format!("all {} files of {}", each.calls.len(), each.folder),
        Action::Memory(memory) => {
            format!("{}: how much memory?", call_text(lab, &memory.call))
        }
    }
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
    fn a_message_is_written_as_it_is() {
        let message = Value::from(r#"{"msg_id": "M1"}"#);
        let (text, _) = argument_text(Kind::Text, &message);
        assert_eq!(text, r#"{"msg_id": "M1"}"#);
        // As a value that is stored as JSON it is a text, and has to look like one.
        let (text, _) = argument_text(Kind::Json, &message);
        assert_eq!(text, r#""{\"msg_id\": \"M1\"}""#);
    }

    #[test]
    fn only_plain_words_stand_without_quotes() {
        assert_eq!(value_text(&Value::from("v1")), "v1");
        for odd in ["", "1", "null", "a b", "키"] {
            assert_eq!(value_text(&Value::from(odd)), format!("{odd:?}"));
        }
    }
}
