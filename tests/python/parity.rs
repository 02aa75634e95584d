//! The reference is green, and the mutants have the same verdicts as in the Rust track.

use std::collections::BTreeMap;
use std::process::Command;

use idemlab::lab::mutated;
use idemlab::model::Track;
use idemlab::verdict::TestWord;
use serde_json::Value;

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

/// Runs the matrix of a track in the program; each mutant's word and the tests that catch it.
fn matrix(track: &str) -> BTreeMap<String, (String, Vec<String>)> {
    let output = Command::new(env!("CARGO_BIN_EXE_idemlab"))
        .args(["matrix", "retention", "--format", "json", "--track", track])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mutants = report["mutants"].as_array().unwrap().iter();
    mutants
        .map(|mutant| {
            let caught = mutant["caught_by"].as_array().unwrap();
            let caught: Vec<String> = caught.iter().map(text).collect();
            (text(&mutant["id"]), (text(&mutant["verdict"]), caught))
        })
        .collect()
}

#[test]
fn both_tracks_catch_the_same_mutants_by_the_same_tests() {
    if !python() {
        return;
    }
    let (in_rust, mut in_python) = (matrix("rust"), matrix("python"));
    let shared = |id: &String| {
        let mut tests = lab().tests_in(Track::Rust);
        tests.any(|test| test.id == *id)
    };
    for (_, caught) in in_python.values_mut() {
        caught.retain(shared);
    }
    assert!(in_python.len() >= 8);
    for (id, verdict) in &in_rust {
        let mutant = lab().mutant(id).unwrap();
        if !mutant.edits_for(Track::Python).is_empty() {
            assert_eq!(in_python.get(id), Some(verdict), "{id}");
        }
    }
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
