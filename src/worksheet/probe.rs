//! Probes: a learner's own test, from a few answers to YAML, and what its verdict means.

use std::fmt::Write as _;

use serde_json::Value;

use crate::event::TestReport;
use crate::model::{Action, Clause, Expected, Kind, Lab, Test};
use crate::verdict::Shown;

/// The answers of the small form, as they were typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProbeForm {
    /// Rows before the call: cells with commas between them, rows with semicolons.
    pub given: String,
    /// The function that is called.
    pub function: String,
    /// Its arguments by name; one that is empty is left out.
    pub arguments: Vec<(String, String)>,
    /// Whether an error is expected instead of a value.
    pub raises: bool,
    /// The value that is expected; empty if any will do.
    pub returns: String,
    /// Rows after the call; empty if they are not looked at, `none` for an empty table.
    pub rows: String,
}

/// Writes a form as YAML in the lab's own test format.
#[must_use]
pub fn probe_yaml(lab: &Lab, form: &ProbeForm) -> String {
    let table = lab.tables.first().map_or("keys", |table| &table.name);
    let mut text = String::new();
    let first = lab
        .steps
        .first()
        .is_some_and(|step| step.has(&form.function));
    if !form.given.trim().is_empty() {
        let _ = writeln!(text, "given:");
        rows(&mut text, "  ", table, &form.given);
    } else if first && !lab.tables.is_empty() {
        // What makes the table is met where there is none, unless somebody says otherwise.
        let _ = writeln!(text, "start: nothing             # or: table");
    }
    let _ = writeln!(text, "script:\n  - call: {}", form.function);
    let is_callback = |name: &str| has_kind(lab, form, name, Kind::Callback);
    let arguments: Vec<String> = form
        .arguments
        .iter()
        .filter(|(name, value)| !value.trim().is_empty() && !is_callback(name))
        .map(|(name, value)| format!("{name}: {}", typed_list(lab, form, name, value.trim())))
        .collect();
    if !arguments.is_empty() {
        let _ = writeln!(text, "    with: {{{}}}", arguments.join(", "));
    }
    let given = form.arguments.iter().filter(|(name, _)| is_callback(name));
    for (name, value) in given.filter(|(_, value)| !value.trim().is_empty()) {
        let answer = match value.trim() {
            "fails" => "raises: it fails".to_owned(),
            value => format!("gives: {value}"),
        };
        let _ = writeln!(text, "    callback:\n      {name}: {{{answer}}}");
    }
    if form.raises {
        let _ = writeln!(text, "    raises: any");
    } else if !form.returns.trim().is_empty() {
        let _ = writeln!(text, "    returns: {}", cell(&form.returns));
    }
    if !form.rows.trim().is_empty() {
        let _ = writeln!(text, "  - rows:");
        rows(&mut text, "      ", table, &form.rows);
    }
    text
}

/// Tells whether an argument of the form's function is of a kind.
fn has_kind(lab: &Lab, form: &ProbeForm, name: &str, kind: Kind) -> bool {
    let step = lab.function(&form.function);
    step.is_some_and(|step| {
        let mut arguments = step.arguments.iter();
        arguments.any(|argument| argument.name == name && argument.kind == kind)
    })
}

/// Puts a list that is typed as calls show it, `(0,k,A) (5,k,A)`, into YAML.
fn typed_list(lab: &Lab, form: &ProbeForm, name: &str, typed: &str) -> String {
    if !has_kind(lab, form, name, Kind::List) || !typed.starts_with('(') {
        return typed.to_owned();
    }
    let items = typed.split(')').map(|item| {
        let item = item.trim_start_matches([' ', ',']);
        item.strip_prefix('(').unwrap_or(item).trim()
    });
    let items: Vec<String> = items
        .filter(|item| !item.is_empty())
        .map(|item| {
            let parts: Vec<&str> = split_cells(item).into_iter().map(str::trim).collect();
            format!("[{}]", parts.join(", "))
        })
        .collect();
    format!("[{}]", items.join(", "))
}

fn rows(text: &mut String, indent: &str, table: &str, typed: &str) {
    if matches!(typed.trim(), "none" | "no rows" | "[]") {
        let _ = writeln!(text, "{indent}{table}: []");
        return;
    }
    let _ = writeln!(text, "{indent}{table}:");
    for row in typed
        .split(';')
        .map(str::trim)
        .filter(|row| !row.is_empty())
    {
        let bare = row
            .strip_prefix('[')
            .and_then(|row| row.strip_suffix(']'))
            .unwrap_or(row);
        let cells: Vec<&str> = split_cells(bare).into_iter().map(cell).collect();
        let _ = writeln!(text, "{indent}  - [{}]", cells.join(", "));
    }
}

