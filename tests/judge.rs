//! The judge judged: what `check` runs, keeps and finds again, and that it never says less
//! because it was asked before. Each pack is a small one, changed in one place.

use std::fs;
use std::path::{Path, PathBuf};

use idemlab::lab::Fault;
use idemlab::lab::check::{Cache, Checked, check};
use idemlab::pack;
use idemlab::run::{Interrupt, track};
use tempfile::TempDir;

const MUTANT: &str = "mutants/retention/replaces.yaml";
const TESTS: &str = "exercises/retention/tests/all.yaml";
const LAB: &str = "exercises/retention/lab.yaml";

/// A pack of one mutant and three tests, and a folder for results.
struct Pack(TempDir);

impl Pack {
    fn new() -> Self {
        track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
        let pack = Self(TempDir::new().unwrap());
        copy(&root().join("tests/bad/base/rust"), &pack.folder());
        let reference = "exercises/retention/rust/reference.rs";
        pack.write(
            reference,
            &fs::read_to_string(root().join(reference)).unwrap(),
        );
        pack
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("pack")
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.folder().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Changes the one place of a file at which `from` stands.
    fn change(&self, path: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.folder().join(path)).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{from}");
        self.write(path, &text.replace(from, to));
    }

    fn add(&self, path: &str, text: &str) {
        let old = fs::read_to_string(self.folder().join(path)).unwrap();
        self.write(path, &format!("{old}{text}"));
    }

    fn check_with(&self, cache: &mut Cache) -> Checked {
        let draft = pack::read(Some(&self.folder()));
        check(&draft, cache, &Interrupt::default()).unwrap()
    }

    /// Checks as one program that keeps what it saw; returns how much was run, and the problems.
    fn kept(&self) -> (usize, Vec<String>) {
        self.kept_by("program")
    }

    fn kept_by(&self, program: &str) -> (usize, Vec<String>) {
        let mut cache = Cache::open(&self.0.path().join("cache"), program);
        let checked = self.check_with(&mut cache);
        (checked.ran, told(&checked))
    }

    /// The problems of a check that keeps nothing.
    fn problems(&self) -> Vec<String> {
        told(&self.check_with(&mut Cache::none()))
    }
}

fn told(checked: &Checked) -> Vec<String> {
    let problems = checked.problems.iter();
    problems
        .map(|problem| format!("{} {}:{}", problem.id, problem.file, problem.line))
        .collect()
}

#[test]
fn a_second_check_runs_nothing_and_says_the_same() {
    let pack = Pack::new();
    assert_eq!(pack.kept(), (6, vec![]));
    assert_eq!(pack.kept(), (0, vec![]));
    pack.change(
        MUTANT,
        "survives: [new-key]",
        "survives: [new-key, key-once]",
    );
    let broken = vec![format!("survivor-not-green {MUTANT}:10")];
    assert_eq!(pack.kept(), (3, broken.clone()));
    assert_eq!(pack.kept(), (0, broken));
}

#[test]
fn only_what_a_result_depends_on_makes_it_run_again() {
    let pack = Pack::new();
    assert_eq!(pack.kept().0, 6);
    // The words of a mutant and of a test.
    pack.change(MUTANT, "lesson: It is not.", "lesson: It is wrong.");
    pack.change(
        TESTS,
        "title: Set-up makes the table",
        "title: A table is made",
    );
    assert_eq!(pack.kept().0, 0);
    // What a mutant promises is run twice, so it has to be run again.
    pack.change(MUTANT, "survives: [new-key]", "survives: [set-up]");
    assert_eq!(pack.kept().0, 3);
    // A test that is not the same any more.
    pack.change(TESTS, "expires: 10}", "expires: 11}");
    assert_eq!(pack.kept().0, 6);
    // Another table, another program.
    pack.change(LAB, "response TEXT,", "response  TEXT,");
    assert_eq!(pack.kept().0, 6);
    assert_eq!(pack.kept_by("another program").0, 6);
    assert_eq!(pack.kept(), (0, vec![]));
}

#[test]
fn a_mutant_whose_fragment_changed_is_not_judged_by_what_it_was() {
    let pack = Pack::new();
    assert_eq!(pack.kept(), (6, vec![]));
    // Another shipped mutant in its place: what it promised does not hold any more.
    pack.change(
        MUTANT,
        "find: INSERT OR IGNORE INTO keys",
        "find: CREATE TABLE IF NOT EXISTS keys",
    );
    pack.change(
        MUTANT,
        "replace: INSERT OR REPLACE INTO keys",
        "replace: CREATE TABLE keys",
    );
    let (ran, problems) = pack.kept();
    assert_eq!(ran, 3);
    assert!(
        problems.contains(&format!("promise-not-kept {MUTANT}:9")),
        "{problems:?}"
    );
}

