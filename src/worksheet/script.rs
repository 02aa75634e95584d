//! A test's script as lines, with or without what is expected and what was seen.

use serde_json::Value;

use super::calls::{long_arguments, start_words};
use super::table::error_words;
use super::{call_text, rows_lines, shown_lines, value_text};
use crate::model::{
    Action, CallbackAnswer, Callbacks, Case, Each, Expected, Joint, Lab, Line, Member, Part,
    TableRows, Test, same_json,
};
use crate::verdict::{Shown, TestVerdict, TestWord, count_words};

/// How far a line came in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineState {
    /// It is only read, not run.
    Plain,
    /// It saw what it expects.
    Passed,
    /// It saw something else; the script ends here.
    Broken,
    /// The script ended before it.
    NotReached,
}

/// One line of a script, ready to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptLine {
    /// Its number; none for what is given before the script.
    pub number: Option<usize>,
    /// How far it came.
    pub state: LineState,
    /// What it does: one line.
    pub text: String,
    /// More of the same: SQL, rows.
    pub more: Vec<String>,
    /// What it expects, if that may be shown.
    pub expected: Vec<String>,
    /// What it saw, if it is the line that broke.
    pub saw: Vec<String>,
}

/// Writes the script of a test by its inputs alone, or with its verdict if there is one.
#[must_use]
pub fn script_lines(lab: &Lab, test: &Test, verdict: Option<&TestVerdict>) -> Vec<ScriptLine> {
    let start = start_words(lab, test).map(|words| before(format!("given {words}"), Vec::new()));
    let mut lines: Vec<ScriptLine> = start
        .into_iter()
        .chain(test.given.iter().map(given))
        .collect();
    for line in &test.script {
        lines.push(script_line(lab, line, verdict));
    }
    lines
}

/// The rows around the call that decided a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around {
    /// The line that made the call.
    pub line: usize,
    /// Whether that is the line that broke, not one before it.
    pub is_broken: bool,
    /// The rows before the call.
    pub before: Vec<String>,
    /// The rows after it.
    pub after: Vec<String>,
}

/// Finds the rows before and after the last call up to the line that broke.
#[must_use]
pub fn rows_around(verdict: &TestVerdict) -> Option<Around> {
    let line = verdict
        .seen
        .iter()
        .rev()
        .find(|line| !(line.before.is_empty() && line.after.is_empty()))?;
    let lines = |tables: &[TableRows]| -> Vec<String> {
        tables
            .iter()
            .flat_map(|table| rows_lines(&table.rows))
            .collect()
    };
    Some(Around {
        line: line.line,
        is_broken: verdict.line == Some(line.line),
        before: lines(&line.before),
        after: lines(&line.after),
    })
}

fn given(table: &TableRows) -> ScriptLine {
    before(format!("given {}", table.table), rows_lines(&table.rows))
}

/// Makes a line about what is there before the script.
const fn before(text: String, more: Vec<String>) -> ScriptLine {
    ScriptLine {
        number: None,
        state: LineState::Plain,
        text,
        more,
        expected: Vec::new(),
        saw: Vec::new(),
    }
}

fn script_line(lab: &Lab, line: &Line, verdict: Option<&TestVerdict>) -> ScriptLine {
    let state = verdict.map_or(LineState::Plain, |verdict| state(line.number, verdict));
    let (text, mut more) = action(lab, &line.action);
    more.extend(answers(&line.callbacks));
    let broken = verdict.filter(|_| state == LineState::Broken);
    let long = broken.and_then(two_long_arguments);
    let (expected, saw) = match (broken, long) {
        (Some(_), Some((expected, saw))) => (vec![expected], vec![saw]),
        (Some(verdict), None) => side_by_side(verdict),
        (None, _) if verdict.is_some() => (expectation(line), Vec::new()),
        (None, _) => (Vec::new(), Vec::new()),
    };
    let (mut expected, mut saw) = (expected, saw);
    if let Some((want, got)) = broken.and_then(|verdict| miscounted(line, verdict)) {
        expected.push(want);
        saw.push(got);
    }
    ScriptLine {
        number: Some(line.number),
        state,
        text,
        more,
        expected,
        saw,
    }
}

/// Writes what a line expects and what it saw; members of an object come in one order in both,
/// since their order is no difference.
fn side_by_side(verdict: &TestVerdict) -> (Vec<String>, Vec<String>) {
    let lines = |shown: &Option<Shown>| shown.as_ref().map(shown_lines).unwrap_or_default();
    let expected = lines(&verdict.expected);
    let saw = match (&verdict.expected, &verdict.observed) {
        (Some(Shown::Returns(want)), Some(Shown::Returns(got))) => {
            shown_lines(&Shown::Returns(in_order_of(want, got)))
        }
        (_, observed) => lines(observed),
    };
    (expected, saw)
}

