//! Does a mutant keep what its file promises?

use super::apply::way;
use super::{Cell, Cells, Checker, Row, file_of};
use crate::model::{Lab, Mutant, Track};
use crate::pack::Step;
use crate::verdict::TestWord;

/// One broken promise: the kind of problem, where in the file, what is wrong, what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Stable name of the kind.
    pub id: &'static str,
    /// The list in the file that holds the promise, and the place in it.
    pub promise: Option<(&'static str, usize)>,
    /// What is wrong.
    pub title: String,
    /// What to do.
    pub help: &'static str,
}

impl Checker<'_> {
    pub(super) fn promises(&mut self, lab: &Lab, track: Track, mutant: &Mutant, row: &Row) {
        let file = file_of(lab, mutant);
        match row {
            Row::Ran(cells) => {
                for broken in broken_promises(mutant, track, cells) {
                    let way = promise_way(mutant, track, broken.promise);
                    self.report(broken.id, &file, &way, &broken.title, broken.help);
                }
            }
            Row::NotBuilt(words) => {
                let title = format!("the mutant does not build in the {track} track");
                let help = format!(
                    "a mutant is wrong, not broken: make it code that runs
{}",
                    words.trim()
                );
                self.report(
                    "does-not-build",
                    &file,
                    &way(mutant, track, 0, "replace"),
                    &title,
                    &help,
                );
            }
            Row::NotReady(why) => {
                let title = format!("the mutant could not be run in the {track} track: {why}");
                self.warn(
                    "mutant-not-run",
                    &file,
                    &way(mutant, track, 0, "replace"),
                    &title,
                    "check the pack once more where it can be run",
                );
            }
        }
    }
}

fn promise_way(
    mutant: &Mutant,
    track: Track,
    promise: Option<(&'static str, usize)>,
) -> Vec<Step<'static>> {
    let Some((field, place)) = promise else {
        return vec![Step::Key("title")];
    };
    let own = match field {
        "caught_by" => mutant.caught_by_in.iter().any(|(which, _)| *which == track),
        _ => mutant.survives_in.iter().any(|(which, _)| *which == track),
    };
    let mut way = match (own, field) {
        (true, "caught_by") => vec![Step::Key("caught_by_in"), Step::Key(track.id())],
        (true, _) => vec![Step::Key("survives_in"), Step::Key(track.id())],
        (false, field) => vec![Step::Key(field)],
    };
    way.push(Step::Item(place));
    way
}

/// Lists what a mutant's file promises and its run does not show.
#[must_use]
pub fn broken_promises(mutant: &Mutant, track: Track, cells: &Cells) -> Vec<Broken> {
    let mut broken = Vec::new();
    for (place, test) in mutant.caught_by_for(track).iter().enumerate() {
        broken.extend(not_caught(test, place, track, cells.get(test)));
    }
    for (place, test) in mutant.survives_for(track).iter().enumerate() {
        broken.extend(not_survived(test, place, track, cells.get(test)));
    }
    let caught: Vec<&str> = cells
        .iter()
        .filter(|(_, cell)| cell.word.is_red())
        .map(|(test, _)| test.as_str())
        .collect();
    let title = match (mutant.equivalent.is_some(), caught.first()) {
        (false, None) => Some((
            "not-caught",
            format!("no test catches the mutant in the {track} track"),
        )),
        (true, Some(test)) => Some((
            "equivalent-yet-caught",
            format!(
                "`{test}` catches the mutant in the {track} track, though it is marked equivalent"
            ),
        )),
        (false, Some(_)) if mutant.caught_by_for(track).is_empty() => Some((
            "no-promise",
            format!(
                "the mutant promises nothing about the {track} track; `{}` catch it",
                caught.join("`, `")
            ),
        )),
        _ => None,
    };
    broken.extend(title.map(|(id, title)| Broken {
        id,
        promise: None,
        title,
        help: match id {
            "not-caught" => {
                "write a test that catches it, or mark it `equivalent:` with the reason"
            }
            "no-promise" => "name some of them under `caught_by:`",
            _ => "take `equivalent:` away and name the tests under `caught_by:`",
        },
    }));
    broken
}

