//! The reference is green, and the mutants have the same verdicts as in the Rust track.

use std::collections::BTreeMap;

use idemlab::event::SubjectReport;
use idemlab::lab::{Bench, mutated};
use idemlab::model::{Origin, Track};
use idemlab::run::Interrupt;
use idemlab::verdict::TestWord;

use super::{bench, lab, not_passed, python};

#[test]
fn the_reference_passes_every_test() {
    if !python() {
        return;
    }
    let tests: Vec<_> = lab().tests_in(Track::Python).collect();
    let report = bench().reference(&tests, &|_| {}).unwrap();
    assert_eq!(not_passed(&report), [""; 0]);
    let only_here = [
        "limit-true-is-refused",
        "purge-refuses-another-type-of-limit",
    ];
    for id in only_here {
        let test = report.test(id).expect("a test that only Python can say");
        assert_eq!(test.word(), TestWord::Passed);
    }
}

/// Runs the worksheet's mutants in a track; for each the tests that catch it.
///
/// The catalogue is proved in both tracks by `idemlab check`.
fn matrix(track: Track) -> BTreeMap<String, Vec<String>> {
    idemlab::run::track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    let mut worksheet = lab().clone();
    worksheet
        .mutants
        .retain(|mutant| mutant.origin == Origin::Worksheet);
    let bench = Bench::new(&worksheet, track, Interrupt::default()).unwrap();
    let matrix = bench.matrix(&|_| {}).unwrap();
    let caught = |report: SubjectReport| report.caught_by().map(str::to_owned).collect();
    let rows = matrix.mutants.into_iter();
    rows.map(|row| (row.id, row.report.map(caught).unwrap_or_default()))
        .collect()
}

#[test]
fn both_tracks_catch_the_same_mutants_by_the_same_tests() {
    if !python() {
        return;
    }
    let (in_rust, mut in_python) = (matrix(Track::Rust), matrix(Track::Python));
    let shared = |id: &String| {
        let mut tests = lab().tests_in(Track::Rust);
        tests.any(|test| test.id == *id)
    };
    for caught in in_python.values_mut() {
        caught.retain(shared);
    }
    assert_eq!(in_python.len(), 8);
    assert_eq!(in_rust, in_python);
}

#[test]
fn the_mutated_source_holds_the_worksheets_fragments() {
    // Character for character as the worksheet prints them.
    for (id, fragment) in [
        ("init-not-idempotent", "CREATE TABLE keys"),
        ("reserve-replaces", "INSERT OR REPLACE INTO keys"),
        ("finish-reopens-done", "AND status IN ('pending','done')"),
        ("fetch-at-expiry", "AND expires>=?"),
        (
            "expired-descending",
            "return [r[0] for r in db.execute(\"SELECT id FROM keys WHERE status='done' \
             AND expires<=? ORDER BY id DESC",
        ),
        (
            "purge-takes-pending",
            "ids=[r[0] for r in db.execute(\"SELECT id FROM keys WHERE expires<=?",
        ),
        ("counts-constant-zero", "\"pending\":0"),
        ("cycle-purges-too-early", "purge(path,9)"),
    ] {
        let mutant = lab().mutant(id).unwrap();
        let source = mutated(lab(), Track::Python, mutant).unwrap();
        assert!(source.contains(fragment), "{id}: {fragment}");
    }
}
