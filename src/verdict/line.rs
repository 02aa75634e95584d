//! The verdict of one script line.

mod callback;
mod cost;
mod part;

use serde_json::Value;

use super::{LineVerdict, Note, Shown, TestWord};
use crate::model::{Action, Case, Cell, Expected, Joint, Line, Mark, Raises, TableRows, same_json};
use crate::run::{Dump, LineSeen, Outcome, Seen};

pub use callback::count_words;

/// Judges what a line saw.
#[must_use]
pub fn judge(line: &Line, seen: &LineSeen) -> LineVerdict {
    callback::with_callbacks(line, seen, answers(line, seen))
}

/// Judges the answers of a line, whatever was asked of the lab meanwhile.
fn answers(line: &Line, seen: &LineSeen) -> LineVerdict {
    match (&line.action, &seen.seen) {
        (
            Action::Call { expect, .. },
            Seen::Outcomes {
                outcomes,
                left_locked,
                ..
            },
        ) => with_lock(call(expect, &outcomes[0], &seen.after), *left_locked),
        (
            Action::Each(each),
            Seen::Outcomes {
                outcomes,
                left_locked,
                ..
            },
        ) => with_lock(part::each(each, outcomes, &seen.after), *left_locked),
        (Action::Rows(want), Seen::Rows(got)) => rows(want, got),
        (Action::Query { gives, .. }, Seen::Answer(got)) => answer(gives, got),
        (Action::Sql(_), Seen::Ran) | (Action::Refused(_), Seen::Refused(_)) => {
            LineVerdict::passed()
        }
        (Action::Refused(_), Seen::Ran) => LineVerdict::failed(
            Shown::Words("the table refuses it".to_owned()),
            Shown::Words("it was accepted".to_owned()),
        ),
        (
            Action::Forced(forced),
            Seen::Outcomes {
                outcomes,
                left_locked,
                unforced,
            },
        ) => {
            let verdict = joint(&forced.expect, outcomes, seen, unforced.as_deref());
            let verdict = part::at_once(verdict, forced, seen);
            with_lock(verdict, *left_locked)
        }
        (
            Action::Gate(gate),
            Seen::Outcomes {
                outcomes,
                left_locked,
                unforced,
            },
        ) => {
            let expect = Joint::OneOf(gate.expect.clone());
            let verdict = joint(&expect, outcomes, seen, unforced.as_deref());
            with_lock(callback::at_once(gate, seen.waited, verdict), *left_locked)
        }
        (
            Action::KillDuring { callback: name, .. },
            Seen::Outcomes {
                outcomes, unforced, ..
            },
        ) => callback::kill(name, outcomes, unforced.as_deref()),
        (
            Action::Kill(_),
            Seen::Outcomes {
                outcomes,
                left_locked,
                unforced,
            },
        ) => with_lock(kill(outcomes, unforced.as_deref()), *left_locked),
        (Action::Growth(growth), Seen::Grown { pairs, ended }) => {
            cost::growth(growth, pairs, ended.as_ref())
        }
        (Action::Memory(memory), Seen::Needed { tries, ended }) => {
            cost::memory(memory, tries, ended.as_ref())
        }
        (_, Seen::Refused(words)) => LineVerdict::failed(
            Shown::Words("the lab's own statement runs".to_owned()),
            Shown::Words(format!("SQLite says: {words}")),
        ),
        _ => LineVerdict::not_passed(
            TestWord::Errored,
            Shown::Words("an observation of this line".to_owned()),
            Shown::Words("an observation of another line".to_owned()),
        ),
    }
}

/// A call must not leave the database locked, whatever it answered.
fn with_lock(verdict: LineVerdict, left_locked: bool) -> LineVerdict {
    if left_locked && verdict.word == TestWord::Passed {
        return LineVerdict::failed(
            Shown::Words("no lock is left behind".to_owned()),
            Shown::Words("the call answered and still holds the write lock".to_owned()),
        );
    }
    verdict
}

fn call(expect: &[Expected], outcome: &Outcome, after: &Dump) -> LineVerdict {
    let wanted = || Shown::one_of(expect.iter().map(Shown::expected).collect());
    if let Some(word) = fault(outcome) {
        return LineVerdict::not_passed(word, wanted(), Shown::outcome(outcome));
    }
    if expect.is_empty() {
        return match outcome {
            Outcome::Returned(_) => LineVerdict::passed(),
            _ => LineVerdict::failed(wanted(), Shown::outcome(outcome)),
        };
    }
    match best(expect.iter().map(|expected| fit(expected, outcome, after))) {
        Fit::Exact => LineVerdict::passed(),
        Fit::Loose(note) => LineVerdict {
            notes: vec![note],
            ..LineVerdict::passed()
        },
        Fit::No => LineVerdict::failed(wanted(), Shown::outcome(outcome)),
    }
}

