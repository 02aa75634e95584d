//! Results for people: lines of at most 80 columns.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::lines::{fit, pad, wrap};
use super::view::{Class, Mark, Tally, percent};
use super::words::{self, one_line};
use crate::gradebook::{Gradebook, Status, Step, Submission, Test};

/// How wide a line may be.
const COLUMNS: usize = 80;

/// How many lines a value may take.
const VALUE_LINES: usize = 4;

/// Writes a line a submission; of a single one, also what broke; totals at the end.
#[must_use]
pub fn write(book: &Gradebook) -> String {
    let mut text = String::new();
    let widest = book
        .submissions
        .iter()
        .map(|submission| one_line(&submission.path).width());
    let steps = book.submissions.iter().map(|one| one.steps.len()).max();
    let rest = COLUMNS - steps.unwrap_or(0).min(40) - 18;
    let width = widest.max().unwrap_or(0).clamp(4, rest);
    for submission in &book.submissions {
        row(&mut text, submission, width);
    }
    if let [only] = &*book.submissions {
        details(&mut text, only);
    }
    totals(&mut text, book);
    text
}

/// Writes the line of a submission: who, points, and a mark for each step.
fn row(text: &mut String, submission: &Submission, width: usize) {
    let who = pad(&one_line(&submission.path), width);
    let score = match submission.score {
        Some(score) => format!("{score}/{}", submission.max_score),
        None => format!("-/{}", submission.max_score),
    };
    let marks: String = submission
        .steps
        .iter()
        .take(40)
        .map(|step| Mark::of(submission, step).sign())
        .collect();
    let line = format!("{who}  {score:>13}  {marks}");
    let _ = writeln!(text, "{}", line.trim_end());
    if submission.status == Status::Ungraded {
        let why = words::in_short(words::why_ungraded(submission));
        let _ = writeln!(text, "{}", fit(&format!("  ungraded: {why}"), COLUMNS));
    } else if let Some(why) = &submission.why {
        let _ = writeln!(
            text,
            "{}",
            fit(&format!("  {}", words::in_short(why)), COLUMNS)
        );
    }
}

fn details(text: &mut String, submission: &Submission) {
    if let Some(why) = &submission.why {
        let _ = writeln!(text, "\n{}", words::lines(why.trim_end()));
    }
    for step in &submission.steps {
        step_lines(text, submission, step);
    }
    sections(text, submission);
}

fn step_lines(text: &mut String, submission: &Submission, step: &Step) {
    let mark = Mark::of(submission, step).sign();
    let head = format!(
        "{mark} step {} {}: {}, {}",
        step.step,
        one_line(&step.function),
        words::points(step.score, step.max_score),
        Tally::of(step).words()
    );
    let _ = writeln!(text, "\n{}", fit(&head, COLUMNS));
    if let Some(why) = &step.why {
        paragraph(text, "  ", why);
    }
    for test in &step.tests {
        test_lines(text, test);
    }
}

fn test_lines(text: &mut String, test: &Test) {
    let remark = words::costs_nothing(test);
    if test.counts_against() || remark.is_some() {
        let sign = if remark.is_some() { '·' } else { '✘' };
        let remark = remark.map_or_else(String::new, |remark| format!(" ({remark})"));
        let head = format!(
            "  {sign} {}: {}{remark}",
            one_line(&test.id),
            words::broke(test)
        );
        let _ = writeln!(text, "{}", fit(&head, COLUMNS));
        paragraph(text, "    ", &test.title);
        for (label, value) in words::evidence(test) {
            labelled(text, label, &value);
        }
    } else if test.unstable {
        let head = format!(
            "  · {}: red once, green alone; it counts as passed",
            test.id
        );
        let _ = writeln!(text, "{}", fit(&one_line(&head), COLUMNS));
    }
    for note in &test.notes {
        let note = format!("  · {}: {note}", test.id);
        let _ = writeln!(text, "{}", fit(&one_line(&note), COLUMNS));
    }
}

fn paragraph(text: &mut String, indent: &str, words: &str) {
    for line in wrap(&one_line(words), COLUMNS - indent.len(), VALUE_LINES) {
        let _ = writeln!(text, "{indent}{line}");
    }
}

