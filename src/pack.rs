//! Packs: labs, tests and mutants as files, read into the model.
//!
//! The shipped pack is compiled in; a folder replaces it (if it has `exercises/`) or extends it
//! (if it has only `mutants/`). Every problem of a pack is reported, not the first only. Nothing
//! here runs a subject: what can be known only by running is for `lab/check`.

mod embedded;
mod file;
mod place;
mod problem;
mod raw;
mod resolve;
mod shape;

use std::path::Path;

use crate::model::{Lab, Pack, Test};

pub use file::PackFile;
pub use problem::{Problem, Severity};
pub use resolve::nearest;

/// The only version of the file formats so far.
pub const FORMAT: u32 = 1;

/// A pack could not be loaded.
#[derive(Debug, thiserror::Error)]
#[error("the pack has {} problem(s)", .0.len())]
pub struct Broken(pub Vec<Problem>);

/// Loads the pack that is compiled into the program.
///
/// # Errors
///
/// Returns every problem; a released program has none.
pub fn shipped() -> Result<Pack, Broken> {
    resolve(&embedded::files(), Vec::new())
}

/// Loads the pack in `folder`, on top of the shipped one if it has mutants only.
///
/// # Errors
///
/// Returns every problem of every file.
pub fn load(folder: &Path) -> Result<Pack, Broken> {
    let (mut files, problems) = file::read_folder(folder);
    if !files.iter().any(|file| file.path.starts_with("exercises/")) {
        files.splice(0..0, embedded::files());
    }
    resolve(&files, problems)
}

/// Reads a learner's own test of `step` from YAML in the form of the lab's tests.
///
/// Its id, step and title may be left out.
///
/// # Errors
///
/// Returns every problem with its place in `text`.
pub fn read_probe(lab: &Lab, step: u32, text: &str) -> Result<Test, Broken> {
    let mut problems = Vec::new();
    let file = match file::clean(text.as_bytes().to_vec(), "probe.yaml") {
        Ok(text) => PackFile {
            path: "probe.yaml".to_owned(),
            text,
        },
        Err(problem) => return Err(Broken(vec![problem])),
    };
    resolve::resolve_probe(&file, lab, step, &mut problems).ok_or(Broken(problems))
}

fn resolve(files: &[PackFile], mut problems: Vec<Problem>) -> Result<Pack, Broken> {
    let pack = resolve::pack(files, &mut problems);
    if problems.iter().any(Problem::is_error) {
        problems.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        return Err(Broken(problems));
    }
    Ok(pack)
}
