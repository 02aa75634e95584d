//! Reports for programs: versioned, and never a dump of the program's own types.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::event::{Matrix, MutantReport, SubjectReport, TestReport};
use crate::model::{Lab, Pack, Problem, Track};
use crate::verdict::Shown;

/// The version of all forms in this file.
pub(super) const VERSION: u32 = 1;

/// Writes a value as JSON, two blanks a level, with a line end.
pub(super) fn write(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Whether a track works on this machine, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrackState {
    /// Name of the track.
    pub id: &'static str,
    /// Whether subjects can be run in it.
    pub ready: bool,
    /// What is missing, if it is not ready.
    pub why: Option<String>,
}

#[derive(Serialize)]
struct ListForm<'a> {
    version: u32,
    labs: Vec<LabForm<'a>>,
}

#[derive(Serialize)]
struct LabForm<'a> {
    id: &'a str,
    title: &'a str,
    tracks: Vec<TrackState>,
    steps: Vec<StepForm<'a>>,
    tests: Vec<TestForm<'a>>,
    mutants: Vec<MutantForm<'a>>,
}

#[derive(Serialize)]
struct StepForm<'a> {
    number: u32,
    id: &'a str,
    title: &'a str,
}

#[derive(Serialize)]
struct TestForm<'a> {
    id: &'a str,
    step: u32,
    title: &'a str,
    success: bool,
}

#[derive(Serialize)]
struct MutantForm<'a> {
    id: &'a str,
    step: u32,
    title: &'a str,
    origin: &'static str,
}

/// Writes what there is: labs with their tracks, steps, tests and mutants.
#[must_use]
pub fn list(pack: &Pack, tracks: impl Fn(&Lab) -> Vec<TrackState>) -> String {
    write(&ListForm {
        version: VERSION,
        labs: pack
            .labs
            .iter()
            .map(|lab| lab_form(lab, tracks(lab)))
            .collect(),
    })
}

fn lab_form(lab: &Lab, tracks: Vec<TrackState>) -> LabForm<'_> {
    let steps = lab.steps.iter().map(|step| StepForm {
        number: step.number,
        id: &step.id,
        title: &step.title,
    });
    let tests = lab.tests.iter().map(|test| TestForm {
        id: &test.id,
        step: test.step,
        title: &test.title,
        success: test.success,
    });
    let mutants = lab.mutants.iter().map(|mutant| MutantForm {
        id: &mutant.id,
        step: mutant.step,
        title: &mutant.title,
        origin: mutant.origin.id(),
    });
    LabForm {
        id: &lab.id,
        title: &lab.title,
        tracks,
        steps: steps.collect(),
        tests: tests.collect(),
        mutants: mutants.collect(),
    }
}

#[derive(Serialize)]
struct RunForm<'a> {
    version: u32,
    lab: &'a str,
    track: Track,
    subject: SubjectForm<'a>,
    /// Null while the baseline is red: then nothing can be said.
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    caught_by: Vec<&'a str>,
    tests: Vec<CellForm<'a>>,
    millis: f64,
}

#[derive(Serialize)]
struct SubjectForm<'a> {
    kind: &'static str,
    id: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct CellForm<'a> {
    id: &'a str,
    step: u32,
    verdict: &'static str,
    line: Option<usize>,
    expected: Option<Value>,
    observed: Option<Value>,
    millis: f64,
    held_millis: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Map<String, Value>>,
}

