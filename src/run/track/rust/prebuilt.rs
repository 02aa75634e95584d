//! Builds a submission confined: rustc alone, against dependencies that cargo built once.
//!
//! Cargo builds nothing but those dependencies, unconfined, and never sees a submission. Each
//! submission is compiled in its own cell, so that none waits for another.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::workshop::{
    KIT, MANIFEST, Workshop, build_to_end, last_words, main_file, missing, not_ready, only_errors,
    write_if_changed,
};
use crate::kit::RUST_LABS;
use crate::run::Interrupt;
use crate::run::confine::{Purpose, SharedCell};
use crate::run::track::{Launch, PrepareError};

/// The crates that a source and the kit may name.
const CRATES: [&str; 5] = ["rusqlite", "serde_json", "sha2", "thiserror", "rustix"];
/// How long one confined build may take. The limit that a build without an end meets is that of
/// its processor time, which a busy machine does not shorten.
const PATIENCE: Duration = Duration::from_mins(5);
/// How long cargo may take for the dependencies, SQLite among them.
const FIRST_PATIENCE: Duration = Duration::from_mins(20);
/// The name of the program that is built.
const PROGRAM: &str = "subject";

/// The dependencies, ready to be linked.
#[derive(Debug)]
struct Prebuilt {
    /// The compiler itself, behind any shim.
    rustc: PathBuf,
    /// Where the toolchain lies.
    sysroot: PathBuf,
    /// Where the dependencies lie.
    target: PathBuf,
    /// The crates that a source may name, each with its file.
    externs: Vec<(String, PathBuf)>,
}

