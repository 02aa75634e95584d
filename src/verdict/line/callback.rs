//! The verdict of a line about what the subject asked of the lab.

use serde_json::{Map, Value};

use crate::model::{Callbacks, Gate, Line, same_json};
use crate::run::{Asked, LineSeen, Outcome};
use crate::verdict::{LineVerdict, Shown, TestWord};

/// Holds a line that has passed so far to what it says of callbacks.
pub(super) fn with_callbacks(line: &Line, seen: &LineSeen, verdict: LineVerdict) -> LineVerdict {
    if verdict.word != TestWord::Passed {
        return verdict;
    }
    let callbacks = &line.callbacks;
    let wrong = wrong_arguments(callbacks, &seen.asked).or_else(|| wrong_count(callbacks, seen));
    match wrong {
        Some((expected, observed)) => {
            LineVerdict::failed(Shown::Words(expected), Shown::Words(observed))
        }
        None => verdict,
    }
}

/// Judges a gate by its cases, and by whether the others had to wait.
pub(super) fn at_once(gate: &Gate, waited: bool, verdict: LineVerdict) -> LineVerdict {
    if verdict.word == TestWord::Passed && gate.at_once && waited {
        return LineVerdict::failed(
            Shown::Words(format!(
                "an answer while the first call is in {}",
                gate.held
            )),
            Shown::Words("it answered only when the first call was let go on".to_owned()),
        );
    }
    verdict
}

/// Judges a call that was to be killed in a callback: over without one, nothing can be said.
pub(super) fn kill(name: &str, outcomes: &[Outcome], unforced: Option<&str>) -> LineVerdict {
    if let ([Outcome::Killed], None) = (outcomes, unforced) {
        return LineVerdict::passed();
    }
    let word = outcomes.iter().find_map(super::fault);
    let observed = Shown::outcomes(outcomes.iter().map(Shown::outcome).collect());
    LineVerdict::not_passed(
        word.unwrap_or(TestWord::Inconclusive),
        Shown::Words(format!("the call can be killed in the middle of {name}")),
        observed,
    )
}

fn wrong_arguments(callbacks: &Callbacks, asked: &[Asked]) -> Option<(String, String)> {
    asked.iter().find_map(|asked| {
        let want = callbacks.answer(&asked.name)?.with.as_ref()?;
        let same = same_json(
            &Value::Object(want.clone()),
            &Value::Object(asked.with.clone()),
        );
        (!same).then(|| {
            (
                with_words(&asked.name, want),
                with_words(&asked.name, &asked.with),
            )
        })
    })
}

fn with_words(name: &str, with: &Map<String, Value>) -> String {
    let parts: Vec<String> = with
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("{name}({}) is called", parts.join(", "))
}

fn wrong_count(callbacks: &Callbacks, seen: &LineSeen) -> Option<(String, String)> {
    let times = |name: &str| seen.asked.iter().filter(|asked| asked.name == name).count() as u64;
    let counted = callbacks
        .called
        .iter()
        .find(|(name, want)| times(name) != *want);
    if let Some((name, want)) = counted {
        return Some((count_words(name, *want), count_words(name, times(name))));
    }
    let stray = seen.asked.iter().find(|asked| {
        let is_counted = callbacks.called.iter().any(|(name, _)| *name == asked.name);
        !is_counted && callbacks.answer(&asked.name).is_none()
    })?;
    let name = &stray.name;
    Some((count_words(name, 0), count_words(name, times(name))))
}

