//! Files that cannot be loaded: the lab says why, with Python's words and the place.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use idemlab::lab::Fault;
use idemlab::model::{Edit, Track};
use idemlab::verdict::{MutantWord, TestWord};

use super::{Submission, bench, lab, python, run, short};

/// Runs two tests on a file that cannot be loaded, and returns the reason.
fn why(submission: &Submission) -> String {
    let report = submission.run(&["new-key-is-reserved", "counts-follow-a-key"]);
    for test in &report.tests {
        assert_eq!(test.word(), TestWord::Errored);
    }
    report.not_loaded().expect("it does not load").to_owned()
}

#[test]
fn a_syntax_error_is_told_with_its_line() {
    if !python() {
        return;
    }
    let why = why(&Submission::new("import json\n\nkeys = = 1\n"));
    assert!(why.starts_with("SyntaxError: "), "{why}");
    assert!(why.ends_with("(retention.py, line 3)"), "{why}");
}

#[test]
fn an_import_that_fails_is_told_with_its_line() {
    if !python() {
        return;
    }
    assert_eq!(
        why(&Submission::new(
            "import json\nimport no_such_module_here\n"
        )),
        "ModuleNotFoundError: No module named 'no_such_module_here' (retention.py, line 2)"
    );
}

#[test]
fn an_error_in_a_sibling_is_told_with_the_siblings_line() {
    if !python() {
        return;
    }
    let submission = Submission::new("import helper\n").beside("helper.py", "\n\n1 / 0\n");
    assert_eq!(
        why(&submission),
        "ZeroDivisionError: division by zero (helper.py, line 3)"
    );
}

#[test]
fn an_exit_while_loading_is_told() {
    if !python() {
        return;
    }
    let exit = Submission::new("import sys\nsys.exit(3)\n");
    assert_eq!(why(&exit), "SystemExit: exit(3) (retention.py, line 2)");
    let hard = Submission::new("import os\nprint('so far', flush=True)\nos._exit(4)\n");
    assert_eq!(
        why(&hard),
        "its process died while it was loaded: it exited with code 4; it wrote: so far"
    );
}

#[test]
fn an_endless_loop_while_loading_is_waited_for_once() {
    if !python() {
        return;
    }
    let start = Instant::now();
    let endless = Submission::new("while True: pass\n").within(short());
    let why = why(&endless);
    assert!(why.starts_with("it was not loaded within 1."), "{why}");
    assert!(start.elapsed() < Duration::from_secs(3), "more than once");
}

#[test]
fn a_mutant_that_cannot_be_loaded_does_not_build() {
    if !python() {
        return;
    }
    let mut mutant = lab().mutant("counts-constant-zero").unwrap().clone();
    mutant.edits_in = vec![(
        Track::Python,
        vec![Edit {
            find: "def counts(path):".to_owned(),
            replace: "def counts(path:".to_owned(),
        }],
    )];
    let tests: Vec<_> = lab().tests_in(Track::Python).collect();
    let report = bench().mutant(&mutant, &tests, &|_| {}).unwrap();
    assert_eq!(report.word, MutantWord::DoesNotBuild);
    let why = report.why.unwrap();
    assert!(why.starts_with("SyntaxError: "), "{why}");
    assert!(why.contains("(retention.py, line "), "{why}");
}

#[test]
fn a_file_that_is_not_there_is_no_verdict() {
    if !python() {
        return;
    }
    let missing = run(&bench(), Path::new("/no/such/file.py"), &[]);
    match missing {
        Err(Fault::NotReady(why)) => {
            assert!(
                why.to_string()
                    .starts_with("failed to read /no/such/file.py: ")
            );
        }
        other => panic!("{other:?}"),
    }
}

/// Runs the program with one variable changed; its exit code and its complaint.
fn complaint(arguments: &[&str], variable: (&str, &str)) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_idemlab"))
        .args(arguments)
        .env_remove("IDEMLAB_PYTHON")
        .env(variable.0, variable.1)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), stderr)
}

#[test]
fn without_a_python_nothing_is_graded_and_the_way_out_is_told() {
    let run = ["run", "retention", "--track", "python"];
    let (code, told) = complaint(&run, ("PATH", "/no/such/folder"));
    assert_eq!(code, Some(5));
    assert!(told.contains("there is no python3 on the PATH; install Python 3.9 or newer"));
    let (code, told) = complaint(&run, ("IDEMLAB_PYTHON", "/no/such/python3"));
    assert_eq!(code, Some(5));
    assert!(told.contains("/no/such/python3 (named by IDEMLAB_PYTHON) does not work"));
}

#[test]
fn a_file_that_is_not_there_is_a_wrong_name() {
    for file in ["my.rs", "my.py", "."] {
        let (code, told) = complaint(&["run", "retention", "--file", file], ("LANG", "C"));
        assert_eq!(code, Some(2));
        assert!(told.contains(&format!("there is no file {file}")), "{told}");
    }
}
