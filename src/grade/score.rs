//! From what was seen to points: pure functions.
//!
//! Nothing here runs, reads or waits.

use std::collections::BTreeSet;

use crate::event::{SubjectReport, TestReport};
use crate::gradebook::{self, Predicted, Probe, Section};
use crate::model::{Grading, Lab, Mark, Points, Step, Test};
use crate::verdict::{NO_FUNCTION, Shown, TestWord};
use crate::worksheet::{LineState, script_lines};

/// A submission over the tests, and how steady it was.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The tests as they count: of a red one, the second run.
    pub report: &'a SubjectReport,
    /// Tests that were red once and not when they were run again.
    pub unstable: &'a BTreeSet<String>,
}

/// Writes the result of every step; `points` are those of its tests.
#[must_use]
pub fn steps(
    lab: &Lab,
    grading: &Grading,
    points: Vec<Points>,
    seen: Seen<'_>,
) -> Vec<gradebook::Step> {
    lab.steps
        .iter()
        .zip(points)
        .map(|(step, points)| step_result(lab, step, points, &grading.hidden, seen))
        .collect()
}

fn step_result(
    lab: &Lab,
    step: &Step,
    points: Points,
    hidden: &[String],
    seen: Seen<'_>,
) -> gradebook::Step {
    let own: Vec<(&Test, &TestReport)> = seen
        .report
        .tests
        .iter()
        .filter(|report| report.step == step.number)
        .filter_map(|report| Some((lab.test(&report.id)?, report)))
        .collect();
    let why = why_nothing(step, &own);
    let tests = own.iter().map(|(test, report)| {
        let hidden = hidden.contains(&test.id);
        test_result(lab, test, report, hidden, seen.unstable)
    });
    gradebook::Step {
        step: step.number,
        function: step.id.clone(),
        title: step.title.clone(),
        score: if why.is_some() {
            Points::default()
        } else {
            // A function of another step that is not there costs that step, and not this one.
            let counts = |test: &Test, report: &TestReport| {
                test.mark == Mark::Contract && missing(report).is_none()
            };
            let contract = || own.iter().filter(|(test, report)| counts(test, report));
            // What could not be forced is no fault of the submission: it errs its way.
            let kept = contract().filter(|(_, report)| is_kept(report.word()));
            points.share(kept.count(), contract().count())
        },
        max_score: points,
        why,
        tests: tests.collect(),
        hidden: 0,
    }
}

const fn is_kept(word: TestWord) -> bool {
    matches!(word, TestWord::Passed | TestWord::Inconclusive)
}

/// Says why a step is worth nothing, whatever its other tests are: its function is not there, or
/// does not do the plain thing it is for. A function that only refuses would pass many a test.
fn why_nothing(step: &Step, own: &[(&Test, &TestReport)]) -> Option<String> {
    let function = step.function.as_deref().unwrap_or(&step.id);
    let called = format!("`{function}`");
    let is_missing = |report| missing(report).is_some_and(|words| words.contains(&called));
    if own.iter().any(|(_, report)| is_missing(report)) {
        return Some(format!("there is no function {called}"));
    }
    let mut plain = own.iter().filter(|(test, _)| test.success).peekable();
    plain.peek()?;
    let works = plain.any(|(_, report)| is_kept(report.word()));
    (!works).then(|| format!("`{}` passes none of its plain tests", step.id))
}

/// Says which function is not there, if that is what a test saw.
fn missing(report: &TestReport) -> Option<&str> {
    match &report.verdict.observed {
        Some(Shown::Raises {
            kind,
            message: Some(words),
        }) if kind == NO_FUNCTION => Some(words),
        _ => None,
    }
}

fn test_result(
    lab: &Lab,
    test: &Test,
    report: &TestReport,
    hidden: bool,
    unstable: &BTreeSet<String>,
) -> gradebook::Test {
    let verdict = &report.verdict;
    let broken = verdict.line.is_some();
    let says = broken.then(|| {
        script_lines(lab, test, Some(verdict))
            .into_iter()
            .find(|line| line.state == LineState::Broken)
            .map(|line| line.text)
    });
    gradebook::Test {
        id: test.id.clone(),
        title: test.title.clone(),
        verdict: report.word().id().to_owned(),
        mark: test.mark.id().to_owned(),
        hidden,
        unstable: unstable.contains(&test.id),
        line: verdict.line,
        says: says.flatten(),
        expected: verdict.expected.as_ref().map(Shown::to_json),
        observed: verdict.observed.as_ref().map(Shown::to_json),
        notes: verdict.notes.iter().map(|note| note.text.clone()).collect(),
        millis: u64::try_from(report.took.as_millis()).unwrap_or(u64::MAX),
    }
}

/// Gives the points for probes: a share for each step that has one which is valid and catches.
#[must_use]
pub fn probes(lab: &Lab, grading: &Grading, items: Vec<Probe>) -> Section<Probe> {
    let worth = |probe: &Probe, step: u32| probe.step == step && probe.caught;
    section(lab, grading.probes, worth, items)
}

/// Gives the points for predictions: a share for each step with one that was made before its run.
#[must_use]
pub fn predictions(lab: &Lab, grading: &Grading, items: Vec<Predicted>) -> Section<Predicted> {
    let worth = |said: &Predicted, step: u32| said.step == step && said.made;
    section(lab, grading.predictions, worth, items)
}

fn section<T>(
    lab: &Lab,
    points: Points,
    worth: impl Fn(&T, u32) -> bool,
    items: Vec<T>,
) -> Section<T> {
    let steps: Vec<u32> = lab
        .steps
        .iter()
        .map(|step| step.number)
        .filter(|step| lab.worksheet_mutant(*step).is_some())
        .collect();
    let is_done = |step: &&u32| items.iter().any(|item| worth(item, **step));
    let done = steps.iter().filter(is_done).count();
    Section {
        score: points.share(done, steps.len()),
        max_score: points,
        items,
    }
}