/// Says how often a callback is called.
#[must_use]
pub fn count_words(name: &str, times: u64) -> String {
    match times {
        0 => format!("{name} is not called"),
        1 => format!("{name} is called once"),
        2 => format!("{name} is called twice"),
        more => format!("{name} is called {more} times"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::model::{Action, Call, Callback, CallbackAnswer, Case, Expected};
    use crate::run::Seen;
    use crate::verdict::judge;

    fn callbacks(called: Option<u64>) -> Callbacks {
        let with = json!({"amount": 500}).as_object().cloned();
        Callbacks {
            answers: vec![Callback {
                name: "charge".to_owned(),
                with,
                answer: CallbackAnswer::Gives(Value::Null),
            }],
            called: called
                .map(|times| ("charge".to_owned(), times))
                .into_iter()
                .collect(),
        }
    }

    fn asked(name: &str, amount: u64) -> Asked {
        Asked {
            name: name.to_owned(),
            with: Map::from_iter([("amount".to_owned(), json!(amount))]),
        }
    }

    fn verdict(callbacks: Callbacks, asked: Vec<Asked>) -> LineVerdict {
        let call = Call {
            function: "f".to_owned(),
            with: Map::new(),
            inputs: Vec::new(),
            process: 1,
            callbacks: Vec::new(),
        };
        let line = Line {
            number: 1,
            action: Action::Call {
                call,
                expect: Vec::new(),
            },
            callbacks,
        };
        judge(
            &line,
            &seen(vec![Outcome::Returned(Value::Null)], asked, false),
        )
    }

    fn seen(outcomes: Vec<Outcome>, asked: Vec<Asked>, waited: bool) -> LineSeen {
        LineSeen {
            line: 1,
            seen: Seen::Outcomes {
                outcomes,
                left_locked: false,
                unforced: None,
            },
            before: Vec::new(),
            after: Vec::new(),
            held: Duration::ZERO,
            asked,
            waiting: None,
            waited,
        }
    }

    fn words(verdict: &LineVerdict) -> (String, String) {
        match (&verdict.expected, &verdict.observed) {
            (Some(Shown::Words(want)), Some(Shown::Words(got))) => (want.clone(), got.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_callback_is_counted() {
        let twice = || vec![asked("charge", 500), asked("charge", 500)];
        assert_eq!(verdict(callbacks(Some(2)), twice()).word, TestWord::Passed);
        assert_eq!(verdict(callbacks(None), twice()).word, TestWord::Passed);
        let failed = verdict(callbacks(Some(1)), twice());
        assert_eq!(failed.word, TestWord::Failed);
        let (want, got) = words(&failed);
        assert_eq!(want, "charge is called once");
        assert_eq!(got, "charge is called twice");
    }

    #[test]
    fn a_callback_without_an_answer_must_not_be_called() {
        let none = verdict(Callbacks::default(), Vec::new());
        assert_eq!(none.word, TestWord::Passed);
        let (want, got) = words(&verdict(Callbacks::default(), vec![asked("charge", 1)]));
        assert_eq!(want, "charge is not called");
        assert_eq!(got, "charge is called once");
    }

    #[test]
    fn a_callback_that_is_only_counted_may_be_called_and_no_other() {
        let counted = || Callbacks {
            answers: Vec::new(),
            ..callbacks(Some(1))
        };
        let once = verdict(counted(), vec![asked("charge", 1)]);
        assert_eq!(once.word, TestWord::Passed);
        let also = verdict(counted(), vec![asked("charge", 1), asked("refund", 1)]);
        assert_eq!(also.word, TestWord::Failed);
        assert_eq!(words(&also).1, "refund is called once");
    }

    #[test]
    fn the_arguments_of_a_callback_are_looked_at_if_the_test_says_which() {
        let (want, got) = words(&verdict(callbacks(None), vec![asked("charge", 5)]));
        assert_eq!(want, "charge(amount=500) is called");
        assert_eq!(got, "charge(amount=5) is called");
    }

    #[test]
    fn a_gate_may_ask_for_an_answer_while_it_is_shut() {
        let one = || Expected::Returns(json!(1));
        let line = |at_once| Line {
            number: 1,
            action: Action::Gate(Gate {
                calls: Vec::new(),
                held: "charge".to_owned(),
                at_once,
                expect: vec![Case {
                    outcomes: vec![one(), one()],
                    rows: Vec::new(),
                }],
            }),
            callbacks: callbacks(None),
        };
        let both = |waited| {
            let ones = vec![Outcome::Returned(json!(1)); 2];
            seen(ones, vec![asked("charge", 500)], waited)
        };
        assert_eq!(judge(&line(false), &both(true)).word, TestWord::Passed);
        assert_eq!(judge(&line(true), &both(false)).word, TestWord::Passed);
        assert_eq!(judge(&line(true), &both(true)).word, TestWord::Failed);
    }

    #[test]
    fn a_call_that_is_over_before_its_callback_cannot_be_killed_in_it() {
        assert_eq!(kill("p", &[Outcome::Killed], None).word, TestWord::Passed);
        let over = [Outcome::Returned(Value::Null)];
        assert_eq!(kill("p", &over, Some("over")).word, TestWord::Inconclusive);
        let silent = [Outcome::Silent {
            waited: Duration::ZERO,
        }];
        assert_eq!(kill("p", &silent, Some("over")).word, TestWord::TimedOut);
    }
}
