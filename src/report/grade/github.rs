//! Results for GitHub Actions: annotations, and a job summary in Markdown.
//!
//! Names and values come from submissions, so nothing in them is left to mean Markdown or HTML.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::view::{Class, Mark, Tally};
use super::words;
use crate::gradebook::{Gradebook, Status, Step, Submission, Test};
use crate::report::github::{data, property};

/// GitHub takes a summary of at most 1 MiB; what is longer is left out altogether.
const SUMMARY: usize = 1_000_000;

/// How many characters of a value are written.
const VALUE: usize = 1_000;

/// Writes annotations: of one submission a line for each broken test, of a class one for each
/// submission that lost points or is ungraded.
#[must_use]
pub fn annotations(book: &Gradebook) -> String {
    let mut text = String::new();
    let several = book.submissions.len() > 1;
    for submission in &book.submissions {
        let path = &submission.path;
        if submission.status == Status::Ungraded {
            let why = words::why_ungraded(submission);
            annotation(&mut text, "warning", path, "not graded", why);
        } else if let Some(why) = &submission.why {
            annotation(&mut text, "error", path, "does not load", why);
        } else if several {
            in_short(&mut text, submission);
        } else {
            for step in &submission.steps {
                step_annotations(&mut text, submission, step);
            }
        }
    }
    text
}

fn in_short(text: &mut String, submission: &Submission) {
    let short: Vec<String> = submission
        .steps
        .iter()
        .filter(|step| Mark::of(submission, step) != Mark::Full)
        .map(|step| step.step.to_string())
        .collect();
    if !short.is_empty() {
        let score = submission.score.unwrap_or_default();
        let points = words::points(score, submission.max_score);
        let message = format!(
            "{points} points; steps with lost points: {}",
            short.join(", ")
        );
        annotation(text, "notice", &submission.path, "points lost", &message);
    }
}

fn step_annotations(text: &mut String, submission: &Submission, step: &Step) {
    let name = format!("step {} {}", step.step, step.function);
    if let Some(why) = &step.why {
        annotation(text, "error", &submission.path, &name, why);
    }
    for test in step.tests.iter().filter(|test| test.counts_against()) {
        let mut lines = vec![test.title.clone(), words::broke(test)];
        for (label, value) in words::evidence(test) {
            lines.push(format!("{label}: {}", words::cut(&value, VALUE)));
        }
        let title = format!("{name}: {}", test.id);
        annotation(text, "error", &submission.path, &title, &lines.join("\n"));
    }
}

fn annotation(text: &mut String, level: &str, file: &str, title: &str, message: &str) {
    let _ = writeln!(
        text,
        "::{level} file={},title={}::{}",
        property(&words::one_line(file)),
        property(&words::one_line(title)),
        data(&words::lines(&words::cut(message, 4 * VALUE)))
    );
}

/// Writes a job summary: a table of submissions, or one submission with what broke.
#[must_use]
pub fn summary(book: &Gradebook) -> String {
    let mut text = String::new();
    let class = Class::of(&book.submissions);
    match &*book.submissions {
        [only] => one(&mut text, only),
        _ => class_table(&mut text, book, class),
    }
    if class.unconfined > 0 {
        let _ = writeln!(
            text,
            "\n> **{} not confined.**",
            words::count(class.unconfined, "submission")
        );
    }
    if !book.complete {
        text.push_str("\n> **Not complete: submissions are missing.**\n");
    }
    text
}

fn class_table(text: &mut String, book: &Gradebook, class: Class) {
    let _ = write!(
        text,
        "## {} graded",
        words::count(class.graded, "submission")
    );
    if class.ungraded > 0 {
        let _ = write!(text, ", {} ungraded", class.ungraded);
    }
    text.push_str("\n\n");
    if let (Some(mean), Some(median)) = (class.mean, class.median) {
        let _ = writeln!(text, "Mean {mean}%, median {median}% of the points.\n");
    }
    // Labs have steps of their own, so each has a table of its own.
    let mut labs: BTreeMap<&str, Vec<&Submission>> = BTreeMap::new();
    for submission in &book.submissions {
        labs.entry(&submission.lab).or_default().push(submission);
    }
    for (lab, submissions) in labs {
        let name = if lab.is_empty() { "lab unknown" } else { lab };
        let _ = writeln!(text, "### {}\n", markdown(name));
        lab_table(text, &submissions);
        text.push('\n');
    }
}

