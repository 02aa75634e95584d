//! The file formats as they are written: plain optional fields, no meaning yet.
//!
//! No tags, no `untagged`, no `flatten`: they would cost the places of errors. What the fields
//! mean together is settled in `pack/resolve*.rs`, which alone turns these into the model.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// `exercises/<lab>/lab.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lab {
    /// Version of the file format; 1 if left out.
    pub format: Option<u32>,
    pub id: String,
    pub title: String,
    pub question: String,
    pub idea: String,
    /// Tables by name, created before a test; left out for a lab without a store.
    #[serde(default)]
    pub tables: BTreeMap<String, Table>,
    /// Reference source of each track, relative to the lab's folder.
    pub references: BTreeMap<String, String>,
    /// What a learner begins with in each track, relative to the lab's folder.
    #[serde(default)]
    pub starters: BTreeMap<String, String>,
    pub steps: Vec<Step>,
}

/// A table of a lab.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub columns: Vec<String>,
    pub create: String,
    pub order_by: String,
}

/// A step of a lab.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its place, counted from 1.
    #[serde(rename = "step")]
    pub number: u32,
    /// Name of the function, and of the step.
    pub function: String,
    pub title: String,
    #[serde(default)]
    pub arguments: Vec<Argument>,
    /// `truth` if the function answers yes or no, so that 1 and 0 will do.
    pub answers: Option<String>,
    /// Declaration in each track.
    pub signatures: BTreeMap<String, String>,
    pub promises: Vec<Clause>,
    pub judge_by: String,
    /// Remarks for one track.
    #[serde(default)]
    pub asides: BTreeMap<String, String>,
}

/// An argument of a step's function.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    pub name: String,
    /// `text`, `number`, `integer` or `json`.
    pub kind: String,
    #[serde(default)]
    pub optional: bool,
}

/// A promise of a contract.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    pub id: String,
    pub text: String,
}

/// One test of `exercises/<lab>/tests/*.yaml`; such a file is a list of them.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Test {
    pub id: String,
    pub step: u32,
    pub title: String,
    pub clause: Option<String>,
    /// `table` (default) or `nothing`.
    pub start: Option<String>,
    /// Rows by table.
    #[serde(default)]
    pub given: BTreeMap<String, Vec<Vec<Value>>>,
    pub script: Vec<Line>,
    pub tracks: Option<Vec<String>>,
    #[serde(default)]
    pub success: bool,
    /// `contract` (default), `strictness` or `reliability`.
    pub mark: Option<String>,
    /// Why the test is there although no mutant fails it.
    pub guard: Option<String>,
}

/// A learner's own test, written beside a prediction.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    pub id: Option<String>,
    pub title: Option<String>,
    /// `table` (default) or `nothing`.
    pub start: Option<String>,
    /// Rows by table.
    #[serde(default)]
    pub given: BTreeMap<String, Vec<Vec<Value>>>,
    pub script: Vec<Line>,
}

/// One line of a script: exactly one of the words that act, with the words that expect.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub call: Option<String>,
    pub with: Option<Map<String, Value>>,
    pub process: Option<usize>,
    #[serde(default, deserialize_with = "present")]
    pub returns: Option<Value>,
    pub raises: Option<String>,
    pub one_of: Option<Vec<Case>>,
    pub rows: Option<BTreeMap<String, Vec<Vec<Value>>>>,
    pub sql: Option<String>,
    pub query: Option<String>,
    pub gives: Option<Vec<Vec<Value>>>,
    pub refused: Option<String>,
    pub together: Option<Together>,
    pub schedule: Option<Schedule>,
    pub kill: Option<Call>,
}

/// A call inside `together` or `kill`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Call {
    pub call: String,
    #[serde(default)]
    pub with: Map<String, Value>,
}

/// Several calls from as many processes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Together {
    pub calls: Vec<Call>,
    /// Whether they all start under a held write lock.
    #[serde(default)]
    pub held: bool,
    #[serde(default)]
    pub meanwhile: Vec<String>,
    /// What they answer, in any order.
    pub outcomes: Option<Vec<Case>>,
}

/// One call started while the lab holds the write lock with a change already inside.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    pub call: String,
    #[serde(default)]
    pub with: Map<String, Value>,
    pub meanwhile: Vec<String>,
}

/// One right way to end.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    #[serde(default, deserialize_with = "present")]
    pub returns: Option<Value>,
    pub raises: Option<String>,
    /// For several calls: one outcome a call, in their order.
    pub outcomes: Option<Vec<Case>>,
    pub rows: Option<BTreeMap<String, Vec<Vec<Value>>>>,
}

/// `mutants/<lab>/<id>.yaml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Version of the file format; 1 if left out.
    pub format: Option<u32>,
    pub lab: String,
    pub step: u32,
    pub title: String,
    pub origin: String,
    pub report: Option<String>,
    pub belief: String,
    #[serde(default)]
    pub edits: Vec<Edit>,
    #[serde(default)]
    pub edits_in: BTreeMap<String, Vec<Edit>>,
    #[serde(default)]
    pub caught_by: Vec<String>,
    #[serde(default)]
    pub caught_by_in: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub survives: Vec<String>,
    #[serde(default)]
    pub survives_in: BTreeMap<String, Vec<String>>,
    pub lesson: String,
    pub equivalent: Option<String>,
}

/// One replacement.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    pub find: String,
    pub replace: String,
}

/// Tells a value that is there and null from one that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
