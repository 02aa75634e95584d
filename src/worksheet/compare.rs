//! A prediction beside what the run showed.

use std::fmt::Write as _;

use crate::event::SubjectReport;
use crate::model::{Prediction, Sure};

/// A prediction and the run, set side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Tests that were named and catch it.
    pub found: Vec<String>,
    /// Tests that catch it and were not named.
    pub overlooked: Vec<String>,
    /// Tests that were named and do not catch it.
    pub mistaken: Vec<String>,
    /// How the prediction fits.
    pub fit: Fit,
    /// How sure the learner was.
    pub sure: Option<Sure>,
}

/// How a prediction fits what the run showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// Exactly the tests that catch it were named.
    Whole,
    /// Some of them were named.
    Part,
    /// None of them was named.
    None,
    /// The answer was "I don't know".
    Unknown,
}

/// Heads the tests that notice a change and were not named, after others that were or alone.
#[must_use]
pub const fn notice_it(others_were_named: bool) -> &'static str {
    if others_were_named {
        "They notice it too"
    } else {
        "These notice it"
    }
}

/// Compares a prediction with a run, over the tests that could be chosen.
#[must_use]
pub fn compare(prediction: &Prediction, report: &SubjectReport, offered: &[&str]) -> Comparison {
    let caught: Vec<&str> = report
        .caught_by()
        .filter(|id| offered.contains(id))
        .collect();
    compare_caught(prediction, &caught)
}

/// Compares a prediction with the tests that caught the mutant.
pub(super) fn compare_caught(prediction: &Prediction, caught: &[&str]) -> Comparison {
    let named = |id: &str| prediction.tests.iter().any(|test| test == id);
    let list =
        |ids: &mut dyn Iterator<Item = &str>| ids.map(str::to_owned).collect::<Vec<String>>();
    let found = list(&mut caught.iter().copied().filter(|id| named(id)));
    let overlooked = list(&mut caught.iter().copied().filter(|id| !named(id)));
    let mistaken = list(
        &mut prediction
            .tests
            .iter()
            .map(String::as_str)
            .filter(|id| !caught.contains(id)),
    );
    let fit = if prediction.unknown {
        Fit::Unknown
    } else if found.is_empty() && !(caught.is_empty() && mistaken.is_empty()) {
        Fit::None
    } else if overlooked.is_empty() && mistaken.is_empty() {
        Fit::Whole
    } else {
        Fit::Part
    };
    Comparison {
        found,
        overlooked,
        mistaken,
        fit,
        sure: prediction.sure,
    }
}

impl Comparison {
    /// Says in one or two sentences how the prediction fits; no praise and no blame.
    #[must_use]
    pub fn sentence(&self) -> String {
        let caught = self.found.len() + self.overlooked.len();
        match self.fit {
            Fit::Unknown => format!("You did not say. {} it.", catches(caught)),
            Fit::Whole if caught == 0 => "As you said: no test catches it.".to_owned(),
            Fit::Whole => format!("As you said: {} it and no other.", these(caught)),
            Fit::Part | Fit::None => {
                let mut text = match (self.found.len(), caught) {
                    (_, 0) => "No test catches it.".to_owned(),
                    (0, _) => format!("{} it, and you named none of them.", catches(caught)),
                    (found, _) => format!("{} it, and you named {found} of them.", catches(caught)),
                };
                if !self.mistaken.is_empty() {
                    let count = self.mistaken.len();
                    let tests = if count == 1 {
                        "test you named does"
                    } else {
                        "tests you named do"
                    };
                    let _ = write!(text, " {count} {tests} not see it.");
                }
                if self.sure == Some(Sure::Certain) {
                    text.push_str(" You were certain: worth a second look.");
                }
                text
            }
        }
    }
}

fn catches(count: usize) -> String {
    match count {
        0 => "No test catches".to_owned(),
        1 => "One test catches".to_owned(),
        _ => format!("{count} tests catch"),
    }
}

fn these(count: usize) -> String {
    match count {
        1 => "this test catches".to_owned(),
        _ => format!("these {count} tests catch"),
    }
}
