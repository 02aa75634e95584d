//! `new`: what is missing is told at once, what is found is proved, and nothing half is written.
//!
//! The mutants here are those of the shipped pack, whose sources are compiled in, so that no
//! compiler is needed.

use std::fs;

use super::lab::{Answer, Lab};
use super::tiny;

/// A test that sees a set-up which fails the second time.
const TWICE: &str = "\
- id: set-up-twice
  step: 1
  title: Setting up again raises no error
  clause: init
  start: nothing
  script:
    - call: init_db
    - call: init_db
- id: new-key
  step: 2
  title: A new key is reserved
  success: true
  script:
    - call: reserve
      with: {key: k, digest: v1, expires: 10}
      returns: true
";

const MINE: &str = "pack/mutants/retention/mine.yaml";

/// Begins `new mutant` with everything said but its place.
fn mutant(step: &str) -> Lab {
    let lab = tiny::lab(
        &format!("new mutant --id mine --origin craft --step {step}"),
        TWICE,
    );
    let words = [
        ("--title", "Set-up fails where the table is there already"),
        ("--belief", "I run it once."),
        ("--lesson", "Set-up runs more often than once."),
    ];
    words
        .into_iter()
        .fold(lab, |lab, (flag, text)| lab.argument(flag).argument(text))
}

fn change(lab: Lab, find: &str, replace: &str) -> Lab {
    lab.argument("--find")
        .argument(find)
        .argument("--replace")
        .argument(replace)
}

fn file(answer: &Answer, path: &str) -> Option<String> {
    fs::read_to_string(answer.place.here().join(path)).ok()
}

fn nothing_is_written(answer: &Answer) {
    let folder = answer.place.here().join("pack/mutants/retention");
    let names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names, ["replaces.yaml"]);
}

#[test]
fn without_a_terminal_everything_missing_is_told_at_once() {
    Lab::new("new mutant --lab retention")
        .code(2)
        .stdout("")
        .stderr(
            "error: missing: --step, --find and --replace (or --diff), --id, --title, --origin, \
             --belief, --lesson; on a terminal they would be asked for\n",
        )
        .run();
    Lab::new("new test --lab retention")
        .code(2)
        .stdout("")
        .stderr(
            "error: missing: --step, --id, --title, --clause, --yaml; on a terminal they would be \
             asked for\n",
        )
        .run();
}

#[test]
fn everything_wrong_is_told_at_once() {
    let answer = Lab::new(
        "new mutant --lab retention --step 9 --id A --origin worksheet --report x --find a",
    )
    .code(2)
    .stdout("")
    .any_stderr()
    .run();
    insta::assert_snapshot!(answer.stderr);
}

#[test]
fn a_mutant_is_found_proved_and_written() {
    let lab = mutant("init_db");
    let answer = change(
        lab,
        "CREATE  TABLE IF NOT EXISTS\nkeys",
        "CREATE TABLE keys",
    )
    .run();
    insta::assert_snapshot!(format!(
        "{}\n{}",
        answer.stdout,
        file(&answer, MINE).unwrap()
    ));
    // The pack is as right as before: only `replaces` has nothing that catches it.
    let answer = Lab::at(answer.place, "check pack --no-cache --format json")
        .code(3)
        .run();
    assert!(!answer.stdout.contains("mine.yaml"), "{}", answer.stdout);
}

#[test]
fn a_diff_is_turned_round_if_it_mends_the_fault() {
    for diff in [
        "-        \"CREATE TABLE IF NOT EXISTS keys(\n+        \"CREATE TABLE keys(\n",
        "--- a/store.rs\n+++ b/store.rs\n@@ -9 +9 @@\n-\"CREATE TABLE keys(\n+\"CREATE TABLE IF NOT EXISTS keys(\n",
    ] {
        let answer = mutant("1")
            .file("change.diff", diff)
            .argument("--diff")
            .argument("@change.diff")
            .run();
        let yaml = file(&answer, MINE).unwrap();
        assert!(
            yaml.contains("      \"CREATE TABLE IF NOT EXISTS keys(\n"),
            "{yaml}"
        );
        assert!(yaml.contains("caught_by: [set-up-twice]"), "{yaml}");
        let turned = answer.stdout.contains("turned round");
        assert_eq!(turned, diff.starts_with("---"), "{}", answer.stdout);
    }
}

#[test]
fn a_mutant_that_no_test_catches_is_not_written() {
    let silent = || {
        let lab = mutant("2");
        change(lab, "Ok(inserted == 1)", "Ok(inserted <= 1)")
    };
    let answer = silent().code(1).any_stderr().run();
    insta::assert_snapshot!(answer.stderr);
    nothing_is_written(&answer);

    let answer = silent().argument("--draft").run();
    let yaml = file(&answer, MINE).unwrap();
    assert!(!yaml.contains("caught_by"), "{yaml}");
    assert!(yaml.contains("survives: [new-key]"), "{yaml}");

    let reason = ["--equivalent", "Nobody reserves a key twice here."];
    let answer = silent().argument(reason[0]).argument(reason[1]).run();
    let yaml = file(&answer, MINE).unwrap();
    assert!(
        yaml.ends_with(&format!("equivalent: {}\n", reason[1])),
        "{yaml}"
    );
}