fn labelled(text: &mut String, label: &str, value: &str) {
    const INDENT: usize = 15;
    // A value may be megabytes; more than this is never shown.
    let value = one_line(&words::cut(value, COLUMNS * VALUE_LINES));
    let lines = wrap(&value, COLUMNS - INDENT, VALUE_LINES);
    for (place, line) in lines.iter().enumerate() {
        let label = if place == 0 { label } else { "" };
        let _ = writeln!(text, "    {label:<10} {line}");
    }
}

/// Writes what has points beside the steps: probes, written answers, predictions.
fn sections(text: &mut String, submission: &Submission) {
    let mut part = |name: &str, score, most, lines: Vec<String>| {
        if lines.is_empty() && most == crate::gradebook::Points::default() {
            return;
        }
        let _ = writeln!(text, "\n{name}: {}", words::points(score, most));
        for line in lines {
            let _ = writeln!(text, "{}", fit(&format!("  {}", one_line(&line)), COLUMNS));
        }
    };
    let probes = &submission.probes;
    let lines = probes.items.iter().map(|probe| {
        let worth = words::probe(probe);
        format!("step {} at {}: {worth}", probe.step, probe.mutant)
    });
    part("probes", probes.score, probes.max_score, lines.collect());
    let written = &submission.written;
    let lines = written
        .items
        .iter()
        .map(|answer| format!("{}: {}", answer.id, words::written(answer)));
    let name = "written answers, for a person to read";
    part(name, written.score, written.max_score, lines.collect());
    let predictions = &submission.predictions;
    let lines = predictions.items.iter().map(|item| {
        if item.made {
            let of = item.caught_by.len();
            let (found, wrong) = (item.found, item.wrong);
            let step = item.step;
            format!(
                "step {step} {}: {found} of {of} found, {wrong} wrong",
                item.mutant
            )
        } else {
            format!("step {} {}: no prediction", item.step, item.mutant)
        }
    });
    let (score, most) = (predictions.score, predictions.max_score);
    part("predictions", score, most, lines.collect());
}

fn totals(text: &mut String, book: &Gradebook) {
    let class = Class::of(&book.submissions);
    if class.all != 1 {
        if !text.is_empty() {
            text.push('\n');
        }
        step_totals(text, book);
        let counts = words::count(class.all, "submission");
        let _ = write!(text, "{counts}: {} graded", class.graded);
        if class.ungraded > 0 {
            let _ = write!(text, ", {} ungraded", class.ungraded);
        }
        if let (Some(mean), Some(median)) = (class.mean, class.median) {
            let _ = write!(text, "; mean {mean}%, median {median}%");
        }
        text.push('\n');
    } else if let Some((one, score)) = book
        .submissions
        .iter()
        .find_map(|one| Some((one, one.score?)))
    {
        let total = words::points(score, one.max_score);
        let percent = percent(score, one.max_score);
        let _ = writeln!(text, "\ntotal: {total} ({percent}%)");
    }
    if class.unconfined > 0 {
        let _ = writeln!(text, "{} of {} not confined", class.unconfined, class.all);
    }
    if !book.complete {
        let _ = writeln!(text, "not complete: submissions are missing");
    }
}

/// Writes for each step of each lab how many came how far.
fn step_totals(text: &mut String, book: &Gradebook) {
    let mut steps: BTreeMap<(&str, u32, &str), [usize; 3]> = BTreeMap::new();
    for submission in &book.submissions {
        for step in &submission.steps {
            let key = (&*submission.lab, step.step, &*step.function);
            let counts = steps.entry(key).or_default();
            match Mark::of(submission, step) {
                Mark::Full => counts[0] += 1,
                Mark::Part => counts[1] += 1,
                Mark::None => counts[2] += 1,
                Mark::Unknown => {}
            }
        }
    }
    if steps.is_empty() {
        return;
    }
    let _ = writeln!(text, "{:<40}  full  part  none", "");
    for ((lab, number, function), [full, part, none]) in steps {
        let name = one_line(&format!("{lab} {number} {function}"));
        let _ = writeln!(text, "{}  {full:>4}  {part:>4}  {none:>4}", pad(&name, 40));
    }
    text.push('\n');
}
