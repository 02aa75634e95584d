//! `JUnit` XML, as Jenkins's published schema (junit-10.xsd) has it.
//!
//! It is written by hand: the attributes that common writers add are not in that schema.

use std::fmt::Write as _;

use super::view::Tally;
use super::words;
use crate::gradebook::{Gradebook, Status, Step, Submission, Test};

/// How many characters of a value are written.
const VALUE: usize = 8_000;

/// Writes a suite a submission, and in it a case a test.
///
/// What is ungraded is an error, never a failure. A red test that costs nothing is no failure.
#[must_use]
pub fn write(book: &Gradebook) -> String {
    let suites: Vec<Suite> = book.submissions.iter().map(Suite::of).collect();
    let sum = |count: fn(&Suite) -> u64| suites.iter().map(count).sum::<u64>();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"idemlab\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{}\">",
        sum(|suite| suite.tests),
        sum(|suite| suite.failures),
        sum(|suite| suite.errors),
        seconds(sum(|suite| suite.millis)),
    );
    for suite in &suites {
        suite.write(&mut text);
    }
    text.push_str("</testsuites>\n");
    text
}

/// A suite with its cases as text.
struct Suite<'a> {
    submission: &'a Submission,
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
    millis: u64,
    cases: String,
}

impl<'a> Suite<'a> {
    fn of(submission: &'a Submission) -> Self {
        let mut suite = Self {
            submission,
            tests: 0,
            failures: 0,
            errors: 0,
            skipped: 0,
            millis: submission.millis,
            cases: String::new(),
        };
        if submission.status == Status::Ungraded {
            suite.errors += 1;
            let why = words::why_ungraded(submission);
            let result = element("error", "ungraded", why, why);
            suite.case("grade", "it can be graded", 0, &result);
            return suite;
        }
        if let Some(why) = &submission.why {
            suite.failures += 1;
            let result = element("failure", "not_loaded", first_line(why), why);
            suite.case("load", "its source loads", 0, &result);
        }
        for step in &submission.steps {
            suite.step(step);
        }
        suite
    }

    fn step(&mut self, step: &Step) {
        let class = format!("{}_{}", step.step, step.function);
        // A missing function must not look like a step whose tests were all left out.
        if let Some(why) = &step.why
            && !step.tests.iter().any(Test::counts_against)
        {
            self.failures += 1;
            let result = element("failure", "missing", first_line(why), why);
            self.case(&class, "the step can be run", 0, &result);
        }
        for test in &step.tests {
            let result = self.result(test);
            self.case(&class, &test.id, test.millis, &result);
        }
    }

    /// Writes what is inside the case of a test, and counts it.
    fn result(&mut self, test: &Test) -> String {
        let mut notes = test.notes.clone();
        let mut text = String::new();
        if test.counts_against() {
            self.failures += 1;
            let body = body(test);
            text = element("failure", &test.verdict, &message(test), &body);
        } else if let Some(remark) = words::costs_nothing(test) {
            notes.insert(
                0,
                format!("{}: {remark}\n{}", words::broke(test), body(test)),
            );
        } else if test.verdict != "passed" {
            self.skipped += 1;
            let why = test.observed.as_ref().map(words::value);
            let why = why.unwrap_or_else(|| words::verdict(&test.verdict).to_owned());
            let _ = writeln!(text, "<skipped message=\"{}\"/>", attribute(&why));
        } else if test.unstable {
            text = element(
                "flakyFailure",
                "unstable",
                "red once, green when it was run again alone",
                "",
            );
        }
        if !notes.is_empty() {
            let notes = escape(&words::cut(&notes.join("\n"), VALUE));
            let _ = writeln!(text, "<system-out>{notes}</system-out>");
        }
        text
    }

    fn case(&mut self, class: &str, name: &str, millis: u64, result: &str) {
        self.tests += 1;
        let class = format!("{}.{class}", self.submission.path);
        let _ = write!(
            self.cases,
            "    <testcase name=\"{}\" classname=\"{}\" time=\"{}\"",
            attribute(name),
            attribute(&class),
            seconds(millis)
        );
        if result.is_empty() {
            self.cases.push_str("/>\n");
        } else {
            let _ = writeln!(self.cases, ">\n{}\n    </testcase>", result.trim_end());
        }
    }

    fn write(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" \
             time=\"{}\">",
            attribute(&self.submission.path),
            self.tests,
            self.failures,
            self.errors,
            self.skipped,
            seconds(self.millis)
        );
        text.push_str("    <properties>\n");
        for (name, value) in properties(self.submission) {
            let _ = writeln!(
                text,
                "      <property name=\"{name}\" value=\"{}\"/>",
                attribute(&value)
            );
        }
        text.push_str("    </properties>\n");
        text.push_str(&self.cases);
        text.push_str("  </testsuite>\n");
    }
}

fn properties(submission: &Submission) -> Vec<(&'static str, String)> {
    let status = match submission.status {
        Status::Graded => "graded",
        Status::Ungraded => "ungraded",
    };
    let mut all = vec![
        ("lab", submission.lab.clone()),
        ("track", submission.track.clone()),
        ("status", status.to_owned()),
    ];
    if let Some(score) = submission.score {
        all.push(("score", score.to_string()));
    }
    all.push(("max_score", submission.max_score.to_string()));
    all.push(("confined", submission.confinement.applied.to_string()));
    let hidden = Tally::of_all(submission).hidden;
    if hidden > 0 {
        all.push(("hidden_tests", hidden.to_string()));
    }
    all
}

fn message(test: &Test) -> String {
    let pairs = words::evidence(test);
    let of = |label| pairs.iter().find(|(known, _)| *known == label);
    match (of("expected"), of("observed")) {
        (Some((_, want)), Some((_, got))) => {
            format!(
                "expected: {}; observed: {}",
                words::cut(want, 200),
                words::cut(got, 200)
            )
        }
        (None, Some((_, got))) => words::cut(got, 400),
        _ => words::broke(test),
    }
}

fn body(test: &Test) -> String {
    let mut text = format!("{}\n{}", test.title, words::broke(test));
    for (label, value) in words::evidence(test) {
        let _ = write!(text, "\n{label}: {}", words::cut(&value, VALUE));
    }
    text
}

fn element(name: &str, kind: &str, message: &str, body: &str) -> String {
    let body = escape(&words::cut(body, VALUE));
    format!(
        "<{name} type=\"{}\" message=\"{}\">{body}</{name}>\n",
        attribute(kind),
        attribute(message)
    )
}

fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default()
}

fn attribute(text: &str) -> String {
    escape(&words::one_line(text))
}

/// Escapes text for XML; what XML cannot hold at all is written as an escape of Rust.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in words::lines(text).chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            sign => safe.push(sign),
        }
    }
    safe
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}
