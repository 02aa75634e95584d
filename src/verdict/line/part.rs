//! The verdict of an answer of which only a part is laid down.

use serde_json::Value;

use super::{Fit, LineVerdict, Shown, TestWord, fault, fit};
use crate::model::{Cell, Each, Forced, Member, Part, Stored, same_json};
use crate::run::{Dump, LineSeen, Outcome};

/// Those who were to wait at the lock at the same moment must have done so.
pub(super) fn at_once(verdict: LineVerdict, forced: &Forced, seen: &LineSeen) -> LineVerdict {
    let too_few = seen.waiting.filter(|waiting| *waiting < forced.at_once);
    match too_few {
        Some(waiting) if verdict.word == TestWord::Passed => LineVerdict::failed(
            Shown::Words(format!(
                "at least {} wait for the lock at once",
                forced.at_once
            )),
            Shown::Words(format!("never more than {waiting} at once")),
        ),
        _ => verdict,
    }
}

/// Tells whether an answer has these members, given the tables when the call was over.
pub(super) fn has(members: &[Member], got: &Value, after: &Dump) -> bool {
    members.iter().all(|member| {
        let Some(got) = got.get(&member.name) else {
            return false;
        };
        match &member.value {
            Part::Is(want) => same_json(want, got),
            Part::Stored(stored) => {
                stored_value(stored, after).is_some_and(|want| same_json(&want, got))
            }
        }
    })
}

