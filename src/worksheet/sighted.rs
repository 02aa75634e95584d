//! Where a change can be seen in a lab, and where a run showed one: in a value, in rows, in an
//! error, only with two processes, in what a call costs.

use crate::event::{SubjectReport, TestReport};
use crate::model::{Action, Lab, Prediction, SeenIn, Test};
use crate::verdict::{Shown, TestWord};

/// Lists where a change can be seen in a lab: no rows without tables, no second process where
/// no test needs one, no cost where nothing is measured.
#[must_use]
pub fn offered_kinds(lab: &Lab) -> Vec<SeenIn> {
    let all = SeenIn::ALL.into_iter();
    all.filter(|kind| match kind {
        SeenIn::Returned | SeenIn::Error => true,
        SeenIn::Rows => !lab.tables.is_empty(),
        SeenIn::TwoProcesses => lab.tests.iter().any(Test::is_forced),
        SeenIn::Cost => lab.tests.iter().any(Test::measures_cost),
    })
    .collect()
}

/// Lists where the tests that catch a change saw it, in the order in which it was asked.
#[must_use]
pub fn sighted(lab: &Lab, report: &SubjectReport) -> Vec<SeenIn> {
    let caught = report.tests.iter().filter(|test| test.catches());
    let kinds: Vec<SeenIn> = caught
        .filter_map(|report| Some(kinds(lab.test(&report.id)?, report)))
        .flatten()
        .copied()
        .collect();
    let all = SeenIn::ALL.into_iter();
    all.filter(|kind| kinds.contains(kind)).collect()
}

/// Names where one test saw a change; two kinds where either is a fair name for it.
fn kinds(test: &Test, report: &TestReport) -> &'static [SeenIn] {
    if test.is_forced() {
        return &[SeenIn::TwoProcesses];
    }
    let verdict = &report.verdict;
    match (&verdict.expected, &verdict.observed) {
        _ if matches!(verdict.word, TestWord::Errored | TestWord::TimedOut) => &[SeenIn::Error],
        // The error that is missing, and the value that came in its place.
        (Some(Shown::Raises { .. }), Some(Shown::Returns(_))) => &[SeenIn::Returned, SeenIn::Error],
        (Some(Shown::Raises { .. }), _) | (_, Some(Shown::Raises { .. })) => &[SeenIn::Error],
        (_, Some(Shown::Rows(_) | Shown::Answer(_)))
        | (Some(Shown::Rows(_) | Shown::Answer(_)), _) => &[SeenIn::Rows],
        (_, Some(Shown::Words(_))) if test.measures_cost() => &[SeenIn::Cost],
        // The table took what it should refuse: no error, and a row too many.
        (_, Some(Shown::Words(_))) if is_refused(test, report) => &[SeenIn::Rows, SeenIn::Error],
        (_, Some(Shown::Words(_))) => &[SeenIn::Error],
        _ => &[SeenIn::Returned],
    }
}

/// Tells whether the line that broke is a statement that the table should have refused.
fn is_refused(test: &Test, report: &TestReport) -> bool {
    let broken = report.verdict.line;
    let mut lines = test.script.iter();
    lines.any(|line| Some(line.number) == broken && matches!(line.action, Action::Refused(_)))
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
        Some(SeenIn::Rows) if !shown.contains(&SeenIn::Rows) => {
            // A wrong answer ends a test before it looks at the rows.
            "you said rows; a test ends at the first thing it sees".to_owned()
        }
        Some(kind) if shown.contains(&kind) => "as you said, among others".to_owned(),
        Some(kind) => format!("you said {}", kind.words()),
        None => "you did not say".to_owned(),
    };
    Some(format!("{} ({said})", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::event::SubjectId;
    use crate::model::Track;
    use crate::verdict::TestVerdict;

    fn sentence(said: Option<SeenIn>, observed: Shown) -> String {
        let pack = crate::pack::shipped().unwrap();
        let lab = &pack.labs[0];
        let test = lab.test("existing-key-is-refused").unwrap();
        let mut verdict = TestVerdict::passed(Vec::new(), Vec::new());
        verdict.word = TestWord::Failed;
        verdict.expected = Some(Shown::Returns(json!(false)));
        verdict.observed = Some(observed);
        let report = SubjectReport {
            lab: lab.id.clone(),
            track: Track::Rust,
            subject: SubjectId::Reference,
            tests: vec![TestReport::new(test, verdict, Duration::ZERO)],
            took: Duration::ZERO,
        };
        let prediction = Prediction {
            seen_in: said,
            ..Prediction::default()
        };
        sighted_sentence(&prediction, lab, &report).unwrap()
    }

    #[test]
    fn a_lab_offers_only_what_it_can_show() {
        let pack = crate::pack::shipped().unwrap();
        let words = |lab: &str| {
            let kinds = offered_kinds(pack.lab(lab).unwrap());
            let words: Vec<&str> = kinds.into_iter().map(SeenIn::id).collect();
            words.join(" ")
        };
        assert_eq!(words("retention"), "returned rows error two_processes");
        assert_eq!(words("invoice"), "returned error cost");
    }

    #[test]
    fn what_was_observed_names_where_it_was_seen() {
        let value = Shown::Returns(json!(true));
        assert_eq!(
            sentence(Some(SeenIn::Returned), value.clone()),
            "returned value (as you said)"
        );
        assert_eq!(
            sentence(Some(SeenIn::Rows), value),
            "returned value (you said rows; a test ends at the first thing it sees)"
        );
        let error = Shown::Raises {
            kind: "sqlite".to_owned(),
            message: None,
        };
        assert_eq!(sentence(None, error), "error (you did not say)");
    }
}
