//! The last page: the predictions, how certainty matched them, and the tasks.

use std::io::{BufRead, Write};

use super::{Plain, Stop};
use crate::model::Task;
use crate::worksheet::{certainty, first_attempt, standings};

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    pub(super) fn closing(&mut self) -> Result<(), Stop> {
        self.say("\nTHE LAST PAGE\n\nYour first predictions:\n")?;
        let attempts = self.progress.predictions(&self.lab.id)?;
        let answers = self.progress.answers(&self.lab.id)?;
        for step in &self.lab.steps {
            let attempt = first_attempt(&attempts, self.lab, step.number);
            let words = match (
                attempt.map(|attempt| attempt.comparison(self.lab)),
                &step.task,
            ) {
                (Some(Some(comparison)), _) => comparison.fit.words(),
                (Some(None), _) => "predicted, not run",
                (None, Some(task)) if answers.contains_key(task) => "answered in writing",
                (None, Some(_)) => "in writing, not answered yet",
                (None, None) => "not predicted",
            };
            self.say(&format!("  {:>2}  {:<16} {words}", step.number, step.id))?;
        }
        let certainty = certainty(&standings(self.lab, &attempts));
        if !certainty.is_empty() {
            self.say("\nHow certainty matched:\n")?;
        }
        for line in certainty {
            self.tell(&line, "  ")?;
        }
        self.tasks()
    }

    fn tasks(&mut self) -> Result<(), Stop> {
        let lab = self.lab;
        for (place, task) in lab.tasks.iter().enumerate() {
            self.say(&format!(
                "\nTask {} of {}. {}",
                place + 1,
                lab.tasks.len(),
                task.title
            ))?;
            self.ask_task(task)?;
        }
        self.say("\nThat is the end of the lab.")
    }

    /// Asks for the answer of a written step, where its contract has just been read.
    pub(super) fn answer(&mut self, task: &Task) -> Result<(), Stop> {
        self.say("\nANSWER IN WRITING (the last page asks once more)\n")?;
        self.ask_task(task)
    }

    fn ask_task(&mut self, task: &Task) -> Result<(), Stop> {
        self.tell(&task.text, "")?;
        let answers = self.progress.answers(&self.lab.id)?;
        if let Some(answer) = answers.get(&task.id) {
            self.tell(&format!("Your answer so far: {answer}"), "  ")?;
        }
        self.say("One line; Enter leaves it as it is.")?;
        let line = self.line()?;
        if !line.is_empty() {
            self.progress.answer(&self.lab.id, &task.id, &line)?;
        }
        Ok(())
    }
}
