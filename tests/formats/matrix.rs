//! A real matrix as a mutation testing report, against the schema that its readers publish.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use idemlab::event::Matrix;
use idemlab::lab::Bench;
use idemlab::model::{Lab, Track};
use idemlab::report::stryker;
use idemlab::run::{Interrupt, track};
use serde_json::Value;

use crate::pack;
use crate::schemas::holds;

/// The shipped lab with a few of its mutants, to be quick.
fn lab() -> &'static Lab {
    static LAB: OnceLock<Lab> = OnceLock::new();
    LAB.get_or_init(|| {
        let mut lab = pack().labs[0].clone();
        let survivor = lab.mutants.iter().position(|one| one.equivalent.is_some());
        let last = survivor.map(|place| lab.mutants[place].clone());
        lab.mutants.truncate(8);
        lab.mutants.extend(last);
        lab
    })
}

fn matrix() -> &'static Matrix {
    static MATRIX: OnceLock<Matrix> = OnceLock::new();
    MATRIX.get_or_init(|| {
        track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
        let bench = Bench::new(lab(), Track::Rust, Interrupt::default()).unwrap();
        bench.matrix(&|_| {}).unwrap()
    })
}

#[test]
fn a_matrix_is_a_mutation_testing_report() {
    let text = stryker::write(matrix(), lab());
    holds(include_str!("stryker.schema.json"), &text);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("stryker"), &text).unwrap();
}

#[test]
fn every_mutant_is_in_it_with_what_caught_it() {
    let report: Value = serde_json::from_str(&stryker::write(matrix(), lab())).unwrap();
    let (name, file) = report["files"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(*name, lab().source(Track::Rust).unwrap().file);
    let rows = file["mutants"].as_array().unwrap();
    assert_eq!(rows.len(), lab().mutants.len());
    for (row, mutant) in rows.iter().zip(&lab().mutants) {
        assert_eq!(row["id"], *mutant.id);
        if mutant.equivalent.is_some() {
            assert_eq!(row["status"], "Ignored");
            assert!(row["statusReason"].is_string());
        } else {
            assert_eq!(row["status"], "Killed", "{}", mutant.id);
            let killers = row["killedBy"].as_array().unwrap();
            for promised in mutant.caught_by_for(Track::Rust) {
                assert!(killers.iter().any(|id| id == promised), "{promised}");
            }
        }
    }
    let tests = report["testFiles"].as_object().unwrap().values();
    let count: usize = tests
        .map(|file| file["tests"].as_array().unwrap().len())
        .sum();
    assert_eq!(count, lab().tests_in(Track::Rust).count());
}
