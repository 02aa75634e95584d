//! Expectations and observations in one form, to be set side by side.

use serde_json::{Map, Value, json};

use crate::model::{Case, Cell, Expected, Member, Part, TableRows};
use crate::run::Outcome;

/// What a line expects or saw, ready to be shown.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// A returned value.
    Returns(Value),
    /// An error: its kind, and its text if it was seen.
    Raises {
        /// The kind, such as `bad_argument` or `ValueError`.
        kind: String,
        /// The text, if there is one.
        message: Option<String>,
    },
    /// The outcomes of several calls.
    Outcomes(Vec<Self>),
    /// Any one of these.
    OneOf(Vec<Self>),
    /// Whole tables.
    Rows(Vec<TableRows>),
    /// The answer of a query.
    Answer(Vec<Vec<Cell>>),
    /// Anything else, in words.
    Words(String),
}

impl Shown {
    /// Puts it in the words of the test language, for JSON reports.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Returns(value) => json!({"returns": value}),
            Self::Raises {
                kind,
                message: None,
            } => json!({"raises": kind}),
            Self::Raises {
                kind,
                message: Some(message),
            } => json!({"raises": {"kind": kind, "message": message}}),
            Self::Outcomes(all) => json!({"outcomes": list(all)}),
            Self::OneOf(all) => json!({"one_of": list(all)}),
            Self::Rows(tables) => {
                let tables: Map<String, Value> = tables
                    .iter()
                    .map(|table| (table.table.clone(), cells(&table.rows)))
                    .collect();
                json!({"rows": tables})
            }
            Self::Answer(rows) => json!({"gives": cells(rows)}),
            Self::Words(words) => json!(words),
        }
    }

    pub(super) fn expected(expected: &Expected) -> Self {
        match expected {
            Expected::Returns(value) => Self::Returns(value.clone()),
            Expected::Truth(truth) => Self::Returns(Value::Bool(*truth)),
            Expected::Raises(raises) => Self::Raises {
                kind: raises.id().to_owned(),
                message: None,
            },
            Expected::Has(members) => Self::Words(format!(
                "an answer with {}",
                members.iter().map(member).collect::<Vec<_>>().join(" and ")
            )),
        }
    }

    pub(super) fn one_of(mut all: Vec<Self>) -> Self {
        match all.len() {
            0 => Self::Words("an answer, and no error".to_owned()),
            1 => all.remove(0),
            _ => Self::OneOf(all),
        }
    }

    pub(super) fn outcomes(mut all: Vec<Self>) -> Self {
        match all.len() {
            1 => all.remove(0),
            _ => Self::Outcomes(all),
        }
    }

    pub(super) fn case(case: &Case) -> Self {
        Self::outcomes(case.outcomes.iter().map(Self::expected).collect())
    }

    pub(super) fn outcome(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Returned(value) => Self::Returns(value.clone()),
            Outcome::Raised { kind, message } => Self::Raises {
                kind: kind.clone(),
                message: Some(message.clone()),
            },
            Outcome::NotLoaded { why } => Self::Words(format!("the subject does not load: {why}")),
            Outcome::Silent { waited } => {
                Self::Words(format!("no answer within {:.1} s", waited.as_secs_f64()))
            }
            Outcome::Died { how, stderr } if stderr.trim().is_empty() => {
                Self::Words(format!("the subject's process died: {how}"))
            }
            Outcome::Died { how, stderr } => Self::Words(format!(
                "the subject's process died: {how}; it wrote: {}",
                stderr.trim()
            )),
            Outcome::Garbled { sent, why } => {
                Self::Words(format!("not the protocol ({why}); it sent: {sent}"))
            }
            Outcome::Killed => Self::Words("killed by the lab".to_owned()),
        }
    }
}

fn member(member: &Member) -> String {
    match &member.value {
        Part::Is(value) => format!("{} {value}", member.name),
        Part::Stored(stored) => format!("{} as it is in {}", member.name, stored.table),
    }
}

fn list(all: &[Shown]) -> Vec<Value> {
    all.iter().map(Shown::to_json).collect()
}

