//! From files as written to the model: every name is looked up, every word given its meaning.

mod grading;
mod lab;
mod mutant;
mod test;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::place::{Place, Places, Step, Unplaced};
use super::{FORMAT, PackFile, raw, shape};
use crate::model::{Lab, Mutant, Origin, Pack, Problem, Track};

pub use mutant::resolve as mutant;
pub use test::{OwnProbe, resolve_file as test_file, resolve_probe, resolve_probes};

/// Resolves all files of a pack, and reports everything that is wrong with them.
pub fn pack(files: &[PackFile], problems: &mut Vec<Problem>) -> Pack {
    let mut labs: Vec<Lab> = files
        .iter()
        .filter(|file| is(&file.path, "exercises/", "/lab.yaml"))
        .filter_map(|file| lab::resolve(file, files, problems))
        .collect();
    labs.sort_by_key(|lab| lab.order);
    for file in files.iter().filter(|file| is_test(&file.path)) {
        test::resolve_file(file, &mut labs, problems);
    }
    for file in files
        .iter()
        .filter(|file| is(&file.path, "exercises/", "/grading.yaml"))
    {
        grading::resolve(file, &mut labs, problems);
    }
    for file in files
        .iter()
        .filter(|file| is(&file.path, "mutants/", ".yaml"))
    {
        if let Some((lab, mutant)) = mutant::resolve(file, &labs, problems)
            && let Some(lab) = labs.iter_mut().find(|known| known.id == lab)
        {
            lab.mutants.push(mutant);
        }
    }
    for lab in &mut labs {
        lab.tests.sort_by_key(|test| test.step);
        lab.mutants.sort_by_key(|mutant: &Mutant| {
            (
                mutant.origin != Origin::Worksheet,
                mutant.step,
                mutant.id.clone(),
            )
        });
    }
    Pack { labs }
}

fn is(path: &str, start: &str, end: &str) -> bool {
    path.starts_with(start) && path.ends_with(end)
}

fn is_test(path: &str) -> bool {
    is(path, "exercises/", ".yaml") && path.split('/').nth(2) == Some("tests")
}

/// A file whose shape is right, and where its values stand.
pub struct Parsed<T> {
    /// What it says.
    pub value: T,
    /// Where it says it.
    pub places: Places,
}

/// Reads a file in its raw form; everything that does not fit is a problem at its place.
pub fn parse<T: DeserializeOwned + JsonSchema>(
    file: &PackFile,
    problems: &mut Vec<Problem>,
) -> Option<Parsed<T>> {
    if let Some(value) = file.proved.and_then(|json| serde_json::from_str(json).ok()) {
        let places = Places::later(file.text.clone());
        return Some(Parsed { value, places });
    }
    let places = well_shaped::<T>(file, problems)?;
    match serde_yaml::from_str(&file.text) {
        Ok(value) => Some(Parsed { value, places }),
        Err(error) => {
            let (line, column) = error
                .location()
                .map_or((1, 1), |at| (at.line(), at.column()));
            let text = error.to_string();
            let title = text.split(" at line ").next().unwrap_or(&text);
            let help = "the book's page on file formats shows every field by example";
            problems.push(Problem::at(
                "wrong-shape",
                &file.path,
                line,
                column,
                title,
                help,
            ));
            None
        }
    }
}

/// Holds a file against the schema of its type.
fn well_shaped<T: JsonSchema>(file: &PackFile, problems: &mut Vec<Problem>) -> Option<Places> {
    let places = match Places::of(&file.text) {
        Ok(places) => places,
        Err(unplaced) => {
            problems.push(not_yaml(file, unplaced));
            return None;
        }
    };
    let before = problems.len();
    shape::check(&shape::known_schema::<T>(), places.top(), file, problems);
    (problems.len() == before).then_some(places)
}

/// Says where and why a text has no places.
fn not_yaml(file: &PackFile, unplaced: Unplaced) -> Problem {
    match unplaced {
        Unplaced::Syntax { place, why } => {
            let (line, column) = inside(&file.text, place);
            Problem::at(
                "not-yaml",
                &file.path,
                line,
                column,
                &format!("this is not YAML: {why}"),
                "look at the line above as well: a quote or a bracket may be open, or blanks missing",
            )
        }
        Unplaced::TooDeep {
            place: (line, column),
        } => Problem::at(
            "too-deep",
            &file.path,
            line,
            column,
            "values lie too deep in one another here",
            "a test or a mutant needs no more than a few levels",
        ),
    }
}

