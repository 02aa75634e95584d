//! Exercism's `results.json`, version 3, of one submission: each test belongs to the task whose
//! number is its step.
//!
//! A student reads it. The hidden tests of a step are one entry without names or values, which
//! fails if one of them fails: a wrong solution must not end as `pass`.

use serde::Serialize;

use super::words;
use crate::gradebook::{Status, Step, Submission, Test};
use crate::model::Lab;
use crate::worksheet::script_lines;

/// How many characters of a value are written.
const VALUE: usize = 2_000;

#[derive(Serialize)]
struct Results {
    version: u32,
    status: &'static str,
    message: Option<String>,
    tests: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    status: &'static str,
    message: Option<String>,
    task_id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    test_code: Option<String>,
}

/// Writes one submission; with its lab, also the script of each visible test.
#[must_use]
pub fn write(whole: &Submission, lab: Option<&Lab>) -> String {
    let mut tests = Vec::new();
    let message = match (&whole.status, &whole.why) {
        (Status::Ungraded, _) => Some(format!("Not graded: {}", words::why_ungraded(whole))),
        (Status::Graded, Some(why)) => Some(why.clone()),
        (Status::Graded, None) => {
            for step in &whole.steps {
                entries(step, lab, &mut tests);
            }
            None
        }
    };
    let status = match message {
        Some(_) => "error",
        None if tests.iter().all(|test| test.status == "pass") => "pass",
        None => "fail",
    };
    let message = message.map(|message| words::lines(&message));
    super::json(&Results {
        version: 3,
        status,
        message,
        tests,
    })
}

fn entries(step: &Step, lab: Option<&Lab>, all: &mut Vec<Entry>) {
    let (hidden, visible): (Vec<&Test>, Vec<&Test>) =
        step.tests.iter().partition(|test| test.hidden);
    if let Some(why) = &step.why
        && !visible.iter().any(|test| test.counts_against())
    {
        all.push(Entry {
            name: format!("step {} can be run", step.step),
            status: "error",
            message: Some(words::lines(why)),
            task_id: step.step,
            test_code: None,
        });
    }
    all.extend(visible.into_iter().map(|test| entry(step, test, lab)));
    let count = hidden.len() + step.hidden;
    if count > 0 {
        let fails = hidden.iter().any(|test| test.counts_against());
        all.push(Entry {
            name: words::count(count, "hidden test"),
            status: if fails { "fail" } else { "pass" },
            message: fails.then(|| "Not all hidden tests of this step pass.".to_owned()),
            task_id: step.step,
            test_code: None,
        });
    }
}

fn entry(step: &Step, test: &Test, lab: Option<&Lab>) -> Entry {
    Entry {
        name: words::one_line(&test.title),
        status: match &*test.verdict {
            _ if !test.counts_against() => "pass",
            "failed" => "fail",
            _ => "error",
        },
        message: message(test).map(|message| words::lines(&message)),
        task_id: step.step,
        test_code: lab.and_then(|lab| code(lab, &test.id)),
    }
}

fn message(test: &Test) -> Option<String> {
    let remark = words::costs_nothing(test);
    if !test.counts_against() && remark.is_none() {
        return match &*test.verdict {
            "passed" => (!test.notes.is_empty()).then(|| test.notes.join("\n")),
            word => Some(format!("{}, no points lost", words::verdict(word))),
        };
    }
    let mut lines = vec![words::broke(test)];
    lines.extend(remark);
    for (label, value) in words::evidence(test) {
        lines.push(format!("{label}: {}", words::cut(&value, VALUE)));
    }
    Some(lines.join("\n"))
}

/// Writes the script of a test, by its inputs.
fn code(lab: &Lab, id: &str) -> Option<String> {
    let test = lab.test(id)?;
    let lines: Vec<String> = script_lines(lab, test, None)
        .into_iter()
        .flat_map(|line| {
            let number = line
                .number
                .map_or_else(String::new, |number| format!("{number:>2}  "));
            let more = line.more.into_iter().map(|more| format!("      {more}"));
            std::iter::once(format!("{number}{}", line.text)).chain(more)
        })
        .collect();
    Some(lines.join("\n"))
}
