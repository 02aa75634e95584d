//! Packs with one fault each, in `tests/bad/faults/`: every problem that can be told is told,
//! each as a snapshot of the whole text.
//!
//! A fault's folder is named after the problem and holds only the files that differ from a small
//! pack in `tests/bad/base/`, that of Rust, or that of Python if its name ends in `.python`. What
//! does not belong in a repository, such as a file of ten megabytes, is made here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use idemlab::model::PROBLEM_IDS;
use tempfile::TempDir;

/// A pack with a fault, and a home of its own.
struct Bad {
    name: String,
    place: TempDir,
}

impl Bad {
    /// Lays the files of a fault over those of its base.
    fn new(name: &str) -> Self {
        let place = TempDir::new().unwrap();
        let bad = Self {
            name: name.to_owned(),
            place,
        };
        let base = if name.ends_with(".python") {
            "python"
        } else {
            "rust"
        };
        copy(&folder().join("base").join(base), &bad.pack());
        if base == "rust" {
            let reference = "exercises/retention/rust/reference.rs";
            bad.write(reference, &fs::read(root().join(reference)).unwrap());
        }
        copy(&folder().join("faults").join(name), &bad.pack());
        fs::create_dir(bad.home()).unwrap();
        bad
    }

    fn pack(&self) -> PathBuf {
        self.place.path().join("pack")
    }

    fn home(&self) -> PathBuf {
        self.place.path().join("home")
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let file = self.pack().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }

    /// Checks the pack; returns what is said, without the path of this test's folder.
    fn check(&self, variables: &[(&str, &str)]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_idemlab"));
        command
            .args(["check", "--no-cache", "pack"])
            .current_dir(self.place.path())
            .env("HOME", self.home())
            .env("USERPROFILE", self.home())
            .envs(variables.iter().copied())
            .stdin(Stdio::null());
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&stderr);
        assert!(stderr.is_empty(), "{}: {stderr}", self.name);
        let stdout = String::from_utf8_lossy(&stdout);
        let here = self.place.path().display().to_string();
        (status.code(), stdout.replace(&here, "[place]"))
    }

    /// Holds what is said against its snapshot, and notes what is wrong with it.
    fn shows(&self, variables: &[(&str, &str)], seen: &mut Seen) {
        let (code, text) = self.check(variables);
        insta::assert_snapshot!(self.name.replace('.', "_"), text);
        let told = ids(&text);
        let id = self.name.split('.').next().unwrap();
        let right = match id {
            "fine" => code == Some(0) && told.is_empty(),
            id => told.contains(id) && code == Some(if has_error(&text) { 3 } else { 0 }),
        };
        if !right {
            seen.wrong
                .push(format!("{}, code {code:?}:\n{text}", self.name));
        }
        seen.told.extend(told);
    }
}

/// What all packs together have shown.
#[derive(Default)]
struct Seen {
    told: BTreeSet<String>,
    wrong: Vec<String>,
}

fn has_error(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("error["))
}

#[test]
fn every_problem_is_told_for_a_pack_that_has_it() {
    let mut seen = Seen::default();
    for name in names() {
        let variables: &[(&str, &str)] = match name.as_str() {
            "track-not-ready.python" => &[("IDEMLAB_PYTHON", "there is none")],
            _ => &[],
        };
        Bad::new(&name).shows(variables, &mut seen);
    }
    large_file(&mut seen);
    no_pack(&mut seen);
    mutant_without_cargo(&mut seen);
    #[cfg(unix)]
    odd_files(&mut seen);
    let Seen { told, wrong } = seen;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let known: BTreeSet<String> = PROBLEM_IDS.iter().map(|id| (*id).to_owned()).collect();
    let missing: Vec<&String> = known.difference(&told).collect();
    let only_unix: &[&str] = if cfg!(unix) {
        &[]
    } else {
        &["file-outside", "file-unreadable"]
    };
    assert_eq!(missing, only_unix, "no pack in tests/bad shows these");
    assert!(told.is_subset(&known), "told, and not in PROBLEM_IDS");
}

fn large_file(seen: &mut Seen) {
    let bad = made("file-too-large");
    bad.write("mutants/retention/large.yaml", &vec![b'#'; (1 << 20) + 1]);
    bad.shows(&[], seen);
}

