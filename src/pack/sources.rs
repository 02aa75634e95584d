//! The files of a loaded pack, kept to say where something in it stands.

use super::PackFile;
use super::place::{NodeKind, Place, Places, Step};
use crate::model::Problem;

/// The files of a pack. Places are looked up when something is wrong, so a good pack costs none.
#[derive(Debug)]
pub struct Sources(Vec<PackFile>);

impl Sources {
    /// Keeps `files`.
    #[must_use]
    pub const fn new(files: Vec<PackFile>) -> Self {
        Self(files)
    }

    fn places(&self, file: &str) -> Option<Places> {
        Places::of(self.text(file)?).ok()
    }

    fn place(&self, file: &str, way: &[Step<'_>]) -> Place {
        self.places(file).map_or((1, 1), |places| places.find(way))
    }

    /// Returns the text of a file.
    #[must_use]
    pub fn text(&self, file: &str) -> Option<&str> {
        // A file of an extension stands after, and may have the path of, a shipped one.
        let found = self.0.iter().rev().find(|known| known.path == file)?;
        Some(&found.text)
    }

    /// Makes an error about the value that `way` leads to in `file`.
    #[must_use]
    pub fn problem(
        &self,
        id: &'static str,
        file: &str,
        way: &[Step<'_>],
        title: &str,
        help: &str,
    ) -> Problem {
        let (line, column) = self.place(file, way);
        self.excerpt(Problem::at(id, file, line, column, title, help))
    }

    /// Adds the text of its line to a problem.
    #[must_use]
    pub fn excerpt(&self, mut problem: Problem) -> Problem {
        if problem.excerpt.is_none() {
            let text = self.text(&problem.file);
            let line = text.and_then(|text| text.lines().nth(problem.line - 1));
            problem.excerpt = line.map(str::to_owned);
        }
        problem
    }

    /// Finds the file of a test and its place in the list.
    #[must_use]
    pub fn test(&self, lab: &str, id: &str) -> Option<(&str, usize)> {
        let folder = format!("exercises/{lab}/tests/");
        let files = self.0.iter().filter(|file| file.path.starts_with(&folder));
        files.into_iter().find_map(|file| {
            let places = Places::of(&file.text).ok()?;
            let NodeKind::List(items) = &places.top().kind else {
                return None;
            };
            let has =
                |place: &usize| places.text(&[Step::Item(*place), Step::Key("id")]) == Some(id);
            (0..items.len())
                .find(has)
                .map(|place| (file.path.as_str(), place))
        })
    }
}
