//! The last page of a lab: how predictions fitted, and the tasks that are left.

use super::Fit;
use crate::model::Sure;

/// A written task at the end of a lab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// Name under which the answer is stored.
    pub id: &'static str,
    /// What to do, in a sentence or two.
    pub text: &'static str,
}

/// The closing tasks of every lab.
pub const TASKS: [Task; 3] = [
    Task {
        id: "break-it-yourself",
        text: "Break a boundary comparison or the cleanup in a copy of your own. What did you \
               change, and which test fails?",
    },
    Task {
        id: "tests-stay-in-force",
        text: "Why do the tests of earlier steps stay in force in later ones?",
    },
    Task {
        id: "not-guaranteed",
        text: "Write down one condition of operation that this lab does not guarantee, and who \
               has to see to it.",
    },
];

/// How well predictions of one degree of certainty fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Certainty {
    /// The degree; none for "not said".
    pub sure: Option<Sure>,
    /// How many predictions were made with it.
    pub made: usize,
    /// How many named exactly the tests that catch it.
    pub whole: usize,
    /// How many named some of them.
    pub part: usize,
}

/// Counts, for each degree of certainty that occurs, how predictions fitted.
#[must_use]
pub fn certainties(fits: &[(Option<Sure>, Fit)]) -> Vec<Certainty> {
    let degrees = Sure::ALL.into_iter().rev().map(Some).chain([None]);
    degrees
        .map(|sure| {
            let of = |wanted: Option<Fit>| {
                let same = fits.iter().filter(|(degree, _)| *degree == sure);
                same.filter(|(_, fit)| wanted.is_none_or(|wanted| wanted == *fit))
                    .count()
            };
            Certainty {
                sure,
                made: of(None),
                whole: of(Some(Fit::Whole)),
                part: of(Some(Fit::Part)),
            }
        })
        .filter(|certainty| certainty.made > 0)
        .collect()
}

impl Certainty {
    /// Says it in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let degree = self
            .sure
            .map_or("without saying how sure", |sure| match sure {
                Sure::Guess => "as a guess",
                Sure::Fairly => "fairly sure",
                Sure::Certain => "certain",
            });
        let Self {
            made, whole, part, ..
        } = self;
        format!("{degree}: {made} made, {whole} wholly right, {part} in part")
    }
}
