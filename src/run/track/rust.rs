//! The `rust` track: sources compiled into the program, found by their hash.

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use super::{Launch, NotReady};
use crate::kit;
use crate::mutate;

/// A compiled source of a lab.
#[derive(Clone, Copy)]
enum Compiled {
    /// Of lab `retention`.
    Retention(kit::Retention),
}

mod table {
    use super::Compiled;
    include!(concat!(env!("OUT_DIR"), "/subjects.rs"));
}

/// The hidden command with which the program starts itself as a subject.
pub const COMMAND: &str = "__subject";

/// Tells how to start a source of `lab`.
///
/// # Errors
///
/// Says what is missing when the source is not compiled into the program.
pub fn prepare(lab: &str, source: &str) -> Result<Launch, NotReady> {
    let hash = mutate::hash(source);
    if find(&hash).is_none() {
        return Err(NotReady {
            why: "this source is not compiled into the program; build idemlab again with it"
                .to_owned(),
        });
    }
    let program = program().map_err(|error| NotReady {
        why: format!("failed to find the program itself: {error}"),
    })?;
    let arguments = vec![COMMAND.into(), hash.into()];
    Ok(Launch::new(lab, program.into_os_string(), arguments))
}

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Names the program that is started as a subject, where that is not the running one.
///
/// A test is a program of its own and cannot be a subject; it names the real one, once.
pub fn use_program(path: impl Into<PathBuf>) {
    let _ = PROGRAM.set(path.into());
}

fn program() -> io::Result<PathBuf> {
    match PROGRAM.get() {
        Some(path) => Ok(path.clone()),
        None => std::env::current_exe(),
    }
}

fn find(hash: &str) -> Option<Compiled> {
    table::TABLE
        .iter()
        .find(|(known, _)| *known == hash)
        .map(|(_, compiled)| *compiled)
}

/// A compiled source called without a process of its own: the floor that benchmarks compare with.
#[derive(Clone, Copy)]
pub struct InProcess(Compiled);

impl std::fmt::Debug for InProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InProcess")
    }
}

impl InProcess {
    /// Finds a source, if it is compiled in.
    #[must_use]
    pub fn of(source: &str) -> Option<Self> {
        find(&mutate::hash(source)).map(Self)
    }

    /// Calls a function with its arguments by name, `path` among them.
    ///
    /// # Errors
    ///
    /// Returns what the function raised.
    pub fn call(
        &self,
        function: &str,
        with: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<serde_json::Value, kit::StoreError> {
        match self.0 {
            Compiled::Retention(functions) => kit::call(&functions, function, with),
        }
    }
}

/// Is the subject with this hash: answers the lab until its input ends.
///
/// Prints of the source go to standard error, so that they cannot be taken for answers.
///
/// # Errors
///
/// Fails when there is no such subject, or the lab cannot be spoken with.
pub fn serve(hash: &str) -> io::Result<()> {
    let Some(compiled) = find(hash) else {
        return Err(io::Error::other("no subject with this hash is compiled in"));
    };
    let output = private_output()?;
    let input = io::BufReader::new(io::stdin());
    match compiled {
        Compiled::Retention(functions) => kit::serve(&functions, input, output),
    }
}

/// Keeps standard output for the protocol and sends everybody else's prints to standard error.
#[cfg(unix)]
fn private_output() -> io::Result<impl io::Write> {
    let output = rustix::io::dup(io::stdout())?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    die_with_the_lab();
    Ok(std::fs::File::from(output))
}

#[cfg(not(unix))]
fn private_output() -> io::Result<impl io::Write> {
    Ok(io::stdout())
}

/// Asks the kernel to end this process when the lab is killed.
#[cfg(target_os = "linux")]
fn die_with_the_lab() {
    use rustix::process::{Signal, set_parent_process_death_signal};
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

#[cfg(all(unix, not(target_os = "linux")))]
fn die_with_the_lab() {}