fn cells(rows: &[Vec<Cell>]) -> Value {
    rows.iter()
        .map(|row| row.iter().map(cell).collect::<Value>())
        .collect()
}

fn cell(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => json!(number),
        Cell::Real(number) => json!(number),
        Cell::Text(text) => json!(text),
        Cell::Json(value) => json!({"json": value}),
        Cell::Blob(bytes) => json!({"bytes": bytes.len()}),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn words(text: &str) -> Shown {
        Shown::Words(text.to_owned())
    }

    #[test]
    fn one_of_one_is_that_one_and_one_of_none_is_any_answer() {
        let (a, b) = (words("a"), words("b"));
        assert_eq!(Shown::one_of(Vec::new()), words("an answer, and no error"));
        assert_eq!(Shown::one_of(vec![a.clone()]), a);
        let both = vec![a.clone(), b.clone()];
        assert_eq!(Shown::one_of(both.clone()), Shown::OneOf(both.clone()));
        assert_eq!(Shown::outcomes(vec![a.clone()]), a);
        assert_eq!(Shown::outcomes(both.clone()), Shown::Outcomes(both));
    }

    #[test]
    fn what_an_answer_must_have_is_told_member_by_member() {
        let member = |name: &str, value| Member {
            name: name.to_owned(),
            value,
        };
        let stored = crate::model::Stored {
            table: "keys".to_owned(),
            column: "response".to_owned(),
            place: 1,
            row: Cell::Null,
        };
        let members = vec![
            member("id", Part::Is(json!(5))),
            member("answer", Part::Stored(stored)),
        ];
        assert_eq!(
            Shown::expected(&Expected::Has(members)),
            words("an answer with id 5 and answer as it is in keys")
        );
    }

    #[test]
    fn an_outcome_that_is_no_answer_is_told_in_words() {
        let died = |stderr: &str| Outcome::Died {
            how: "it left".to_owned(),
            stderr: stderr.to_owned(),
        };
        for (outcome, text) in [
            (died(" \n"), "the subject's process died: it left"),
            (
                died("oh\n"),
                "the subject's process died: it left; it wrote: oh",
            ),
            (
                Outcome::Silent {
                    waited: Duration::from_millis(1500),
                },
                "no answer within 1.5 s",
            ),
            (
                Outcome::Garbled {
                    sent: "x".to_owned(),
                    why: "y".to_owned(),
                },
                "not the protocol (y); it sent: x",
            ),
            (
                Outcome::NotLoaded {
                    why: "z".to_owned(),
                },
                "the subject does not load: z",
            ),
            (Outcome::Killed, "killed by the lab"),
        ] {
            assert_eq!(Shown::outcome(&outcome), words(text));
        }
    }

    #[test]
    fn reports_say_it_in_the_words_of_the_test_language() {
        let row = vec![
            Cell::Null,
            Cell::Integer(1),
            Cell::Real(0.5),
            Cell::Text("a".to_owned()),
            Cell::Json(json!([1])),
            Cell::Blob(vec![7, 8]),
        ];
        let cells = json!([[null, 1, 0.5, "a", {"json": [1]}, {"bytes": 2}]]);
        let raises = |message: Option<&str>| Shown::Raises {
            kind: "K".to_owned(),
            message: message.map(str::to_owned),
        };
        let yes = Shown::Returns(json!(true));
        let table = TableRows {
            table: "t".to_owned(),
            rows: vec![row.clone()],
        };
        for (shown, value) in [
            (yes.clone(), json!({"returns": true})),
            (raises(None), json!({"raises": "K"})),
            (
                raises(Some("m")),
                json!({"raises": {"kind": "K", "message": "m"}}),
            ),
            (
                Shown::Outcomes(vec![yes.clone(), words("w")]),
                json!({"outcomes": [{"returns": true}, "w"]}),
            ),
            (
                Shown::OneOf(vec![yes, words("w")]),
                json!({"one_of": [{"returns": true}, "w"]}),
            ),
            (Shown::Rows(vec![table]), json!({"rows": {"t": cells}})),
            (Shown::Answer(vec![row]), json!({"gives": cells})),
        ] {
            assert_eq!(shown.to_json(), value);
        }
    }
}
