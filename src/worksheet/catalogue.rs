//! Further wrong changes of a step, as practice: which there are, and how hard to see each is.

use std::collections::BTreeMap;

use super::compare::Fit;
use crate::event::{Attempt, SubjectReport};
use crate::model::{Lab, Mutant, Track};

/// How hard it is to find a test that notices a change; it names neither tests nor numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ease {
    /// Many tests notice it.
    Easy,
    /// Some do.
    Middling,
    /// One does.
    Subtle,
    /// Perhaps none can.
    PerhapsNone,
}

impl Ease {
    /// Returns the word that both faces show.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Middling => "middling",
            Self::Subtle => "subtle",
            Self::PerhapsNone => "perhaps none",
        }
    }

    /// Turns the number of tests that catch a change into a word.
    const fn of(caught: usize) -> Self {
        match caught {
            0 => Self::PerhapsNone,
            1 => Self::Subtle,
            2..=4 => Self::Middling,
            _ => Self::Easy,
        }
    }
}

/// A change of the catalogue, as a list shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Further<'l> {
    /// The change.
    pub mutant: &'l Mutant,
    /// How hard it is to see, once that was found out.
    pub ease: Option<Ease>,
}

/// Lists the further changes of a step, from easy to subtle; those of no effect are last.
///
/// `counts` holds how many tests catch a change, as far as that was run. Until all of it was
/// run, the promises of the changes give the order, so that no row moves while it is read.
#[must_use]
pub fn further<'l>(
    lab: &'l Lab,
    step: u32,
    track: Track,
    counts: &BTreeMap<String, usize>,
) -> Vec<Further<'l>> {
    let own = lab.worksheet_mutant(step).map(|mutant| mutant.id.as_str());
    let mut list: Vec<Further<'l>> = lab
        .mutants
        .iter()
        .filter(|mutant| mutant.step == step && Some(mutant.id.as_str()) != own)
        .filter(|mutant| !mutant.edits_for(track).is_empty())
        .map(|mutant| Further {
            mutant,
            ease: match mutant.equivalent {
                Some(_) => Some(Ease::PerhapsNone),
                None => counts.get(&mutant.id).copied().map(Ease::of),
            },
        })
        .collect();
    let is_known = list.iter().all(|further| further.ease.is_some());
    list.sort_by_key(|Further { mutant, .. }| {
        let promised = mutant.caught_by_for(track).len();
        let caught = if is_known {
            counts.get(&mutant.id).copied().unwrap_or(0)
        } else {
            promised
        };
        (mutant.equivalent.is_some(), std::cmp::Reverse(caught))
    });
    list
}

/// Lists the changes whose weight is not known yet.
#[must_use]
pub fn unweighed(list: &[Further<'_>]) -> Vec<String> {
    let open = list.iter().filter(|further| further.ease.is_none());
    open.map(|further| further.mutant.id.clone()).collect()
}

/// Says how the first prediction about a change went; nothing before it was run.
#[must_use]
pub fn told(attempts: &[Attempt], lab: &Lab, mutant: &Mutant) -> Option<&'static str> {
    let first = attempts
        .iter()
        .find(|attempt| attempt.mutant == mutant.id && attempt.run.is_some())?;
    first
        .comparison(lab)
        .map(|comparison| match comparison.fit {
            // "As said" would give away nothing here: the run has shown it.
            Fit::Unknown => "run",
            fit => fit.words(),
        })
}

/// The question after a run in which no test could tell the change from the reference.
pub const WHY: &str = "No test can tell: why?";

/// Returns why no test can tell a change, if that is known and the run bears it out.
#[must_use]
pub fn no_test_can_tell<'m>(mutant: &'m Mutant, report: &SubjectReport) -> Option<&'m str> {
    let reason = mutant.equivalent.as_deref()?;
    report.caught_by().next().is_none().then_some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(counts: &BTreeMap<String, usize>) -> Vec<(String, Option<Ease>)> {
        let pack = crate::pack::shipped().unwrap();
        let list = further(&pack.labs[0], 4, Track::Rust, counts);
        let words = list.iter();
        words
            .map(|further| (further.mutant.id.clone(), further.ease))
            .collect()
    }

    #[test]
    fn the_worksheets_own_is_not_in_it_and_equivalent_ones_are_last() {
        let list = words(&BTreeMap::new());
        let pack = crate::pack::shipped().unwrap();
        let own = &pack.labs[0].worksheet_mutant(4).unwrap().id;
        assert!(list.len() > 3 && list.iter().all(|(id, _)| id != own));
        let (id, ease) = list.last().unwrap();
        assert_eq!(id, "fetch-turns-the-comparison");
        assert_eq!(*ease, Some(Ease::PerhapsNone));
        assert_eq!(list[0].1, None);
    }

    #[test]
    fn what_was_run_gives_the_order_once_all_was_run() {
        let ids = words(&BTreeMap::new());
        let mut counts = BTreeMap::from([(ids[2].0.clone(), 9)]);
        let part = words(&counts);
        assert_eq!(part[2], (ids[2].0.clone(), Some(Ease::Easy)));
        for (id, _) in &ids {
            counts.entry(id.clone()).or_insert(1);
        }
        let whole = words(&counts);
        assert_eq!(whole[0], (ids[2].0.clone(), Some(Ease::Easy)));
        assert_eq!(whole[1].1, Some(Ease::Subtle));
    }
}
