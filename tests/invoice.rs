//! Lab `invoice` as shipped: what its tests cover, and what they see.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use idemlab::lab::Bench;
use idemlab::model::{Action, Expected, Lab, Origin, Track};
use idemlab::pack;
use idemlab::run::{Interrupt, track};
use idemlab::verdict::TestWord;
use serde_json::{Value, json};

fn shipped() -> Lab {
    track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    let labs = pack::shipped().unwrap().labs;
    labs.into_iter().find(|lab| lab.id == "invoice").unwrap()
}

/// The worked cases of the specification: events, ttl, what is processed.
fn worked_cases() -> Vec<(Value, f64, Value)> {
    vec![
        (
            json!([[0, "inv-1", "A"], [5, "inv-1", "A"], [9, "inv-2", "B"]]),
            60.0,
            json!(["A", "B"]),
        ),
        (
            json!([[0, "inv-1", "A"], [30, "inv-1", "A"], [65, "inv-1", "A"]]),
            60.0,
            json!(["A", "A"]),
        ),
        (
            json!([[0, "inv-1", "A"], [60, "inv-1", "A"]]),
            60.0,
            json!(["A", "A"]),
        ),
        (
            json!([[0, "inv-1", "A"], [1, "inv-1", "A2"]]),
            60.0,
            json!(["A"]),
        ),
        (json!([]), 60.0, json!([])),
        (
            json!([[0, "inv-1", "A"], [10, "inv-1", "A2"], [20, "inv-1", "A"]]),
            60.0,
            json!(["A"]),
        ),
        (
            json!([
                [0, "inv-1", "A"],
                [30, "inv-2", "B"],
                [70, "inv-2", "B"],
                [75, "inv-1", "A"]
            ]),
            60.0,
            json!(["A", "B", "A"]),
        ),
        (
            json!([[0, "inv-7", "4200.00"], [172_800, "inv-7", "4200.00"]]),
            259_200.0,
            json!(["4200.00"]),
        ),
        (
            json!([[0, "inv-1", "A"], [1, "inv-1", "A2"], [60, "inv-1", "A2"]]),
            60.0,
            json!(["A", "A2"]),
        ),
    ]
}

#[test]
fn every_worked_case_is_a_test() {
    let lab = shipped();
    for (events, ttl, processed) in worked_cases() {
        let is_there = lab.tests.iter().any(|test| {
            test.script.iter().any(|line| match &line.action {
                Action::Call { call, expect } => {
                    call.function == "solve"
                        && call.with.get("events") == Some(&events)
                        && call.with.get("ttl").and_then(Value::as_f64) == Some(ttl)
                        && *expect == [Expected::Returns(processed.clone())]
                }
                _ => false,
            })
        });
        assert!(is_there, "{events}");
    }
}

#[test]
fn every_step_with_code_has_tests_a_plain_one_and_a_wrong_answer() {
    let lab = shipped();
    for step in lab.steps.iter().filter(|step| step.function.is_some()) {
        let own = || lab.tests.iter().filter(|test| test.step == step.number);
        assert!(own().count() >= 3, "{}", step.id);
        let mutant = lab.worksheet_mutant(step.number).unwrap();
        let misses =
            |test: &idemlab::model::Test| test.success && mutant.survives.contains(&test.id);
        assert!(own().any(misses), "{}", mutant.id);
    }
    assert!(lab.mutants.len() >= 16);
    let field = lab.mutants.iter().filter(|one| one.origin == Origin::Field);
    assert!(field.clone().count() >= 6);
    assert!(field.clone().all(|one| one.report.is_some()));
}

#[test]
fn what_is_answered_in_writing_is_the_last_step_and_counts() {
    let lab = shipped();
    let last = lab.steps.last().unwrap();
    assert_eq!(
        (last.function.as_ref(), last.task.as_deref()),
        (None, Some("sizing"))
    );
    let grading = lab.grading();
    assert_eq!(grading.total(), idemlab::model::Points::whole(100));
    assert!(grading.written.iter().any(|task| task.task == "sizing"));
}

#[test]
fn the_first_wrong_answer_passes_the_first_case_and_no_other_of_its_kind() {
    let lab = shipped();
    let bench = Bench::new(&lab, Track::Rust, Interrupt::default()).unwrap();
    let ids = ["second-delivery-is-skipped", "duplicate-does-not-refresh"];
    let tests: Vec<_> = ids.iter().map(|id| lab.test(id).unwrap()).collect();
    for id in ["order-never-expires", "duplicate-refreshes"] {
        let report = bench
            .mutant(lab.mutant(id).unwrap(), &tests, &|_| {})
            .unwrap();
        let words = report.report.unwrap().tests;
        let words: Vec<TestWord> = words.iter().map(idemlab::event::TestReport::word).collect();
        assert_eq!(words, [TestWord::Passed, TestWord::Failed], "{id}");
    }
}

#[test]
fn a_scan_of_the_whole_store_is_caught_and_the_reference_is_not() {
    let lab = shipped();
    let bench = Bench::new(&lab, Track::Rust, Interrupt::default()).unwrap();
    let test = lab.test("ten-times-the-deliveries").unwrap();
    let report = bench.reference(&[test], &|_| {}).unwrap();
    assert_ne!(report.tests[0].word(), TestWord::Failed);
    let scan = lab.mutant("growth-scans-the-store").unwrap();
    let report = bench
        .mutant(scan, &[test], &|_| {})
        .unwrap()
        .report
        .unwrap();
    assert!(report.tests[0].catches(), "{:?}", report.tests[0].verdict);
}

/// Right solutions in unusual styles: a test may be inconclusive on them, and never red.
#[test]
fn no_right_solution_is_red() {
    let lab = shipped();
    let source = &lab.source(Track::Python).unwrap().text;
    if track::missing(Track::Python, source).is_some() {
        return;
    }
    let bench = Bench::new(&lab, Track::Python, Interrupt::default()).unwrap();
    let tests: Vec<_> = lab.tests_in(Track::Python).collect();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fair/invoice/python");
    let mut seen = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let report = bench.submission(&path, &tests, &|_| {}).unwrap();
        assert_eq!(report.not_loaded(), None, "{}", path.display());
        for test in &report.tests {
            assert!(
                !test.word().is_red(),
                "{}: {}: {:?}",
                path.display(),
                test.id,
                test.verdict
            );
        }
        seen.insert(path);
    }
    assert!(seen.len() >= 6, "{seen:?}");
}
