//! What a lab makes, measures and answers, as it is written: inputs, drawings, growth, memory,
//! callbacks.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A stream of events `[t, key, payload]` that the lab makes: the same each time.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// What it is, in a few words: a call shows it by them.
    pub title: String,
    /// How many keys arrive.
    pub new: u64,
    /// How many of them are delivered a second time; none if left out.
    #[serde(default)]
    pub again: u64,
    /// The time in which the keys arrive, evenly, in seconds.
    pub over: u64,
    /// The longest time from the first to the second delivery of a key, in seconds; 1 if left out.
    pub within: Option<u64>,
    /// How much later than evenly a key may arrive, in seconds; 0 if left out.
    #[serde(default)]
    pub scatter: u64,
    /// Where the chances start; 1 if left out.
    pub seed: Option<u64>,
}

/// A drawing of the live keys of an input.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chart {
    /// The input, by its name.
    pub input: String,
    /// How long a key is live, in seconds.
    pub ttl: u64,
}

/// A call whose cost is compared at several sizes of its input.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// The function of the lab.
    pub call: String,
    /// Its other arguments.
    #[serde(default)]
    pub with: Map<String, Value>,
    /// The arguments that the lab makes, each by the name of an input.
    pub inputs: BTreeMap<String, String>,
    /// How many times the input, ascending: `[1, 10, 100]`.
    pub times: Vec<u64>,
    /// How many times the cost may grow from one size to the next.
    pub at_most: f64,
}

/// A call that should need less memory than the same with another input.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// The function of the lab.
    pub call: String,
    /// Its other arguments.
    #[serde(default)]
    pub with: Map<String, Value>,
    /// The arguments that the lab makes: little of them has to be remembered at any time.
    pub inputs: BTreeMap<String, String>,
    /// The inputs it is set against: all of them have to be remembered at once.
    pub against: BTreeMap<String, String>,
    /// How many bytes less it should need for each event; 16 if left out.
    pub at_least: Option<u64>,
}

/// What a callback does when it is called.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Callback {
    /// The arguments it must be called with, by name; not looked at if left out.
    pub with: Option<Map<String, Value>>,
    /// What it returns.
    #[serde(default, deserialize_with = "super::present")]
    pub gives: Option<Value>,
    /// The text of the error it raises instead.
    pub raises: Option<String>,
}

/// A call whose process is killed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Kill {
    /// The function of the lab.
    pub call: String,
    /// Its arguments by name; what is left out is not sent.
    #[serde(default)]
    pub with: Map<String, Value>,
    /// The callback in the middle of which it is killed; the write lock if left out.
    pub during: Option<String>,
}

/// Calls made while the first of them is held in the middle of a callback.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The calls, each from a process of its own; the first is the one that is held.
    pub calls: Vec<super::Call>,
    /// The callback in which it is held until the others have answered or wait.
    pub held: String,
    /// Whether the others must answer while it is held.
    #[serde(default)]
    pub at_once: bool,
}

/// What it costs to keep a row for a time, at some rates.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    /// Bytes of a row, its share of the index included.
    pub row: u64,
    /// How long rows are kept, in seconds: one to three times.
    pub windows: Vec<u64>,
    /// How many rows are added a second.
    pub rates: Vec<u64>,
}

/// A call that is made with each file of a folder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Each {
    /// The folder, by its name.
    pub folder: String,
    /// The function of the lab.
    pub call: String,
    /// The argument that is given the text of the file.
    pub argument: String,
    /// Its other arguments.
    #[serde(default)]
    pub with: Map<String, Value>,
    /// Files with which something else is right than with the others.
    pub but: Option<But>,
}

/// What is right with some files of a folder.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct But {
    /// The files, by name.
    pub files: Vec<String>,
    /// Members that the returned object has at least.
    pub has: Map<String, Value>,
}

/// The JSON text in one cell of a table.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// What stands in the first column of its row.
    pub row: Value,
}
