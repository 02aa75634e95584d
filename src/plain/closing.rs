//! The last page: the predictions, how certainty matched them, and three tasks.

use std::io::{BufRead, Write};

use super::{Plain, Stop};
use crate::model::Sure;
use crate::progress::Stored;
use crate::worksheet::{Fit, TASKS, certainties, compare_with};

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    pub(super) fn closing(&mut self) -> Result<(), Stop> {
        self.say("\nTHE LAST PAGE\n\nYour first predictions:\n")?;
        let stored = self.progress.predictions(&self.lab.id)?;
        let first: Vec<&Stored> = stored.iter().filter(|stored| stored.attempt == 1).collect();
        let mut fits: Vec<(Option<Sure>, Fit)> = Vec::new();
        for step in &self.lab.steps {
            let Some(mutant) = self.lab.worksheet_mutant(step.number) else {
                continue;
            };
            let said = first.iter().find(|stored| stored.mutant == mutant.id);
            let words = match said.map(|stored| (stored, fit(stored))) {
                Some((stored, Some(fit))) => {
                    fits.push((stored.prediction.sure, fit));
                    words(fit)
                }
                Some((_, None)) => "predicted, not run",
                None => "not predicted",
            };
            self.say(&format!("  {}  {:<16} {words}", step.number, step.id))?;
        }
        self.say("\nHow certainty matched:\n")?;
        for certainty in certainties(&fits) {
            self.say(&format!("  {}", certainty.sentence()))?;
        }
        self.tasks()
    }

    fn tasks(&mut self) -> Result<(), Stop> {
        let answers = self.progress.answers(&self.lab.id)?;
        for (place, task) in TASKS.iter().enumerate() {
            self.say(&format!("\nTask {} of {}.", place + 1, TASKS.len()))?;
            self.tell(task.text, "")?;
            if let Some(answer) = answers.get(task.id) {
                self.tell(&format!("Your answer so far: {answer}"), "  ")?;
            }
            self.say("One line; Enter leaves it as it is.")?;
            let line = self.line()?;
            if !line.is_empty() {
                self.progress.answer(&self.lab.id, task.id, &line)?;
            }
        }
        self.say("\nThat is the end of the lab.")
    }
}

/// How a stored prediction fits its run, if it was run.
fn fit(stored: &Stored) -> Option<Fit> {
    let run = stored.run.as_ref()?;
    let caught: Vec<&str> = run
        .iter()
        .filter(|(_, word)| word.is_red())
        .map(|(test, _)| test.as_str())
        .collect();
    Some(compare_with(&stored.prediction, &caught).fit)
}

const fn words(fit: Fit) -> &'static str {
    match fit {
        Fit::Whole => "exactly the tests that catch it",
        Fit::Part => "some of the tests that catch it",
        Fit::None => "other tests than those that catch it",
        Fit::Unknown => "not known",
    }
}
