//! A learner's own code over the steps of a lab: for people and for programs.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::human::{script_line, test_words};
use super::json::{CellForm, VERSION, cell_form, millis};
use crate::event::{Attempt, StepState, StepTrial, TestReport, Trial};
use crate::model::{Lab, SeenIn, Sure, Track};
use crate::verdict::Shown;
use crate::worksheet::{
    LineState, first_attempt, lasted, own_end, own_steps, promise, rows_around, said_first,
    script_lines, step_mark, to_write,
};

/// The most red tests that are named after the first.
const MOST: usize = 8;

/// Writes a trial for people: the steps, then the first broken line, then what was predicted.
#[must_use]
pub fn text(lab: &Lab, trial: &Trial, attempts: &[Attempt]) -> String {
    // A folder in the shell has a script for each function; to name one would say that it is all.
    let file = if trial.language == Track::Shell.id() {
        "its scripts"
    } else {
        &trial.file
    };
    let mut text = format!(
        "{} · {} · {file} · {}\n\n",
        trial.lab,
        trial.language,
        lasted(trial.took)
    );
    if let Some(why) = &trial.not_loaded {
        let _ = writeln!(
            text,
            "It does not load, so no test was run.\n\n{}",
            why.trim()
        );
        return text;
    }
    steps(&mut text, trial);
    remarks(&mut text, trial);
    let Some(stopped) = trial.stopped_at() else {
        let _ = writeln!(text, "\n{}", own_end(lab, trial));
        return text;
    };
    match stopped.state() {
        StepState::NotWritten => not_written(&mut text, lab, trial, stopped),
        _ => red(&mut text, lab, trial),
    }
    predicted(&mut text, lab, attempts, stopped.step);
    text
}

fn steps(text: &mut String, trial: &Trial) {
    for (state, line) in own_steps(trial) {
        let _ = writeln!(text, "  {} {line}", step_mark(state));
    }
}

/// Writes each remark once: what is worth telling and costs nothing.
fn remarks(text: &mut String, trial: &Trial) {
    let mut told: Vec<&str> = Vec::new();
    let tests = trial.steps.iter().flat_map(|step| &step.tests);
    for note in tests.flat_map(|test| &test.verdict.notes) {
        if !told.contains(&note.text.as_str()) {
            let _ = writeln!(text, "\nA remark on {}: {}", note.mark.id(), note.text);
            told.push(&note.text);
        }
    }
}

fn not_written(text: &mut String, lab: &Lab, trial: &Trial, step: &StepTrial) {
    let (function, file) = to_write(lab, trial, step);
    let _ = writeln!(
        text,
        "\nNext: write `{function}` in {file}. What it promises stands with it."
    );
}

fn red(text: &mut String, lab: &Lab, trial: &Trial) {
    let mut red = trial.red_tests();
    let Some(first) = red.next() else { return };
    broken(text, lab, first);
    let others: Vec<&TestReport> = red.collect();
    if others.is_empty() {
        return;
    }
    text.push_str("\nAlso red:\n");
    for test in others.iter().take(MOST) {
        let title = lab.test(&test.id).map_or("", |known| &known.title);
        let _ = writeln!(text, "  step {}  {title}", test.step);
    }
    if others.len() > MOST {
        let _ = writeln!(text, "  and {} more", others.len() - MOST);
    }
}

/// Writes the script of a red test up to the line that broke, with the rows around its call.
fn broken(text: &mut String, lab: &Lab, test: &TestReport) {
    let Some(known) = lab.test(&test.id) else {
        return;
    };
    let _ = writeln!(text, "\n✘ {}", known.title);
    let _ = writeln!(
        text,
        "  step {}, {}: {}",
        test.step,
        test.id,
        test_words(test.word())
    );
    for line in script_lines(lab, known, Some(&test.verdict)) {
        if line.state != LineState::NotReached {
            script_line(text, &line, "  ");
        }
    }
    if test.verdict.line.is_none()
        && let Some(observed) = &test.verdict.observed
    {
        for line in crate::worksheet::shown_lines(observed) {
            let _ = writeln!(text, "     {line}");
        }
    }
    if let Some(around) = rows_around(&test.verdict) {
        let call = format!("the call in line {}", around.line);
        if around.before == around.after {
            let _ = writeln!(text, "\n  Rows before and after {call}:");
            lines(text, &around.before);
        } else {
            for (when, rows) in [("before", &around.before), ("after", &around.after)] {
                let _ = writeln!(text, "\n  Rows {when} {call}:");
                lines(text, rows);
            }
        }
    }
    if let Some(promise) = promise(lab, known) {
        text.push_str("\n  The promise:\n");
        let options = textwrap::Options::new(80)
            .initial_indent("     ")
            .subsequent_indent("     ");
        let _ = writeln!(text, "{}", textwrap::fill(promise, options));
    }
}

