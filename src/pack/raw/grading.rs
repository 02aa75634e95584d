//! What a lab is worth, as it is written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

/// `exercises/<lab>/grading.yaml`: the one place that says what anything is worth.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grading {
    /// Version of the file format; 1 if left out.
    pub format: Option<u32>,
    /// What can be reached in all; checked against the sum of the parts.
    pub total: f64,
    /// The points of each step, by its function.
    pub steps: BTreeMap<String, f64>,
    /// The points for tests of the learner's own, shared among the steps.
    #[serde(default)]
    pub probes: f64,
    /// The points for predictions that were made, right or wrong, shared among the steps.
    #[serde(default)]
    pub predictions: f64,
    /// The written tasks that count.
    #[serde(default)]
    pub written: Vec<WrittenTask>,
    /// Files that are handed in with the program.
    #[serde(default)]
    pub records: Vec<Record>,
    /// Tests that only staff may see: a student hears how many there are.
    #[serde(default)]
    pub hidden: Vec<String>,
}

/// What a written answer needs to be given its points.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WrittenTask {
    /// The task, by its name in `lab.yaml`.
    pub task: String,
    /// What it is worth.
    pub points: f64,
    /// The fewest words it may have; 1 if left out.
    pub words: Option<usize>,
    /// Terms that it must use: of each group any one, whatever the case.
    #[serde(default)]
    pub terms: Vec<Vec<String>>,
    /// How many items of a list it must have; none if left out.
    #[serde(default)]
    pub items: usize,
}

/// A file in which a learner keeps what a step showed. Its points are part of those of the step.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The name of the file, in the folder itself.
    pub file: String,
    /// The tracks in which it is asked for; all if left out.
    pub tracks: Option<Vec<String>>,
    /// The step, by its name.
    pub step: String,
    /// What it is worth of the points of the step.
    pub points: f64,
    /// What is to be in it.
    pub text: String,
    /// The lines that it must have, in this order; one may be there several times in a row.
    #[serde(default)]
    pub lines: Vec<String>,
    /// What its last line must be.
    pub last: Option<String>,
    /// Terms that it must have: of each group any one, whatever the case.
    #[serde(default)]
    pub terms: Vec<Vec<String>>,
}
