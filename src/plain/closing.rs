//! The last page: the predictions, how certainty matched them, and the tasks.

use std::io::{BufRead, Write};

use super::{Plain, Stop};
use crate::worksheet::{certainty, first_attempt, standings};

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    pub(super) fn closing(&mut self) -> Result<(), Stop> {
        self.say("\nTHE LAST PAGE\n\nYour first predictions:\n")?;
        let attempts = self.progress.predictions(&self.lab.id)?;
        for step in &self.lab.steps {
            let attempt = first_attempt(&attempts, self.lab, step.number);
            let words = match attempt.map(|attempt| attempt.comparison(self.lab)) {
                Some(Some(comparison)) => comparison.fit.words(),
                Some(None) => "predicted, not run",
                None if step.function.is_none() => "answered in writing",
                None => "not predicted",
            };
            self.say(&format!("  {}  {:<16} {words}", step.number, step.id))?;
        }
        self.say("\nHow certainty matched:\n")?;
        for line in certainty(&standings(self.lab, &attempts)) {
            self.tell(&line, "  ")?;
        }
        self.tasks()
    }

    fn tasks(&mut self) -> Result<(), Stop> {
        let answers = self.progress.answers(&self.lab.id)?;
        for (place, task) in self.lab.tasks.iter().enumerate() {
            self.say(&format!(
                "\nTask {} of {}. {}",
                place + 1,
                self.lab.tasks.len(),
                task.title
            ))?;
            self.tell(&task.text, "")?;
            if let Some(answer) = answers.get(&task.id) {
                self.tell(&format!("Your answer so far: {answer}"), "  ")?;
            }
            self.say("One line; Enter leaves it as it is.")?;
            let line = self.line()?;
            if !line.is_empty() {
                self.progress.answer(&self.lab.id, &task.id, &line)?;
            }
        }
        self.say("\nThat is the end of the lab.")
    }
}
