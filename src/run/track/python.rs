//! The `python` track: a file run by the machine's own Python, spoken to through a driver.
//!
//! It never compiles, checks or changes the file; what is wrong with it is the driver's to tell.

mod find;

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::{Launch, NotReady, Warm};
use crate::run::Scratch;
use crate::run::confine::{Purpose, SharedCell};

pub use find::{OLDEST, Python, find};

/// The subject's side of the protocol, in Python.
const DRIVER: &str = include_str!("python/driver.py");

/// Isolated from the user's own settings, without site packages (which can cost more than the
/// interpreter's start) and without writing bytecode beside the file.
const OPTIONS: [&str; 6] = ["-I", "-S", "-B", "-X", "utf8", "-c"];

/// What the driver is told in place of a lab, to start others by forking itself.
#[cfg(target_os = "linux")]
const NURSERY: &str = "--nursery";

/// Tells how to start a source of `lab`: writes it as `<lab>.py` into a folder of its own.
///
/// # Errors
///
/// Says what is missing on this machine.
pub fn prepare(
    lab: &str,
    source: &str,
    scratch: &Scratch,
    warm: &Warm,
) -> Result<Launch, NotReady> {
    let python = find()?;
    let file = scratch.fresh().and_then(|folder| {
        let file = folder.join(lab).with_extension("py");
        fs::write(&file, source)?;
        Ok(file)
    });
    let file = file.map_err(|error| NotReady {
        why: format!("failed to write the source into the scratch folder: {error}"),
    })?;
    Ok(warmed(launch(python, lab, &file), python, &file, warm))
}

/// Tells how to start a nursery.
#[cfg(target_os = "linux")]
pub(in crate::run) fn nursery(python: &Python) -> Launch {
    let mut arguments: Vec<OsString> = OPTIONS.iter().map(OsString::from).collect();
    arguments.extend([DRIVER.into(), NURSERY.into()]);
    Launch::new("", python.path.clone().into(), arguments)
}

/// Lets the processes of a source come from the nurseries of its bench.
#[cfg(target_os = "linux")]
fn warmed(launch: Launch, python: &Python, file: &Path, warm: &Warm) -> Launch {
    launch.nursed_by(warm.nurseries(|| nursery(python)), file)
}

#[cfg(not(target_os = "linux"))]
fn warmed(launch: Launch, _: &Python, _: &Path, _: &Warm) -> Launch {
    launch
}

/// Tells how to start a learner's own file, where it lies.
///
/// # Errors
///
/// Says what is missing on this machine, or that there is no such file.
pub fn prepare_file(lab: &str, file: &Path, warm: &Warm) -> Result<Launch, NotReady> {
    let python = find()?;
    let why = |error| NotReady {
        why: format!("failed to read {}: {error}", file.display()),
    };
    fs::File::open(file).map_err(why)?;
    let file = std::path::absolute(file).map_err(why)?;
    Ok(warmed(launch(python, lab, &file), python, &file, warm))
}

/// Tells how to start the copy of a learner's file in a cell.
///
/// # Errors
///
/// Says what is missing on this machine.
pub fn prepare_confined(lab: &str, file: &Path, cell: &SharedCell) -> Result<Launch, NotReady> {
    let python = find()?;
    Ok(launch(python, lab, file).confined(cell, Purpose::Run, &python.folders))
}

fn launch(python: &Python, lab: &str, file: &Path) -> Launch {
    let mut arguments: Vec<OsString> = OPTIONS.iter().map(OsString::from).collect();
    arguments.extend([DRIVER.into(), lab.into(), file.into()]);
    let launch = Launch::new(lab, python.path.clone().into(), arguments);
    match file.parent() {
        Some(folder) => launch.in_folder(folder),
        None => launch,
    }
}
