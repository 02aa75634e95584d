//! Packs: labs, tests and mutants as files, read into the model.
//!
//! The shipped pack is compiled in; a folder replaces it (if it has `exercises/`) or extends it
//! (if it has only `mutants/`). Every problem of a pack is reported, not the first only. Nothing
//! here runs a subject: what can be known only by running is for `lab/check`.

mod embedded;
mod file;
mod form;
mod place;
mod raw;
mod resolve;
mod schema;
mod shape;
mod sources;

use std::collections::BTreeSet;
use std::path::Path;

use crate::model::{Lab, Mutant, Pack, Problem, Test};

pub use file::PackFile;
pub use form::{Form, WorkspaceForm, read_own_probes};
pub use place::{Place, Step};
pub use resolve::{OwnProbe, nearest};
pub use schema::SchemaKind;
pub use sources::Sources;

/// The only version of the file formats so far.
pub const FORMAT: u32 = 1;

/// A pack could not be loaded.
#[derive(Debug, thiserror::Error)]
#[error("the pack has {}", counted(.0.len()))]
pub struct Broken(pub Vec<Problem>);

fn counted(problems: usize) -> String {
    match problems {
        1 => "1 problem".to_owned(),
        _ => format!("{problems} problems"),
    }
}

/// Loads the pack that is compiled into the program.
///
/// # Errors
///
/// Returns every problem; a released program has none.
pub fn shipped() -> Result<Pack, Broken> {
    draft(None, embedded::files).into_result()
}

/// Loads the pack in `folder`, on top of the shipped one if it has mutants only.
///
/// # Errors
///
/// Returns every problem of every file.
pub fn load(folder: &Path) -> Result<Pack, Broken> {
    draft(Some(folder), embedded::files).into_result()
}

/// A pack as far as it can be read, with its files and everything that is wrong with them.
#[derive(Debug)]
pub struct Draft {
    /// What can be read.
    pub pack: Pack,
    /// The files.
    pub sources: Sources,
    /// What is wrong, by file and place.
    pub problems: Vec<Problem>,
    /// The paths of the files in the folder, if what they extend is the shipped pack.
    extension: Option<BTreeSet<String>>,
}

impl Draft {
    /// Whether the pack has mutants only, on top of the shipped labs.
    #[must_use]
    pub const fn is_extension(&self) -> bool {
        self.extension.is_some()
    }

    /// Whether a file is of the pack itself, and not of the shipped one that it extends.
    #[must_use]
    pub fn is_own(&self, file: &str) -> bool {
        let own = |files: &BTreeSet<String>| files.contains(file);
        self.extension.as_ref().is_none_or(own)
    }

    fn into_result(self) -> Result<Pack, Broken> {
        if self.problems.iter().any(Problem::is_error) {
            Err(Broken(self.problems))
        } else {
            Ok(self.pack)
        }
    }
}

/// Reads the pack in `folder`, or the shipped one, as far as it can be read.
///
/// The shipped one is held against its schemas as any other; to load it, that is left out.
#[must_use]
pub fn read(folder: Option<&Path>) -> Draft {
    let unproved = |file: PackFile| PackFile::new(file.path, file.text);
    draft(folder, || {
        embedded::files().into_iter().map(unproved).collect()
    })
}

fn draft(folder: Option<&Path>, shipped: impl FnOnce() -> Vec<PackFile>) -> Draft {
    let (mut files, mut problems) = folder.map(file::read_folder).unwrap_or_default();
    let mut extension = None;
    // On top of what is no pack at all, the shipped one would only add its own to the problems.
    let no_pack = problems.iter().any(|problem| problem.id == "no-pack");
    if !no_pack && !files.iter().any(|file| file.path.starts_with("exercises/")) {
        if folder.is_some() {
            extension = Some(files.iter().map(|file| file.path.clone()).collect());
        }
        files.splice(0..0, shipped());
    }
    let pack = resolve::pack(&files, &mut problems);
    problems.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
    let sources = Sources::new(files);
    let problems = problems
        .into_iter()
        .map(|problem| sources.excerpt(problem))
        .collect();
    Draft {
        pack,
        sources,
        problems,
        extension,
    }
}

/// Makes a text that stands alone as safe as a file of a pack.
fn one_file(path: &str, text: &str) -> Result<PackFile, Broken> {
    match file::clean(text.as_bytes().to_vec(), path) {
        Ok(text) => Ok(PackFile::new(path.to_owned(), text)),
        Err(problem) => Err(Broken(vec![*problem])),
    }
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
    let file = one_file("probe.yaml", text)?;
    let probe = resolve::resolve_probe(&file, lab, step, &mut problems);
    probe.ok_or_else(|| Broken(excerpts(&file, problems)))
}

/// Reads one mutant file on top of a pack, as if it were at `path` in it.
///
/// # Errors
///
/// Returns every problem with its place in `text`.
pub fn read_mutant(pack: &Pack, path: &str, text: &str) -> Result<Mutant, Broken> {
    let mut problems = Vec::new();
    let file = one_file(path, text)?;
    let mutant = resolve::mutant(&file, &pack.labs, &mut problems);
    match mutant {
        Some((_, mutant)) if !problems.iter().any(Problem::is_error) => Ok(mutant),
        _ => Err(Broken(excerpts(&file, problems))),
    }
}

/// Reads a test file on top of a pack, as if it were at `path` in it; returns its tests.
///
/// # Errors
///
/// Returns every problem with its place in `text`.
pub fn read_tests(pack: &Pack, lab: &str, path: &str, text: &str) -> Result<Vec<Test>, Broken> {
    let mut problems = Vec::new();
    let file = one_file(path, text)?;
    let mut labs = pack.labs.clone();
    let count = |labs: &[Lab]| {
        labs.iter()
            .find(|known| known.id == lab)
            .map_or(0, |lab| lab.tests.len())
    };
    let before = count(&labs);
    resolve::test_file(&file, &mut labs, &mut problems);
    let tests = labs.into_iter().find(|known| known.id == lab);
    match tests {
        Some(mut lab) if !problems.iter().any(Problem::is_error) => Ok(lab.tests.split_off(before)),
        _ => Err(Broken(excerpts(&file, problems))),
    }
}

/// Lists the files of the pack that is compiled into the program.
#[must_use]
pub fn shipped_files() -> Vec<PackFile> {
    embedded::files()
}

fn excerpts(file: &PackFile, problems: Vec<Problem>) -> Vec<Problem> {
    let sources = Sources::new(vec![file.clone()]);
    let problems = problems.into_iter();
    problems.map(|problem| sources.excerpt(problem)).collect()
}
