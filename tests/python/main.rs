//! The Python track from outside: right files are green, wrong ones are told clearly, and
//! nothing that a file does can hang the lab or be taken for an answer.
//!
//! Without a Python the tests pass unseen on a developer's machine; where `CI` is set they fail.

mod fair;
mod odd;
mod parity;
mod unloadable;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use idemlab::event::SubjectReport;
use idemlab::lab::{Bench, Fault};
use idemlab::model::{Lab, Pack, Test, Track};
use idemlab::pack;
use idemlab::run::{Interrupt, Limits, track};
use idemlab::verdict::{Shown, TestWord};
use tempfile::TempDir;

/// Tells whether there is a Python; stops a run in CI that has none.
fn python() -> bool {
    match track::python::find() {
        Ok(_) => true,
        Err(missing) => {
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            eprintln!("skipped: {missing}");
            false
        }
    }
}

/// The lab `retention` of the shipped pack.
fn lab() -> &'static Lab {
    static PACK: OnceLock<Pack> = OnceLock::new();
    let pack = PACK.get_or_init(|| pack::shipped().expect("the shipped pack has no problems"));
    pack.lab("retention").expect("it has lab retention")
}

fn bench() -> Bench<'static> {
    Bench::new(lab(), Track::Python, Interrupt::default()).expect("a bench")
}

/// Limits that make an endless loop a short test.
fn short() -> Limits {
    Limits {
        reply: Duration::from_millis(700),
        start: Duration::from_millis(1500),
        ..Limits::default()
    }
}

/// A learner's file, alone in a folder.
struct Submission {
    folder: TempDir,
    limits: Limits,
}

impl Submission {
    /// The file holds `text` and nothing else.
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("retention.py"), text).expect("it can be written");
        Self {
            folder,
            limits: Limits::default(),
        }
    }

    /// The file is the reference, and then `text`, which may replace functions.
    fn reference_and(text: &str) -> Self {
        let reference = lab().source(Track::Python).expect("a reference");
        Self::new(&format!("{}\n\n{text}\n", reference.text))
    }

    /// Puts another file beside it.
    fn beside(self, name: &str, text: &str) -> Self {
        fs::write(self.folder.path().join(name), text).expect("it can be written");
        self
    }

    fn within(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("retention.py")
    }

    /// Runs the named tests on it.
    fn run(&self, tests: &[&str]) -> SubjectReport {
        let bench = bench().with_limits(self.limits);
        run(&bench, &self.path(), tests).expect("it can be run")
    }

    /// Runs one test that is red, and returns its word, its line and what it saw.
    fn seen(&self, test: &str) -> (TestWord, Option<usize>, String) {
        let report = self.run(&[test]);
        let verdict = &report.tests[0].verdict;
        let seen = verdict.observed.as_ref().map(Shown::to_json);
        let seen = seen.map(|value| match value {
            serde_json::Value::String(words) => words,
            other => other.to_string(),
        });
        (verdict.word, verdict.line, seen.unwrap_or_default())
    }
}

/// Runs the named tests, or all, on a file.
fn run(bench: &Bench<'_>, file: &Path, tests: &[&str]) -> Result<SubjectReport, Fault> {
    let chosen: Vec<&Test> = lab()
        .tests_in(Track::Python)
        .filter(|test| tests.is_empty() || tests.contains(&test.id.as_str()))
        .collect();
    assert!(tests.is_empty() || tests.len() == chosen.len(), "{tests:?}");
    bench.submission(file, &chosen, &|_| {})
}

/// Lists the tests that are not passed, with what they saw.
fn not_passed(report: &SubjectReport) -> Vec<String> {
    let all = report.tests.iter();
    all.filter(|test| test.word() != TestWord::Passed)
        .map(|test| format!("{} {:?} {:?}", test.id, test.word(), test.verdict.observed))
        .collect()
}
