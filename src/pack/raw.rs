//! The file formats as they are written: plain optional fields, no meaning yet.
//!
//! No tags, no `untagged`, no `flatten`: they would cost the places of errors. What the fields
//! mean together is settled in `pack/resolve*.rs`, which alone turns these into the model.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

// Named by its path, since the build reads this file too, from elsewhere.
#[path = "raw/grading.rs"]
pub mod grading;
#[path = "raw/made.rs"]
mod made;

pub use made::{Callback, Chart, Each, Gate, Growth, Input, Kill, Memory, Storage, Stored};

/// `exercises/<lab>/lab.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lab {
    /// Version of the file format; 1 if left out.
    pub format: Option<u32>,
    /// Name of the lab: that of its folder.
    pub id: String,
    /// Its place among the labs, the lowest first; 100 if left out.
    pub order: Option<u32>,
    /// Its place in the order that is suggested to a learner, and why.
    pub suggested: Option<Suggested>,
    /// What the lab is about, in a line.
    pub title: String,
    /// The question the lab answers.
    pub question: String,
    /// A few short paragraphs, shown before the first step. A line that is set in is a drawing.
    pub idea: String,
    /// Tables by name, created before a test; left out for a lab without a store.
    #[serde(default)]
    pub tables: BTreeMap<String, Table>,
    /// Reference source of each track, relative to the lab's folder.
    pub references: BTreeMap<String, String>,
    /// What a learner begins with in each track, relative to the lab's folder.
    #[serde(default)]
    pub starters: BTreeMap<String, String>,
    /// Inputs that the lab makes from a few numbers, by name.
    #[serde(default)]
    pub inputs: BTreeMap<String, Input>,
    /// Folders of files that tests name, relative to the lab's folder.
    #[serde(default)]
    pub folders: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// What is answered in writing after the last step, in order.
    #[serde(default)]
    pub tasks: Vec<Task>,
}

/// A task that is answered in writing.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Its name, unique in the lab: small letters, digits and hyphens. Also that of the file with
    /// its answer.
    pub id: String,
    /// The task in a few words.
    pub title: String,
    /// What to do, in a paragraph.
    pub text: String,
}

/// Where a lab stands in the order that is suggested to a learner.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suggested {
    /// Its place, counted from 1.
    pub place: u32,
    /// What it is there for, in a few words: `the idea, in memory`.
    pub because: String,
}

/// A table of a lab.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Its columns, in the order in which tests write cells.
    pub columns: Vec<String>,
    /// The statement that creates it.
    pub create: String,
    /// The columns by which rows are ordered when they are read.
    pub order_by: String,
}

/// A step of a lab.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its place, counted from 1.
    #[serde(rename = "step")]
    pub number: u32,
    /// Name of the step, where it is not that of its function.
    pub id: Option<String>,
    /// Name of the function; several steps may be about the same. None for a step that is
    /// answered in writing.
    pub function: Option<String>,
    /// The task that such a step is answered with, by its id.
    pub task: Option<String>,
    /// What the step is about, in a few words.
    pub title: String,
    /// Arguments of the function, without the path of the database. Said once: another step about
    /// the same function leaves them out, as it does `answers` and `signatures`.
    #[serde(default)]
    pub arguments: Vec<Argument>,
    /// `truth` if the function answers yes or no, so that 1 and 0 will do.
    #[schemars(extend("enum" = ["truth"]))]
    pub answers: Option<String>,
    /// Declaration in each track.
    #[serde(default)]
    pub signatures: BTreeMap<String, String>,
    /// The contract, clause by clause.
    pub promises: Vec<Clause>,
    /// What to judge an implementation by, in a sentence.
    pub judge_by: String,
    /// The live keys of an input over time, drawn below the contract.
    pub chart: Option<Chart>,
    /// What it costs to keep a row, as a table below the contract.
    pub storage: Option<Storage>,
    /// Remarks for one track.
    #[serde(default)]
    pub asides: BTreeMap<String, String>,
}

/// An argument of a step's function.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// Its name, as tests write it under `with`.
    pub name: String,
    /// `text`, `number`, `integer`, `list`, `json`, or `callback`: a function of the lab.
    #[schemars(extend("enum" = ["text", "number", "integer", "list", "json", "callback"]))]
    pub kind: String,
    /// For a list of lists: what the parts of each are called. For a callback: its arguments.
    #[serde(default)]
    pub parts: Vec<String>,
    /// Whether a call may leave it out.
    #[serde(default)]
    pub optional: bool,
}

/// A promise of a contract.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its name, unique in the lab; tests refer to it.
    pub id: String,
    /// The promise, in a sentence.
    pub text: String,
}

