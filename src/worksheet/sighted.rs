//! Where a run showed a change: in a value, in rows, in an error, only with two processes.

use crate::event::{SubjectReport, TestReport};
use crate::model::{Lab, Prediction, SeenIn, Test};
use crate::verdict::{Shown, TestWord};

/// Lists where the tests that catch a change saw it, in the order in which it was asked.
#[must_use]
pub fn sighted(lab: &Lab, report: &SubjectReport) -> Vec<SeenIn> {
    let caught = report.tests.iter().filter(|test| test.catches());
    let kinds: Vec<SeenIn> = caught
        .filter_map(|report| Some(kind(lab.test(&report.id)?, report)))
        .collect();
    let all = SeenIn::ALL.into_iter();
    all.filter(|kind| kinds.contains(kind)).collect()
}

fn kind(test: &Test, report: &TestReport) -> SeenIn {
    if test.is_forced() || test.processes() > 1 {
        return SeenIn::TwoProcesses;
    }
    let verdict = &report.verdict;
    match (&verdict.expected, &verdict.observed) {
        _ if matches!(verdict.word, TestWord::Errored | TestWord::TimedOut) => SeenIn::Error,
        (Some(Shown::Raises { .. }), _) | (_, Some(Shown::Raises { .. })) => SeenIn::Error,
        (_, Some(Shown::Rows(_) | Shown::Answer(_))) => SeenIn::Rows,
        (Some(Shown::Rows(_) | Shown::Answer(_)), _) => SeenIn::Rows,
        (_, Some(Shown::Words(_))) => SeenIn::Error,
        _ => SeenIn::Returned,
    }
}

/// Says where the run showed the change beside where the learner expected it.
#[must_use]
pub fn sighted_sentence(
    prediction: &Prediction,
    lab: &Lab,
    report: &SubjectReport,
) -> Option<String> {
    let shown = sighted(lab, report);
    if shown.is_empty() {
        return None;
    }
    let words: Vec<&str> = shown.iter().map(|kind| kind.words()).collect();
    let said = match prediction.seen_in {
        Some(kind) if shown == [kind] => "as you said".to_owned(),
        Some(kind) if shown.contains(&kind) => format!("you said {}", kind.words()),
        Some(kind) => format!("you said {}, which no test showed", kind.words()),
        None => "you did not say".to_owned(),
    };
    Some(format!("{} ({said})", words.join(", ")))
}
