//! The last page: all that was said and answered, as a Markdown file.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Attempt, certainty, first_attempt, standings};
use crate::model::Lab;

/// Writes everything a learner said about a lab as Markdown.
#[must_use]
pub fn export(lab: &Lab, attempts: &[Attempt], answers: &BTreeMap<String, String>) -> String {
    let mut text = format!("# {}: {}\n", lab.id, lab.title);
    for step in &lab.steps {
        let _ = write!(
            text,
            "\n## Step {}: {} (`{}`)\n\n",
            step.number, step.title, step.id
        );
        let task = step.task.as_ref().and_then(|id| lab.task(id));
        match (first_attempt(attempts, lab, step.number), task) {
            (Some(attempt), _) => said(&mut text, lab, attempt),
            (None, Some(task)) => {
                let _ = writeln!(text, "In writing, below: {}.", task.title);
            }
            (None, None) => text.push_str("Nothing said yet.\n"),
        }
    }
    let certainty = certainty(&standings(lab, attempts));
    if !certainty.is_empty() {
        text.push_str("\n## How sure\n\n");
        for line in certainty {
            let _ = writeln!(text, "- {line}");
        }
    }
    if !lab.tasks.is_empty() {
        text.push_str("\n## Closing tasks\n");
    }
    for task in &lab.tasks {
        let answer = answers
            .get(&task.id)
            .map(|answer| answer.trim())
            .unwrap_or_default();
        let answer = if answer.is_empty() {
            "(no answer yet)"
        } else {
            answer
        };
        let _ = write!(
            text,
            "\n### {}\n\n{}\n\n{answer}\n",
            task.title,
            squeezed(&task.text)
        );
    }
    text
}

/// Says how many tasks a lab closes with; nothing if it has none.
#[must_use]
pub fn tasks_to_close_with(lab: &Lab) -> Option<String> {
    let (count, plural) = match lab.tasks.len() {
        0 => return None,
        1 => ("One".to_owned(), ""),
        2 => ("Two".to_owned(), "s"),
        3 => ("Three".to_owned(), "s"),
        4 => ("Four".to_owned(), "s"),
        many => (many.to_string(), "s"),
    };
    Some(format!("{count} task{plural} to close with"))
}

fn said(text: &mut String, lab: &Lab, attempt: &Attempt) {
    let prediction = &attempt.prediction;
    let or = |text: &str, none: &str| {
        if text.trim().is_empty() {
            none.to_owned()
        } else {
            text.trim().to_owned()
        }
    };
    let _ = writeln!(
        text,
        "- What would show it: {}",
        or(&prediction.observation, "(no line)")
    );
    let seen = prediction
        .seen_in
        .map_or("I don't know", |kind| kind.words());
    let _ = writeln!(text, "- Seen in: {seen}");
    let tests = match (prediction.unknown, prediction.tests.as_slice()) {
        (true, _) => "I don't know".to_owned(),
        (false, []) => "no test".to_owned(),
        (false, tests) => titles(lab, tests),
    };
    let _ = writeln!(text, "- Tests I named: {tests}");
    if let Some(sure) = prediction.sure {
        let _ = writeln!(text, "- How sure: {}", sure.id());
    }
    if let Some(comparison) = attempt.comparison(lab) {
        let mut caught = comparison.found.clone();
        caught.extend(comparison.overlooked.iter().cloned());
        sorted(lab, &mut caught);
        let caught = if caught.is_empty() {
            "no test".to_owned()
        } else {
            titles(lab, &caught)
        };
        let _ = writeln!(text, "- The run: caught by {caught}");
        let _ = writeln!(text, "- {}", comparison.sentence());
    }
    if let Some(sighting) = attempt
        .sighting
        .as_deref()
        .filter(|text| !text.trim().is_empty())
    {
        let _ = writeln!(text, "- What I saw: {}", sighting.trim());
    }
}

/// Brings tests into the order in which they are offered: the last step first.
fn sorted(lab: &Lab, ids: &mut [String]) {
    let place = |id: &String| lab.tests.iter().position(|test| test.id == *id);
    let step = |id: &String| lab.test(id).map(|test| test.step);
    ids.sort_by_key(|id| (Reverse(step(id)), place(id)));
}

fn titles(lab: &Lab, ids: &[String]) -> String {
    let titles: Vec<String> = ids
        .iter()
        .map(|id| {
            lab.test(id)
                .map_or_else(|| id.clone(), |test| format!("\"{}\"", test.title))
        })
        .collect();
    titles.join("; ")
}

/// Makes one blank of every run of blanks.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
