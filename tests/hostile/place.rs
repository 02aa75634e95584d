//! A place for an attack: a file to run, a neighbour to harm, a mark to find what is left by.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use idemlab::event::SubjectReport;
use idemlab::lab::{Bench, Fault};
use idemlab::model::{Lab, Pack, Test, Track};
use idemlab::pack;
use idemlab::run::{Confinement, Interrupt, Limits, track};
use idemlab::verdict::{Shown, TestWord};
use tempfile::TempDir;

/// A test that writes and reads: enough to see that a submission works.
pub const ONE: &[&str] = &["new-key-is-reserved"];

/// Returns what confines here; nothing on a developer's machine that cannot.
pub fn confinement() -> Option<Confinement> {
    track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    let confinement = Confinement::detect();
    if confinement.is_enough() {
        return Some(confinement);
    }
    let lacking = confinement.lacking();
    assert!(std::env::var_os("CI").is_none(), "lacking: {lacking:?}");
    eprintln!("skipped: lacking: {lacking:?}");
    None
}

/// The lab `retention` of the shipped pack.
pub fn lab() -> &'static Lab {
    static PACK: OnceLock<Pack> = OnceLock::new();
    let pack = PACK.get_or_init(|| pack::shipped().expect("the shipped pack has no problems"));
    pack.lab("retention").expect("it has lab retention")
}

/// Returns the reference in a track.
pub fn reference(track: Track) -> &'static str {
    &lab().source(track).expect("a reference").text
}

/// Limits that make an endless loop a short test, on a busy machine too.
pub fn short() -> Limits {
    Limits {
        reply: Duration::from_secs(2),
        start: Duration::from_secs(20),
        build: Some(Duration::from_secs(20)),
        ..Limits::default()
    }
}

/// A submission beside its neighbour.
pub struct Place {
    folder: TempDir,
    track: Track,
    name: String,
}

impl Place {
    pub fn new(track: Track) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = tempfile::tempdir().expect("a folder");
        let neighbour = folder.path().join("neighbour");
        fs::create_dir(&neighbour).unwrap();
        fs::write(neighbour.join("retention.py"), reference(Track::Python)).unwrap();
        fs::write(neighbour.join("results.json"), "{}").unwrap();
        let name = format!("hostile_{}_{number}_x", std::process::id());
        Self {
            folder,
            track,
            name,
        }
    }

    /// Returns the neighbour's folder.
    pub fn neighbour(&self) -> PathBuf {
        self.folder.path().join("neighbour")
    }

    /// Returns the words by which every process of the submission can be found.
    pub fn mark(&self) -> &str {
        &self.name
    }

    fn file(&self) -> PathBuf {
        let extension = if self.track == Track::Rust {
            "rs"
        } else {
            "py"
        };
        let mine = self.folder.path().join("mine");
        mine.join(&self.name).with_extension(extension)
    }

    /// Runs a source confined; afterwards nothing is left of it and the neighbour is as before.
    pub fn run(&self, source: &[u8], tests: &[&str]) -> Result<SubjectReport, Fault> {
        let file = self.file();
        fs::create_dir(file.parent().unwrap()).unwrap();
        fs::write(&file, source).unwrap();
        let confinement = confinement().expect("asked before");
        let bench = Bench::new(lab(), self.track, Interrupt::default())
            .unwrap()
            .with_limits(short())
            .confined(confinement);
        let chosen: Vec<&Test> = lab()
            .tests_in(self.track)
            .filter(|test| tests.contains(&test.id.as_str()))
            .collect();
        assert_eq!(chosen.len(), tests.len(), "{tests:?}");
        let report = bench.submission(&file, &chosen, &|_| {});
        let left = running(self.mark());
        assert!(left.is_empty(), "left running: {left:?}");
        self.assert_unharmed();
        report
    }

    fn assert_unharmed(&self) {
        let neighbour = self.neighbour();
        let mut names: Vec<_> = fs::read_dir(&neighbour)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["results.json", "retention.py"]);
        let results = fs::read_to_string(neighbour.join("results.json")).unwrap();
        assert_eq!(results, "{}");
        let source = fs::read_to_string(neighbour.join("retention.py")).unwrap();
        assert_eq!(source, reference(Track::Python));
    }
}

/// Lists the processes whose command line or environment holds `mark`, but this one.
fn running(mark: &str) -> Vec<String> {
    let own = std::process::id().to_string();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy() != own)
        .filter_map(|entry| {
            let command = fs::read(entry.path().join("cmdline")).ok()?;
            let command = String::from_utf8_lossy(&command).replace('\0', " ");
            command.contains(mark).then_some(command)
        })
        .collect()
}

/// Lists the tests that are not passed, with what they saw.
pub fn not_passed(report: &SubjectReport) -> Vec<String> {
    let all = report.tests.iter();
    all.filter(|test| test.word() != TestWord::Passed)
        .map(|test| format!("{} {:?} {:?}", test.id, test.word(), test.verdict.observed))
        .collect()
}

/// Returns the first test's word and what it saw.
pub fn seen(report: &SubjectReport) -> (TestWord, String) {
    let verdict = &report.tests[0].verdict;
    let seen = verdict.observed.as_ref().map(Shown::to_json);
    let seen = seen.map(|value| match value {
        serde_json::Value::String(words) => words,
        other => other.to_string(),
    });
    (verdict.word, seen.unwrap_or_default())
}

/// Returns the folder of the lab's own tests.
pub fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("exercises/retention/tests")
}
