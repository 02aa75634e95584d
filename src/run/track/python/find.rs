//! Finds the machine's Python, once.
//!
//! It asks the interpreter for its own path, so that a shim (pyenv's costs ten times the
//! interpreter's start) is gone through only here. It never installs anything.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::run::NotReady;

/// The oldest version that can run the track, as major and minor number.
pub const OLDEST: (u32, u32) = (3, 9);

/// Names an interpreter to use instead of the one on the PATH.
const VARIABLE: &str = "IDEMLAB_PYTHON";
/// The names to look for, the surer one first.
const NAMES: [&str; 2] = ["python3", "python"];
/// Understood by every Python since 2.6, so that an old one can tell its version too.
const QUESTION: &str = "\
import sys
write = sys.stdout.write
write('%d.%d.%d\\n' % sys.version_info[:3])
write((sys.executable or '') + '\\n')
sys.path = [folder for folder in sys.path if folder]
import sqlite3
write(sqlite3.sqlite_version + '\\n')
for folder in sorted({sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}):
    write(folder + '\\n')
";

/// An interpreter that can run the track.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Python {
    /// Its own path, behind any shim.
    pub path: PathBuf,
    /// Its version, such as `3.11.7`.
    pub version: String,
    /// The version of the `SQLite` library it brings.
    pub sqlite: String,
    /// The folders that it was installed into.
    pub folders: Vec<PathBuf>,
}

/// Finds the interpreter: looks once, and remembers what it found.
///
/// # Errors
///
/// Says what is missing, and how to get it.
pub fn find() -> Result<&'static Python, NotReady> {
    static FOUND: OnceLock<Result<Python, NotReady>> = OnceLock::new();
    let found = FOUND.get_or_init(|| match env::var_os(VARIABLE) {
        Some(named) if !named.is_empty() => {
            ask(Path::new(&named)).map_err(|flaw| flaw.told(&format!("named by {VARIABLE}")))
        }
        _ => search(&env::var_os("PATH").unwrap_or_default()),
    });
    found.as_ref().map_err(Clone::clone)
}

/// Takes the first interpreter on `path` that will do.
fn search(path: &OsStr) -> Result<Python, NotReady> {
    let mut first_flaw = None;
    for candidate in candidates(path) {
        match ask(&candidate) {
            Ok(python) => return Ok(python),
            Err(flaw) => {
                first_flaw.get_or_insert(flaw);
            }
        }
    }
    Err(match first_flaw {
        Some(flaw) => flaw.told("the first on the PATH"),
        None => NotReady {
            why: format!(
                "there is no python3 on the PATH; install Python {} or newer with your system's \
                 package manager, or work in the rust track",
                oldest()
            ),
        },
    })
}

/// Lists the interpreters on `path`: every `python3`, then every `python`.
fn candidates(path: &OsStr) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for name in NAMES {
        for folder in env::split_paths(path).filter(|folder| folder.is_absolute()) {
            let file = folder.join(format!("{name}{EXE_SUFFIX}"));
            if file.is_file() && !found.contains(&file) {
                found.push(file);
            }
        }
    }
    found
}

/// What speaks against an interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Flaw {
    /// It does not start, or does not answer as a Python does.
    Broken { program: PathBuf, how: String },
    /// Its version is too old.
    Old { version: String, path: PathBuf },
    /// It was built without the `sqlite3` module.
    NoSqlite { version: String, path: PathBuf },
}

impl Flaw {
    /// Says what is missing, where it was found and what would help.
    fn told(&self, origin: &str) -> NotReady {
        let oldest = oldest();
        let what = match self {
            Self::Broken { program, how } => format!(
                "python3 {oldest} or newer is needed; {} ({origin}) does not work: {how}",
                program.display()
            ),
            Self::Old { version, path } => format!(
                "python3 {oldest} or newer is needed; found {version} at {} ({origin})",
                path.display()
            ),
            Self::NoSqlite { version, path } => format!(
                "python3 with its `sqlite3` module is needed; found {version} without it at {} \
                 ({origin})",
                path.display()
            ),
        };
        NotReady {
            why: format!(
                "{what}; install one with your system's package manager, name another in \
                 {VARIABLE}, or work in the rust track"
            ),
        }
    }
}

