//! Builds sources that are not compiled into the program, in a crate of its own in the cache.
//!
//! The crate has the program's own `kit` and locked dependencies, so after the first time only
//! the last, small crate is compiled. A result is found by the hash of its source. Nothing here
//! runs what it builds.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::kit::{RUST_LABS, RustLab};
use crate::mutate;
use crate::run::Interrupt;
use crate::run::process::{kill_group, own_group};
use crate::run::track::{Launch, NotReady, PrepareError};

/// The files of the crate that are the program's own.
const KIT: [(&str, &str); 8] = [
    ("kit.rs", include_str!("../../../kit.rs")),
    ("kit/error.rs", include_str!("../../../kit/error.rs")),
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

const MANIFEST: &str = r#"[package]
name = "idemlab-subject"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
rusqlite = { version = "0.43", features = ["bundled", "fallible_uint"] }
serde_json = { version = "1.0", features = ["preserve_order"] }
thiserror = "2.0"

[target.'cfg(unix)'.dependencies]
rustix = { version = "1.1", features = ["process", "stdio"] }

# Dependencies are built once and run often; the subject is built for each change.
[profile.dev]
debug = false
[profile.dev.package."*"]
opt-level = 2
"#;

/// How long one build may take; the first one compiles SQLite.
const PATIENCE: Duration = Duration::from_mins(5);
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
    let place = |error: io::Error| not_ready(format!("failed to use the cache folder: {error}"));
    let workshop = Workshop::open().map_err(place)?;
    let program = workshop.program(hash);
    if !program.is_file() {
        if let Some(missing) = missing() {
            return Err(missing.into());
        }
        let _lock = workshop.lock().map_err(place)?;
        workshop.write(known, source).map_err(place)?;
        let built = workshop.cargo(interrupt)?;
        // Under its final name only once it is whole.
        let part = program.with_extension("part");
        fs::copy(built, &part)
            .and_then(|_| fs::rename(&part, &program))
            .map_err(place)?;
    }
    Ok(Launch::new(lab, program.into_os_string(), Vec::new()))
}

fn not_ready(why: String) -> PrepareError {
    NotReady { why }.into()
}

/// The crate's folder in the cache, one for each version of what it is made of.
struct Workshop(PathBuf);

impl Workshop {
    fn open() -> io::Result<Self> {
        use etcetera::BaseStrategy as _;
        let base = etcetera::choose_base_strategy().map_err(io::Error::other)?;
        let texts: Vec<&str> = KIT.iter().map(|kit| kit.1).chain([MANIFEST]).collect();
        let version = &mutate::hash(&texts.join("\0"))[..16];
        let folder = base.cache_dir().join("idemlab").join("rust").join(version);
        fs::create_dir_all(folder.join("programs"))?;
        Ok(Self(folder))
    }

    fn program(&self, hash: &str) -> PathBuf {
        self.0
            .join("programs")
            .join(hash)
            .with_extension(std::env::consts::EXE_EXTENSION)
    }

    /// Waits until nobody else builds here.
    fn lock(&self) -> io::Result<File> {
        let lock = File::create(self.0.join(".lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    fn write(&self, lab: &RustLab, source: &str) -> io::Result<()> {
        let src = self.0.join("src");
        fs::create_dir_all(src.join("kit"))?;
        for (file, text) in KIT {
            write_if_changed(&src.join(file), text)?;
        }
        write_if_changed(&self.0.join("Cargo.toml"), MANIFEST)?;
        write_if_changed(&src.join("subject.rs"), source)?;
        let value = lab.value("kit", "subject");
        write_if_changed(
            &src.join("main.rs"),
            &format!(
                "//! A subject, built by the lab.\n\
                 #[allow(dead_code)]\nmod kit;\nmod subject;\n\n\
                 fn main() -> std::io::Result<()> {{\n    \
                     let functions = {value};\n    \
                     kit::serve(&functions, std::io::stdin().lock(), kit::private_output()?)\n\
                 }}\n"
            ),
        )
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
        let words = self.0.join("words.txt");
        let log = File::create(&words).map_err(|error| not_ready(error.to_string()))?;
        let mut command = Command::new("cargo");
        command
            .args(["build", "--quiet", "--color=never"])
            .args(flags)
            .current_dir(&self.0)
            .env("CARGO_TARGET_DIR", self.0.join("target"))
            .env_remove("RUSTFLAGS")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        if run(&mut command, interrupt)? {
            let name = format!("idemlab-subject{}", std::env::consts::EXE_SUFFIX);
            return Ok(self.0.join("target").join("debug").join(name));
        }
        let mut text = String::new();
        let _ = File::open(&words).map(|file| file.take(WORDS).read_to_string(&mut text));
        Err(PrepareError::DoesNotBuild(text))
    }
}

/// Runs a build to its end, the interrupt's or that of the patience.
fn run(command: &mut Command, interrupt: &Interrupt) -> Result<bool, PrepareError> {
    own_group(command);
    let mut child = command
        .spawn()
        .map_err(|error| not_ready(format!("failed to start cargo: {error}")))?;
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if interrupt.is_raised() || start.elapsed() > PATIENCE => {
                kill_group(&mut child);
                let _ = child.wait();
                return Err(PrepareError::DoesNotBuild(format!(
                    "the build was stopped after {} s",
                    start.elapsed().as_secs()
                )));
            }
            Ok(None) => thread::sleep(TICK),
            Err(error) => return Err(not_ready(format!("failed to wait for cargo: {error}"))),
        }
    }
}

/// Keeps the compiler's errors and leaves out its warnings and cargo's own last words.
fn only_errors(words: &str) -> String {
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

fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text)
}
