//! Lab `retention` as shipped: what its tests cover, and what they see.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use idemlab::event::Matrix;
use idemlab::lab::{Bench, Fault};
use idemlab::model::{Action, Expected, Lab, Origin, Test, Track};
use idemlab::pack;
use idemlab::run::{Interrupt, track};
use idemlab::verdict::{MutantWord, TestWord};

fn shipped() -> Lab {
    track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    pack::shipped().unwrap().labs.remove(0)
}

/// The matrix of the shipped lab, run once for all tests.
fn matrix() -> &'static Matrix {
    static MATRIX: OnceLock<Matrix> = OnceLock::new();
    MATRIX.get_or_init(|| {
        let lab = shipped();
        let bench = Bench::new(&lab, Track::Rust, Interrupt::default()).unwrap();
        bench.matrix(&|_| {}).unwrap()
    })
}

/// The worksheet's mutants by step.
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

#[test]
fn the_worksheet_has_one_mutant_a_step() {
    let lab = shipped();
    for (place, id) in WORKSHEET.iter().enumerate() {
        let step = u32::try_from(place + 1).unwrap();
        assert_eq!(lab.worksheet_mutant(step).unwrap().id, *id);
    }
    let worksheet = lab
        .mutants
        .iter()
        .filter(|mutant| mutant.origin == Origin::Worksheet);
    assert_eq!(worksheet.count(), 8);
}

#[test]
fn every_clause_has_a_test_and_every_step_a_success_test() {
    let lab = shipped();
    assert!(lab.tests.len() >= 50);
    let clauses: BTreeSet<&str> = lab
        .tests
        .iter()
        .filter_map(|test| test.clause.as_deref())
        .collect();
    for step in &lab.steps {
        for clause in &step.promises {
            assert!(
                clauses.contains(clause.id.as_str()),
                "{} has no test",
                clause.id
            );
        }
        let success = |test: &&Test| test.success && test.step == step.number;
        assert!(
            lab.tests.iter().any(|test| success(&test)),
            "step {}",
            step.number
        );
    }
    assert!(lab.tests.iter().all(|test| test.clause.is_some()));
}

#[test]
fn all_eight_are_caught_and_each_of_one_to_seven_is_missed_by_a_success_test_of_its_step() {
    let lab = shipped();
    let matrix = matrix();
    for id in WORKSHEET {
        let row = matrix
            .mutants
            .iter()
            .find(|mutant| mutant.id == id)
            .unwrap();
        assert_eq!(row.word, MutantWord::Caught, "{id}");
        let report = row.report.as_ref().unwrap();
        let missed = lab
            .tests
            .iter()
            .filter(|test| test.success && test.step == row.step)
            .any(|test| report.test(&test.id).unwrap().word() == TestWord::Passed);
        assert_eq!(missed, row.step != 8, "{id}");
    }
}

#[test]
fn every_mutant_keeps_its_promises() {
    let lab = shipped();
    let matrix = matrix();
    for row in &matrix.mutants {
        let mutant = lab.mutant(&row.id).unwrap();
        let report = row.report.as_ref().unwrap();
        for id in mutant.caught_by_for(Track::Rust) {
            assert!(report.test(id).unwrap().catches(), "{id} misses {}", row.id);
        }
        for id in mutant.survives_for(Track::Rust) {
            let word = report.test(id).unwrap().word();
            assert_eq!(word, TestWord::Passed, "{id} against {}", row.id);
        }
    }
}

#[test]
fn no_test_is_left_without_a_verdict() {
    let matrix = matrix();
    let reports = matrix
        .mutants
        .iter()
        .filter_map(|mutant| mutant.report.as_ref());
    for report in reports.chain([&matrix.baseline]) {
        for test in &report.tests {
            assert_ne!(
                test.word(),
                TestWord::NotRun,
                "{} {:?}",
                test.id,
                report.subject
            );
            assert_ne!(
                test.word(),
                TestWord::Errored,
                "{} {:?}",
                test.id,
                report.subject
            );
        }
    }
    assert!(
        matrix
            .baseline
            .tests
            .iter()
            .all(|test| test.word() == TestWord::Passed)
    );
}

#[test]
fn a_matrix_keeps_verdicts_and_not_all_that_was_seen() {
    let rows = matrix()
        .mutants
        .iter()
        .filter_map(|row| row.report.as_ref());
    let kept = rows
        .flat_map(|report| &report.tests)
        .map(|test| test.verdict.seen.len());
    assert_eq!(kept.sum::<usize>(), 0);
}

#[test]
fn a_mutant_has_no_verdict_while_the_reference_is_red() {
    let mut lab = shipped();
    let wrong = lab
        .tests
        .iter_mut()
        .find(|test| test.id == "new-key-is-reserved")
        .unwrap();
    let Action::Call { expect, .. } = &mut wrong.script[0].action else {
        panic!("the test begins with a call");
    };
    *expect = vec![Expected::Truth(false)];
    let bench = Bench::new(&lab, Track::Rust, Interrupt::default()).unwrap();
    let fault = bench.matrix(&|_| {}).unwrap_err();
    let Fault::Baseline(report) = fault else {
        panic!("{fault}");
    };
    let red: Vec<&str> = report.caught_by().collect();
    assert_eq!(red, ["new-key-is-reserved"]);
}

#[test]
fn an_interrupted_run_has_no_verdict() {
    let lab = shipped();
    let interrupt = Interrupt::default();
    let bench = Bench::new(&lab, Track::Rust, interrupt.clone()).unwrap();
    let fault = bench.matrix(&|_| interrupt.raise()).unwrap_err();
    assert!(matches!(fault, Fault::Interrupted), "{fault}");
}