/// Puts the members of `got` into the order of `want`; what only `got` has comes last.
fn in_order_of(want: &Value, got: &Value) -> Value {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            let known = want
                .iter()
                .filter_map(|(name, value)| Some((name, in_order_of(value, got.get(name)?))));
            let others = got.iter().filter(|(name, _)| !want.contains_key(*name));
            let others = others.map(|(name, value)| (name, value.clone()));
            let all = known.chain(others);
            Value::Object(all.map(|(name, value)| (name.clone(), value)).collect())
        }
        (Value::Array(want), Value::Array(got)) => {
            let place = |at: usize| want.get(at).unwrap_or(&Value::Null);
            let items = got.iter().enumerate();
            Value::Array(items.map(|(at, got)| in_order_of(place(at), got)).collect())
        }
        _ => got.clone(),
    }
}

/// Says how often a callback was called in a line whose answer was wrong already, if that was
/// wrong as well: a card that was charged twice is worse than the answer.
fn miscounted(line: &Line, verdict: &TestVerdict) -> Option<(String, String)> {
    let seen = verdict.seen.iter().find(|seen| seen.line == line.number)?;
    let (name, want, got) = line.callbacks.called.iter().find_map(|(name, want)| {
        let asked = seen.asked.iter().filter(|asked| asked.name == *name);
        let got = asked.count() as u64;
        (got != *want).then_some((name, *want, got))
    })?;
    let words = count_words(name, want);
    // Where nothing else was wrong, that is what the verdict says itself.
    let is_said = matches!(&verdict.expected, Some(Shown::Words(said)) if *said == words);
    (!is_said).then(|| (words, count_words(name, got)))
}

/// Sets two lists side by side that are too long to be read: how long each is, and the first
/// item in which they differ.
fn two_long_arguments(verdict: &TestVerdict) -> Option<(String, String)> {
    /// Lists up to this length are written out.
    const SHORT: usize = 24;
    let (Some(Shown::Returns(Value::Array(want))), Some(Shown::Returns(Value::Array(got)))) =
        (&verdict.expected, &verdict.observed)
    else {
        return None;
    };
    if want.len().max(got.len()) <= SHORT {
        return None;
    }
    let both = want.iter().zip(got);
    let place = both.take_while(|(want, got)| same_json(want, got)).count();
    let words = |list: &[Value]| {
        let item = list.get(place).map_or("not there".to_owned(), value_text);
        format!("a list of {}; item {} is {item}", list.len(), place + 1)
    };
    Some((words(want), words(got)))
}

fn state(number: usize, verdict: &TestVerdict) -> LineState {
    match verdict.line {
        _ if verdict.word == TestWord::NotRun => LineState::NotReached,
        Some(broken) if number == broken => LineState::Broken,
        Some(broken) if number > broken => LineState::NotReached,
        _ => LineState::Passed,
    }
}

/// Writes what a line does: a line of its own, and more lines below it.
fn action(lab: &Lab, action: &Action) -> (String, Vec<String>) {
    let text = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
    match action {
        Action::Call { call, .. } if call.process > 1 => (
            format!("{} from process {}", call_text(lab, call), call.process),
            long_arguments(lab, call),
        ),
        Action::Call { call, .. } => (call_text(lab, call), long_arguments(lab, call)),
        Action::Rows(tables) => {
            let names: Vec<&str> = tables.iter().map(|table| table.table.as_str()).collect();
            (format!("look at {}", names.join(", ")), Vec::new())
        }
        Action::Sql(sql) => ("the lab runs".to_owned(), text(sql)),
        Action::Query { sql, .. } => ("the lab asks".to_owned(), text(sql)),
        Action::Refused(sql) => ("the lab tries".to_owned(), text(sql)),
        Action::Forced(forced) => {
            let calls = forced.calls.iter().map(|call| call_text(lab, call));
            let mut more: Vec<String> = calls.collect();
            let long = forced.calls.first().filter(|_| more.len() == 1);
            let long = long.map(|call| long_arguments(lab, call));
            let head = match (forced.held, more.len()) {
                (true, 1) => "while the lab holds the lock",
                (true, _) => "at once, all waiting for the lab's lock",
                (false, _) => "at once",
            };
            same_calls(&mut more);
            more.extend(long.into_iter().flatten());
            for sql in &forced.meanwhile {
                more.push("meanwhile the lab:".to_owned());
                more.extend(sql.lines().map(|line| format!("  {line}")));
            }
            (head.to_owned(), more)
        }
        Action::Growth(growth) => {
            let call = &growth.call;
            let sizes: Vec<String> = growth
                .times
                .iter()
                .map(|times| call.events(*times).to_string())
                .collect();
            let more = format!("with {} events: what does it cost?", sizes.join(", then "));
            (call_text(lab, call), vec![more])
        }
        Action::Each(each) => (
            format!(
                "call with each of the {} files of {}",
                each.calls.len(),
                each.folder
            ),
            Vec::new(),
        ),
        Action::Memory(memory) => {
            let more = vec![
                "what memory does it need at most, set against".to_owned(),
                call_text(lab, &memory.against),
            ];
            (call_text(lab, &memory.call), more)
        }
        Action::Kill(call) => (
            format!("{} is killed while it writes", call_text(lab, call)),
            Vec::new(),
        ),
        Action::KillDuring { call, callback } => (
            format!("{} is killed", call_text(lab, call)),
            vec![format!(
                "in the middle of {callback}, which has been called"
            )],
        ),
        Action::Gate(gate) => {
            let calls = gate.calls.iter().map(|call| call_text(lab, call));
            let mut more: Vec<String> = calls.collect();
            let meanwhile = format!("and, while the first is in {}:", gate.held);
            more.insert(1.min(more.len()), meanwhile);
            ("one call meets another".to_owned(), more)
        }
    }
}