fn oldest() -> String {
    format!("{}.{}", OLDEST.0, OLDEST.1)
}

/// Asks an interpreter who it is.
fn ask(program: &Path) -> Result<Python, Flaw> {
    let broken = |how: String| Flaw::Broken {
        program: program.to_owned(),
        how,
    };
    let answer = Command::new(program)
        .args(["-E", "-S", "-c", QUESTION])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| broken(error.to_string()))?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let mut lines = text.lines().map(str::trim);
    let version = lines.next().unwrap_or_default().to_owned();
    let Some(numbers) = numbers(&version) else {
        let complaint = String::from_utf8_lossy(&answer.stderr);
        let last = complaint.lines().last().unwrap_or("it says nothing");
        return Err(broken(last.trim().to_owned()));
    };
    let path = match lines.next() {
        Some(own) if !own.is_empty() => PathBuf::from(OsString::from(own)),
        _ => program.to_owned(),
    };
    match lines.next() {
        _ if numbers < OLDEST => Err(Flaw::Old { version, path }),
        Some(sqlite) if answer.status.success() => Ok(Python {
            sqlite: sqlite.to_owned(),
            path,
            version,
            folders: lines
                .filter(|folder| !folder.is_empty())
                .map(PathBuf::from)
                .collect(),
        }),
        _ => Err(Flaw::NoSqlite { version, path }),
    }
}

/// Reads the first two numbers of a version.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.').map(str::parse);
    match (parts.next(), parts.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Some((major, minor)),
        _ => None,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// Makes a folder with a stand-in for an interpreter in it.
    fn fake(name: &str, script: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    fn why(path: &Path) -> String {
        search(path.as_os_str()).unwrap_err().why
    }

    #[test]
    fn an_empty_path_says_how_to_get_one() {
        let empty = tempfile::tempdir().unwrap();
        let why = why(empty.path());
        assert!(why.starts_with("there is no python3 on the PATH; install Python 3.9 or newer"));
        assert!(why.ends_with("or work in the rust track"));
    }

    #[test]
    fn an_old_one_is_named_with_its_own_path() {
        let old = fake(
            "python3",
            "echo 3.8.18; echo /opt/old/bin/python3; echo 3.31.1",
        );
        let why = why(old.path());
        assert!(
            why.starts_with("python3 3.9 or newer is needed; found 3.8.18 at /opt/old/bin/python3")
        );
    }

    #[test]
    fn one_without_sqlite_says_so() {
        let bare = fake("python3", "echo 3.12.1; echo /opt/bare/python3; exit 1");
        assert!(why(bare.path()).contains("found 3.12.1 without it at /opt/bare/python3"));
    }

    #[test]
    fn one_that_does_not_work_is_shown_with_its_complaint() {
        let broken = fake(
            "python3",
            "echo 'pyenv: python3: command not found' >&2; exit 127",
        );
        let why = why(broken.path());
        assert!(
            why.contains("does not work: pyenv: python3: command not found"),
            "{why}"
        );
    }

    #[test]
    fn a_later_one_on_the_path_helps_out() {
        let old = fake("python3", "echo 2.7.18; echo /opt/old/python; echo 3.7");
        let new = fake("python", "echo 3.13.0; echo; echo 3.45.1");
        let path = env::join_paths([old.path(), new.path()]).unwrap();
        let python = search(&path).unwrap();
        assert_eq!(python.version, "3.13.0");
        assert_eq!(python.sqlite, "3.45.1");
        assert_eq!(python.path, new.path().join("python"));
    }
}
