//! Results for spreadsheets: a line a submission, as RFC 4180 has it.
//!
//! A cell that a spreadsheet would take for a formula begins with an apostrophe. What is
//! ungraded has empty cells, never zeros.

use std::collections::BTreeSet;

use super::view::Tally;
use super::words;
use crate::gradebook::{Gradebook, Points, Section, Status, Submission};

/// Writes a class.
#[must_use]
pub fn write(book: &Gradebook) -> String {
    let steps: BTreeSet<u32> = book
        .submissions
        .iter()
        .flat_map(|submission| &submission.steps)
        .map(|step| step.step)
        .collect();
    let mut text = String::new();
    let mut header: Vec<String> = ["path", "lab", "track", "status", "score", "max_score"]
        .map(str::to_owned)
        .to_vec();
    header.extend(steps.iter().map(|step| format!("step_{step}")));
    header.extend(
        [
            "probes",
            "written",
            "predictions",
            "tests_passed",
            "tests_broken",
            "tests_undecided",
            "tests_unstable",
            "tests_hidden",
            "confined",
            "seconds",
            "why",
        ]
        .map(str::to_owned),
    );
    line(&mut text, &header);
    for submission in &book.submissions {
        line(&mut text, &cells(submission, &steps));
    }
    text
}

fn cells(submission: &Submission, steps: &BTreeSet<u32>) -> Vec<String> {
    let graded = submission.status == Status::Graded;
    let if_graded = |cell: String| if graded { cell } else { String::new() };
    let status = if graded { "graded" } else { "ungraded" };
    let score = submission.score.map(|score| score.to_string());
    let mut cells = vec![
        safe(&submission.path),
        safe(&submission.lab),
        safe(&submission.track),
        status.to_owned(),
        if_graded(score.unwrap_or_default()),
        submission.max_score.to_string(),
    ];
    for number in steps {
        let step = submission.steps.iter().find(|step| step.step == *number);
        let score = step.map(|step| step.score.to_string());
        cells.push(if_graded(score.unwrap_or_default()));
    }
    let section = |score: Option<Points>| {
        let score = score.map(|score| score.to_string());
        if_graded(score.unwrap_or_default())
    };
    cells.push(section(points(&submission.probes)));
    cells.push(section(points(&submission.written)));
    cells.push(section(points(&submission.predictions)));
    let tally = Tally::of_all(submission);
    for count in [
        tally.passed,
        tally.broken,
        tally.undecided,
        tally.unstable,
        tally.hidden,
    ] {
        cells.push(if_graded(count.to_string()));
    }
    cells.push(submission.confinement.applied.to_string());
    let millis = submission.millis;
    cells.push(format!("{}.{:03}", millis / 1000, millis % 1000));
    cells.push(safe(submission.why.as_deref().unwrap_or_default()));
    cells
}

/// Returns the points of a section, if it has any to give.
fn points<T>(section: &Section<T>) -> Option<Points> {
    (section.max_score > Points::default()).then_some(section.score)
}

fn line(text: &mut String, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    text.push_str(&cells.join(","));
    text.push_str("\r\n");
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// Makes sure that no spreadsheet calculates with a text.
fn safe(text: &str) -> String {
    let text = words::lines(&words::cut(text, 2_000));
    // The wide forms are taken for the signs themselves by some.
    let formula = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    if text.trim_start_matches(' ').starts_with(formula) {
        format!("'{text}")
    } else {
        text
    }
}