/// One test of `exercises/<lab>/tests/*.yaml`; such a file is a list of them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// Its name, unique in the lab.
    pub id: String,
    /// The step it belongs to; it calls functions of that step and earlier ones.
    pub step: u32,
    /// The behaviour it shows, in a sentence.
    pub title: String,
    /// The promise it holds to: a clause of its step or an earlier one.
    pub clause: Option<String>,
    /// `table` (default) or `nothing`.
    #[schemars(extend("enum" = ["table", "nothing"]))]
    pub start: Option<String>,
    /// Rows by table.
    #[serde(default)]
    pub given: BTreeMap<String, Vec<Vec<Value>>>,
    /// The lines of the script, in order.
    pub script: Vec<Line>,
    /// The tracks that can say it; all if left out.
    pub tracks: Option<Vec<String>>,
    /// Whether it is a plain test, expected to miss things.
    #[serde(default)]
    pub success: bool,
    /// `contract` (default), `strictness` or `reliability`.
    #[schemars(extend("enum" = ["contract", "strictness", "reliability"]))]
    pub mark: Option<String>,
    /// Why the test is there although no mutant fails it.
    pub guard: Option<String>,
}

/// A learner's own test, written beside a prediction.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Its name; may be left out.
    pub id: Option<String>,
    /// What it shows; may be left out.
    pub title: Option<String>,
    /// `table` (default) or `nothing`.
    #[schemars(extend("enum" = ["table", "nothing"]))]
    pub start: Option<String>,
    /// Rows by table.
    #[serde(default)]
    pub given: BTreeMap<String, Vec<Vec<Value>>>,
    /// The lines of the script, in order.
    pub script: Vec<Line>,
}

/// `idemlab.yaml`: what a workspace or a hand-in is.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Workspace {
    /// Version of the file format; 1 if left out.
    pub format: Option<u32>,
    /// Name of the lab that is worked on.
    pub lab: String,
    /// The language: `rust` or `python`. Instead of it there may be `command`.
    pub track: Option<String>,
    /// The program that answers the lab's calls, and its arguments, for any other language.
    pub command: Option<Vec<String>>,
    /// What is run once before `command`, and its arguments.
    pub build: Option<Vec<String>>,
    /// What the language of `command` is called in reports.
    pub language: Option<String>,
    /// The file under test, relative; that of the track if left out, such as `retention.py`.
    pub source: Option<String>,
    /// `write` (default), or `break` for a copy of the reference that is changed to break tests.
    #[schemars(extend("enum" = ["write", "break"]))]
    pub purpose: Option<String>,
}

/// `probes.yaml`: a learner's own tests.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "only its schema is used: its tests are read one by one"
)]
pub struct Probes {
    /// Version of the file format; 1 if left out.
    pub format: Option<u32>,
    /// The tests.
    #[serde(default)]
    pub probes: Vec<OwnProbe>,
}

/// One test of `probes.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnProbe {
    /// The mutant that it is to catch. Instead of it there may be `step`.
    #[expect(dead_code, reason = "it is read even where the rest is wrong")]
    pub mutant: Option<String>,
    /// The step whose worksheet mutant it is to catch.
    #[expect(dead_code, reason = "it is read even where the rest is wrong")]
    pub step: Option<u32>,
    /// Its name; may be left out.
    pub id: Option<String>,
    /// What it shows; may be left out.
    pub title: Option<String>,
    /// `table` (default) or `nothing`.
    #[schemars(extend("enum" = ["table", "nothing"]))]
    pub start: Option<String>,
    /// Rows by table.
    #[serde(default)]
    pub given: BTreeMap<String, Vec<Vec<Value>>>,
    /// The lines of the script, in order.
    pub script: Vec<Line>,
}

/// One line of a script: exactly one of the words that act, with the words that expect.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Calls this function of the lab.
    pub call: Option<String>,
    /// Arguments of the call by name; what is left out is not sent.
    pub with: Option<Map<String, Value>>,
    /// Arguments that the lab makes, each by the name of an input.
    pub inputs: Option<BTreeMap<String, String>>,
    /// The process that makes the call, 1 to 16; 1 if left out.
    pub process: Option<usize>,
    /// What the call or the schedule returns; numbers are equal by value.
    #[serde(default, deserialize_with = "present")]
    pub returns: Option<Value>,
    /// The call returns the payloads of this input, each key's first, in order.
    pub returns_firsts: Option<String>,
    /// The kind of error it raises.
    #[schemars(extend("enum" = ["any", "bad_argument", "conflict", "in_progress", "callback"]))]
    pub raises: Option<String>,
    /// Members that the returned object has at least.
    pub has: Option<Map<String, Value>>,
    /// Members of the returned object that are, as JSON, what then stands in a table.
    pub stored: Option<BTreeMap<String, Stored>>,
    /// Ways to end, any one of which is right.
    pub one_of: Option<Vec<Case>>,
    /// Whole tables as they are now, by name.
    pub rows: Option<BTreeMap<String, Vec<Vec<Value>>>>,
    /// Runs the lab's own SQL: a trigger, many rows.
    pub sql: Option<String>,
    /// Looks at the answer of this query; it needs `gives`.
    pub query: Option<String>,
    /// The rows that the query gives.
    pub gives: Option<Vec<Vec<Value>>>,
    /// Runs a statement that the table's own rules must refuse.
    pub refused: Option<String>,
    /// Makes several calls at once, each from a process of its own.
    pub together: Option<Together>,
    /// Makes one call while the lab holds the write lock.
    pub schedule: Option<Schedule>,
    /// Starts a call, and kills its process once it holds the write lock or is in a callback.
    pub kill: Option<Kill>,
    /// Makes calls while the first of them is held in the middle of a callback.
    pub gate: Option<Gate>,
    /// What the lab answers when a call calls back, by the name of the callback.
    pub callback: Option<BTreeMap<String, Callback>>,
    /// How often the calls of the line call back, by the name of the callback.
    pub called: Option<BTreeMap<String, u64>>,
    /// Makes a call with more and more input, and compares what it costs.
    pub growth: Option<Growth>,
    /// Compares what memory a call needs with what another needs.
    pub memory: Option<Memory>,
    /// Makes a call with each file of a folder, in the order of their names.
    pub each: Option<Each>,
}

