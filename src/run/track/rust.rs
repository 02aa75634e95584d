//! The `rust` track: sources compiled into the program and found by their hash, others built
//! with cargo.

mod prebuilt;
mod workshop;

use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use super::{Launch, NotReady, PrepareError};
use crate::kit;
use crate::mutate;
use crate::run::Interrupt;
use crate::run::confine::SharedCell;

/// A compiled source of a lab.
#[derive(Clone, Copy)]
enum Compiled {
    /// Of lab `inbox`.
    Inbox(kit::Inbox),
    /// Of lab `charge`.
    Charge(kit::Charge),
    /// Of lab `invoice`.
    Invoice(kit::Invoice),
    /// Of lab `retention`.
    Retention(kit::Retention),
}

mod table {
    use super::Compiled;
    include!(concat!(env!("OUT_DIR"), "/subjects.rs"));
}

/// The hidden command with which the program starts itself as a subject.
pub const COMMAND: &str = "__subject";

/// Tells how to start a source of `lab`: compiled in, or else built now with cargo.
///
/// # Errors
///
/// Says what is missing on this machine, or why the source does not build.
pub fn prepare(lab: &str, source: &str, interrupt: &Interrupt) -> Result<Launch, PrepareError> {
    let hash = mutate::hash(source);
    if find(&hash).is_none() {
        return workshop::build(lab, source, &hash, interrupt);
    }
    let program = program().map_err(|error| NotReady {
        why: format!("failed to find the program itself: {error}"),
    })?;
    let arguments = vec![COMMAND.into(), hash.into()];
    Ok(Launch::new(lab, program.into_os_string(), arguments))
}

/// Builds the copy of a learner's file in a cell, and tells how to start it there.
///
/// # Errors
///
/// Says what is missing on this machine, or why the source does not build.
pub fn prepare_confined(
    lab: &str,
    file: &std::path::Path,
    cell: &SharedCell,
    patience: Option<Duration>,
    interrupt: &Interrupt,
) -> Result<Launch, PrepareError> {
    let source = std::fs::read_to_string(file).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => PrepareError::DoesNotBuild("it is not UTF-8".to_owned()),
        _ => NotReady {
            why: format!("failed to read the copy of the source: {error}"),
        }
        .into(),
    })?;
    prebuilt::build(lab, &source, cell, patience, interrupt)
}

/// Returns the folders of the toolchain.
#[must_use]
pub fn reads() -> Vec<PathBuf> {
    prebuilt::sysroot().into_iter().collect()
}

/// Tells what is missing to start a source, if anything is; builds nothing.
#[must_use]
pub fn missing(source: &str) -> Option<NotReady> {
    match find(&mutate::hash(source)) {
        Some(_) => None,
        None => workshop::missing(),
    }
}

pub use workshop::{build_to_end, for_editor};

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Names the program that is started as a subject, where that is not the running one.
///
/// A test is a program of its own and cannot be a subject; it names the real one, once.
pub fn use_program(path: impl Into<PathBuf>) {
    let _ = PROGRAM.set(path.into());
}

/// Returns the program itself, which is started again as a subject or a helper.
pub(in crate::run) fn program() -> io::Result<PathBuf> {
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
            Compiled::Inbox(functions) => kit::call(&functions, function, with),
            Compiled::Charge(functions) => kit::call(&functions, function, with),
            Compiled::Invoice(functions) => kit::call(&functions, function, with),
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
    let output = kit::private_output()?;
    let input = io::BufReader::new(io::stdin());
    match compiled {
        Compiled::Inbox(functions) => kit::serve(&functions, input, output),
        Compiled::Charge(functions) => kit::serve(&functions, input, output),
        Compiled::Invoice(functions) => kit::serve(&functions, input, output),
        Compiled::Retention(functions) => kit::serve(&functions, input, output),
    }
}
