//! What a learner has said so far, step by step, and how it fits.
//!
//! Plain values: whoever keeps progress turns its records into these.

use super::compare::compare_caught;
use super::{Comparison, Fit};
use crate::event::Attempt;
use crate::model::{Lab, Mark, Sure};

impl Attempt {
    /// Compares what was said with what the run showed, if it was run.
    #[must_use]
    pub fn comparison(&self, lab: &Lab) -> Option<Comparison> {
        let run = self.run.as_ref()?;
        let counts = |id: &str| lab.test(id).is_some_and(|test| test.mark == Mark::Contract);
        let caught: Vec<&str> = run
            .iter()
            .filter(|(id, word)| word.is_red() && counts(id))
            .map(|(id, _)| id.as_str())
            .collect();
        Some(compare_caught(&self.prediction, &caught))
    }
}

/// Finds the first prediction about the worksheet's mutant of a step.
#[must_use]
pub fn first_attempt<'a>(attempts: &'a [Attempt], lab: &Lab, step: u32) -> Option<&'a Attempt> {
    let mutant = lab.worksheet_mutant(step)?;
    attempts
        .iter()
        .find(|attempt| attempt.mutant == mutant.id && attempt.attempt == 1)
}

/// Tells whether the first prediction of a step has been run.
#[must_use]
pub fn is_done(attempts: &[Attempt], lab: &Lab, step: u32) -> bool {
    attempts.iter().any(|attempt| {
        attempt.run.is_some()
            && lab
                .worksheet_mutant(step)
                .is_some_and(|mutant| mutant.id == attempt.mutant)
    })
}

/// A first prediction beside its run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The step.
    pub step: u32,
    /// The function of the step.
    pub function: String,
    /// How many tests were named.
    pub named: usize,
    /// How the prediction fits.
    pub comparison: Comparison,
}

/// Lists the first predictions that were run, by step.
#[must_use]
pub fn standings(lab: &Lab, attempts: &[Attempt]) -> Vec<Standing> {
    lab.steps
        .iter()
        .filter_map(|step| {
            let attempt = first_attempt(attempts, lab, step.number)?;
            Some(Standing {
                step: step.number,
                function: step.id.clone(),
                named: attempt.prediction.tests.len(),
                comparison: attempt.comparison(lab)?,
            })
        })
        .collect()
}

/// Says in a line how the first predictions fit so far, every one of them counted once; nothing
/// before the first.
#[must_use]
pub fn fit_so_far(standings: &[Standing]) -> Option<String> {
    let ways = [Fit::Whole, Fit::Part, Fit::None, Fit::Unknown];
    let ways = ways.into_iter().filter_map(|fit| {
        let count = count(standings, fit);
        let words = match fit {
            Fit::None => "with other tests",
            other => other.words(),
        };
        (count > 0).then(|| format!("{count} {words}"))
    });
    let ways: Vec<String> = ways.collect();
    let all = standings.len();
    (all > 0).then(|| {
        let noun = if all == 1 {
            "prediction"
        } else {
            "predictions"
        };
        format!("{all} first {noun}: {}.", ways.join(", "))
    })
}

fn count(standings: &[Standing], fit: Fit) -> usize {
    let fits = |standing: &&Standing| standing.comparison.fit == fit;
    standings.iter().filter(fits).count()
}

/// Says, a line for each degree, how certainty matched fit.
#[must_use]
pub fn certainty(standings: &[Standing]) -> Vec<String> {
    let degrees = Sure::ALL.into_iter().rev();
    let mut lines: Vec<String> = degrees
        .filter_map(|sure| {
            let of: Vec<&Standing> = standings
                .iter()
                .filter(|standing| {
                    standing.comparison.fit != Fit::Unknown
                        && standing.comparison.sure == Some(sure)
                })
                .collect();
            let whole = of
                .iter()
                .filter(|standing| standing.comparison.fit == Fit::Whole)
                .count();
            (!of.is_empty()).then(|| {
                format!(
                    "When you said \"{}\": the run was as you said {whole} of {} times",
                    sure.id(),
                    of.len()
                )
            })
        })
        .collect();
    let unknown = count(standings, Fit::Unknown);
    if unknown > 0 {
        lines.push(format!(
            "You said \"I don't know\" {unknown} {}",
            if unknown == 1 { "time" } else { "times" }
        ));
    }
    let sure_and_wrong: Vec<String> = standings
        .iter()
        .filter(|standing| {
            standing.comparison.sure == Some(Sure::Certain)
                && matches!(standing.comparison.fit, Fit::None | Fit::Part)
        })
        .map(|standing| standing.step.to_string())
        .collect();
    if !sure_and_wrong.is_empty() {
        let steps = if sure_and_wrong.len() == 1 {
            "step"
        } else {
            "steps"
        };
        lines.push(format!(
            "Certain, and the run showed something else: {steps} {}. Worth a second look.",
            sure_and_wrong.join(", ")
        ));
    }
    lines
}

impl Fit {
    /// Says in a few words how a prediction fits.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Whole => "as said",
            Self::Part => "in part",
            Self::None => "other tests",
            Self::Unknown => "did not say",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prediction_is_counted_once_and_nothing_else_is_told() {
        let one = |step: u32, fit: Fit| Standing {
            step,
            function: String::new(),
            named: 0,
            comparison: Comparison {
                found: Vec::new(),
                overlooked: Vec::new(),
                mistaken: Vec::new(),
                sure: None,
                fit,
            },
        };
        let fits = |fits: &[Fit]| {
            let standings: Vec<Standing> = (1..).zip(fits).map(|(at, fit)| one(at, *fit)).collect();
            fit_so_far(&standings)
        };
        assert_eq!(fits(&[]), None);
        assert_eq!(
            fits(&[Fit::Part]).unwrap(),
            "1 first prediction: 1 in part."
        );
        assert_eq!(
            fits(&[Fit::None, Fit::Whole, Fit::Unknown, Fit::Whole]).unwrap(),
            "4 first predictions: 2 as said, 1 with other tests, 1 did not say."
        );
    }
}