/// Returns the folder of the toolchain, if there is one.
pub fn sysroot() -> Option<PathBuf> {
    let answer = Command::new("rustc")
        .args(["--print", "sysroot"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    let folder = PathBuf::from(text.trim());
    folder.is_dir().then_some(folder)
}

/// Builds a source of `lab` in its cell, and tells how to start it there.
pub fn build(
    lab: &str,
    source: &str,
    cell: &SharedCell,
    patience: Option<Duration>,
    interrupt: &Interrupt,
) -> Result<Launch, PrepareError> {
    let Some(known) = RUST_LABS.iter().find(|known| known.id == lab) else {
        return Err(not_ready(format!("lab {lab} has no functions in Rust")));
    };
    let prebuilt = prebuilt(interrupt)?;
    let crate_folder = cell.code().join("crate");
    let main = main_file(known);
    write(&crate_folder, source, &main)
        .and_then(|()| cell.open_code())
        .map_err(|error| not_ready(format!("failed to write into the scratch folder: {error}")))?;
    compile(
        &prebuilt,
        &crate_folder,
        cell,
        patience.unwrap_or(PATIENCE),
        interrupt,
    )?;
    let built = cell
        .keep(&cell.home().join(PROGRAM))
        .map_err(|error| not_ready(format!("failed to keep what was built: {error}")))?;
    let launch = Launch::new(lab, built.into_os_string(), Vec::new());
    Ok(launch
        .in_folder(&cell.home())
        .confined(cell, Purpose::Run, &[]))
}

/// Writes the crate of one submission: the kit, the source and what joins them.
fn write(folder: &Path, source: &str, main: &str) -> io::Result<()> {
    let src = folder.join("src");
    fs::create_dir_all(src.join("kit"))?;
    for (file, text) in KIT.iter().filter(|(file, _)| !file.starts_with("..")) {
        fs::write(src.join(file), text)?;
    }
    fs::write(src.join("subject.rs"), source)?;
    fs::write(src.join("main.rs"), main)
}

fn compile(
    prebuilt: &Prebuilt,
    folder: &Path,
    cell: &SharedCell,
    patience: Duration,
    interrupt: &Interrupt,
) -> Result<(), PrepareError> {
    let mut rustc = Command::new(&prebuilt.rustc);
    rustc
        .args([
            "--edition=2024",
            "--crate-name=idemlab_subject",
            "--crate-type=bin",
        ])
        .args([
            "--color=never",
            "-Cdebuginfo=0",
            "-Cdebug-assertions=on",
            "-Coverflow-checks=on",
        ])
        .arg("--sysroot")
        .arg(&prebuilt.sysroot)
        .arg("-L")
        .arg(dependency_folder(&prebuilt.target))
        .arg("-o")
        .arg(cell.home().join(PROGRAM))
        .current_dir(folder);
    for (name, file) in &prebuilt.externs {
        rustc
            .arg("--extern")
            .arg(format!("{name}={}", file.display()));
    }
    rustc.arg("src/main.rs");
    let read = [prebuilt.sysroot.clone(), prebuilt.target.clone()];
    let mut rustc = cell
        .confine(&rustc, Purpose::Build, &read)
        .map_err(|error| not_ready(format!("failed to confine rustc: {error}")))?;
    rustc
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let built = build_to_end(&mut rustc, patience, interrupt, |process| {
        cell.started(process);
    })?;
    if let Some(why) = cell.failure() {
        return Err(not_ready(format!("failed to confine rustc: {why}")));
    }
    built.or_failed().map_err(|words| {
        let words = only_errors(&words);
        PrepareError::DoesNotBuild(if words.is_empty() {
            "the compiler was ended before it said anything".to_owned()
        } else {
            words
        })
    })
}

fn dependency_folder(target: &Path) -> String {
    format!("dependency={}", target.join("debug").join("deps").display())
}

/// Builds the dependencies, once in the life of the program; seldom more than a look at them.
fn prebuilt(interrupt: &Interrupt) -> Result<Arc<Prebuilt>, PrepareError> {
    static READY: Mutex<Option<Arc<Prebuilt>>> = Mutex::new(None);
    let mut ready = READY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(prebuilt) = &*ready {
        return Ok(Arc::clone(prebuilt));
    }
    if let Some(missing) = missing() {
        return Err(missing.into());
    }
    let place = |error: io::Error| not_ready(format!("failed to use the cache folder: {error}"));
    let sysroot =
        sysroot().ok_or_else(|| not_ready("there is no rustc beside cargo".to_owned()))?;
    let workshop = Workshop::open().map_err(place)?;
    let folder = workshop.folder().join("dependencies");
    fs::create_dir_all(folder.join("src")).map_err(place)?;
    let _lock = File::create(folder.join(".lock"))
        .and_then(|lock| lock.lock().map(|()| lock))
        .map_err(place)?;
    for (file, text) in [
        ("Cargo.toml", MANIFEST),
        ("Cargo.lock", KIT[KIT.len() - 1].1),
        (
            "src/lib.rs",
            "//! Only what this crate depends on is of use.\n",
        ),
    ] {
        write_if_changed(&folder.join(file), text).map_err(place)?;
    }
    // The same as that of the workshop, so that what both need is built once.
    let target = workshop.folder().join("target");
    let externs = match cargo(&folder, &target, &["--offline"], interrupt) {
        Ok(externs) => externs,
        Err(_) if !interrupt.is_raised() => cargo(&folder, &target, &[], interrupt)?,
        Err(error) => return Err(error),
    };
    let made = Arc::new(Prebuilt {
        rustc: sysroot.join("bin").join("rustc"),
        sysroot,
        target,
        externs,
    });
    *ready = Some(Arc::clone(&made));
    Ok(made)
}

/// Runs cargo, and returns the files of the crates that a source may name.
fn cargo(
    folder: &Path,
    target: &Path,
    flags: &[&str],
    interrupt: &Interrupt,
) -> Result<Vec<(String, PathBuf)>, PrepareError> {
    let list = folder.join("artifacts.json");
    let output = File::create(&list).map_err(|error| not_ready(error.to_string()))?;
    let mut command = Command::new("cargo");
    command
        .args(["build", "--quiet", "--color=never", "--message-format=json"])
        .args(flags)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env_remove("RUSTFLAGS")
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::piped());
    let built = build_to_end(&mut command, FIRST_PATIENCE, interrupt, |_| {})?;
    if let Err(words) = built.or_failed() {
        let why = last_words(&words);
        return Err(not_ready(format!(
            "cargo could not build what subjects need: {why}"
        )));
    }
    let lines = File::open(&list).map_err(|error| not_ready(error.to_string()))?;
    let externs: Vec<(String, PathBuf)> = BufReader::new(lines)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| artifact(&line))
        .collect();
    if externs.len() == CRATES.len() {
        Ok(externs)
    } else {
        Err(not_ready(
            "cargo did not say where it put what it built".to_owned(),
        ))
    }
}

/// Reads one of cargo's messages: a crate that a source may name, and its file.
fn artifact(line: &str) -> Option<(String, PathBuf)> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" {
        return None;
    }
    let name = message["target"]["name"].as_str()?;
    let known = CRATES.contains(&name);
    let files = message["filenames"].as_array()?.iter();
    let mut files = files.filter_map(Value::as_str);
    let file = files.find(|file| Path::new(file).extension().is_some_and(|end| end == "rlib"))?;
    known.then(|| (name.to_owned(), PathBuf::from(file)))
}

#[cfg(test)]
mod tests {
    use super::{CRATES, MANIFEST};

    #[test]
    fn the_crates_are_those_of_the_manifest() {
        let mut in_dependencies = false;
        let mut named = Vec::new();
        for line in MANIFEST.lines() {
            if line.starts_with('[') {
                in_dependencies = line.ends_with("dependencies]");
            } else if in_dependencies && let Some((name, _)) = line.split_once(" = ") {
                named.push(name);
            }
        }
        assert_eq!(named, CRATES);
    }
}