/// Names the verdict of an outcome that is no answer at all.
fn fault(outcome: &Outcome) -> Option<TestWord> {
    match outcome {
        Outcome::Returned(_) | Outcome::Raised { .. } => None,
        Outcome::Silent { .. } => Some(TestWord::TimedOut),
        Outcome::NotLoaded { .. }
        | Outcome::Died { .. }
        | Outcome::Garbled { .. }
        | Outcome::Killed => Some(TestWord::Errored),
    }
}

/// How well an outcome fits an expectation.
#[derive(Debug, Clone, PartialEq)]
enum Fit {
    Exact,
    /// Right in value, with a remark.
    Loose(Note),
    No,
}

fn best(fits: impl Iterator<Item = Fit>) -> Fit {
    let mut best = Fit::No;
    for fit in fits {
        match fit {
            Fit::Exact => return Fit::Exact,
            Fit::Loose(_) => best = fit,
            Fit::No => {}
        }
    }
    best
}

fn fit(expected: &Expected, outcome: &Outcome, after: &Dump) -> Fit {
    match (expected, outcome) {
        (Expected::Returns(want), Outcome::Returned(got)) if same_json(want, got) => Fit::Exact,
        (Expected::Truth(want), Outcome::Returned(got)) => fit_truth(*want, got),
        (Expected::Raises(raises), Outcome::Raised { kind, .. }) if is_kind(*raises, kind) => {
            fit_refusal(kind)
        }
        (Expected::Has(members), Outcome::Returned(got)) if part::has(members, got, after) => {
            Fit::Exact
        }
        _ => Fit::No,
    }
}

/// Fits a yes or no; a number that means the same in an `if` is right, and told.
fn fit_truth(want: bool, got: &Value) -> Fit {
    match got {
        Value::Bool(got) if *got == want => Fit::Exact,
        Value::Number(number) if number.as_f64() == Some(f64::from(u8::from(want))) => {
            Fit::Loose(Note {
                mark: Mark::Strictness,
                text: format!(
                    "it answered {got} where the contract says {want}: the same in an `if`, another type"
                ),
            })
        }
        _ => Fit::No,
    }
}

/// Fits a refusal; one by a statement that can be switched off is right, and told.
fn fit_refusal(kind: &str) -> Fit {
    if kind == "AssertionError" {
        return Fit::Loose(Note {
            mark: Mark::Strictness,
            text: "it refuses with an `assert`, which `python -O` leaves out: raise an error"
                .to_owned(),
        });
    }
    Fit::Exact
}

/// The kind under which a subject tells of an answer that JSON cannot say: no error at all.
const NOT_JSON: &str = "NotJson";

/// Errors that mean broken code, not a refusal.
const BROKEN: [&str; 16] = [
    "panic",
    "Locked",
    "Sqlite",
    "Json",
    "RecursionError",
    "MemoryError",
    "SystemError",
    "Warning",
    "OperationalError",
    "IntegrityError",
    "ProgrammingError",
    "DatabaseError",
    "InterfaceError",
    "InternalError",
    "DataError",
    "NotSupportedError",
];

/// What a driver calls a function that is not there.
pub const NO_FUNCTION: &str = "NoFunction";

/// Errors that mean a slip of the pen: code that cannot have been meant, rather than a wrong
/// thought.
const SLIPS: [&str; 10] = [
    "BadCall",
    "NoFunction",
    "NameError",
    "UnboundLocalError",
    "AttributeError",
    "SyntaxError",
    "IndentationError",
    "ImportError",
    "ModuleNotFoundError",
    "NotImplementedError",
];

/// Tells whether an error's own name means a slip of the pen.
#[must_use]
pub fn is_slip(name: &str) -> bool {
    SLIPS.contains(&last_part(name))
}

fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':']).next().unwrap_or(name)
}

/// Tells whether an error's own name is of the kind that a contract asks for.
fn is_kind(raises: Raises, name: &str) -> bool {
    let last = last_part(name);
    match raises {
        // No refusal of the function's own: it gave an answer, or is not there.
        _ if matches!(name, NOT_JSON | NO_FUNCTION) => false,
        Raises::Any => true,
        Raises::BadArgument => {
            !name.starts_with("sqlite3.") && !BROKEN.contains(&last) && !SLIPS.contains(&last)
        }
        Raises::Conflict => matches!(last, "Conflict" | "ConflictError"),
        Raises::Callback => last == "CallbackError",
        Raises::InProgress => matches!(last, "InProgress" | "InProgressError"),
    }
}

fn rows(want: &[TableRows], got: &Dump) -> LineVerdict {
    let same = want.len() == got.len()
        && want
            .iter()
            .zip(got)
            .all(|(want, got)| same_rows(&want.rows, &got.rows));
    if same {
        LineVerdict::passed()
    } else {
        LineVerdict::failed(Shown::Rows(want.to_vec()), Shown::Rows(got.clone()))
    }
}

