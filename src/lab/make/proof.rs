//! Runs a new mutant twice over every test, and promises what both runs have shown.

use crate::event::MutantReport;
use crate::lab::check::{Cell, Cells};
use crate::lab::{Bench, Fault};
use crate::model::{Lab, Mark, Mutant, Test, Track};
use crate::run::Interrupt;
use crate::verdict::TestWord;

/// The most tests that a mutant promises to be caught by.
const MOST: usize = 4;

/// What a mutant did in one track.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// The track.
    pub track: Track,
    /// What was seen.
    pub shown: Shown,
}

/// What was seen of a mutant in one track.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// The verdict of every test, and whether a second run saw the same.
    Ran(Cells),
    /// It cannot be built or loaded, with the words of the compiler.
    NotBuilt(String),
    /// This machine cannot run it, and why.
    NotReady(String),
}

/// How a test sees a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    /// Something wrong, every time.
    Catches,
    /// Nothing wrong, every time.
    Misses,
    /// Anything else: luck, a crash, silence, or what does not count.
    Other,
}

impl Proof {
    /// Returns the verdicts, if the mutant could be run.
    #[must_use]
    pub const fn cells(&self) -> Option<&Cells> {
        match &self.shown {
            Shown::Ran(cells) => Some(cells),
            Shown::NotBuilt(_) | Shown::NotReady(_) => None,
        }
    }

    /// Lists the tests that catch the mutant for certain, in the lab's order.
    #[must_use]
    pub fn caught_by<'l>(&self, lab: &'l Lab) -> Vec<&'l Test> {
        let catches = |test: &&Test| self.sees(test) == Sight::Catches;
        lab.tests.iter().filter(catches).collect()
    }

    /// Lists the tests that saw something which proves nothing: each with what it was.
    #[must_use]
    pub fn doubtful<'l>(&self, lab: &'l Lab) -> Vec<(&'l Test, &'static str)> {
        let cells = self.cells();
        let why = |test: &Test| {
            let cell = cells?.get(&test.id)?;
            match (cell.steady, cell.word) {
                (false, _) => Some("red in one of two runs"),
                (_, TestWord::Failed) if cell.slip => {
                    Some("red because of a name that is not there")
                }
                (_, TestWord::Errored) => Some("red because the mutant dies"),
                (_, TestWord::TimedOut) => Some("red because the mutant does not answer"),
                (_, TestWord::Failed) if test.mark != Mark::Contract => {
                    Some("red, and not about the contract")
                }
                _ => None,
            }
        };
        let tests = lab.tests.iter();
        tests.filter_map(|test| Some((test, why(test)?))).collect()
    }

    fn sees(&self, test: &Test) -> Sight {
        match self.cells().and_then(|cells| cells.get(&test.id)) {
            Some(Cell {
                word: TestWord::Failed,
                steady: true,
                slip: false,
            }) if test.mark == Mark::Contract => Sight::Catches,
            Some(Cell {
                word: TestWord::Passed,
                steady: true,
                ..
            }) => Sight::Misses,
            _ => Sight::Other,
        }
    }
}

/// Runs a mutant twice over every test of a track, the reference first.
///
/// # Errors
///
/// Fails when the reference is not green, or the run is interrupted.
pub fn prove(
    lab: &Lab,
    track: Track,
    mutant: &Mutant,
    interrupt: &Interrupt,
) -> Result<Proof, Fault> {
    let bench = Bench::new(lab, track, interrupt.clone())?;
    let shown = match shown(&bench, mutant) {
        // A build that was stopped did not happen.
        _ if interrupt.is_raised() => return Err(Fault::Interrupted),
        Err(Fault::NotReady(why)) => Shown::NotReady(why.to_string()),
        other => other?,
    };
    Ok(Proof { track, shown })
}

fn shown(bench: &Bench<'_>, mutant: &Mutant) -> Result<Shown, Fault> {
    let tests: Vec<&Test> = bench.lab().tests_in(bench.track()).collect();
    bench.baseline(&tests, &|_| {})?;
    let first = bench.mutant(mutant, &tests, &|_| {})?;
    let MutantReport { report, why, .. } = first;
    let (Some(first), None) = (report, &why) else {
        return Ok(Shown::NotBuilt(why.unwrap_or_default()));
    };
    // What was red once has every try to be red again.
    let reds = first
        .tests
        .iter()
        .filter(|test| test.word().is_red())
        .map(|test| test.id.clone());
    let promising = Mutant {
        caught_by: reds.collect(),
        caught_by_in: Vec::new(),
        ..mutant.clone()
    };
    let second = bench.mutant(&promising, &tests, &|_| {})?.report;
    let cells = first.tests.iter().map(|test| {
        let again = second.as_ref().and_then(|second| second.test(&test.id));
        let cell = Cell {
            word: test.word(),
            steady: again.is_some_and(|again| again.word().is_red() == test.word().is_red()),
            slip: test.verdict.slip().is_some(),
        };
        (test.id.clone(), cell)
    });
    Ok(Shown::Ran(cells.collect()))
}