impl Serialize for Track {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// Writes the run of a reference or a submission.
#[must_use]
pub fn run(report: &SubjectReport) -> String {
    let verdict = if report.is_green() {
        "passed"
    } else {
        "failed"
    };
    write(&run_form(report, verdict))
}

/// Writes the run of a mutant.
#[must_use]
pub fn mutant(lab: &str, track: Track, mutant: &MutantReport) -> String {
    match &mutant.report {
        Some(report) => write(&run_form(report, mutant.word.id())),
        None => write(&RunForm {
            version: VERSION,
            lab,
            track,
            subject: SubjectForm {
                kind: "mutant",
                id: Some(&mutant.id),
            },
            verdict: Some(mutant.word.id()),
            baseline: None,
            why: mutant.why.as_deref(),
            caught_by: Vec::new(),
            tests: Vec::new(),
            millis: 0.0,
        }),
    }
}

/// Writes why a mutant has no verdict: what the reference itself does.
#[must_use]
pub fn no_verdict(mutant: &str, reference: &SubjectReport) -> String {
    write(&RunForm {
        subject: SubjectForm {
            kind: "mutant",
            id: Some(mutant),
        },
        verdict: None,
        baseline: Some("failed"),
        caught_by: Vec::new(),
        ..run_form(reference, "failed")
    })
}

fn run_form<'a>(report: &'a SubjectReport, verdict: &'static str) -> RunForm<'a> {
    RunForm {
        version: VERSION,
        lab: &report.lab,
        track: report.track,
        subject: SubjectForm {
            kind: report.subject.kind(),
            id: report.subject.id(),
        },
        verdict: Some(verdict),
        baseline: None,
        why: report.not_loaded(),
        caught_by: report.caught_by().collect(),
        tests: report.tests.iter().map(cell_form).collect(),
        millis: millis(report.took),
    }
}

pub(super) fn cell_form(test: &TestReport) -> CellForm<'_> {
    let notes = test.verdict.notes.iter().map(|note| {
        let mut map = Map::new();
        map.insert("mark".to_owned(), note.mark.id().into());
        map.insert("text".to_owned(), note.text.as_str().into());
        map
    });
    CellForm {
        id: &test.id,
        step: test.step,
        verdict: test.word().id(),
        line: test.verdict.line,
        expected: test.verdict.expected.as_ref().map(Shown::to_json),
        observed: test.verdict.observed.as_ref().map(Shown::to_json),
        millis: millis(test.took),
        held_millis: millis(test.held),
        notes: notes.collect(),
    }
}

pub(super) fn millis(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[derive(Serialize)]
struct MatrixForm<'a> {
    version: u32,
    lab: &'a str,
    track: Track,
    baseline: &'static str,
    tests: Vec<&'a str>,
    mutants: Vec<RowForm<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOutForm<'a>>,
    millis: f64,
}

#[derive(Serialize)]
struct LeftOutForm<'a> {
    id: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct RowForm<'a> {
    id: &'a str,
    step: u32,
    verdict: &'static str,
    caught_by: Vec<&'a str>,
    cells: BTreeMap<&'a str, &'static str>,
}

/// Writes a matrix whose baseline is green.
#[must_use]
pub fn matrix(matrix: &Matrix) -> String {
    let rows = matrix.mutants.iter().map(|mutant| {
        let tests = mutant.report.iter().flat_map(|report| &report.tests);
        RowForm {
            id: &mutant.id,
            step: mutant.step,
            verdict: mutant.word.id(),
            caught_by: mutant
                .report
                .iter()
                .flat_map(SubjectReport::caught_by)
                .collect(),
            cells: tests
                .map(|test| (test.id.as_str(), test.word().id()))
                .collect(),
        }
    });
    write(&MatrixForm {
        version: VERSION,
        lab: &matrix.baseline.lab,
        track: matrix.baseline.track,
        baseline: "passed",
        tests: matrix
            .baseline
            .tests
            .iter()
            .map(|test| test.id.as_str())
            .collect(),
        mutants: rows.collect(),
        left_out: matrix
            .left_out
            .iter()
            .map(|(id, why)| LeftOutForm { id, why })
            .collect(),
        millis: millis(matrix.took),
    })
}

/// Writes a matrix without rows, because the baseline failed.
#[must_use]
pub fn failed_baseline(report: &SubjectReport) -> String {
    write(&MatrixForm {
        version: VERSION,
        lab: &report.lab,
        track: report.track,
        baseline: "failed",
        tests: report.tests.iter().map(|test| test.id.as_str()).collect(),
        mutants: Vec::new(),
        left_out: Vec::new(),
        millis: millis(report.took),
    })
}

#[derive(Serialize)]
struct CheckForm<'a> {
    version: u32,
    problems: Vec<ProblemForm<'a>>,
    mutants: usize,
    tests: usize,
}

#[derive(Serialize)]
struct ProblemForm<'a> {
    id: &'static str,
    severity: &'static str,
    file: &'a str,
    line: usize,
    column: usize,
    title: &'a str,
    help: &'a str,
}

/// Writes the problems of a pack.
#[must_use]
pub fn problems(problems: &[Problem], mutants: usize, tests: usize) -> String {
    let problems = problems.iter().map(|problem| ProblemForm {
        id: problem.id,
        severity: problem.severity.id(),
        file: &problem.file,
        line: problem.line,
        column: problem.column,
        title: &problem.title,
        help: &problem.help,
    });
    write(&CheckForm {
        version: VERSION,
        problems: problems.collect(),
        mutants,
        tests,
    })
}
