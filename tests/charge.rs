//! Lab `charge`: right solutions in unusual styles are never red, and what the lab holds.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use idemlab::lab::Bench;
use idemlab::model::{Lab, Mark, Origin, Pack, Test, Track};
use idemlab::pack;
use idemlab::run::{Interrupt, track};

fn lab() -> &'static Lab {
    static PACK: OnceLock<Pack> = OnceLock::new();
    track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    let pack = PACK.get_or_init(|| pack::shipped().expect("the shipped pack has no problems"));
    pack.lab("charge").expect("it has lab charge")
}

/// Runs every solution of a folder, and lists its red tests that count.
fn red(track: Track, folder: &str) -> Vec<String> {
    let bench = Bench::new(lab(), track, Interrupt::default()).unwrap();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fair")
        .join(folder);
    let mut red = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let chosen: Vec<&Test> = lab().tests_in(track).collect();
        let report = bench.submission(&path, &chosen, &|_| {}).unwrap();
        for test in &report.tests {
            let counts = test.mark == Mark::Contract;
            if counts && test.word().is_red() {
                red.push(format!("{}: {}", path.display(), test.id));
            }
        }
    }
    red
}

#[test]
fn no_right_solution_in_python_is_red() {
    if track::python::find().is_err() {
        assert!(std::env::var_os("CI").is_none(), "there is no Python");
        return;
    }
    assert_eq!(red(Track::Python, "charge-python"), [""; 0]);
}

#[test]
fn no_right_solution_in_rust_is_red() {
    assert_eq!(red(Track::Rust, "charge-rust"), [""; 0]);
}

#[test]
fn each_step_has_three_tests_and_one_mutant_of_the_worksheet() {
    let steps = lab().steps.iter().filter(|step| step.function.is_some());
    for step in steps {
        let tests = lab().tests.iter().filter(|test| test.step == step.number);
        assert!(tests.count() >= 3, "step {}", step.number);
        assert!(
            lab().worksheet_mutant(step.number).is_some(),
            "step {}",
            step.number
        );
    }
    let field = lab()
        .mutants
        .iter()
        .filter(|mutant| mutant.origin == Origin::Field);
    assert!(field.count() >= 7);
}
