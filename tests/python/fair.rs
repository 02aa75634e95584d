//! Right solutions in unusual styles: a test may be inconclusive on them, and never red.

use std::fs;
use std::path::PathBuf;

use idemlab::event::SubjectReport;
use idemlab::model::Mark;
use idemlab::verdict::TestWord;

use super::{bench, not_passed, python, run};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fair/python")
}

fn solution(name: &str) -> SubjectReport {
    let file = folder().join(name).with_extension("py");
    run(&bench(), &file, &[]).unwrap()
}

/// Lists the remarks about strictness, without repetition.
fn remarks(report: &SubjectReport) -> Vec<&str> {
    let notes = report.tests.iter().flat_map(|test| &test.verdict.notes);
    let mut texts: Vec<&str> = notes
        .filter(|note| note.mark == Mark::Strictness)
        .map(|note| note.text.as_str())
        .collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

#[test]
fn no_right_solution_is_red() {
    if !python() {
        return;
    }
    let mut count = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "py") {
            let report = run(&bench(), &path, &[]).unwrap();
            let mut red = not_passed(&report);
            red.retain(|told| !told.contains(" Inconclusive "));
            assert_eq!(red, [""; 0], "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 12, "{count} solutions");
}

#[test]
fn a_solution_that_gives_up_on_the_lock_leaves_the_order_open() {
    if !python() {
        return;
    }
    let report = solution("impatient");
    let test = report.test("key-taken-while-reserve-waits").unwrap();
    assert_eq!(test.word(), TestWord::Inconclusive);
    assert!(report.is_green());
}

#[test]
fn one_for_true_passes_and_is_told_as_strictness() {
    if !python() {
        return;
    }
    assert_eq!(
        remarks(&solution("ones")),
        [
            "it answered 0 where the contract says false: the same in an `if`, another type",
            "it answered 1 where the contract says true: the same in an `if`, another type",
        ]
    );
}

#[test]
fn an_assert_for_the_limit_passes_and_is_told_as_strictness() {
    if !python() {
        return;
    }
    assert_eq!(
        remarks(&solution("asserting")),
        ["it refuses with an `assert`, which `python -O` leaves out: raise an error"]
    );
}
