//! `idemlab grade` as a class meets it: fair to right solutions, never zero by accident, the same
//! in parts as in one, and the same after a kill.

mod class;
mod parts;
mod points;
#[cfg(target_os = "linux")]
mod scripts;
#[cfg(unix)]
mod setups;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use idemlab::gradebook::{Gradebook, Submission};
use tempfile::TempDir;

/// A folder of submissions, and a home of its own.
struct Class {
    place: TempDir,
}

impl Class {
    fn new() -> Self {
        let place = TempDir::new().unwrap();
        fs::create_dir(place.path().join("class")).unwrap();
        fs::create_dir(place.path().join("home")).unwrap();
        Self { place }
    }

    fn folder(&self) -> PathBuf {
        self.place.path().join("class")
    }

    /// Adds a submission of one file.
    fn add(&self, name: &str, track: &str, source: &str) -> PathBuf {
        let folder = self.folder().join(name);
        let extension = if track == "rust" { "rs" } else { "py" };
        write(&folder, &format!("retention.{extension}"), source);
        let manifest = format!("format: 1\nlab: retention\ntrack: {track}\n");
        write(&folder, "idemlab.yaml", &manifest);
        folder
    }

    /// Makes a command that shares nothing with whoever runs the test, but for the built
    /// dependencies of Rust submissions, which take minutes to make.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_idemlab"));
        command
            .args(arguments)
            .current_dir(self.place.path())
            .env("XDG_CACHE_HOME", cache())
            .env("XDG_DATA_HOME", self.place.path().join("home"))
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Grades the class, and returns the result and the exit code.
    fn grade(&self, arguments: &[&str]) -> (Gradebook, i32) {
        let all = [&["grade", "class", "--format", "json"], arguments].concat();
        let output = self.run(&all);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let book = serde_json::from_slice(&output.stdout);
        (
            book.unwrap_or_else(|error| panic!("{error}\n{errors}")),
            output.status.code().unwrap(),
        )
    }
}

fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

fn write(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn find<'b>(book: &'b Gradebook, path: &str) -> &'b Submission {
    let mut all = book.submissions.iter();
    all.find(|one| one.path == path)
        .unwrap_or_else(|| panic!("no submission {path}"))
}

/// Returns what the steps were given.
fn steps(submission: &Submission) -> String {
    let scores = submission.steps.iter().map(|step| step.score.to_string());
    scores.collect::<Vec<_>>().join(" ")
}

/// What every step is worth, as `exercises/retention/grading.yaml` says.
const FULL: &str = "8 10 10 9 9 12 6 6";

/// Tells whether Python is there; a machine of CI must have it.
fn python() -> bool {
    let there = idemlab::run::track::python::find().is_ok();
    assert!(
        there || std::env::var_os("CI").is_none(),
        "CI has no Python"
    );
    there
}

/// Says what keeps submissions in here: nothing, on a system that cannot.
fn confined() -> bool {
    idemlab::run::track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    let there = idemlab::run::Confinement::detect().is_enough();
    let must = cfg!(target_os = "linux") && std::env::var_os("CI").is_some();
    assert!(there || !must, "CI cannot confine");
    there
}