/// A call inside `together` or `gate`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The function of the lab.
    pub call: String,
    /// Its arguments by name; what is left out is not sent.
    #[serde(default)]
    pub with: Map<String, Value>,
}

/// Several calls from as many processes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Together {
    /// The calls.
    pub calls: Vec<Call>,
    /// Whether they all start under a held write lock.
    #[serde(default)]
    pub held: bool,
    /// What the lab changes under its lock, in SQL.
    #[serde(default)]
    pub meanwhile: Vec<String>,
    /// Whether every call must wait for the lock: to give up is then wrong.
    #[serde(default)]
    pub patient: bool,
    /// What they answer, in any order.
    pub outcomes: Option<Vec<Case>>,
}

/// One call started while the lab holds the write lock with a change already inside.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The function of the lab.
    pub call: String,
    /// Its arguments by name; what is left out is not sent.
    #[serde(default)]
    pub with: Map<String, Value>,
    /// The change that is already inside, in SQL.
    #[serde(default)]
    pub meanwhile: Vec<String>,
    /// Whether the call must wait for the lock: to give up is then wrong.
    #[serde(default)]
    pub patient: bool,
    /// How many of its threads or processes must wait for the lock at the same moment.
    pub at_once: Option<usize>,
}

/// One right way to end.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What is returned.
    #[serde(default, deserialize_with = "present")]
    pub returns: Option<Value>,
    /// The kind of error that is raised.
    #[schemars(extend("enum" = ["any", "bad_argument", "conflict", "in_progress", "callback"]))]
    pub raises: Option<String>,
    /// Members that the returned object has at least.
    pub has: Option<Map<String, Value>>,
    /// Members of the returned object that are, as JSON, what then stands in a table.
    pub stored: Option<BTreeMap<String, Stored>>,
    /// For several calls: one outcome a call, in their order.
    pub outcomes: Option<Vec<Case>>,
    /// The tables afterwards, by name; not looked at if left out.
    pub rows: Option<BTreeMap<String, Vec<Vec<Value>>>>,
}

/// `mutants/<lab>/<id>.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Version of the file format; 1 if left out.
    pub format: Option<u32>,
    /// Name of the lab.
    pub lab: String,
    /// The step whose function it changes.
    pub step: u32,
    /// What the changed code does, in a sentence.
    pub title: String,
    /// Where it comes from: `worksheet` (the one of its step), `field` (a public report) or `craft`.
    #[schemars(extend("enum" = ["worksheet", "field", "craft"]))]
    pub origin: String,
    /// Link to the public report that a `field` mutant is modelled on.
    pub report: Option<String>,
    /// Why somebody writes it: the mistaken thought, in their words.
    pub belief: String,
    /// Its edits, for every track that has none of its own; each in the result of the one before.
    #[serde(default)]
    pub edits: Vec<Edit>,
    /// Edits for tracks whose text differs, by track.
    #[serde(default)]
    pub edits_in: BTreeMap<String, Vec<Edit>>,
    /// Tests that are promised to catch it.
    #[serde(default)]
    pub caught_by: Vec<String>,
    /// The same, for tracks in which the promise differs.
    #[serde(default)]
    pub caught_by_in: BTreeMap<String, Vec<String>>,
    /// Tests that are promised to miss it.
    #[serde(default)]
    pub survives: Vec<String>,
    /// The same, for tracks in which the promise differs.
    #[serde(default)]
    pub survives_in: BTreeMap<String, Vec<String>>,
    /// What to take away, shown after the result.
    pub lesson: String,
    /// Why no test can tell it from the reference, if none can.
    pub equivalent: Option<String>,
}

/// One replacement.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The text to change; it occurs exactly once in the reference.
    pub find: String,
    /// What to put there.
    pub replace: String,
}

/// Tells a value that is there and null from one that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
