//! `predictions.json`: what a learner said before each run, and what the run showed.
//!
//! The form is versioned. It holds what was typed and seen, and no time, name or path.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::Attempt;
use crate::model::{Prediction, Problem, SeenIn, Sure};

use super::inside::problem;

/// The name of the file.
pub const JOURNAL: &str = "predictions.json";
/// The version of the form that is written and read.
const VERSION: u32 = 1;

/// What a learner said and saw in a lab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// Version of this form.
    pub version: u32,
    /// Name of the lab.
    pub lab: String,
    /// The first predictions, by step, then by mutant.
    pub predictions: Vec<Said>,
}

/// A first prediction and its run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The step.
    pub step: u32,
    /// The mutant that it is about.
    pub mutant: String,
    /// What would show the difference, in the learner's words.
    #[serde(default)]
    pub observation: String,
    /// Where it was said to show: `returned`, `rows`, `error`, `two_processes` or `cost`.
    #[serde(default)]
    pub seen_in: Option<String>,
    /// The tests that were said to catch it.
    #[serde(default)]
    pub tests: Vec<String>,
    /// How sure the learner was: `guess`, `fairly` or `certain`.
    #[serde(default)]
    pub sure: Option<String>,
    /// Whether the answer was "I don't know".
    #[serde(default)]
    pub unknown: bool,
    /// How often it was predicted; all but the first were practice.
    #[serde(default)]
    pub attempts: u32,
    /// What the run showed: the verdict of each test, if it was run.
    #[serde(default)]
    pub run: Option<BTreeMap<String, String>>,
    /// What the learner says they saw.
    #[serde(default)]
    pub saw: Option<String>,
}

impl Journal {
    /// Makes the journal of a lab from what is in the progress file.
    #[must_use]
    pub fn of(lab: &str, attempts: &[Attempt]) -> Self {
        let first = attempts.iter().filter(|attempt| attempt.attempt == 1);
        let mut predictions: Vec<Said> = first
            .map(|attempt| {
                let said = attempts
                    .iter()
                    .filter(|other| other.mutant == attempt.mutant);
                Said::of(attempt, said.count())
            })
            .collect();
        predictions.sort_by(|a, b| (a.step, &a.mutant).cmp(&(b.step, &b.mutant)));
        Self {
            version: VERSION,
            lab: lab.to_owned(),
            predictions,
        }
    }

    /// Reads the bytes of the file.
    ///
    /// # Errors
    ///
    /// Says where it is not in the form.
    pub fn parse(bytes: &[u8]) -> Result<Self, Box<Problem>> {
        let help = "`idemlab hand-in` writes this file anew from your progress";
        let journal: Self = serde_json::from_slice(bytes).map_err(|error| {
            let text = error.to_string();
            let why = text.split(" at line ").next().unwrap_or(&text);
            let title = format!("this is not a journal of predictions: {why}");
            let (line, column) = (error.line().max(1), error.column().max(1));
            Box::new(Problem::at(
                "bad-journal",
                JOURNAL,
                line,
                column,
                &title,
                help,
            ))
        })?;
        if journal.version != VERSION {
            let found = journal.version;
            let title = format!("this journal has version {found}; this program reads {VERSION}");
            return Err(problem("bad-journal", JOURNAL, &title, help));
        }
        Ok(journal)
    }

    /// Writes the file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Finds what was said about a mutant.
    #[must_use]
    pub fn about(&self, mutant: &str) -> Option<&Said> {
        self.predictions.iter().find(|said| said.mutant == mutant)
    }
}

impl Said {
    fn of(attempt: &Attempt, attempts: usize) -> Self {
        let said = &attempt.prediction;
        Self {
            step: attempt.step,
            mutant: attempt.mutant.clone(),
            observation: said.observation.clone(),
            seen_in: said.seen_in.map(|kind| kind.id().to_owned()),
            tests: said.tests.clone(),
            sure: said.sure.map(|sure| sure.id().to_owned()),
            unknown: said.unknown,
            attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
            run: attempt.run.as_ref().map(|run| {
                let words = run.iter();
                words
                    .map(|(test, word)| (test.clone(), word.id().to_owned()))
                    .collect()
            }),
            saw: attempt.sighting.clone(),
        }
    }

    /// Returns it as a prediction; words that are not known are left out.
    #[must_use]
    pub fn prediction(&self) -> Prediction {
        Prediction {
            observation: self.observation.clone(),
            seen_in: self.seen_in.as_deref().and_then(SeenIn::parse),
            tests: self.tests.clone(),
            sure: self.sure.as_deref().and_then(Sure::parse),
            unknown: self.unknown,
        }
    }
}
