//! Tests: named scripts of calls with expectations, as data.

use serde_json::{Map, Value};

use super::{Callbacks, Gate, Input, Track};

/// A named script of calls with expectations.
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// Name of the test, unique in the lab.
    pub id: String,
    /// The step it belongs to; it calls only functions of that step or earlier ones.
    pub step: u32,
    /// The behaviour it shows, as a sentence.
    pub title: String,
    /// The promise it holds to, a clause of its step or an earlier one.
    pub clause: Option<String>,
    /// Whether the lab's tables exist before the script starts.
    pub start: Start,
    /// Rows that are there before the script starts.
    pub given: Vec<TableRows>,
    /// The lines of the script, in order.
    pub script: Vec<Line>,
    /// Tracks that can say it; empty means all.
    pub tracks: Vec<Track>,
    /// Whether it is a plain case, expected to miss things.
    pub success: bool,
    /// What a red verdict counts for.
    pub mark: Mark,
    /// Why it is there although no mutant fails it.
    pub guard: Option<String>,
}

impl Test {
    /// Tells whether the test can be said in `track`.
    #[must_use]
    pub fn runs_in(&self, track: Track) -> bool {
        self.tracks.is_empty() || self.tracks.contains(&track)
    }

    /// Returns how many processes of the subject the script uses.
    #[must_use]
    pub fn processes(&self) -> usize {
        let used = self.script.iter().map(|line| match &line.action {
            Action::Call { call, .. } | Action::Kill(call) | Action::KillDuring { call, .. } => {
                call.process
            }
            Action::Forced(forced) => forced.calls.len(),
            Action::Gate(gate) => gate.calls.len(),
            _ => 1,
        });
        used.max().unwrap_or(1)
    }

    /// Tells whether a line of the test may have to wait for a lock on purpose.
    #[must_use]
    pub fn is_forced(&self) -> bool {
        let forces = |line: &Line| {
            matches!(
                line.action,
                Action::Forced(_) | Action::Kill(_) | Action::KillDuring { .. } | Action::Gate(_)
            )
        };
        self.script.iter().any(forces)
    }

    /// Tells whether another try may see more: an order is forced, or something is measured.
    #[must_use]
    pub fn may_be_tried_again(&self) -> bool {
        self.is_forced() || self.measures_cost()
    }

    /// Tells whether a line of the test measures time or memory.
    #[must_use]
    pub fn measures_cost(&self) -> bool {
        let measures = |line: &Line| matches!(line.action, Action::Growth(_) | Action::Memory(_));
        self.script.iter().any(measures)
    }
}

/// What is in the database before a script starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Start {
    /// The lab's own tables, with the given rows.
    #[default]
    Table,
    /// Nothing: no file at all.
    Nothing,
}

/// What a red verdict of a test counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    /// A broken promise: counts.
    #[default]
    Contract,
    /// The value is right and its type is not (1 for true): told, never counted.
    Strictness,
    /// Locks, waits, other keys held up: told, never counted.
    Reliability,
}

impl Mark {
    /// Returns the name used in files and reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Contract => "contract",
            Self::Strictness => "strictness",
            Self::Reliability => "reliability",
        }
    }
}

/// One line of a script.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Place in the script, counted from 1.
    pub number: usize,
    /// What happens.
    pub action: Action,
    /// What the subject may ask of the lab meanwhile.
    pub callbacks: Callbacks,
}

/// What a script line does and what it expects.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Calls the subject; any one of `expect` is right.
    Call {
        /// The call.
        call: Call,
        /// The outcomes that are right; empty means that any answer is.
        expect: Vec<Expected>,
    },
    /// Looks at whole tables.
    Rows(Vec<TableRows>),
    /// Runs the lab's own SQL: a trigger, many rows.
    Sql(String),
    /// Looks at the answer of a query of the lab.
    Query {
        /// The query.
        sql: String,
        /// The rows it gives.
        gives: Vec<Vec<Cell>>,
    },
    /// Runs a statement of the lab that the table's own rules must refuse.
    Refused(String),
    /// Makes calls in a forced order, from one or more processes.
    Forced(Forced),
    /// Starts the call and kills the subject once it is inside its write transaction.
    Kill(Call),
    /// Starts the call and kills the subject once it waits for an answer to a callback.
    KillDuring {
        /// The call.
        call: Call,
        /// The callback.
        callback: String,
    },
    /// Makes calls while an earlier one is held in the middle of a callback.
    Gate(Gate),
    /// Compares what a call costs with more and more input.
    Growth(Growth),
    /// Compares what memory a call needs with two inputs.
    Memory(Memory),
    /// Makes a call with each file of a folder, one after the other.
    Each(Each),
}

/// A call that is made once for each file of a folder, in the order of the files' names.
#[derive(Debug, Clone, PartialEq)]
pub struct Each {
    /// Name of the folder.
    pub folder: String,
    /// The argument that is given the text of the file.
    pub argument: String,
    /// The calls, each with the name of its file and what is right.
    pub calls: Vec<(String, Call, Expected)>,
}