/// Splits at commas that stand in no bracket or quotes.
fn split_cells(row: &str) -> Vec<&str> {
    let (mut cells, mut depth, mut quote, mut start) = (Vec::new(), 0_usize, None, 0);
    for (at, sign) in row.char_indices() {
        match (quote, sign) {
            (Some(open), _) => quote = (open != sign).then_some(open),
            (None, '"' | '\'') => quote = Some(sign),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                cells.push(&row[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    cells.push(&row[start..]);
    cells
}

/// Puts a cell as it is shown on the screen back into YAML.
fn cell(typed: &str) -> &str {
    match typed.trim() {
        "" | "-" | "–" | "nothing" | "None" | "NULL" => "null",
        other => other,
    }
}

/// The template that an editor opens, for a probe of a step.
#[must_use]
pub fn probe_template(lab: &Lab, step: u32, yaml: &str) -> String {
    let lines = if lab.tables.is_empty() {
        "# A line calls: call, with, and returns or raises: any. An empty file gives up.\n"
    } else {
        "# A line calls (call, with, and returns or raises: any), or looks at all rows (rows).\n\
         # A cell is a value, null, or {json: …}. An empty file gives up.\n"
    };
    format!(
        "# Your own test. Save and close to run it against the reference and the wrong change.\n\
         # Functions you may call: {}.\n{lines}\n{yaml}",
        lab.functions_up_to(step).join(", ")
    )
}

/// What a probe turned out to be worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeWorth {
    /// The reference passes it and the mutant does not.
    Catches,
    /// Both pass it.
    Misses,
    /// The reference does not pass it.
    Invalid,
}

impl ProbeWorth {
    /// Returns the name used in the progress file.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Catches => "catches",
            Self::Misses => "misses",
            Self::Invalid => "invalid",
        }
    }

    /// Reads a name as [`ProbeWorth::id`] writes it.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        [Self::Catches, Self::Misses, Self::Invalid]
            .into_iter()
            .find(|worth| worth.id() == id)
    }

    /// Says what it means, in a sentence or two.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Catches => {
                "Valid, and it catches the wrong change: the reference passes it, the changed code does not."
            }
            Self::Misses => {
                "Valid, and it misses the wrong change: the reference and the changed code both pass it."
            }
            Self::Invalid => {
                "Not valid: the reference does not pass it, so it asks for something the contract does not promise."
            }
        }
    }
}

/// Lists the promises a refused probe may contradict: the likeliest first, if one can be told.
///
/// The likeliest is that of a test of the lab in which the same function answers just so.
#[must_use]
pub fn contradicted<'l>(
    lab: &'l Lab,
    probe: &Test,
    report: &TestReport,
) -> (Option<&'l Clause>, Vec<&'l Clause>) {
    let Some(function) = called(probe, report.verdict.line) else {
        return (None, Vec::new());
    };
    let steps = || {
        let steps = lab.steps.iter();
        steps.filter(|step| step.has(function) && step.number <= probe.step)
    };
    let promises = || steps().flat_map(|step| &step.promises);
    let likely = report.verdict.observed.as_ref().and_then(|answer| {
        let given = probe.given.iter().map(|table| table.rows.len()).sum();
        lab.tests
            .iter()
            .filter(|test| steps().any(|step| step.number == test.step))
            .filter(|test| says(test, function, answer))
            .min_by_key(|test| {
                let rows: usize = test.given.iter().map(|table| table.rows.len()).sum();
                rows.abs_diff(given)
            })
            .and_then(|test| test.clause.as_deref())
    });
    let likely = likely.and_then(|id| promises().find(|clause| clause.id == id));
    let others = promises()
        .filter(|clause| likely.is_none_or(|likely| likely.id != clause.id))
        .collect();
    (likely, others)
}

/// Finds the function of the last call at or before a line.
fn called(test: &Test, line: Option<usize>) -> Option<&str> {
    let upto = line.unwrap_or(usize::MAX);
    test.script
        .iter()
        .filter(|line| line.number <= upto)
        .filter_map(|line| match &line.action {
            Action::Call { call, .. } | Action::Kill(call) | Action::KillDuring { call, .. } => {
                Some(call.function.as_str())
            }
            Action::Gate(gate) => gate.calls.first().map(|call| call.function.as_str()),
            Action::Forced(forced) => forced.calls.first().map(|call| call.function.as_str()),
            Action::Growth(growth) => Some(growth.call.function.as_str()),
            Action::Memory(memory) => Some(memory.call.function.as_str()),
            Action::Each(each) => each
                .calls
                .first()
                .map(|(_, call, _)| call.function.as_str()),
            _ => None,
        })
        .next_back()
}

/// Tells whether a test expects just this answer of a function.
fn says(test: &Test, function: &str, answer: &Shown) -> bool {
    test.script.iter().any(|line| match &line.action {
        Action::Call { call, expect } if call.function == function => {
            expect.iter().any(|expected| match (expected, answer) {
                (Expected::Returns(want), Shown::Returns(got)) => want == got,
                (Expected::Truth(want), Shown::Returns(got)) => *got == Value::Bool(*want),
                (Expected::Raises(_), Shown::Raises { .. }) => true,
                _ => false,
            })
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_becomes_a_test_that_can_be_read() {
        let pack = crate::pack::shipped().unwrap();
        let lab = pack.lab("retention").unwrap();
        let form = ProbeForm {
            given: "k, v1, pending, -, 10; b, v2, done, {json: {a: [1, 2]}}, 5".to_owned(),
            function: "reserve".to_owned(),
            arguments: vec![
                ("key".to_owned(), "k".to_owned()),
                ("digest".to_owned(), "v2".to_owned()),
                ("expires".to_owned(), "99".to_owned()),
            ],
            raises: false,
            returns: "false".to_owned(),
            rows: "k, v1, pending, null, 10; b, v2, done, {json: {a: [1, 2]}}, 5".to_owned(),
        };
        let text = probe_yaml(lab, &form);
        let test = crate::pack::read_probe(lab, 2, &text).unwrap();
        assert_eq!(test.given[0].rows.len(), 2);
        assert_eq!(test.script.len(), 2);
        let template = probe_template(lab, 2, &text);
        assert_eq!(crate::pack::read_probe(lab, 2, &template).unwrap(), test);
    }

    #[test]
    fn an_empty_table_can_be_asked_for() {
        let pack = crate::pack::shipped().unwrap();
        let lab = pack.lab("retention").unwrap();
        let form = ProbeForm {
            function: "init_db".to_owned(),
            rows: "none".to_owned(),
            ..ProbeForm::default()
        };
        assert!(crate::pack::read_probe(lab, 1, &probe_yaml(lab, &form)).is_ok());
    }
}
