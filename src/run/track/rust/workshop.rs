//! Builds sources that are not compiled into the program, in a crate of its own in the cache.
//!
//! The crate has the program's own `kit` and locked dependencies, so after the first time only
//! the last, small crate is compiled. A result is found by the hash of its source. Nothing here
//! runs what it builds.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::kit::{RUST_LABS, RustLab};
use crate::mutate;
use crate::run::Interrupt;
use crate::run::process::{has_exited, kill_group, own_group};
use crate::run::track::{Launch, NotReady, PrepareError};

/// The files of the crate that are the program's own.
pub const KIT: [(&str, &str); 11] = [
    ("kit.rs", include_str!("../../../kit.rs")),
    ("kit/callback.rs", include_str!("../../../kit/callback.rs")),
    ("kit/charge.rs", include_str!("../../../kit/charge.rs")),
    ("kit/error.rs", include_str!("../../../kit/error.rs")),
    ("kit/inbox.rs", include_str!("../../../kit/inbox.rs")),
    ("kit/invoice.rs", include_str!("../../../kit/invoice.rs")),
    ("kit/labs.rs", include_str!("../../../kit/labs.rs")),
    ("kit/output.rs", include_str!("../../../kit/output.rs")),
    (
        "kit/retention.rs",
        include_str!("../../../kit/retention.rs"),
    ),
    ("kit/serve.rs", include_str!("../../../kit/serve.rs")),
    ("../Cargo.lock", include_str!("../../../../Cargo.lock")),
];

/// What the crate depends on.
pub const MANIFEST: &str = r#"[package]
name = "idemlab-subject"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
rusqlite = { version = "0.43", features = ["bundled", "fallible_uint"] }
serde_json = { version = "1.0", features = ["preserve_order"] }
sha2 = "0.11"
thiserror = "2.0"

[target.'cfg(unix)'.dependencies]
rustix = { version = "1.1", features = ["process", "stdio"] }

# Dependencies are built once and run often; the subject is built for each change.
[profile.dev]
debug = false
[profile.dev.package."*"]
opt-level = 2
"#;

/// Lists the files that let an editor understand a source that lies beside them: a manifest, and
/// the kit in `kit/`. A build by the lab needs none of them.
#[must_use]
pub fn for_editor(source: &str) -> Vec<(String, String)> {
    let module = source.trim_end_matches(".rs").replace(['/', '-', '.'], "_");
    let lib = format!(
        "//! For your editor only: `idemlab test` builds `{source}` by itself.\n\n\
         #[allow(dead_code)]\nmod kit;\n\
         #[path = \"../{source}\"]\npub mod {module};\n"
    );
    let manifest = MANIFEST.replacen(
        "\n[workspace]",
        "publish = false\n\n[lib]\npath = \"kit/lib.rs\"\n\n[workspace]",
        1,
    );
    let manifest = format!("# For your editor only.\n{manifest}");
    let mut files = vec![
        ("Cargo.toml".to_owned(), manifest),
        ("kit/lib.rs".to_owned(), lib),
    ];
    for (file, text) in KIT.iter().filter(|(file, _)| !file.starts_with("..")) {
        files.push((format!("kit/{file}"), (*text).to_owned()));
    }
    files
}

/// How long one build may take; the first one compiles SQLite.
pub const PATIENCE: Duration = Duration::from_mins(15);
/// How often a wait looks at the interrupt.
const TICK: Duration = Duration::from_millis(10);
/// The most of the compiler's words that are kept, in bytes.
const WORDS: u64 = 64 * 1024;

/// Tells what is missing to build a source, if anything is.
pub fn missing() -> Option<NotReady> {
    let answer = Command::new("cargo")
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let there = answer.is_ok_and(|status| status.success());
    (!there).then(|| NotReady {
        why: "this Rust source is not compiled into the program, and there is no cargo to build \
              it with; install Rust, or work in the python track"
            .to_owned(),
    })
}

/// Builds a source, unless that was done before, and tells how to start it.
pub fn build(
    lab: &str,
    source: &str,
    hash: &str,
    interrupt: &Interrupt,
) -> Result<Launch, PrepareError> {
    let Some(known) = RUST_LABS.iter().find(|known| known.id == lab) else {
        return Err(not_ready(format!("lab {lab} has no functions in Rust")));
    };
    let workshop = Workshop::open().map_err(no_place)?;
    let program = workshop.program(hash);
    if !program.is_file() {
        if let Some(missing) = missing() {
            return Err(missing.into());
        }
        let _lock = workshop.lock(interrupt)?;
        workshop.write(known, source).map_err(no_place)?;
        let built = workshop.cargo(interrupt)?;
        // Under its final name only once it is whole.
        let part = program.with_extension("part");
        fs::copy(built, &part)
            .and_then(|_| fs::rename(&part, &program))
            .map_err(no_place)?;
    }
    Ok(Launch::new(lab, program.into_os_string(), Vec::new()))
}

