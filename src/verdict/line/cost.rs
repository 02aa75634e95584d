//! The verdict on what a call costs: how its time grows, how much memory it needs.
//!
//! It errs one way: what is not seen again and again is not red.

use super::{LineVerdict, Note, Shown, TestWord, fault};
use crate::model::{Growth, Mark, Memory};
use crate::run::{Outcome, Pair};

/// Judges how the cost of a call grew with its input.
pub fn growth(growth: &Growth, pairs: &[Pair], ended: Option<&Outcome>) -> LineVerdict {
    let wanted = || {
        let times = match pairs.last() {
            Some(pair) => pair.to / pair.from.max(1),
            None => growth
                .times
                .windows(2)
                .next()
                .map_or(10, |pair| pair[1] / pair[0].max(1)),
        };
        Shown::Words(format!(
            "{times} times the events take at most {} times as long; about {times} times is linear",
            growth.at_most
        ))
    };
    // The smaller sizes were answered; a larger one that was not may be too dear, or the machine
    // too busy. What it had worked by then decides.
    let silent = matches!(ended, Some(Outcome::Silent { .. })) && !pairs.is_empty();
    if !silent && let Some(verdict) = not_returned(ended, wanted) {
        return verdict;
    }
    if let Some(pair) = pairs.iter().find(|pair| pair.is_over(growth.at_most)) {
        return LineVerdict::failed(wanted(), Shown::Words(grew(pair)));
    }
    if silent {
        let words = "no answer in time, and too little work done to tell why";
        let words = Shown::Words(words.to_owned());
        return LineVerdict::not_passed(TestWord::Inconclusive, wanted(), words);
    }
    // One round too dear and another that is not: the machine was busy with something else.
    let settled = |pair: &&Pair| {
        pair.ratios()
            .last()
            .is_none_or(|ratio| *ratio <= growth.at_most)
            && pair.rounds.len() == 1
    };
    match pairs.iter().find(|pair| !settled(pair)) {
        Some(pair) => {
            let words = format!("{}, and in another try less", grew(pair));
            LineVerdict::not_passed(TestWord::Inconclusive, wanted(), Shown::Words(words))
        }
        None => LineVerdict::passed(),
    }
}

/// Says how much longer the larger call of a pair took, at the least.
fn grew(pair: &Pair) -> String {
    let least = pair.ratios().into_iter().fold(f64::MAX, f64::min);
    format!(
        "from {} to {} events it took {least:.0} times as long",
        pair.from, pair.to
    )
}

/// Judges whether a call needed less memory than the one it is set against.
pub fn memory(memory: &Memory, tries: &[(u64, u64)], ended: Option<&Outcome>) -> LineVerdict {
    let events = memory.call.events(1);
    let less = memory.at_least * events;
    let wanted = || {
        Shown::Words(format!(
            "{events} events that expire need at least {} less memory than {events} that stay",
            size(less)
        ))
    };
    if let Some(verdict) = not_returned(ended, wanted) {
        return verdict;
    }
    let Some((call, against)) = tries.last() else {
        return LineVerdict {
            notes: vec![Note {
                mark: Mark::Reliability,
                text: "the subject's side does not tell what memory a call needed, so nothing was \
                       compared"
                    .to_owned(),
            }],
            ..LineVerdict::passed()
        };
    };
    if against.saturating_sub(*call) >= less {
        return LineVerdict::passed();
    }
    let words = format!(
        "{} where they expire and {} where they stay: what expired is kept",
        size(*call),
        size(*against)
    );
    LineVerdict::failed(wanted(), Shown::Words(words))
}