/// Moves a place behind the end of a text to the end of its last line.
fn inside(text: &str, (line, column): Place) -> Place {
    let last = text.lines().count().max(1);
    if line <= last {
        return (line, column);
    }
    let end = text
        .lines()
        .last()
        .map_or(0, |line| line.trim_end().chars().count());
    (last, end.max(1))
}

/// Reports problems of one file at the places of its values.
pub struct Reporter<'a> {
    file: &'a PackFile,
    places: &'a Places,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Reporter<'a> {
    /// Reports into `problems`.
    pub const fn new(
        file: &'a PackFile,
        places: &'a Places,
        problems: &'a mut Vec<Problem>,
    ) -> Self {
        Self {
            file,
            places,
            problems,
        }
    }

    /// Reports a problem at the value that `way` leads to.
    pub fn report(&mut self, id: &'static str, way: &[Step<'_>], title: &str, help: &str) {
        let (line, column) = self.places.find(way);
        self.problems
            .push(Problem::at(id, &self.file.path, line, column, title, help));
    }

    /// Reports a name that is not known, with the nearest that is.
    pub fn unknown<'k>(
        &mut self,
        id: &'static str,
        way: &[Step<'_>],
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) {
        let known: Vec<&str> = known.into_iter().collect();
        let help = match nearest(name, &known, 1)[..] {
            [near, ..] => format!("did you mean `{near}`?"),
            [] if known.is_empty() => "there are none".to_owned(),
            [] => format!("there are: {}", known.join(", ")),
        };
        self.report(id, way, &format!("there is no {what} `{name}`"), &help);
    }

    /// Reads the names of tracks under `tracks` of what `way` leads to; none may be given.
    fn tracks(&mut self, names: Option<&[String]>, way: &[Step<'_>]) -> Vec<Track> {
        let mut tracks = Vec::new();
        for (place, name) in names.unwrap_or_default().iter().enumerate() {
            match Track::parse(name) {
                Some(track) => tracks.push(track),
                None => {
                    let way = [way, &[Step::Key("tracks"), Step::Item(place)]].concat();
                    self.unknown(
                        "unknown-track",
                        &way,
                        "track",
                        name,
                        Track::ALL.map(Track::id),
                    );
                }
            }
        }
        tracks
    }

    fn not_empty(&mut self, way: &[Step<'_>], what: &str, text: &str) {
        if text.trim().is_empty() {
            self.report(
                "empty-text",
                way,
                &format!("the {what} is empty"),
                "say it in a sentence",
            );
        }
    }

    /// Reports a version that this program does not read.
    pub fn format(&mut self, format: Option<u32>) {
        if let Some(format) = format
            && format != FORMAT
        {
            let help = if format > FORMAT {
                "update idemlab, or write the file in format 1"
            } else {
                "write `format: 1`, the first there is"
            };
            let title =
                format!("this file is in format {format}; this program reads format {FORMAT}");
            self.report("wrong-format", &[Step::Key("format")], &title, help);
        }
    }
}

/// Finds the known names that are nearest to a mistyped one, at most `most`, nearest first.
#[must_use]
pub fn nearest<'k>(name: &str, known: &[&'k str], most: usize) -> Vec<&'k str> {
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|candidate| (distance(name, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= allowed(candidate))
        .collect();
    near.sort_unstable();
    near.into_iter().take(most).map(|(_, name)| name).collect()
}

/// How many slips of the pen a name of this length may have: none where it is too short to tell.
fn allowed(name: &str) -> usize {
    match name.chars().count() {
        0..3 => 0,
        length => 1 + length / 4,
    }
}

/// How far a name is from another; a beginning of it is one step away.
fn distance(name: &str, candidate: &str) -> usize {
    if name.len() >= 3 && candidate.starts_with(name) {
        return 1;
    }
    strsim::damerau_levenshtein(name, candidate)
}
