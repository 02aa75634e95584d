//! Files in forms of ours that are no part of a pack: a learner's manifest and own tests.
//!
//! They are read by the same rules: limits of size and depth, every problem at once, each at its
//! place. Who reads them knows what they mean; nothing here opens a file.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::place::{Places, Step};
use super::resolve::{self, OwnProbe, Parsed, Reporter};
use super::{PackFile, file};
use crate::model::{Lab, Problem};

pub use super::raw::Workspace as WorkspaceForm;

/// A file in the form `T`, with the places of its values.
#[derive(Debug, Clone)]
pub struct Form<T> {
    /// What it says.
    pub value: T,
    file: PackFile,
    places: Places,
    problems: Vec<Problem>,
}

impl<T: DeserializeOwned + JsonSchema> Form<T> {
    /// Reads the bytes of the file that is called `path`.
    ///
    /// # Errors
    ///
    /// Returns every problem with its place.
    pub fn read(path: &str, bytes: Vec<u8>) -> Result<Self, Vec<Problem>> {
        let text = file::clean(bytes, path).map_err(|problem| vec![*problem])?;
        let file = PackFile::new(path.to_owned(), text);
        let mut problems = Vec::new();
        match resolve::parse(&file, &mut problems) {
            Some(Parsed { value, places }) => Ok(Self {
                value,
                file,
                places,
                problems,
            }),
            None => Err(shown(&file, problems)),
        }
    }
}

impl<T> Form<T> {
    /// Notes that something is wrong with the value that `way` leads to.
    pub fn report(&mut self, id: &'static str, way: &[Step<'_>], title: &str, help: &str) {
        Reporter::new(&self.file, &self.places, &mut self.problems).report(id, way, title, help);
    }

    /// Notes that a name is not known, with the nearest that is.
    pub fn unknown<'k>(
        &mut self,
        id: &'static str,
        way: &[Step<'_>],
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) {
        Reporter::new(&self.file, &self.places, &mut self.problems)
            .unknown(id, way, what, name, known);
    }

    /// Notes a version that this program does not read.
    pub fn format(&mut self, format: Option<u32>) {
        Reporter::new(&self.file, &self.places, &mut self.problems).format(format);
    }

    /// Takes what was noted, by place, each with its line.
    pub fn take_problems(&mut self) -> Vec<Problem> {
        shown(&self.file, std::mem::take(&mut self.problems))
    }
}

/// Reads `probes.yaml`: the tests in it, and what is wrong with the file as a whole.
#[must_use]
pub fn read_own_probes(lab: &Lab, path: &str, bytes: Vec<u8>) -> (Vec<OwnProbe>, Vec<Problem>) {
    let text = match file::clean(bytes, path) {
        Ok(text) => text,
        Err(problem) => return (Vec::new(), vec![*problem]),
    };
    let file = PackFile::new(path.to_owned(), text);
    let mut problems = Vec::new();
    let mut probes = resolve::resolve_probes(&file, lab, &mut problems);
    for probe in &mut probes {
        if let Err(of_probe) = &mut probe.test {
            *of_probe = shown(&file, std::mem::take(of_probe));
        }
    }
    (probes, shown(&file, problems))
}

fn shown(file: &PackFile, mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by_key(|problem| (problem.line, problem.column));
    super::excerpts(file, problems)
}