fn not_caught(test: &str, place: usize, track: Track, cell: Option<&Cell>) -> Option<Broken> {
    let promise = Some(("caught_by", place));
    let (id, title, help) = match cell {
        None => (
            "promise-in-no-track",
            format!("`{test}` is not a test of the {track} track"),
            "promise it for the other track only, under `caught_by_in:`",
        ),
        Some(Cell { steady: false, .. }) => (
            "flaky",
            format!("`{test}` is red in one run and green in the next, in the {track} track"),
            "promise a test that sees it every time, or force the order",
        ),
        Some(cell) => match cell.word {
            TestWord::Failed if cell.slip => (
                "wrong-reason",
                format!(
                    "`{test}` is red in the {track} track because of a name or a syntax that is not there, not because the answer is wrong"
                ),
                "`idemlab run` shows the error; correct the fragment",
            ),
            TestWord::Failed => return None,
            TestWord::Errored | TestWord::TimedOut => (
                "wrong-reason",
                format!(
                    "`{test}` is red in the {track} track because the subject {}, not because it is wrong",
                    how(cell.word)
                ),
                "make the mutant answer, wrongly; or take the promise away",
            ),
            word => (
                "promise-not-kept",
                format!(
                    "`{test}` is promised to catch the mutant and {} in the {track} track",
                    ended(word)
                ),
                "look at the fragment: is it where the fault is? else take the promise away",
            ),
        },
    };
    Some(Broken {
        id,
        promise,
        title,
        help,
    })
}

fn not_survived(test: &str, place: usize, track: Track, cell: Option<&Cell>) -> Option<Broken> {
    let promise = Some(("survives", place));
    let (id, title, help) = match cell {
        None => (
            "promise-in-no-track",
            format!("`{test}` is not a test of the {track} track"),
            "promise it for the other track only, under `survives_in:`",
        ),
        Some(Cell { steady: false, .. }) => (
            "flaky",
            format!("`{test}` is green in one run and red in the next, in the {track} track"),
            "promise a test that never sees it",
        ),
        Some(cell) if cell.word == TestWord::Passed => return None,
        Some(cell) => (
            "survivor-not-green",
            format!(
                "`{test}` is promised to miss the mutant and {} in the {track} track",
                ended(cell.word)
            ),
            "take the promise away, or make the mutant subtler",
        ),
    };
    Some(Broken {
        id,
        promise,
        title,
        help,
    })
}

/// Says how a test ended, as the end of a sentence about it.
const fn ended(word: TestWord) -> &'static str {
    match word {
        TestWord::Passed => "passed",
        TestWord::Failed => "failed",
        TestWord::Errored => "ended with the subject's death",
        TestWord::TimedOut => "had no answer in time",
        TestWord::NotRun => "was not run",
        TestWord::Inconclusive => "was inconclusive",
    }
}