/// A call of one of the lab's functions.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The function's name.
    pub function: String,
    /// Its arguments by name, the store's path left out. What is left out is not sent.
    pub with: Map<String, Value>,
    /// Arguments that the lab makes when it makes the call.
    pub inputs: Vec<(String, Input)>,
    /// Which of the subject's processes makes the call, counted from 1.
    pub process: usize,
    /// The callbacks that its function is given, each with the names of its arguments.
    pub callbacks: Vec<(String, Vec<String>)>,
}

impl Call {
    /// Returns all arguments, with `times` as much of those that the lab makes.
    #[must_use]
    pub fn arguments(&self, times: u64) -> Map<String, Value> {
        let mut with = self.with.clone();
        for (name, input) in &self.inputs {
            with.insert(name.clone(), input.events(times));
        }
        with
    }

    /// Returns how many events the lab makes for it, with `times` as many.
    #[must_use]
    pub fn events(&self, times: u64) -> u64 {
        self.inputs
            .iter()
            .map(|(_, input)| input.count(times))
            .sum()
    }
}

/// A call whose cost is looked at while its input grows.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// The call.
    pub call: Call,
    /// How many times the input it is made with, ascending.
    pub times: Vec<u64>,
    /// How many times the cost may grow from one of them to the next.
    pub at_most: f64,
}

/// A call that should need less memory than one with as much input that has to be remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// The call that should need less.
    pub call: Call,
    /// The one it is set against.
    pub against: Call,
    /// How many bytes less it should need for each event.
    pub at_least: u64,
}

/// Calls whose order with a change of the lab is forced.
#[derive(Debug, Clone, PartialEq)]
pub struct Forced {
    /// The calls, each from a process of its own.
    pub calls: Vec<Call>,
    /// Whether the lab holds the write lock until every call has had its look.
    pub held: bool,
    /// What the lab changes inside the transaction that holds the lock.
    pub meanwhile: Vec<String>,
    /// Whether every call must wait for the lock: to give up is then wrong.
    pub patient: bool,
    /// How many threads or processes must wait for the lock at the same moment; 0 if that is not
    /// looked at.
    pub at_once: usize,
    /// What is right.
    pub expect: Joint,
}

/// What several calls may answer together.
#[derive(Debug, Clone, PartialEq)]
pub enum Joint {
    /// These outcomes, in any order.
    Unordered(Vec<Expected>),
    /// One of these cases, outcome by outcome in the order of the calls.
    OneOf(Vec<Case>),
}

/// One right way for several calls to end.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The outcomes, in the order of the calls.
    pub outcomes: Vec<Expected>,
    /// The tables afterwards; empty if they are not looked at.
    pub rows: Vec<TableRows>,
}

/// An outcome that is right.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// The call returns this JSON value, numbers compared by value.
    Returns(Value),
    /// The call says yes or no; a language's 1 and 0 will do.
    Truth(bool),
    /// The call raises an error of this kind.
    Raises(Raises),
    /// The call returns an object that has at least these members.
    Has(Vec<Member>),
}

/// A member of a returned object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// What it is.
    pub value: Part,
}

/// What a member of a returned object is.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// This JSON value, numbers compared by value.
    Is(Value),
    /// The JSON value whose text is in a table when the call is over.
    Stored(Stored),
}

/// A JSON text in a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// Name of the table.
    pub table: String,
    /// Name of the column.
    pub column: String,
    /// The column's place among those of the table, counted from 0.
    pub place: usize,
    /// What stands in the first column of its row.
    pub row: Cell,
}

/// A kind of error that a contract asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Raises {
    /// Any error at all.
    Any,
    /// A refusal of an argument, of the function's own making.
    BadArgument,
    /// The key is in use for another request.
    Conflict,
    /// The first request is still running.
    InProgress,
    /// The error that a callback of the lab has raised.
    Callback,
}

impl Raises {
    /// Returns the name used in files and reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::BadArgument => "bad_argument",
            Self::Conflict => "conflict",
            Self::InProgress => "in_progress",
            Self::Callback => "callback",
        }
    }
}

/// All rows of one table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRows {
    /// Name of the table.
    pub table: String,
    /// Its rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
}

/// One value in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// SQL NULL.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(String),
    /// A text that holds this JSON value, however it is spelt.
    Json(Value),
    /// Bytes; only ever observed.
    Blob(Vec<u8>),
}

impl Cell {
    /// Tells whether an observed cell is what this one asks for; numbers by value.
    #[must_use]
    pub fn accepts(&self, seen: &Self) -> bool {
        match (self, seen) {
            (Self::Json(want), Self::Text(text)) => {
                serde_json::from_str::<Value>(text).is_ok_and(|value| same_json(want, &value))
            }
            (Self::Integer(a), Self::Real(b)) | (Self::Real(b), Self::Integer(a)) => {
                #[expect(
                    clippy::cast_precision_loss,
                    clippy::float_cmp,
                    reason = "SQLite compares an INTEGER with a REAL by value as well"
                )]
                let same = *a as f64 == *b;
                same
            }
            _ => self == seen,
        }
    }
}

/// Tells whether two JSON values are the same, numbers compared by value.
#[must_use]
pub fn same_json(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_json(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same_json(a, b)))
        }
        _ => a == b,
    }
}
