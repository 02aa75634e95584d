//! Gradescope's `results.json` of one submission, as its autograder documentation has it.
//!
//! A step is an entry with points that students see, and speaks of visible tests only. Each
//! hidden test is an entry of its own with `visibility: hidden`, which only staff sees.

use serde::Serialize;
use serde_json::{Value, json};

use super::view::{self, Mark, Tally};
use super::words;
use crate::gradebook::{Points, Status, Step, Submission, Test};

/// How many characters of a value are written.
const VALUE: usize = 4_000;

#[derive(Serialize)]
struct Results {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Points>,
    execution_time: f64,
    output: String,
    output_format: &'static str,
    visibility: &'static str,
    stdout_visibility: &'static str,
    extra_data: Value,
    /// Left out while nothing is graded: an empty list adds up to zero points.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests: Option<Vec<Entry>>,
}

#[derive(Serialize)]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<Points>,
    status: &'static str,
    name: String,
    name_format: &'static str,
    number: String,
    output: String,
    output_format: &'static str,
    visibility: &'static str,
}

/// Writes one submission. What is ungraded has neither a score nor tests.
#[must_use]
pub fn write(submission: &Submission) -> String {
    let seen = view::submission_for_students(submission);
    let graded = submission.status == Status::Graded;
    super::json(&Results {
        score: submission.score.filter(|_| graded),
        execution_time: seconds(submission.millis),
        output: output(&seen),
        output_format: "text",
        visibility: "visible",
        stdout_visibility: "hidden",
        extra_data: json!({
            "lab": words::one_line(&submission.lab),
            "track": words::one_line(&submission.track),
            "status": submission.status,
            "confined": submission.confinement.applied,
        }),
        tests: graded.then(|| entries(submission, &seen)),
    })
}

/// Writes what stands above all entries.
fn output(seen: &Submission) -> String {
    if seen.status == Status::Ungraded {
        let why = words::lines(words::why_ungraded(seen));
        return format!(
            "Not graded: {why}\nThis is not a score of zero. Your course staff can see this message."
        );
    }
    let tally = Tally::of_all(seen).words();
    match &seen.why {
        Some(why) => format!("Your file does not load:\n{}", words::lines(why)),
        None => format!("{}: {tally}.", words::one_line(&seen.lab)),
    }
}

fn entries(whole: &Submission, seen: &Submission) -> Vec<Entry> {
    let mut all = Vec::new();
    for (step, whole_step) in seen.steps.iter().zip(&whole.steps) {
        all.push(step_entry(seen, step));
        let hidden = whole_step.tests.iter().filter(|test| test.hidden);
        for (place, test) in hidden.enumerate() {
            all.push(hidden_entry(step.step, place + 1, test));
        }
    }
    all.extend(sections(seen));
    all
}

fn step_entry(seen: &Submission, step: &Step) -> Entry {
    let mut lines = vec![Tally::of(step).words()];
    lines.extend(step.why.as_deref().map(words::lines));
    for test in &step.tests {
        lines.extend(test_lines(test));
    }
    Entry {
        score: Some(step.score),
        max_score: Some(step.max_score),
        status: status(Mark::of(seen, step) == Mark::Full),
        name: words::one_line(&format!("{}: {}", step.function, step.title)),
        name_format: "text",
        number: step.step.to_string(),
        output: lines.join("\n"),
        output_format: "text",
        visibility: "visible",
    }
}

fn hidden_entry(step: u32, place: usize, test: &Test) -> Entry {
    let mut lines = vec![words::lines(&test.title), words::broke(test)];
    lines.extend(test_lines(test));
    Entry {
        score: None,
        max_score: None,
        status: status(!test.counts_against()),
        name: words::one_line(&format!("hidden: {}", test.id)),
        name_format: "text",
        number: format!("{step}.{place}"),
        output: lines.join("\n"),
        output_format: "text",
        visibility: "hidden",
    }
}

/// Writes what there is to say of a test; nothing of one that is simply green.
fn test_lines(test: &Test) -> Vec<String> {
    let mut lines = Vec::new();
    let remark = words::costs_nothing(test);
    if test.counts_against() || remark.is_some() {
        let remark = remark.map_or_else(String::new, |remark| format!(" ({remark})"));
        lines.push(format!("\n{}: {}{remark}", test.id, words::broke(test)));
        lines.push(format!("  {}", test.title));
        for (label, value) in words::evidence(test) {
            lines.push(format!("  {label}: {}", words::cut(&value, VALUE)));
        }
    } else if test.unstable {
        lines.push(format!(
            "\n{}: red once, green when it was run alone",
            test.id
        ));
    }
    for note in &test.notes {
        lines.push(format!("{}: {note}", test.id));
    }
    lines.iter().map(|line| words::lines(line)).collect()
}

/// Writes the entries of what has points beside the steps.
fn sections(seen: &Submission) -> Vec<Entry> {
    let mut number = seen.steps.len();
    let mut all = Vec::new();
    let mut add = |name: &str, score: Points, most: Points, lines: Vec<String>| {
        if lines.is_empty() && most == Points::default() {
            return;
        }
        number += 1;
        all.push(Entry {
            score: Some(score),
            max_score: Some(most),
            status: status(score >= most),
            name: name.to_owned(),
            name_format: "text",
            number: number.to_string(),
            output: words::lines(&lines.join("\n")),
            output_format: "text",
            visibility: "visible",
        });
    };
    let probes = &seen.probes;
    let lines = probes.items.iter().map(|probe| {
        let worth = words::probe(probe);
        format!("step {}, aimed at {}: {worth}", probe.step, probe.mutant)
    });
    add(
        "Your own tests",
        probes.score,
        probes.max_score,
        lines.collect(),
    );
    let written = &seen.written;
    let lines = written
        .items
        .iter()
        .map(|answer| format!("{}: {}", answer.title, words::written(answer)));
    let name = "Written answers (a person reads them)";
    add(name, written.score, written.max_score, lines.collect());
    let predictions = &seen.predictions;
    let lines = predictions.items.iter().map(|item| {
        let (step, mutant) = (item.step, &item.mutant);
        if !item.made {
            return format!("step {step}, {mutant}: no prediction");
        }
        let (found, of, wrong) = (item.found, item.caught_by.len(), item.wrong);
        format!("step {step}, {mutant}: {found} of {of} found, {wrong} wrong")
    });
    let (score, most) = (predictions.score, predictions.max_score);
    add("Predictions", score, most, lines.collect());
    all
}

const fn status(passed: bool) -> &'static str {
    if passed { "passed" } else { "failed" }
}

fn seconds(millis: u64) -> f64 {
    std::time::Duration::from_millis(millis).as_secs_f64()
}