/// Reads the JSON that stands in a table.
fn stored_value(stored: &Stored, after: &Dump) -> Option<Value> {
    let table = after.iter().find(|table| table.table == stored.table)?;
    let row = table.rows.iter().find(|row| {
        let first = row.first();
        first.is_some_and(|first| stored.row.accepts(first))
    })?;
    match row.get(stored.place)? {
        Cell::Text(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

/// Judges calls with each file of a folder: the first that is wrong is told.
pub(super) fn each(each: &Each, outcomes: &[Outcome], after: &Dump) -> LineVerdict {
    for (place, (file, _, expected)) in each.calls.iter().enumerate() {
        let wanted = || Shown::Words(format!("{file}: {}", words(expected)));
        let Some(outcome) = outcomes.get(place) else {
            let seen = Shown::Words(format!("{file}: the call was not made"));
            return LineVerdict::failed(wanted(), seen);
        };
        let seen = || Shown::Words(format!("{file}: {}", told(outcome)));
        if let Some(word) = fault(outcome) {
            return LineVerdict::not_passed(word, wanted(), seen());
        }
        if fit(expected, outcome, after) == Fit::No {
            return LineVerdict::failed(wanted(), seen());
        }
    }
    LineVerdict::passed()
}

fn words(expected: &crate::model::Expected) -> String {
    plain(&Shown::expected(expected))
}

fn told(outcome: &Outcome) -> String {
    plain(&Shown::outcome(outcome))
}

fn plain(shown: &Shown) -> String {
    match shown {
        Shown::Words(words) => words.clone(),
        Shown::Returns(value) => value.to_string(),
        Shown::Raises {
            kind,
            message: Some(message),
        } => format!("{kind}: {message}"),
        other => other.to_json().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Map, json};

    use super::*;
    use crate::model::{Action, Call, Callbacks, Expected, Joint, Line, TableRows};
    use crate::run::Seen;
    use crate::verdict::judge;

    fn call() -> Call {
        Call {
            function: "f".to_owned(),
            with: Map::new(),
            inputs: Vec::new(),
            process: 1,
            callbacks: Vec::new(),
        }
    }

    fn verdict(
        action: Action,
        outcomes: Vec<Outcome>,
        after: Dump,
        waiting: Option<usize>,
    ) -> LineVerdict {
        let line = Line {
            number: 1,
            action,
            callbacks: Callbacks::default(),
        };
        let seen = LineSeen {
            line: 1,
            seen: Seen::Outcomes {
                outcomes,
                left_locked: false,
                unforced: None,
            },
            before: Vec::new(),
            after,
            held: Duration::ZERO,
            asked: Vec::new(),
            waiting,
            waited: false,
        };
        judge(&line, &seen)
    }

    fn told_words(shown: Option<Shown>) -> String {
        match shown {
            Some(Shown::Words(words)) => words,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn those_who_must_wait_at_once_are_counted() {
        let waited = |value: i64, waiting| {
            let forced = Forced {
                calls: vec![call(), call()],
                held: true,
                meanwhile: Vec::new(),
                patient: false,
                at_once: 2,
                expect: Joint::Unordered(vec![Expected::Returns(json!(1)); 2]),
            };
            let outcomes = vec![Outcome::Returned(json!(value)); 2];
            verdict(Action::Forced(forced), outcomes, Vec::new(), waiting)
        };
        for enough in [None, Some(2), Some(3)] {
            assert_eq!(waited(1, enough).word, TestWord::Passed, "{enough:?}");
        }
        let red = waited(1, Some(1));
        assert_eq!(red.word, TestWord::Failed);
        assert_eq!(
            told_words(red.expected),
            "at least 2 wait for the lock at once"
        );
        assert_eq!(told_words(red.observed), "never more than 1 at once");
        // A wrong answer is told before it.
        let wrong = waited(5, Some(1));
        assert_eq!(wrong.word, TestWord::Failed);
        assert!(!matches!(wrong.observed, Some(Shown::Words(_))));
    }

    fn tables() -> Dump {
        let text = |text: &str| Cell::Text(text.to_owned());
        vec![
            TableRows {
                table: "others".to_owned(),
                rows: vec![vec![text("k"), text("9")]],
            },
            TableRows {
                table: "keys".to_owned(),
                rows: vec![
                    vec![text("j"), text("8")],
                    vec![text("k"), text(r#"{"a": 1}"#)],
                    vec![text("n"), Cell::Null],
                    vec![text("odd"), text("{")],
                ],
            },
        ]
    }

    fn stored(row: &str, place: usize) -> Part {
        Part::Stored(Stored {
            table: "keys".to_owned(),
            column: "response".to_owned(),
            place,
            row: Cell::Text(row.to_owned()),
        })
    }

    #[test]
    fn an_answer_needs_the_members_that_are_laid_down_and_may_have_more() {
        let word = |members: Vec<(&str, Part)>, got: Value| {
            let members = members.into_iter().map(|(name, value)| Member {
                name: name.to_owned(),
                value,
            });
            let action = Action::Call {
                call: call(),
                expect: vec![Expected::Has(members.collect())],
            };
            verdict(action, vec![Outcome::Returned(got)], tables(), None).word
        };
        let is = |value: Value| Part::Is(value);
        let passed = TestWord::Passed;
        let failed = TestWord::Failed;
        assert_eq!(
            word(vec![("a", is(json!(1)))], json!({"a": 1.0, "b": 2})),
            passed
        );
        assert_eq!(word(vec![("a", is(json!(1)))], json!({"a": 2})), failed);
        assert_eq!(word(vec![("a", is(json!(1)))], json!({"b": 1})), failed);
        assert_eq!(word(vec![("a", is(json!(1)))], json!(1)), failed);
        let both = || vec![("a", is(json!(1))), ("b", is(json!(2)))];
        assert_eq!(word(both(), json!({"a": 1, "b": 3})), failed);
        assert_eq!(word(both(), json!({"a": 1, "b": 2})), passed);
        // What is stored is found by the table, the row and the column.
        let answer = |value: Value| json!({"r": value});
        assert_eq!(
            word(vec![("r", stored("k", 1))], answer(json!({"a": 1}))),
            passed
        );
        assert_eq!(word(vec![("r", stored("k", 1))], answer(json!(9))), failed);
        assert_eq!(word(vec![("r", stored("j", 1))], answer(json!(8))), passed);
        for (row, place) in [("none", 1), ("n", 1), ("odd", 1), ("k", 2)] {
            let word = word(vec![("r", stored(row, place))], answer(Value::Null));
            assert_eq!(word, failed, "{row} {place}");
        }
    }

    #[test]
    fn the_first_file_that_is_judged_wrongly_is_told() {
        let judged = |outcomes: Vec<Outcome>| {
            let of = |file: &str, expected| (file.to_owned(), call(), expected);
            let each = Each {
                folder: "files".to_owned(),
                argument: "text".to_owned(),
                calls: vec![
                    of("a.json", Expected::Returns(json!(1))),
                    of("b.json", Expected::Raises(crate::model::Raises::Any)),
                    of("c.json", Expected::Returns(json!({"n": [3]}))),
                ],
            };
            let verdict = verdict(Action::Each(each), outcomes, Vec::new(), None);
            let words = |shown: Option<Shown>| shown.map(|shown| told_words(Some(shown)));
            (
                verdict.word,
                words(verdict.expected),
                words(verdict.observed),
            )
        };
        let one = || Outcome::Returned(json!(1));
        let no = || Outcome::Raised {
            kind: "No".to_owned(),
            message: "not that".to_owned(),
        };
        let three = || Outcome::Returned(json!({"n": [3]}));
        let red = |word, want: &str, saw: &str| (word, Some(want.to_owned()), Some(saw.to_owned()));
        let right = judged(vec![one(), no(), three()]);
        assert_eq!(right, (TestWord::Passed, None, None));
        let wrong = judged(vec![no(), one(), three()]);
        let saw = "a.json: No: not that";
        assert_eq!(wrong, red(TestWord::Failed, "a.json: 1", saw));
        let (word, _, saw) = judged(vec![one(), no(), one()]);
        assert_eq!(
            (word, saw.as_deref()),
            (TestWord::Failed, Some("c.json: 1"))
        );
        let missing = judged(vec![one(), no()]);
        let want = r#"c.json: {"n":[3]}"#;
        let saw = "c.json: the call was not made";
        assert_eq!(missing, red(TestWord::Failed, want, saw));
        let (word, _, saw) = judged(vec![one(), no(), Outcome::Killed]);
        assert_eq!(word, TestWord::Errored);
        assert!(saw.is_some_and(|saw| saw.starts_with("c.json: ")));
    }
}
