//! Ctrl-c and kill: the right exit code, no scratch folder, no process left.
//!
//! Linux only, since it looks into `/proc` for the processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::lab::{Lab, Place};
use super::tiny;

/// How long anything here may take before the test fails.
const DEADLINE: Duration = Duration::from_secs(20);

const REFERENCE: &str = include_str!("../../exercises/retention/rust/reference.rs");

#[test]
fn ctrl_c_ends_a_run_and_leaves_nothing_behind() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let (child, place) = tiny::lab("run retention", tiny::ENDLESS).start();
        let subjects = until(|| {
            let subjects = subjects_of(&child);
            (!subjects.is_empty()).then_some(subjects)
        });
        ends_at(child, signal, &subjects, &place);
    }
}

#[test]
fn ctrl_c_ends_a_matrix_in_the_middle_of_a_mutant() {
    let (child, place) = tiny::lab("matrix retention", tiny::ENDLESS_IF_REPLACED).start();
    let reference = idemlab::mutate::hash(REFERENCE);
    let subjects = until(|| {
        let subjects = subjects_of(&child);
        let mutant = |subject: &&Subject| subject.hash != reference;
        subjects
            .iter()
            .any(|subject| mutant(&subject))
            .then_some(subjects)
    });
    ends_at(child, Signal::INT, &subjects, &place);
}

#[test]
fn ctrl_c_ends_a_statement_of_the_lab_itself() {
    let (child, place) = tiny::lab("run retention", tiny::ENDLESS_SQL).start();
    let subjects = until(|| {
        let subjects = subjects_of(&child);
        (!subjects.is_empty()).then_some(subjects)
    });
    ends_at(child, Signal::INT, &subjects, &place);
}

#[test]
fn ctrl_c_while_a_mutant_is_proved_writes_nothing() {
    let words = "--id mine --origin craft --title t --belief b --lesson l --step 1";
    let lab = tiny::lab(&format!("new mutant {words}"), tiny::ENDLESS).argument("--find-in");
    let (mut child, place) = lab
        .argument("rust=IF NOT EXISTS ")
        .argument("--replace-in=rust=")
        .start();
    let subjects = until(|| {
        let subjects = subjects_of(&child);
        (!subjects.is_empty()).then_some(subjects)
    });
    let id = Pid::from_child(&child);
    kill_process(id, Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(6));
    until(|| subjects.iter().all(|subject| !subject.runs()).then_some(()));
    let pack = place.here().join("pack");
    assert_eq!(count(&pack.join("mutants/retention")), 1);
    assert!(!pack.join("schema").exists());
}

#[test]
fn a_killed_lab_leaves_no_subject_and_the_next_run_clears_its_scratch() {
    let (mut child, place) = tiny::lab("run retention", tiny::ENDLESS).start();
    let subjects = until(|| {
        let subjects = subjects_of(&child);
        (!subjects.is_empty() && count(&place.scratch()) > 0).then_some(subjects)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    until(|| subjects.iter().all(|subject| !subject.runs()).then_some(()));
    assert_eq!(count(&place.scratch()), 1, "nobody was left to remove it");
    let answer = Lab::at(place, "run retention --test new-key-is-reserved").run();
    assert_eq!(count(&answer.place.scratch()), 0);
}

/// A subject's process.
struct Subject {
    folder: PathBuf,
    hash: String,
}

impl Subject {
    /// Tells whether it runs; one that waits to be collected does not.
    fn runs(&self) -> bool {
        let state = fs::read_to_string(self.folder.join("stat")).unwrap_or_default();
        let after_name = state.rsplit(')').next().unwrap_or_default().trim_start();
        !(after_name.is_empty() || after_name.starts_with('Z'))
    }
}

/// Lists the subjects that a lab has started and that have come as far as their own program.
fn subjects_of(lab: &Child) -> Vec<Subject> {
    let threads = fs::read_dir(format!("/proc/{}/task", lab.id()));
    let children = threads.into_iter().flatten().flatten().flat_map(|thread| {
        let text = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<String>>()
    });
    children
        .filter_map(|process| {
            let folder = Path::new("/proc").join(process);
            let line = fs::read(folder.join("cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).into_owned();
            let mut words = line.split('\0').skip(1);
            (words.next() == Some("__subject")).then_some(())?;
            let hash = words.next()?.to_owned();
            Some(Subject { folder, hash })
        })
        .collect()
}

/// Waits for something to be so, and fails the test when it takes too long.
fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < DEADLINE, "it did not come to that");
        // Not what is waited for: only a breath between two looks.
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sends a signal and checks that the lab ends as it should.
fn ends_at(child: Child, signal: Signal, subjects: &[Subject], place: &Place) {
    let lab = i32::try_from(child.id())
        .ok()
        .and_then(Pid::from_raw)
        .unwrap();
    kill_process(lab, signal).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(6), "{signal:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{signal:?}");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: interrupted; nothing is left running\n",
        "{signal:?}"
    );
    for subject in subjects {
        assert!(!subject.runs(), "{} is left", subject.folder.display());
    }
    assert_eq!(count(&place.scratch()), 0, "a scratch folder is left");
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}