/// Says that this machine, not the source, is at fault.
pub fn not_ready(why: String) -> PrepareError {
    NotReady { why }.into()
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn no_place(error: io::Error) -> PrepareError {
    not_ready(format!("failed to use the cache folder: {error}"))
}

/// The crate's folder in the cache, one for each version of what it is made of.
pub struct Workshop(PathBuf);

impl Workshop {
    /// Opens the folder, and makes it if need be.
    pub fn open() -> io::Result<Self> {
        use etcetera::BaseStrategy as _;
        let base = etcetera::choose_base_strategy().map_err(io::Error::other)?;
        let texts: Vec<&str> = KIT.iter().map(|kit| kit.1).chain([MANIFEST]).collect();
        let version = &mutate::hash(&texts.join("\0"))[..16];
        let folder = base.cache_dir().join("idemlab").join("rust").join(version);
        fs::create_dir_all(folder.join("programs"))?;
        Ok(Self(folder))
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    fn program(&self, hash: &str) -> PathBuf {
        self.0
            .join("programs")
            .join(hash)
            .with_extension(std::env::consts::EXE_EXTENSION)
    }

    /// Waits until nobody else builds here.
    fn lock(&self, interrupt: &Interrupt) -> Result<File, PrepareError> {
        let lock = File::create(self.0.join(".lock")).map_err(no_place)?;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) if interrupt.is_raised() => {
                    return Err(PrepareError::Interrupted);
                }
                Err(TryLockError::WouldBlock) => thread::sleep(TICK),
                Err(TryLockError::Error(error)) => return Err(no_place(error)),
            }
        }
    }

    fn write(&self, lab: &RustLab, source: &str) -> io::Result<()> {
        let src = self.0.join("src");
        fs::create_dir_all(src.join("kit"))?;
        for (file, text) in KIT {
            write_if_changed(&src.join(file), text)?;
        }
        write_if_changed(&self.0.join("Cargo.toml"), MANIFEST)?;
        write_if_changed(&src.join("subject.rs"), source)?;
        write_if_changed(&src.join("main.rs"), &main_file(lab))
    }

    /// Builds the crate, and returns the program; without the network first.
    fn cargo(&self, interrupt: &Interrupt) -> Result<PathBuf, PrepareError> {
        let offline = self.try_cargo(&["--offline"], interrupt);
        let words = match offline {
            Ok(program) => return Ok(program),
            Err(PrepareError::DoesNotBuild(words)) => words,
            Err(error) => return Err(error),
        };
        if words.contains("idemlab-subject") && words.contains("could not compile") {
            return Err(PrepareError::DoesNotBuild(only_errors(&words)));
        }
        match self.try_cargo(&[], interrupt) {
            Err(PrepareError::DoesNotBuild(words)) if words.contains("could not compile") => {
                Err(PrepareError::DoesNotBuild(only_errors(&words)))
            }
            Err(PrepareError::DoesNotBuild(words)) => Err(not_ready(format!(
                "cargo could not get what it builds with: {}",
                words.lines().next().unwrap_or_default()
            ))),
            other => other,
        }
    }

    fn try_cargo(&self, flags: &[&str], interrupt: &Interrupt) -> Result<PathBuf, PrepareError> {
        let mut command = Command::new("cargo");
        command
            .args(["build", "--quiet", "--color=never"])
            .args(flags)
            .current_dir(&self.0)
            .env("CARGO_TARGET_DIR", self.0.join("target"))
            .env_remove("RUSTFLAGS")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        match build_to_end(&mut command, PATIENCE, interrupt, |_| {})? {
            Built::Good => {
                let name = format!("idemlab-subject{}", std::env::consts::EXE_SUFFIX);
                Ok(self.0.join("target").join("debug").join(name))
            }
            Built::Failed(words) => Err(PrepareError::DoesNotBuild(words)),
            // The first build of all compiles SQLite: what took so long may be no fault of the source.
            stopped @ Built::Stopped(_) => Err(not_ready(stopped.to_string())),
        }
    }
}

/// Writes the file that joins the kit and a source of `lab`.
pub fn main_file(lab: &RustLab) -> String {
    let value = lab.value("kit", "subject");
    format!(
        "//! A subject, built by the lab.\n\
         #[allow(dead_code)]\nmod kit;\nmod subject;\n\n\
         fn main() -> std::io::Result<()> {{\n    \
             let functions = {value};\n    \
             kit::serve(&functions, std::io::stdin().lock(), kit::private_output()?)\n\
         }}\n"
    )
}

