//! The JSON forms, field by field: a field that is new, gone or of another type is seen here.
//!
//! `book/src/commands.md` documents the same forms.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::lab::Lab;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    version: u32,
    labs: Vec<ListedLab>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedLab {
    id: String,
    title: String,
    tracks: Vec<Track>,
    steps: Vec<Step>,
    tests: Vec<Test>,
    mutants: Vec<Mutant>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Track {
    id: String,
    ready: bool,
    why: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    number: u32,
    id: String,
    title: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Test {
    id: String,
    step: u32,
    title: String,
    success: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    id: String,
    step: u32,
    title: String,
    origin: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    version: u32,
    lab: String,
    track: String,
    subject: Subject,
    verdict: String,
    caught_by: Vec<String>,
    tests: Vec<Cell>,
    millis: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Subject {
    kind: String,
    id: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    id: String,
    step: u32,
    verdict: String,
    line: Option<usize>,
    expected: Option<Value>,
    observed: Option<Value>,
    millis: f64,
    held_millis: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Matrix {
    version: u32,
    lab: String,
    track: String,
    baseline: String,
    tests: Vec<String>,
    mutants: Vec<Row>,
    millis: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    step: u32,
    verdict: String,
    caught_by: Vec<String>,
    cells: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Doctor {
    version: u32,
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Finding {
    name: String,
    ok: bool,
    words: String,
}

/// The eight mutants of the worksheet, by step.
const WORKSHEET: [&str; 8] = [
    "init-not-idempotent",
    "reserve-replaces",
    "finish-reopens-done",
    "fetch-at-expiry",
    "expired-descending",
    "purge-takes-pending",
    "counts-constant-zero",
    "cycle-purges-too-early",
];

fn read<T: DeserializeOwned>(lab: Lab) -> T {
    let text = lab.run().stdout;
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in:\n{text}"))
}

#[test]
fn list_has_the_documented_form() {
    let list: List = read(Lab::new("list --format json"));
    assert_eq!(list.version, 1);
    let lab = list.labs.iter().find(|lab| lab.id == "retention").unwrap();
    assert!(!lab.title.is_empty());
    let rust = lab.tracks.iter().find(|track| track.id == "rust").unwrap();
    assert!(rust.ready && rust.why.is_none());
    for track in &lab.tracks {
        assert_eq!(track.ready, track.why.is_none(), "{}", track.id);
    }
    let numbers: Vec<u32> = lab.steps.iter().map(|step| step.number).collect();
    assert_eq!(numbers, (1..=8).collect::<Vec<u32>>());
    assert!(
        lab.steps
            .iter()
            .all(|step| !step.id.is_empty() && !step.title.is_empty())
    );
    assert!(lab.tests.len() >= 50);
    assert!(
        lab.tests
            .iter()
            .all(|test| (1..=8).contains(&test.step) && !test.title.is_empty())
    );
    let worksheet: Vec<&str> = lab
        .mutants
        .iter()
        .filter(|mutant| mutant.origin == "worksheet" && !mutant.title.is_empty())
        .map(|mutant| mutant.id.as_str())
        .collect();
    assert_eq!(worksheet, WORKSHEET);
    for step in 1..=8 {
        let plain = lab
            .tests
            .iter()
            .filter(|test| test.step == step && test.success);
        assert!(plain.count() >= 1, "step {step}");
        assert!(lab.mutants.iter().any(|mutant| mutant.step == step));
    }
    assert!(
        lab.tests
            .iter()
            .any(|test| test.id == "new-key-is-reserved")
    );
}

#[test]
fn run_of_the_reference_has_the_documented_form() {
    let run: Run = read(Lab::new("run retention --format json"));
    assert_eq!((run.version, run.lab.as_str()), (1, "retention"));
    assert_eq!(
        (run.track.as_str(), run.verdict.as_str()),
        ("rust", "passed")
    );
    assert_eq!(
        (run.subject.kind.as_str(), run.subject.id),
        ("reference", None)
    );
    assert_eq!(run.caught_by, Vec::<String>::new());
    assert!(run.millis > 0.0);
    assert!(run.tests.len() >= 50);
    for test in &run.tests {
        assert_eq!(test.verdict, "passed", "{}", test.id);
        assert_eq!((test.line, &test.expected), (None, &None), "{}", test.id);
        assert_eq!(test.observed, None, "{}", test.id);
        assert!(test.millis >= test.held_millis && test.held_millis >= 0.0);
    }
}

#[test]
fn run_of_a_mutant_has_the_documented_form() {
    let run: Run = read(Lab::new(
        "run retention --mutant init-not-idempotent --format json \
         --test second-setup-succeeds --test first-setup-gives-an-empty-table",
    ));
    assert_eq!(run.subject.kind, "mutant");
    assert_eq!(run.subject.id.as_deref(), Some("init-not-idempotent"));
    assert_eq!(run.verdict, "caught");
    assert_eq!(run.caught_by, ["second-setup-succeeds"]);
    // The tests come in the lab's order, whatever the order on the command line.
    let ids: Vec<&str> = run.tests.iter().map(|test| test.id.as_str()).collect();
    assert_eq!(
        ids,
        ["first-setup-gives-an-empty-table", "second-setup-succeeds"]
    );
    let red = &run.tests[1];
    assert_eq!((red.step, red.verdict.as_str()), (1, "failed"));
    assert_eq!(red.line, Some(2));
    assert_eq!(red.expected, Some("an answer, and no error".into()));
    let observed = red.observed.as_ref().unwrap();
    assert_eq!(observed["raises"]["kind"], "Sqlite");
    let message = observed["raises"]["message"].as_str().unwrap();
    assert!(message.contains("already exists"), "{message}");
}

#[test]
fn a_mutant_that_survives_the_chosen_tests_ends_with_1() {
    let run: Run = read(
        Lab::new(
            "run retention --mutant reserve-replaces --test new-key-is-reserved --format json",
        )
        .code(1),
    );
    assert_eq!(run.verdict, "survived");
    assert_eq!(run.caught_by, Vec::<String>::new());
}

#[test]
fn matrix_has_the_documented_form_and_shows_what_success_tests_miss() {
    let matrix: Matrix = read(Lab::new(
        "matrix retention --origin worksheet --format json",
    ));
    assert_eq!((matrix.version, matrix.lab.as_str()), (1, "retention"));
    assert_eq!(
        (matrix.track.as_str(), matrix.baseline.as_str()),
        ("rust", "passed")
    );
    assert!(matrix.millis > 0.0);
    let list: List = read(Lab::new("list --format json"));
    for (place, id) in WORKSHEET.iter().enumerate() {
        let step = u32::try_from(place + 1).unwrap();
        let row = matrix.mutants.iter().find(|row| row.id == *id).unwrap();
        assert_eq!((row.step, row.verdict.as_str()), (step, "caught"), "{id}");
        assert_eq!(row.cells.len(), matrix.tests.len(), "{id}");
        let red: Vec<&String> = matrix
            .tests
            .iter()
            .filter(|test| row.cells[*test] == "failed")
            .collect();
        assert_eq!(row.caught_by.iter().collect::<Vec<&String>>(), red, "{id}");
        let blind = list.labs[0]
            .tests
            .iter()
            .filter(|test| test.success && test.step == step)
            .any(|test| row.cells[&test.id] == "passed");
        // The eighth changes the plain result, so its own success tests see it.
        assert_eq!(blind, step != 8, "{id}");
    }
}

#[test]
fn doctor_has_the_documented_form() {
    let doctor: Doctor = read(Lab::new("doctor --format json"));
    assert_eq!(doctor.version, 1);
    assert!(
        doctor
            .findings
            .iter()
            .all(|finding| !finding.words.is_empty())
    );
    for name in [
        "idemlab",
        "retention in rust",
        "scratch folder",
        "progress file",
    ] {
        let finding = doctor.findings.iter().find(|finding| finding.name == name);
        assert!(finding.is_some_and(|finding| finding.ok), "{name}");
    }
}