/// Writes bytes as a person says them.
fn size(bytes: u64) -> String {
    let tenths = bytes * 10 / (1 << 20);
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// Judges a call that raised an error, was silent or died instead of being measured.
fn not_returned(ended: Option<&Outcome>, wanted: impl Fn() -> Shown) -> Option<LineVerdict> {
    let outcome = ended?;
    Some(match fault(outcome) {
        Some(word) => LineVerdict::not_passed(word, wanted(), Shown::outcome(outcome)),
        None => LineVerdict::failed(wanted(), Shown::outcome(outcome)),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::Map;

    use super::*;
    use crate::model::{Call, Input};

    fn call() -> Call {
        let input = Input {
            id: "dense".to_owned(),
            title: "dense".to_owned(),
            new: 1000,
            again: 0,
            over: 60,
            within: 1,
            scatter: 0,
            seed: 1,
        };
        Call {
            function: "solve".to_owned(),
            with: Map::new(),
            callbacks: Vec::new(),
            inputs: vec![("events".to_owned(), input)],
            process: 1,
        }
    }

    fn grown(rounds: &[(u64, u64)]) -> LineVerdict {
        let micros = Duration::from_micros;
        let pair = Pair {
            from: 1000,
            to: 10_000,
            rounds: rounds
                .iter()
                .map(|(a, b)| (micros(*a), micros(*b)))
                .collect(),
        };
        let asked = Growth {
            call: call(),
            times: vec![1, 10],
            at_most: 30.0,
        };
        growth(&asked, &[pair], None)
    }

    #[test]
    fn growth_is_red_only_when_every_round_says_so() {
        let red = grown(&[(1000, 98_000), (1000, 99_000), (900, 98_000)]);
        assert_eq!(red.word, TestWord::Failed);
        let saw = Shown::Words("from 1000 to 10000 events it took 98 times as long".to_owned());
        assert_eq!(red.observed, Some(saw));
        assert_eq!(grown(&[(1000, 10_000)]).word, TestWord::Passed);
    }

    fn words(shown: Option<Shown>) -> String {
        match shown {
            Some(Shown::Words(words)) => words,
            other => panic!("{other:?}"),
        }
    }

    fn raised() -> Outcome {
        Outcome::Raised {
            kind: "No".to_owned(),
            message: "no".to_owned(),
        }
    }

    #[test]
    fn growth_says_how_many_times_the_events_there_were() {
        let said = |times: &[u64], pairs: &[Pair]| {
            let asked = Growth {
                call: call(),
                times: times.to_vec(),
                at_most: 30.0,
            };
            let verdict = growth(&asked, pairs, Some(&raised()));
            assert_eq!(verdict.word, TestWord::Failed);
            words(verdict.expected)
        };
        let times = |times: u64| {
            format!(
                "{times} times the events take at most 30 times as long; about {times} times is \
                 linear"
            )
        };
        let pair = Pair {
            from: 30,
            to: 210,
            rounds: Vec::new(),
        };
        assert_eq!(said(&[1, 10], &[pair]), times(7));
        // Before anything was measured, what the test asks for.
        assert_eq!(said(&[20, 60, 600], &[]), times(3));
        assert_eq!(said(&[2], &[]), times(10));
    }

    #[test]
    fn a_round_is_within_the_limit_up_to_the_limit_itself() {
        assert_eq!(grown(&[(1000, 30_000)]).word, TestWord::Passed);
        // One round that is too dear, without another, settles nothing.
        assert_eq!(grown(&[(1000, 31_000)]).word, TestWord::Inconclusive);
        // Too small a cost to say anything is none.
        assert_eq!(grown(&[(1, 4000)]).word, TestWord::Passed);
    }

    #[test]
    fn a_call_that_ended_otherwise_is_judged_by_its_end() {
        let asked = Growth {
            call: call(),
            times: vec![1, 10],
            at_most: 30.0,
        };
        let pair = Pair {
            from: 1000,
            to: 10_000,
            rounds: vec![(Duration::from_millis(1), Duration::from_millis(10))],
        };
        let word = |ended: Outcome| growth(&asked, std::slice::from_ref(&pair), Some(&ended)).word;
        assert_eq!(word(Outcome::Killed), TestWord::Errored);
        assert_eq!(word(raised()), TestWord::Failed);
        let asked = Memory {
            call: call(),
            against: call(),
            at_least: 16,
        };
        // Whatever was seen before.
        let word = |ended: Outcome| memory(&asked, &[(0, 1 << 20)], Some(&ended)).word;
        assert_eq!(word(Outcome::Killed), TestWord::Errored);
        assert_eq!(word(raised()), TestWord::Failed);
    }

    #[test]
    fn memory_is_told_in_megabytes_and_enough_is_enough() {
        let asked = Memory {
            call: call(),
            against: call(),
            at_least: 4 << 10,
        };
        let less = 1000 * (4 << 10);
        let exact = memory(&asked, &[(7, 7 + less)], None);
        assert_eq!(exact.word, TestWord::Passed);
        let red = memory(&asked, &[(20 << 20, (23 << 20) + (1 << 19))], None);
        assert_eq!(
            (red.word, words(red.expected), words(red.observed)),
            (
                TestWord::Failed,
                "1000 events that expire need at least 3.9 MB less memory than 1000 that stay"
                    .to_owned(),
                "20.0 MB where they expire and 23.5 MB where they stay: what expired is kept"
                    .to_owned(),
            )
        );
    }

    #[test]
    fn rounds_that_disagree_settle_nothing() {
        let verdict = grown(&[(1000, 98_000), (1000, 12_000)]);
        assert_eq!(verdict.word, TestWord::Inconclusive);
    }

    #[test]
    fn a_call_that_does_not_answer_is_timed_out_not_dear() {
        let asked = Growth {
            call: call(),
            times: vec![1, 10],
            at_most: 30.0,
        };
        let waited = Duration::from_secs(10);
        let verdict = growth(&asked, &[], Some(&Outcome::Silent { waited }));
        assert_eq!(verdict.word, TestWord::TimedOut);
    }

    #[test]
    fn silence_at_a_larger_size_is_red_only_with_enough_work_done() {
        let asked = Growth {
            call: call(),
            times: vec![1, 10],
            at_most: 30.0,
        };
        let waited = Duration::from_secs(10);
        let judged = |rounds: Vec<(Duration, Duration)>| {
            let pair = Pair {
                from: 1000,
                to: 10_000,
                rounds,
            };
            growth(&asked, &[pair], Some(&Outcome::Silent { waited })).word
        };
        let dear = (Duration::from_millis(10), Duration::from_secs(9));
        assert_eq!(judged(vec![dear; 3]), TestWord::Failed);
        assert_eq!(judged(Vec::new()), TestWord::Inconclusive);
    }

    #[test]
    fn memory_is_red_when_what_expires_needs_as_much_as_what_stays() {
        let asked = Memory {
            call: call(),
            against: call(),
            at_least: 16,
        };
        let word = |tries: &[(u64, u64)]| memory(&asked, tries, None).word;
        assert_eq!(word(&[(20_000_000, 20_003_000); 3]), TestWord::Failed);
        assert_eq!(
            word(&[(20_000_000, 20_003_000), (20_000_000, 20_200_000)]),
            TestWord::Passed
        );
        assert_eq!(word(&[]), TestWord::Passed);
        assert_eq!(memory(&asked, &[], None).notes.len(), 1);
    }
}