const fn how(word: TestWord) -> &'static str {
    match word {
        TestWord::TimedOut => "does not answer",
        _ => "dies",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Edit, Origin};

    fn mutant(caught_by: &[&str], survives: &[&str]) -> Mutant {
        let list = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        Mutant {
            id: "m".to_owned(),
            step: 1,
            title: "t".to_owned(),
            origin: Origin::Craft,
            report: None,
            belief: "b".to_owned(),
            edits: vec![Edit {
                find: "a".to_owned(),
                replace: "b".to_owned(),
            }],
            edits_in: Vec::new(),
            caught_by: list(caught_by),
            caught_by_in: Vec::new(),
            survives: list(survives),
            survives_in: Vec::new(),
            lesson: "l".to_owned(),
            equivalent: None,
        }
    }

    fn cells(words: &[(&str, TestWord)]) -> Cells {
        let cell = |word: TestWord| Cell {
            word,
            steady: true,
            slip: false,
        };
        words
            .iter()
            .map(|(test, word)| ((*test).to_owned(), cell(*word)))
            .collect()
    }

    fn ids(mutant: &Mutant, cells: &Cells) -> Vec<&'static str> {
        broken_promises(mutant, Track::Rust, cells)
            .iter()
            .map(|broken| broken.id)
            .collect()
    }

    #[test]
    fn a_kept_promise_is_no_problem() {
        let seen = cells(&[("a", TestWord::Failed), ("b", TestWord::Passed)]);
        assert_eq!(ids(&mutant(&["a"], &["b"]), &seen), Vec::<&str>::new());
    }

    #[test]
    fn a_promise_is_kept_only_by_a_wrong_value() {
        for (word, id) in [
            (TestWord::Passed, "promise-not-kept"),
            (TestWord::Inconclusive, "promise-not-kept"),
            (TestWord::NotRun, "promise-not-kept"),
            (TestWord::Errored, "wrong-reason"),
            (TestWord::TimedOut, "wrong-reason"),
        ] {
            let seen = cells(&[("a", word), ("b", TestWord::Failed)]);
            assert_eq!(ids(&mutant(&["a", "b"], &[]), &seen), [id], "{word:?}");
        }
    }

    #[test]
    fn a_survivor_is_green_and_nothing_else() {
        for word in [
            TestWord::Failed,
            TestWord::Errored,
            TestWord::TimedOut,
            TestWord::NotRun,
            TestWord::Inconclusive,
        ] {
            let seen = cells(&[("a", TestWord::Failed), ("b", word)]);
            assert_eq!(
                ids(&mutant(&["a"], &["b"]), &seen),
                ["survivor-not-green"],
                "{word:?}"
            );
        }
    }

    #[test]
    fn a_broken_promise_says_in_a_sentence_how_the_test_ended() {
        for (word, end) in [
            (TestWord::Passed, "passed"),
            (TestWord::NotRun, "was not run"),
            (TestWord::Inconclusive, "was inconclusive"),
        ] {
            let broken = not_caught("a", 0, Track::Rust, cells(&[("a", word)]).get("a"));
            let title = format!("`a` is promised to catch the mutant and {end} in the rust track");
            assert_eq!(broken.unwrap().title, title);
        }
        for (word, why) in [
            (TestWord::Errored, "dies"),
            (TestWord::TimedOut, "does not answer"),
        ] {
            let broken = not_caught("a", 0, Track::Rust, cells(&[("a", word)]).get("a"));
            let title = format!(
                "`a` is red in the rust track because the subject {why}, not because it is wrong"
            );
            assert_eq!(broken.unwrap().title, title);
        }
        for (word, end) in [
            (TestWord::Failed, "failed"),
            (TestWord::Errored, "ended with the subject's death"),
            (TestWord::TimedOut, "had no answer in time"),
        ] {
            let broken = not_survived("a", 0, Track::Rust, cells(&[("a", word)]).get("a"));
            let title = format!("`a` is promised to miss the mutant and {end} in the rust track");
            assert_eq!(broken.unwrap().title, title);
        }
    }

    #[test]
    fn a_promise_for_one_track_is_placed_in_its_own_list() {
        let way = |mutant: &Mutant, field| {
            let way = promise_way(mutant, Track::Rust, Some((field, 3)));
            format!("{way:?}")
        };
        let both = mutant(&["a"], &["b"]);
        let own = Mutant {
            caught_by_in: vec![(Track::Rust, Vec::new())],
            survives_in: vec![(Track::Rust, Vec::new())],
            ..mutant(&[], &[])
        };
        let other = Mutant {
            caught_by_in: vec![(Track::Python, Vec::new())],
            survives_in: vec![(Track::Python, Vec::new())],
            ..mutant(&[], &[])
        };
        for field in ["caught_by", "survives"] {
            let plain = format!("[Key({field:?}), Item(3)]");
            assert_eq!(way(&both, field), plain);
            assert_eq!(way(&other, field), plain);
            let in_rust = format!("[Key(\"{field}_in\"), Key(\"rust\"), Item(3)]");
            assert_eq!(way(&own, field), in_rust);
        }
        // One list may be for a track, and the other for all.
        let half = Mutant {
            survives_in: Vec::new(),
            ..own.clone()
        };
        assert_eq!(way(&half, "caught_by"), way(&own, "caught_by"));
        assert_eq!(way(&half, "survives"), way(&both, "survives"));
        assert_eq!(
            format!("{:?}", promise_way(&own, Track::Rust, None)),
            "[Key(\"title\")]"
        );
    }

    #[test]
    fn a_slip_of_the_pen_is_not_the_fault_that_was_meant() {
        let mut seen = cells(&[("a", TestWord::Failed), ("b", TestWord::Failed)]);
        seen.get_mut("a").unwrap().slip = true;
        assert_eq!(ids(&mutant(&["a", "b"], &[]), &seen), ["wrong-reason"]);
    }

    #[test]
    fn luck_is_told_from_proof() {
        let mut seen = cells(&[("a", TestWord::Failed), ("b", TestWord::Passed)]);
        for id in ["a", "b"] {
            seen.get_mut(id).unwrap().steady = false;
        }
        assert_eq!(ids(&mutant(&["a"], &["b"]), &seen), ["flaky", "flaky"]);
    }

    #[test]
    fn what_nothing_catches_must_say_that_it_is_equivalent() {
        let green = cells(&[("a", TestWord::Passed)]);
        let red = cells(&[("a", TestWord::Failed)]);
        assert_eq!(ids(&mutant(&[], &[]), &green), ["not-caught"]);
        assert_eq!(ids(&mutant(&[], &[]), &red), ["no-promise"]);
        let equivalent = Mutant {
            equivalent: Some("why".to_owned()),
            ..mutant(&[], &[])
        };
        assert_eq!(ids(&equivalent, &green), Vec::<&str>::new());
        assert_eq!(ids(&equivalent, &red), ["equivalent-yet-caught"]);
    }

    #[test]
    fn a_test_of_another_track_cannot_be_promised() {
        let seen = cells(&[("a", TestWord::Failed)]);
        assert_eq!(
            ids(&mutant(&["a", "x"], &["y"]), &seen),
            ["promise-in-no-track", "promise-in-no-track"]
        );
    }
}