fn lines(text: &mut String, lines: &[String]) {
    for line in lines {
        let _ = writeln!(text, "     {line}");
    }
}

/// Writes what the learner first said about the wrong change of a step, if anything.
fn predicted(text: &mut String, lab: &Lab, attempts: &[Attempt], step: u32) {
    let Some(attempt) = first_attempt(attempts, lab, step) else {
        return;
    };
    let _ = writeln!(
        text,
        "\nYour first prediction at this step, about the wrong change {}:",
        attempt.mutant
    );
    for line in said_first(lab, attempt) {
        let _ = writeln!(text, "  {line}");
    }
}

#[derive(Serialize)]
struct TrialForm<'a> {
    version: u32,
    lab: &'a str,
    track: &'a str,
    file: &'a str,
    verdict: &'static str,
    why: Option<&'a str>,
    steps: Vec<StepForm<'a>>,
    broken: Option<BrokenForm<'a>>,
    predicted: Option<SaidForm<'a>>,
    millis: f64,
}

#[derive(Serialize)]
struct StepForm<'a> {
    step: u32,
    function: &'a str,
    state: &'static str,
    tests: Vec<CellForm<'a>>,
}

#[derive(Serialize)]
struct BrokenForm<'a> {
    test: &'a str,
    step: u32,
    line: Option<usize>,
    expected: Option<Value>,
    observed: Option<Value>,
    before: Vec<String>,
    after: Vec<String>,
}

#[derive(Serialize)]
struct SaidForm<'a> {
    mutant: &'a str,
    observation: &'a str,
    seen_in: Option<&'static str>,
    tests: &'a [String],
    sure: Option<&'static str>,
    unknown: bool,
}

/// Writes a trial for programs.
#[must_use]
pub fn json(lab: &Lab, trial: &Trial, attempts: &[Attempt]) -> String {
    super::json::write(&form(lab, trial, attempts))
}

/// Writes a trial for programs as one line, for one after the other.
#[must_use]
pub fn json_line(lab: &Lab, trial: &Trial, attempts: &[Attempt]) -> String {
    let mut text = serde_json::to_string(&form(lab, trial, attempts)).unwrap_or_default();
    text.push('\n');
    text
}

fn form<'a>(lab: &Lab, trial: &'a Trial, attempts: &'a [Attempt]) -> TrialForm<'a> {
    let steps = trial.steps.iter().map(|step| StepForm {
        step: step.step,
        function: &step.function,
        state: step.state().id(),
        tests: step.tests.iter().map(cell_form).collect(),
    });
    let stopped = trial.stopped_at();
    let attempt = stopped.and_then(|step| first_attempt(attempts, lab, step.step));
    TrialForm {
        version: VERSION,
        lab: &trial.lab,
        track: &trial.language,
        file: &trial.file,
        verdict: if trial.is_green() { "passed" } else { "failed" },
        why: trial.not_loaded.as_deref(),
        steps: steps.collect(),
        broken: trial.red_tests().next().map(broken_form),
        predicted: attempt.map(|attempt| SaidForm {
            mutant: &attempt.mutant,
            observation: &attempt.prediction.observation,
            seen_in: attempt.prediction.seen_in.map(SeenIn::id),
            tests: &attempt.prediction.tests,
            sure: attempt.prediction.sure.map(Sure::id),
            unknown: attempt.prediction.unknown,
        }),
        millis: millis(trial.took),
    }
}

fn broken_form(test: &TestReport) -> BrokenForm<'_> {
    let around = rows_around(&test.verdict);
    let (before, after) = around.map_or_else(Default::default, |rows| (rows.before, rows.after));
    BrokenForm {
        test: &test.id,
        step: test.step,
        line: test.verdict.line,
        expected: test.verdict.expected.as_ref().map(Shown::to_json),
        observed: test.verdict.observed.as_ref().map(Shown::to_json),
        before,
        after,
    }
}
