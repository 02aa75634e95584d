//! Mutants: deliberately wrong fragments, as data.

use super::Track;

/// One wrong fragment put into the reference; `mutants/<lab>/<id>.yaml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// Name of the mutant, also that of its file.
    pub id: String,
    /// The step whose function it changes.
    pub step: u32,
    /// What the changed code does, as a sentence.
    pub title: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Link to the public report a `field` mutant is modelled on.
    pub report: Option<String>,
    /// Why somebody writes it: the mistaken thought, in their words.
    pub belief: String,
    /// Edits for every track that has none of its own.
    pub edits: Vec<Edit>,
    /// Edits for tracks whose text differs.
    pub edits_in: Vec<(Track, Vec<Edit>)>,
    /// Tests promised to catch it.
    pub caught_by: Vec<String>,
    /// The same, for tracks in which the promise differs.
    pub caught_by_in: Vec<(Track, Vec<String>)>,
    /// Tests promised to stay green.
    pub survives: Vec<String>,
    /// The same, for tracks in which the promise differs.
    pub survives_in: Vec<(Track, Vec<String>)>,
    /// What to take away, shown after the result.
    pub lesson: String,
    /// Why no test can tell it from the reference, if none can.
    pub equivalent: Option<String>,
}

impl Mutant {
    /// Returns the edits that make this mutant in `track`.
    #[must_use]
    pub fn edits_for(&self, track: Track) -> &[Edit] {
        choose(&self.edits_in, track).unwrap_or(&self.edits)
    }

    /// Returns the tests promised to catch this mutant in `track`.
    #[must_use]
    pub fn caught_by_for(&self, track: Track) -> &[String] {
        choose(&self.caught_by_in, track).unwrap_or(&self.caught_by)
    }

    /// Returns the tests promised to miss this mutant in `track`.
    #[must_use]
    pub fn survives_for(&self, track: Track) -> &[String] {
        choose(&self.survives_in, track).unwrap_or(&self.survives)
    }
}

fn choose<T>(list: &[(Track, Vec<T>)], track: Track) -> Option<&[T]> {
    list.iter()
        .find(|(which, _)| *which == track)
        .map(|(_, items)| items.as_slice())
}

/// Where a mutant comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// One of the worksheet's own, one a step.
    Worksheet,
    /// Modelled on a public bug report.
    Field,
    /// Made for the lab.
    Craft,
}

impl Origin {
    /// Every origin there is.
    pub const ALL: [Self; 3] = [Self::Worksheet, Self::Field, Self::Craft];

    /// Reads a name as [`Origin::id`] writes it.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.id() == name)
    }

    /// Returns the name used in files and reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Worksheet => "worksheet",
            Self::Field => "field",
            Self::Craft => "craft",
        }
    }
}

/// A replacement of one stretch of text by another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The text to find; it occurs exactly once.
    pub find: String,
    /// The text to put there.
    pub replace: String,
}
