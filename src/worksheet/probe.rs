//! Help with a learner's own test: a template to start from, and the promise it contradicts.

use std::fmt::Write as _;

use crate::model::{Action, Clause, Kind, Lab, Step, Test};
use crate::verdict::TestVerdict;

/// Writes a test of a step's function to start from, in the lab's own form.
#[must_use]
pub fn probe_template(lab: &Lab, step: &Step) -> String {
    let mut text = String::new();
    if let Some(table) = lab.tables.first()
        && step.number > 1
    {
        let _ = writeln!(
            text,
            "given:                     # {}",
            table.columns.join(", ")
        );
        let _ = writeln!(text, "  {}:", table.name);
        let _ = writeln!(text, "    - [k, v1, pending, null, 10]");
    }
    let _ = writeln!(text, "script:");
    let _ = writeln!(text, "  - call: {}", step.id);
    let required = step.arguments.iter().filter(|argument| !argument.optional);
    let with: Vec<String> = required
        .map(|argument| {
            format!(
                "{}: {}",
                argument.name,
                example(&argument.name, argument.kind)
            )
        })
        .collect();
    if !with.is_empty() {
        let _ = writeln!(text, "    with: {{{}}}", with.join(", "));
    }
    if step.answers_truth {
        let _ = writeln!(text, "    returns: false");
    }
    if let Some(table) = lab.tables.first()
        && step.number > 1
    {
        let _ = writeln!(text, "  - rows:");
        let _ = writeln!(text, "      {}:", table.name);
        let _ = writeln!(text, "        - [k, v1, pending, null, 10]");
    }
    text
}

fn example(name: &str, kind: Kind) -> &'static str {
    match (name, kind) {
        ("key", _) => "k",
        ("digest", _) => "v2",
        (_, Kind::Text) => "text",
        (_, Kind::Number | Kind::Integer) => "10",
        (_, Kind::Json) => "{receipt: 1}",
    }
}

/// Finds the promises that a test contradicts: those of the function whose line broke.
#[must_use]
pub fn contradicted<'l>(lab: &'l Lab, test: &Test, verdict: &TestVerdict) -> Vec<&'l Clause> {
    let broken = verdict.line.unwrap_or(usize::MAX);
    let called = test
        .script
        .iter()
        .take_while(|line| line.number <= broken)
        .filter_map(|line| match &line.action {
            Action::Call { call, .. } | Action::Kill(call) => Some(call.function.as_str()),
            Action::Forced(forced) => forced.calls.first().map(|call| call.function.as_str()),
            _ => None,
        })
        .last();
    let step = lab
        .steps
        .iter()
        .find(|step| Some(step.id.as_str()) == called);
    step.map(|step| step.promises.iter().collect())
        .unwrap_or_default()
}
