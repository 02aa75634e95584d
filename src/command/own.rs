//! What the commands in a learner's own folder share: finding it, its lab and its progress.

use std::path::Path;

use super::print::complain;
use super::{Exit, choose};
use crate::cli::Cli;
use crate::event::Attempt;
use crate::lab::OwnCode;
use crate::model::{Lab, Pack, Problem};
use crate::progress::{self, Progress};
use crate::report::problems;
use crate::workspace::{MANIFEST, OpenError, Workspace};

/// The workspace that the command is given in.
pub fn here() -> Result<Workspace, Exit> {
    let here = std::env::current_dir().map_err(|error| {
        complain(&format!("failed to find the folder that this is: {error}"));
        Exit::Fault
    })?;
    Workspace::find(&here).map_err(|error| match error {
        OpenError::NoManifest(_) => {
            complain(&format!(
                "there is no {MANIFEST} here or in a folder above; \
                 `idemlab start LAB` makes a folder to work in"
            ));
            Exit::Usage
        }
        OpenError::Problems(_) => cannot_open(&error, None, Exit::Ungraded),
    })
}

/// Says why a folder cannot be used.
pub fn cannot_open(error: &OpenError, folder: Option<&Path>, exit: Exit) -> Exit {
    match error {
        OpenError::Problems(found) => {
            eprint!("{}", problems::text(found));
            let place = folder.map_or_else(|| MANIFEST.into(), |folder| folder.join(MANIFEST));
            complain(&format!("{} cannot be used as it is", place.display()));
        }
        OpenError::NoManifest(_) => complain(&error.to_string()),
    }
    exit
}

/// Finds the lab that a workspace is about.
pub fn lab<'p>(pack: &'p Pack, workspace: &Workspace) -> Result<&'p Lab, Exit> {
    let lab = workspace.lab(pack);
    lab.map_err(|error| cannot_open(&error, Some(workspace.root()), Exit::Ungraded))
}

/// Looks what there is to run.
pub fn code(workspace: &Workspace) -> Result<OwnCode, Exit> {
    OwnCode::of(workspace).map_err(|nothing| {
        let manifest = workspace.manifest();
        complain(&format!(
            "{nothing}; `idemlab start {}` puts back what is missing",
            manifest.lab
        ));
        Exit::Ungraded
    })
}

/// Finds a step by its number or its function.
pub fn step(lab: &Lab, name: &str) -> Result<u32, Exit> {
    let by_number = name.parse().ok().and_then(|number| lab.step(number));
    let by_name = || lab.steps.iter().find(|step| step.id == name);
    if let Some(step) = by_number.or_else(by_name) {
        return Ok(step.number);
    }
    if name.parse::<u64>().is_ok() {
        let last = lab.steps.len();
        complain(&format!(
            "lab {} has no step {name}; its steps are 1 to {last}",
            lab.id
        ));
        return Err(Exit::Usage);
    }
    let known = lab.steps.iter().map(|step| step.id.as_str());
    Err(choose::unknown(
        &format!("step in lab {}", lab.id),
        name,
        known,
    ))
}

/// Reads what was said about a lab in the worksheet; nothing if there is no progress file.
pub fn attempts(cli: &Cli, lab: &Lab) -> Vec<Attempt> {
    let Some(path) = cli.progress.clone().or_else(progress::default_path) else {
        return Vec::new();
    };
    if !path.is_file() {
        return Vec::new();
    }
    let read = Progress::open(&path)
        .map_err(|error| error.to_string())
        .and_then(|progress| {
            let attempts = progress.predictions(&lab.id);
            attempts.map_err(|error| error.to_string())
        });
    read.unwrap_or_else(|why| {
        eprintln!("note: your predictions are not shown: {why}");
        Vec::new()
    })
}

/// Says what is wrong with a file of the folder, without an end.
pub fn tell_problems(found: &[Problem]) {
    eprint!("{}", problems::text(found));
}