#[test]
fn what_a_test_can_tell_is_not_equivalent() {
    let answer = change(mutant("1"), "CREATE TABLE IF NOT EXISTS", "CREATE TABLE")
        .argument("--equivalent")
        .argument("I think so.")
        .code(1)
        .stderr(
            "error: `set-up-twice` tells it from the reference in the rust track, so it is not \
             equivalent; nothing was written\n",
        )
        .run();
    nothing_is_written(&answer);
}

#[test]
fn a_mutant_that_is_there_already_is_refused() {
    let answer = change(mutant("2"), "INSERT OR IGNORE", "INSERT OR REPLACE")
        .code(1)
        .stderr(
            "error: in the rust track this is the same text as mutant `replaces`; nothing was \
             written\n",
        )
        .run();
    nothing_is_written(&answer);
    let answer = change(mutant("2"), "INSERT OR IGNORE", "INSERT OR IGNORE")
        .code(1)
        .any_stderr()
        .run();
    assert!(
        answer
            .stderr
            .contains("the same text as the reference itself")
    );
}

#[test]
fn a_fragment_that_occurs_twice_is_listed_with_its_lines() {
    let fragment = "let limit = checked(limit)?;";
    let answer = change(mutant("1"), fragment, "").code(2).any_stderr().run();
    insta::assert_snapshot!(answer.stderr);
    nothing_is_written(&answer);
    // A line chooses; then it can be applied, and has to be built.
    let answer = change(mutant("1"), "INSERT OR IGNORE INTO keyz", "x")
        .code(2)
        .any_stderr()
        .run();
    assert!(
        answer
            .stderr
            .contains("rust: the nearest is line 31: \"INSERT OR IGNORE INTO keys("),
        "{}",
        answer.stderr
    );
}

#[test]
fn a_file_that_is_there_is_never_written_over() {
    let lab = mutant("1").file(MINE, "half written");
    let answer = change(lab, "CREATE TABLE IF NOT EXISTS", "CREATE TABLE")
        .code(2)
        .any_stderr()
        .run();
    assert!(
        answer.stderr.contains("there is a file"),
        "{}",
        answer.stderr
    );
    assert_eq!(file(&answer, MINE).unwrap(), "half written");
}

const SCRIPT: &str = "\
given:
  keys:
    - [k, v1, pending, null, 10]
script:
  - call: reserve
    with: {key: k, digest: v2, expires: 20}
    returns: false
";

/// Begins `new test` with a body on standard input.
fn test(body: &str) -> Lab {
    tiny::lab(
        "new test --step 2 --id mine --clause reserve --yaml -",
        TWICE,
    )
    .argument("--title")
    .argument("A key that is there: refused")
    .input(body)
}

#[test]
fn a_test_is_proved_and_added_to_its_file() {
    let answer = test(SCRIPT).run();
    let path = "pack/exercises/retention/tests/2-reserve.yaml";
    insta::assert_snapshot!(format!(
        "{}\n{}",
        answer.stdout,
        file(&answer, path).unwrap()
    ));
    Lab::at(answer.place, "run retention --pack pack --test mine").run();
}

#[test]
fn a_test_that_contradicts_the_contract_is_not_added() {
    let answer = test(&SCRIPT.replace("false", "true"))
        .code(1)
        .any_stderr()
        .run();
    assert!(
        answer
            .stderr
            .ends_with("so it contradicts the contract; nothing was written\n"),
        "{}",
        answer.stderr
    );
    assert!(answer.stderr.contains("✘ mine (step 2): failed"));
    let path = "pack/exercises/retention/tests/2-reserve.yaml";
    assert_eq!(file(&answer, path), None);
}

#[test]
fn a_test_without_work_must_say_why_it_is_there() {
    let idle = "script:\n  - call: reserve\n    with: {key: k, digest: v1, expires: 10}\n    returns: true\n";
    let answer = test(idle).code(1).any_stderr().run();
    assert!(
        answer.stderr.contains("it catches no mutant"),
        "{}",
        answer.stderr
    );
    let answer = test(idle).argument("--success").run();
    let path = "pack/exercises/retention/tests/2-reserve.yaml";
    assert!(file(&answer, path).unwrap().contains("  success: true\n"));
}

#[test]
fn a_test_with_a_problem_is_told_with_its_place() {
    let answer = test(&SCRIPT.replace("digest", "digets"))
        .code(3)
        .any_stderr()
        .run();
    assert!(answer.stderr.contains("probe.yaml:6:"), "{}", answer.stderr);
    assert!(answer.stderr.contains("did you mean `digest`?"));
}

#[test]
fn a_pack_of_mutants_cannot_carry_a_test_of_the_shipped_lab() {
    let arguments = "new test --lab retention --step 2 --id mine --title t \
         --clause reserve-touches-one-row --yaml -";
    let answer = Lab::new(arguments).input(SCRIPT).code(2).any_stderr().run();
    assert!(
        answer.stderr.contains("--with-exercises copies"),
        "{}",
        answer.stderr
    );
}