/// How a build ended by itself, or was ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Built {
    /// What was to be built is there.
    Good,
    /// The build failed, with these words.
    Failed(String),
    /// It took longer than the patience for it.
    Stopped(Duration),
}

impl Built {
    /// Takes a build that took too long for one that failed: where the source alone can be why.
    pub fn or_failed(self) -> Result<(), String> {
        match self {
            Self::Good => Ok(()),
            Self::Failed(words) => Err(words),
            Self::Stopped(_) => Err(self.to_string()),
        }
    }
}

impl std::fmt::Display for Built {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Good => f.write_str("it was built"),
            Self::Failed(words) => f.write_str(words),
            Self::Stopped(after) => {
                write!(f, "the build was stopped after {} s", after.as_secs())
            }
        }
    }
}

/// Runs a build to its end, the interrupt's or that of the patience.
///
/// # Errors
///
/// Fails when it cannot be started or waited for, or is interrupted.
///
/// A build that says too much is cut off: it can no longer write, and ends.
pub fn build_to_end(
    command: &mut Command,
    patience: Duration,
    interrupt: &Interrupt,
    started: impl FnOnce(u32),
) -> Result<Built, PrepareError> {
    own_group(command);
    let mut child = command
        .spawn()
        .map_err(|error| not_ready(format!("failed to start the build: {error}")))?;
    started(child.id());
    let words = child.stderr.take().map(|errors| {
        thread::spawn(move || {
            let mut words = Vec::new();
            let _ = errors.take(WORDS).read_to_end(&mut words);
            String::from_utf8_lossy(&words).into_owned()
        })
    });
    let start = Instant::now();
    loop {
        match has_exited(&mut child) {
            true => {
                kill_group(&mut child);
                let status = child
                    .wait()
                    .map_err(|error| not_ready(format!("failed to wait for the build: {error}")))?;
                let words = words.map(thread::JoinHandle::join);
                let words = words.and_then(Result::ok).unwrap_or_default();
                return Ok(if status.success() {
                    Built::Good
                } else {
                    Built::Failed(words)
                });
            }
            false if interrupt.is_raised() || start.elapsed() > patience => {
                kill_group(&mut child);
                let _ = child.wait();
                return if interrupt.is_raised() {
                    Err(PrepareError::Interrupted)
                } else {
                    Ok(Built::Stopped(patience))
                };
            }
            false => thread::sleep(TICK),
        }
    }
}

/// Returns the last line of what was said.
pub fn last_words(words: &str) -> &str {
    words.trim_end().lines().last().unwrap_or_default()
}

/// Keeps the compiler's errors and leaves out its warnings and cargo's own last words.
pub fn only_errors(words: &str) -> String {
    let errors: Vec<&str> = words
        .split("\n\n")
        .filter(|part| part.starts_with("error") && !part.starts_with("error: could not compile"))
        .collect();
    if errors.is_empty() {
        words.trim().to_owned()
    } else {
        errors.join("\n\n").trim().to_owned()
    }
}

/// Writes a file unless it is as it should be: cargo looks at its time.
pub fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn stopped(patience: Duration, interrupt: &Interrupt) -> Result<Built, PrepareError> {
        let mut build = Command::new("sleep");
        build.arg("1000");
        build_to_end(&mut build, patience, interrupt, |_| {})
    }

    #[test]
    fn an_interrupted_build_is_an_interrupt_and_no_fault_of_the_source() {
        let interrupt = Interrupt::default();
        interrupt.raise();
        let ended = stopped(PATIENCE, &interrupt);
        assert_eq!(ended, Err(PrepareError::Interrupted));
    }

    #[test]
    fn a_build_without_an_end_is_stopped_and_not_taken_for_one_that_failed() {
        let ended = stopped(Duration::ZERO, &Interrupt::default());
        assert_eq!(ended, Ok(Built::Stopped(Duration::ZERO)));
    }

    #[test]
    fn how_a_build_ended_is_told() {
        let interrupt = Interrupt::default();
        let ended =
            |program| build_to_end(&mut Command::new(program), PATIENCE, &interrupt, |_| {});
        assert_eq!(ended("true"), Ok(Built::Good));
        assert_eq!(ended("false"), Ok(Built::Failed(String::new())));
    }

    #[test]
    fn an_interrupt_ends_the_wait_for_somebody_elses_build() {
        let folder = tempfile::TempDir::new().unwrap();
        let workshop = Workshop(folder.path().to_owned());
        let interrupt = Interrupt::default();
        let held = workshop.lock(&interrupt).unwrap();
        interrupt.raise();
        let error = workshop.lock(&interrupt).unwrap_err();
        assert_eq!(error, PrepareError::Interrupted);
        drop(held);
        assert!(workshop.lock(&interrupt).is_ok());
    }
}