/// What a new mutant's file promises.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Promises {
    /// Tests that catch it in every track.
    pub caught_by: Vec<String>,
    /// Tests that catch it in one track, where the tracks have none in common.
    pub caught_by_in: Vec<(Track, Vec<String>)>,
    /// Plain tests of its step that miss it in every track.
    pub survives: Vec<String>,
}

/// Chooses what to promise for a mutant of `step` that has edits in `tracks`.
#[must_use]
pub fn promises(lab: &Lab, step: u32, tracks: &[Track], proofs: &[Proof]) -> Promises {
    let ran: Vec<&Proof> = proofs
        .iter()
        .filter(|proof| proof.cells().is_some())
        .collect();
    let everywhere = |test: &Test| tracks.iter().all(|track| test.runs_in(*track));
    let all_see = |test: &Test, sight: Sight| {
        everywhere(test) && ran.iter().all(|one| one.sees(test) == sight)
    };
    if ran.is_empty() {
        return Promises::default();
    }
    let tests = || lab.tests.iter();
    let common = best(step, tests().filter(|test| all_see(test, Sight::Catches)));
    let apart = ran.iter().map(|proof| {
        let caught = best(step, proof.caught_by(lab).into_iter());
        (proof.track, caught)
    });
    let survives = tests()
        .filter(|test| test.step == step && test.success && all_see(test, Sight::Misses))
        .map(|test| test.id.clone());
    Promises {
        caught_by_in: if common.is_empty() {
            apart.filter(|(_, ids)| !ids.is_empty()).collect()
        } else {
            Vec::new()
        },
        caught_by: common,
        survives: survives.collect(),
    }
}

/// Takes the tests that say most about `step`: its own before others, plain before forced.
fn best<'l>(step: u32, tests: impl Iterator<Item = &'l Test>) -> Vec<String> {
    let mut tests: Vec<&Test> = tests.collect();
    tests.sort_by_key(|test| (test.step != step, test.is_forced(), test.success));
    tests.truncate(MOST);
    tests.into_iter().map(|test| test.id.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;

    fn proof(track: Track, words: &[(&str, TestWord, bool)]) -> Proof {
        let cells = words.iter().map(|(id, word, steady)| {
            let (word, steady, slip) = (*word, *steady, false);
            ((*id).to_owned(), Cell { word, steady, slip })
        });
        Proof {
            track,
            shown: Shown::Ran(cells.collect()),
        }
    }

    const BOTH: [Track; 2] = [Track::Rust, Track::Python];
    use TestWord::{Errored, Failed, Passed};

    #[test]
    fn only_what_every_track_shows_every_time_is_promised() {
        let pack = pack::shipped().unwrap();
        let rust = [
            ("pending-is-never-purged", Failed, true),
            ("rows-in-between-survive", Failed, true),
            ("purge-in-three-rounds", Failed, false),
            ("purge-leaves-nothing-locked", Errored, true),
            ("one-expired-key-is-purged", Passed, true),
            ("live-responses-stay", Passed, false),
        ];
        let mut python = rust;
        python[1].1 = Errored;
        let proofs = [proof(Track::Rust, &rust), proof(Track::Python, &python)];
        let promised = promises(&pack.labs[0], 6, &BOTH, &proofs);
        assert_eq!(promised.caught_by, ["pending-is-never-purged"]);
        assert_eq!(promised.caught_by_in, []);
        assert_eq!(promised.survives, ["one-expired-key-is-purged"]);
    }

    #[test]
    fn tracks_that_have_no_test_in_common_promise_each_for_itself() {
        let pack = pack::shipped().unwrap();
        let proofs = [
            proof(Track::Rust, &[("pending-is-never-purged", Failed, true)]),
            proof(Track::Python, &[("rows-in-between-survive", Failed, true)]),
        ];
        let promised = promises(&pack.labs[0], 6, &BOTH, &proofs);
        assert_eq!(promised.caught_by, [""; 0]);
        assert_eq!(
            promised.caught_by_in,
            [
                (Track::Rust, vec!["pending-is-never-purged".to_owned()]),
                (Track::Python, vec!["rows-in-between-survive".to_owned()]),
            ]
        );
    }

    #[test]
    fn tests_of_the_step_come_first_and_forced_ones_after_plain_ones() {
        let pack = pack::shipped().unwrap();
        let lab = &pack.labs[0];
        let tests = lab.tests.iter().filter(|test| test.step >= 5);
        let chosen = best(6, tests);
        assert_eq!(chosen.len(), MOST);
        for id in &chosen {
            let test = lab.test(id).unwrap();
            assert_eq!((test.step, test.is_forced()), (6, false), "{id}");
        }
    }

    #[test]
    fn what_was_not_run_promises_nothing() {
        let pack = pack::shipped().unwrap();
        let proofs = [Proof {
            track: Track::Rust,
            shown: Shown::NotReady("no cargo".to_owned()),
        }];
        let promised = promises(&pack.labs[0], 6, &BOTH, &proofs);
        assert_eq!(promised, Promises::default());
    }
}