/// Writes what the lab answers when it is called back.
fn answers(callbacks: &Callbacks) -> Vec<String> {
    let all = callbacks.answers.iter();
    all.map(|callback| match &callback.answer {
        CallbackAnswer::Gives(value) => format!("{} gives {}", callback.name, value_text(value)),
        CallbackAnswer::Raises(text) => format!("{} fails: {text}", callback.name),
    })
    .collect()
}

/// Writes what a line expects.
fn expectation(line: &Line) -> Vec<String> {
    let mut lines = outcomes_expected(&line.action);
    let counts = line.callbacks.called.iter();
    lines.extend(counts.map(|(name, times)| count_words(name, *times)));
    lines
}

fn outcomes_expected(action: &Action) -> Vec<String> {
    let outcomes = |all: &[Expected], between: &str| {
        let mut texts: Vec<(String, usize)> = Vec::new();
        for text in all.iter().map(expected) {
            match texts.last_mut().filter(|last| last.0 == text) {
                Some((_, count)) => *count += 1,
                None => texts.push((text, 1)),
            }
        }
        let texts = texts.into_iter().map(|(text, count)| match count {
            1 => text,
            count => format!("{count} times {text}"),
        });
        texts.collect::<Vec<_>>().join(between)
    };
    let case = |case: &Case| outcomes(&case.outcomes, " and ");
    match action {
        Action::Call { expect, .. } if expect.is_empty() => Vec::new(),
        Action::Call { expect, .. } => vec![outcomes(expect, " or ")],
        Action::Rows(tables) => tables
            .iter()
            .flat_map(|table| rows_lines(&table.rows))
            .collect(),
        Action::Query { gives, .. } => rows_lines(gives),
        Action::Refused(_) => vec!["the table refuses it".to_owned()],
        Action::Forced(forced) => match &forced.expect {
            Joint::Unordered(all) => vec![format!("{}, in any order", outcomes(all, " and "))],
            Joint::OneOf(cases) => cases.iter().map(case).collect(),
        },
        Action::Gate(gate) => gate.expect.iter().map(case).collect(),
        Action::Growth(growth) => vec![format!(
            "from each size to the next at most {} times the time",
            growth.at_most
        )],
        Action::Each(each) => each_expects(each),
        Action::Memory(memory) => vec![format!(
            "at least {} bytes less for each event",
            memory.at_least
        )],
        Action::Sql(_) | Action::Kill(_) | Action::KillDuring { .. } => Vec::new(),
    }
}

/// Says what is right with most files of a folder, and with the others.
fn each_expects(each: &Each) -> Vec<String> {
    let mut lines: Vec<(String, usize)> = Vec::new();
    for (_, _, one) in &each.calls {
        let text = expected(one);
        match lines.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += 1,
            None => lines.push((text, 1)),
        }
    }
    let lines = lines.into_iter();
    lines
        .map(|(text, count)| format!("{count} times {text}"))
        .collect()
}

/// Says once what is called many times.
fn same_calls(calls: &mut Vec<String>) {
    let count = calls.len();
    if count > 2 && calls.windows(2).all(|pair| pair[0] == pair[1]) {
        calls.truncate(1);
        calls[0] = format!("{count} times {}", calls[0]);
    }
}

fn expected(expected: &Expected) -> String {
    match expected {
        Expected::Returns(value) => value_text(value),
        Expected::Truth(truth) => truth.to_string(),
        Expected::Raises(raises) => error_words(raises.id()),
        Expected::Has(members) => {
            let members: Vec<String> = members.iter().map(member).collect();
            format!("an answer with {}", members.join(" and "))
        }
    }
}

fn member(member: &Member) -> String {
    match &member.value {
        Part::Is(value) => format!("{} {}", member.name, value_text(value)),
        Part::Stored(stored) => format!("{} as it is in {}", member.name, stored.table),
    }
}