/// A folder with nothing in it that a pack has.
fn no_pack(seen: &mut Seen) {
    let bad = made("no-pack");
    for folder in ["exercises", "mutants"] {
        fs::remove_dir_all(bad.pack().join(folder)).unwrap();
    }
    bad.shows(&[], seen);
}

/// A mutant that is not compiled in, where there is no cargo.
fn mutant_without_cargo(seen: &mut Seen) {
    let bad = made("mutant-not-run");
    let base = fs::read_to_string(folder().join("base/rust/mutants/retention/replaces.yaml"));
    let mutant = base
        .unwrap()
        .replace("INSERT OR REPLACE INTO", "REPLACE INTO");
    bad.write("mutants/retention/unbuilt.yaml", mutant.as_bytes());
    let empty = bad.home().display().to_string();
    bad.shows(&[("PATH", &empty)], seen);
}

/// A link that leads out, and something that is no file at all.
#[cfg(unix)]
fn odd_files(seen: &mut Seen) {
    let bad = made("file-outside");
    fs::write(bad.home().join("secret.yaml"), "a: b\n").unwrap();
    let link = bad.pack().join("mutants/retention/link.yaml");
    std::os::unix::fs::symlink(bad.home().join("secret.yaml"), link).unwrap();
    bad.shows(&[], seen);

    let bad = made("file-unreadable");
    let socket = bad.pack().join("mutants/retention/socket.yaml");
    let _kept = std::os::unix::net::UnixListener::bind(socket).unwrap();
    bad.shows(&[], seen);
}

#[test]
fn hostile_files_end_in_a_clear_error() {
    let line = format!("belief: {}\n", "x".repeat(10 << 20));
    let deep = format!("a: {}{}\n", "[".repeat(10_000), "]".repeat(10_000));
    let flow = format!("a: {}\n", "{a: ".repeat(10_000));
    let indented: String = (0..10_000).fold(String::new(), |mut text, depth| {
        text.push_str(&" ".repeat(depth % 97));
        text.push_str("a:\n");
        text
    });
    let key = "k".repeat(1 << 20);
    let faults: [(&str, &[u8], &[&str]); 6] = [
        (
            "a line of ten megabytes",
            line.as_bytes(),
            &["file-too-large"],
        ),
        (
            "depth in brackets",
            deep.as_bytes(),
            &["too-deep", "not-yaml"],
        ),
        (
            "depth in braces",
            flow.as_bytes(),
            &["too-deep", "not-yaml"],
        ),
        (
            "depth in blanks",
            indented.as_bytes(),
            &["too-deep", "not-yaml", "duplicate-key"],
        ),
        ("nothing but NUL", &[0; 4096], &["odd-character"]),
        (
            "a key of a megabyte",
            key.as_bytes(),
            &["not-yaml", "wrong-type"],
        ),
    ];
    for (what, bytes, expected) in faults {
        let bad = made("hostile");
        bad.write("mutants/retention/hostile.yaml", bytes);
        let (code, text) = bad.check(&[]);
        let told = ids(&text);
        assert_eq!(code, Some(3), "{what}");
        assert!(
            expected.iter().any(|id| told.contains(*id)),
            "{what}: {told:?}"
        );
        assert!(text.contains("hostile.yaml"), "{what}");
    }
}

#[test]
fn a_folder_that_is_named_like_a_file_is_a_folder() {
    let bad = made("folder");
    bad.write("mutants/retention/other.yaml/inner.txt", b"no mutant");
    assert_eq!(bad.check(&[]).0, Some(0));
}

/// A pack without a fault yet.
fn made(name: &str) -> Bad {
    Bad::new(name)
}

/// Finds the ids in what was said.
fn ids(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter_map(|line| {
            let rest = line
                .strip_prefix("error[")
                .or_else(|| line.strip_prefix("warning["))?;
            Some(rest.split(']').next()?.to_owned())
        })
        .collect()
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder().join("faults"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn copy(from: &Path, to: &Path) {
    let Ok(entries) = fs::read_dir(from) else {
        return;
    };
    fs::create_dir_all(to).unwrap();
    for entry in entries.flatten() {
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

fn folder() -> PathBuf {
    root().join("tests/bad")
}
