//! A copy of the reference that somebody changed: what was said of it, and which tests notice.

use std::fmt::Write as _;

use serde::Serialize;

use super::human::script_line;
use super::json::{VERSION, millis};
use crate::event::Trial;
use crate::model::{Lab, Prediction, Test};
use crate::worksheet::{Change, Comparison, LineState, fragment, notice_it, script_lines};

/// Lists the tests that a prediction chooses from.
#[must_use]
pub fn tests(lab: &Lab, tests: &[&Test]) -> String {
    let mut text = String::new();
    for step in &lab.steps {
        let _ = writeln!(text, "step {} {}", step.number, step.id);
        for test in tests.iter().filter(|test| test.step == step.number) {
            let _ = writeln!(text, "  {}", test.id);
        }
    }
    text
}

/// Writes the change, what was said of it and what the run showed.
#[must_use]
pub fn text(
    lab: &Lab,
    reference: &str,
    changed: &str,
    trial: &Trial,
    comparison: &Comparison,
) -> String {
    let mut text = format!("{} · {} · {}\n\n", trial.lab, trial.language, trial.file);
    for line in fragment(reference, changed) {
        let sign = match line.change {
            Change::Same => ' ',
            Change::Removed => '-',
            Change::Added => '+',
            Change::Gap => '…',
        };
        let _ = writeln!(text, "  {sign} {}", line.text());
    }
    if let Some(why) = &trial.not_loaded {
        let _ = writeln!(
            text,
            "\nIt does not load, so no test was run.\n\n{}",
            why.trim()
        );
        return text;
    }
    for (title, tests) in [
        ("You named, and they notice it", &comparison.found),
        (
            notice_it(!comparison.found.is_empty()),
            &comparison.overlooked,
        ),
        ("You named, and they do not notice it", &comparison.mistaken),
    ] {
        if tests.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{title}:");
        for id in tests {
            let _ = writeln!(
                text,
                "  {id}  {}",
                lab.test(id).map_or("", |test| &test.title)
            );
        }
    }
    let _ = writeln!(text, "\n{}", comparison.sentence());
    let Some(first) = trial.red_tests().next() else {
        return text;
    };
    if let Some(known) = lab.test(&first.id) {
        let _ = writeln!(text, "\n✘ {}", known.title);
        for line in script_lines(lab, known, Some(&first.verdict)) {
            if line.state != LineState::NotReached {
                script_line(&mut text, &line, "  ");
            }
        }
    }
    text
}

#[derive(Serialize)]
struct BreakForm<'a> {
    version: u32,
    lab: &'a str,
    track: &'a str,
    file: &'a str,
    verdict: &'static str,
    why: Option<&'a str>,
    predicted: &'a [String],
    unknown: bool,
    found: &'a [String],
    overlooked: &'a [String],
    mistaken: &'a [String],
    millis: f64,
}

/// Writes the same for programs.
#[must_use]
pub fn json(trial: &Trial, prediction: &Prediction, comparison: &Comparison) -> String {
    let verdict = match (&trial.not_loaded, trial.red_tests().next()) {
        (Some(_), _) => "does_not_build",
        (None, Some(_)) => "caught",
        (None, None) => "survived",
    };
    super::json::write(&BreakForm {
        version: VERSION,
        lab: &trial.lab,
        track: &trial.language,
        file: &trial.file,
        verdict,
        why: trial.not_loaded.as_deref(),
        predicted: &prediction.tests,
        unknown: prediction.unknown,
        found: &comparison.found,
        overlooked: &comparison.overlooked,
        mistaken: &comparison.mistaken,
        millis: millis(trial.took),
    })
}