#[test]
fn a_damaged_store_of_results_is_noticed() {
    let pack = Pack::new();
    assert_eq!(pack.kept(), (6, vec![]));
    fs::write(
        pack.0.path().join("cache/check-1.db"),
        "nothing that is a store",
    )
    .unwrap();
    assert_eq!(pack.kept(), (6, vec![]));
    assert_eq!(pack.kept(), (0, vec![]));
}

#[test]
fn a_red_reference_is_told_every_time() {
    let pack = Pack::new();
    pack.change(TESTS, "returns: true", "returns: false");
    let red = vec![format!("baseline-red {TESTS}:10")];
    // No mutant is run while the reference is red.
    assert_eq!(pack.kept(), (3, red.clone()));
    assert_eq!(pack.kept(), (3, red));
}

#[test]
fn a_check_counts_what_the_pack_has() {
    let checked = Pack::new().check_with(&mut Cache::none());
    assert_eq!((checked.mutants, checked.tests), (1, 3));
    assert_eq!(checked.ran, 6);
}

#[test]
fn an_interrupted_check_says_nothing_of_the_pack() {
    let draft = pack::read(Some(&Pack::new().folder()));
    let interrupt = Interrupt::default();
    interrupt.raise();
    let fault = check(&draft, &mut Cache::none(), &interrupt).unwrap_err();
    assert!(matches!(fault, Fault::Interrupted), "{fault}");
}

#[test]
fn what_a_learner_begins_with_is_run_once_and_must_be_red() {
    let pack = Pack::new();
    pack.change(
        LAB,
        "steps:\n",
        "starters: {rust: rust/starter.rs}\nsteps:\n",
    );
    let starter = "exercises/retention/rust/starter.rs";
    pack.write(starter, &fs::read_to_string(root().join(starter)).unwrap());
    assert_eq!(pack.kept(), (9, vec![]));
    assert_eq!(pack.kept(), (0, vec![]));
    // One that is written already is told for every test, also when it was seen before.
    let reference = pack.folder().join("exercises/retention/rust/reference.rs");
    pack.write(starter, &fs::read_to_string(reference).unwrap());
    let line = fs::read_to_string(pack.folder().join(LAB))
        .unwrap()
        .lines()
        .position(|line| line.starts_with("starters:"))
        .unwrap()
        + 1;
    let told = vec![format!("starter-not-red {LAB}:{line}"); 3];
    assert_eq!(pack.kept(), (0, told));
}

const IDLE: &str = "- id: idle
  step: 2
  title: The same once more
  clause: once
  script:
    - call: reserve
      with: {key: k, digest: v1, expires: 10}
      returns: true
";

#[test]
fn a_test_that_no_mutant_fails_says_why_it_is_there() {
    let pack = Pack::new();
    pack.add(TESTS, IDLE);
    assert_eq!(pack.problems(), [format!("idle-test {TESTS}:30")]);
    pack.add(TESTS, "  guard: It is here for another day.\n");
    assert_eq!(pack.problems(), Vec::<String>::new());
}

#[test]
fn a_fault_elsewhere_in_the_lab_does_not_hide_an_idle_test() {
    let pack = Pack::new();
    pack.add(TESTS, IDLE);
    let promise = "{id: once, text: A missing key is reserved.}";
    let more = format!("{promise}, {{id: more, text: Another one.}}");
    pack.change(LAB, promise, &more);
    let told = pack.problems();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("clause-without-test "), "{told:?}");
    assert!(told[1].starts_with("idle-test "), "{told:?}");
}

#[test]
fn no_test_is_called_idle_while_a_mutant_could_not_be_run() {
    let pack = Pack::new();
    pack.add(TESTS, IDLE);
    pack.change(MUTANT, "find: INSERT OR IGNORE", "find: INSERT OR ADD");
    assert_eq!(pack.problems(), [format!("find-not-found {MUTANT}:7")]);
    // A guard that a mutant fails is told all the same.
    let pack = Pack::new();
    pack.add(TESTS, "  guard: It is here for another day.\n");
    let line = fs::read_to_string(pack.folder().join(TESTS))
        .unwrap()
        .lines()
        .count();
    let text = fs::read_to_string(pack.folder().join(MUTANT)).unwrap();
    let other = text.replace("find: INSERT OR IGNORE", "find: INSERT OR ADD");
    pack.write("mutants/retention/other.yaml", &other);
    let expected = [
        format!("busy-guard {TESTS}:{line}"),
        "find-not-found mutants/retention/other.yaml:7".to_owned(),
    ];
    assert_eq!(pack.problems(), expected);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