fn lab_table(text: &mut String, submissions: &[&Submission]) {
    let steps = submissions.iter().map(|one| one.steps.len()).max();
    let steps = steps.unwrap_or(0);
    let numbers: Vec<String> = (1..=steps).map(|number| format!(" {number} |")).collect();
    let numbers = numbers.concat();
    let _ = writeln!(text, "| submission | points |{numbers} |");
    let _ = writeln!(text, "|:---|---:|{}:---|", ":---:|".repeat(steps));
    for (place, submission) in submissions.iter().enumerate() {
        if text.len() > SUMMARY {
            let rest = submissions.len() - place;
            let _ = writeln!(text, "\nand {rest} more, left out here");
            return;
        }
        let mut marks = String::new();
        for step in &submission.steps {
            let _ = write!(marks, " {} |", sign(Mark::of(submission, step)));
        }
        marks.push_str(&" |".repeat(steps - submission.steps.len()));
        let score = score(submission);
        let why = match (submission.status, &submission.why) {
            (Status::Ungraded, _) => words::why_ungraded(submission),
            (Status::Graded, why) => why.as_deref().unwrap_or_default(),
        };
        let why = markdown(&words::cut(&words::in_short(why), 120));
        let who = markdown(&submission.path);
        let _ = writeln!(text, "| {who} | {score} |{marks} {why} |");
    }
}

fn score(submission: &Submission) -> String {
    match submission.score {
        Some(score) => format!("{score} / {}", submission.max_score),
        None => "ungraded".to_owned(),
    }
}

const fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Full => "✅",
        Mark::Part => "🟡",
        Mark::None => "❌",
        Mark::Unknown => "❔",
    }
}

fn one(text: &mut String, submission: &Submission) {
    let _ = writeln!(
        text,
        "## {}: {}\n",
        markdown(&submission.path),
        score(submission)
    );
    if submission.status == Status::Ungraded {
        text.push_str("This submission could not be graded. It has no score, which is not zero.\n");
        fenced(text, words::why_ungraded(submission));
        return;
    }
    if let Some(why) = &submission.why {
        text.push_str("The source does not load.\n");
        fenced(text, why);
    }
    text.push_str("| | step | points | tests |\n|:---:|:---|---:|:---|\n");
    for step in &submission.steps {
        let _ = writeln!(
            text,
            "| {} | {} {} | {} / {} | {} |",
            sign(Mark::of(submission, step)),
            step.step,
            markdown(&step.function),
            step.score,
            step.max_score,
            Tally::of(step).words()
        );
    }
    for (name, score, most) in [
        (
            "your own tests",
            submission.probes.score,
            submission.probes.max_score,
        ),
        (
            "written answers",
            submission.written.score,
            submission.written.max_score,
        ),
        (
            "predictions",
            submission.predictions.score,
            submission.predictions.max_score,
        ),
    ] {
        if most.0 > 0 {
            let _ = writeln!(text, "| | {name} | {score} / {most} | |");
        }
    }
    for step in &submission.steps {
        if let Some(why) = &step.why {
            let _ = writeln!(text, "\n**Step {}**: {}", step.step, markdown(why));
        }
        for test in step.tests.iter().filter(|test| test.counts_against()) {
            if text.len() > SUMMARY {
                text.push_str("\nand more, left out here\n");
                return;
            }
            broken(text, step, test);
        }
    }
}

fn broken(text: &mut String, step: &Step, test: &Test) {
    let _ = writeln!(
        text,
        "\n<details><summary>Step {}, {}: {}</summary>\n\n{}",
        step.step,
        markdown(&test.title),
        words::broke(test),
        markdown(&test.id)
    );
    let lines: Vec<String> = words::evidence(test)
        .into_iter()
        .map(|(label, value)| format!("{label:<9} {}", words::cut(&value, VALUE)))
        .collect();
    fenced(text, &lines.join("\n"));
    text.push_str("</details>\n");
}

/// Writes a text as a block of code that it cannot leave.
fn fenced(text: &mut String, inside: &str) {
    let inside = words::lines(inside);
    let mut longest = 2;
    for run in inside.split(|sign| sign != '`') {
        longest = longest.max(run.len());
    }
    let fence = "`".repeat(longest + 1);
    let _ = writeln!(text, "\n{fence}text\n{}\n{fence}\n", inside.trim_end());
}

/// Escapes a text so that it stands in a line or a cell as it is.
fn markdown(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in words::one_line(text).chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '@' => safe.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '~' | '#' | '!' | '$' | ':' => {
                safe.push('\\');
                safe.push(sign);
            }
            sign => safe.push(sign),
        }
    }
    // What looks like a host becomes a link, even without a scheme.
    safe.replace("www.", "www\\.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_cell() {
        assert_eq!(
            markdown("a|b\n<b>*x*</b> `y`"),
            "a\\|b\\n&lt;b&gt;\\*x\\*&lt;/b&gt; \\`y\\`".replace("\\n", "\\\\n")
        );
    }

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        let mut text = String::new();
        fenced(&mut text, "```\nout\n````");
        assert!(text.starts_with("\n`````text\n"), "{text}");
    }
}