fn answer(want: &[Vec<Cell>], got: &[Vec<Cell>]) -> LineVerdict {
    if same_rows(want, got) {
        LineVerdict::passed()
    } else {
        LineVerdict::failed(Shown::Answer(want.to_vec()), Shown::Answer(got.to_vec()))
    }
}

fn same_rows(want: &[Vec<Cell>], got: &[Vec<Cell>]) -> bool {
    want.len() == got.len()
        && want.iter().zip(got).all(|(want, got)| {
            want.len() == got.len() && want.iter().zip(got).all(|(want, got)| want.accepts(got))
        })
}

/// Judges calls whose order was forced.
fn joint(
    expect: &Joint,
    outcomes: &[Outcome],
    seen: &LineSeen,
    unforced: Option<&str>,
) -> LineVerdict {
    let observed = || Shown::outcomes(outcomes.iter().map(Shown::outcome).collect());
    if let Some(word) = outcomes.iter().find_map(fault) {
        return LineVerdict::not_passed(word, wanted(expect), observed());
    }
    if let Some(why) = unforced {
        return LineVerdict::not_passed(
            TestWord::Inconclusive,
            wanted(expect),
            Shown::Words(why.to_owned()),
        );
    }
    match expect {
        Joint::Unordered(expect) if fits_in_some_order(expect, outcomes, &seen.after) => {
            LineVerdict::passed()
        }
        Joint::Unordered(_) => LineVerdict::failed(wanted(expect), observed()),
        Joint::OneOf(cases) => one_case(cases, outcomes, &seen.after, observed),
    }
}

fn wanted(expect: &Joint) -> Shown {
    match expect {
        Joint::Unordered(expect) => Shown::outcomes(expect.iter().map(Shown::expected).collect()),
        Joint::OneOf(cases) => Shown::one_of(cases.iter().map(Shown::case).collect()),
    }
}

/// Judges by the case whose outcomes were seen; its rows must be there as well.
fn one_case(
    cases: &[Case],
    outcomes: &[Outcome],
    after: &Dump,
    observed: impl Fn() -> Shown,
) -> LineVerdict {
    let fits = |case: &&Case| {
        case.outcomes.len() == outcomes.len()
            && case
                .outcomes
                .iter()
                .zip(outcomes)
                .all(|(expected, outcome)| fit(expected, outcome, after) != Fit::No)
    };
    let mut missed = None;
    for case in cases.iter().filter(fits) {
        let wrong = case.rows.iter().find(|want| {
            let got = after.iter().find(|got| got.table == want.table);
            !got.is_some_and(|got| same_rows(&want.rows, &got.rows))
        });
        match wrong {
            None => return LineVerdict::passed(),
            Some(_) => missed = Some(case),
        }
    }
    match missed {
        Some(case) => {
            LineVerdict::failed(Shown::Rows(case.rows.clone()), Shown::Rows(after.clone()))
        }
        None => LineVerdict::failed(
            Shown::one_of(cases.iter().map(Shown::case).collect()),
            observed(),
        ),
    }
}

/// Tells whether each outcome can be given an expectation of its own.
fn fits_in_some_order(expect: &[Expected], outcomes: &[Outcome], after: &Dump) -> bool {
    let Some((first, rest)) = outcomes.split_first() else {
        return expect.is_empty();
    };
    (0..expect.len()).any(|chosen| {
        // Of expectations that are the same, one try tells as much as all.
        !expect[..chosen].contains(&expect[chosen])
            && fit(&expect[chosen], first, after) != Fit::No
            && {
                let mut left = expect.to_vec();
                left.remove(chosen);
                fits_in_some_order(&left, rest, after)
            }
    })
}

/// Judges a call that was to be killed: over too soon, nothing can be said; an error is an answer.
fn kill(outcomes: &[Outcome], unforced: Option<&str>) -> LineVerdict {
    let not_passed = |word, observed| {
        let expected = Shown::Words("the call can be killed while it writes".to_owned());
        LineVerdict::not_passed(word, expected, observed)
    };
    let seen = || Shown::outcomes(outcomes.iter().map(Shown::outcome).collect());
    match (outcomes, unforced) {
        ([Outcome::Killed], None) => LineVerdict::passed(),
        ([outcome @ Outcome::Raised { .. }], _) if !outcome.is_locked() => {
            not_passed(TestWord::Failed, seen())
        }
        ([Outcome::Killed | Outcome::Returned(_) | Outcome::Raised { .. }], why) => {
            let why = why.unwrap_or("the call was over before it could be killed");
            not_passed(TestWord::Inconclusive, Shown::Words(why.to_owned()))
        }
        (outcomes, _) => {
            let word = outcomes.iter().find_map(fault).unwrap_or(TestWord::Errored);
            not_passed(word, seen())
        }
    }
}

#[cfg(test)]
mod tests;
