//! A test of the learner's own, written beside a prediction.

use std::io::{BufRead, Write};

use super::{Plain, Stop};
use crate::lab::{Bench, ProbeVerdict};
use crate::model::{Mutant, Step, Test};
use crate::pack::{self, Broken};
use crate::worksheet::{contradicted, probe_template, shown_lines};

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    /// Lets the learner write tests of their own, as many as they like.
    pub(super) fn offer_probe(&mut self, mutant: &Mutant) -> Result<(), Stop> {
        let Some(step) = self.lab.step(mutant.step) else {
            return Ok(());
        };
        loop {
            self.say("\nEnter goes on to the tests; p writes a test of your own first.")?;
            match self.choice()?.as_str() {
                "" => return Ok(()),
                "p" => self.probe(step, mutant)?,
                _ => {}
            }
        }
    }

    fn probe(&mut self, step: &Step, mutant: &Mutant) -> Result<(), Stop> {
        self.say("\nA test in the lab's own form, such as:\n")?;
        for line in probe_template(self.lab, step).lines() {
            self.say(&format!("    {line}"))?;
        }
        self.say("\nType it line by line; a line with only a dot ends it.")?;
        let mut source = String::new();
        loop {
            let line = self.raw_line()?;
            if line == "." {
                break;
            }
            source.push_str(&line);
            source.push('\n');
        }
        match pack::read_probe(self.lab, step.number, &source) {
            Ok(test) => self.try_probe(mutant, &test, &source),
            Err(Broken(problems)) => {
                for problem in problems {
                    self.say(&format!(
                        "  line {}, column {}: {}",
                        problem.line, problem.column, problem.title
                    ))?;
                    self.say(&format!("    {}", problem.help))?;
                }
                self.say("Nothing was run; p lets you write it again.")
            }
        }
    }

    fn try_probe(&mut self, mutant: &Mutant, test: &Test, source: &str) -> Result<(), Stop> {
        let bench = Bench::new(self.lab, self.track, self.interrupt.clone())?;
        let verdict = bench.probe(test, mutant)?;
        drop(bench);
        let word = match &verdict {
            ProbeVerdict::Invalid(report) => {
                self.say("\nNot valid: the reference itself does not pass it.")?;
                self.show_script(test, Some(report))?;
                self.say("  The contract says:")?;
                for clause in contradicted(self.lab, test, &report.verdict) {
                    self.tell(&clause.text, "    ")?;
                }
                "invalid"
            }
            ProbeVerdict::Catches(report) => {
                let saw = report
                    .verdict
                    .observed
                    .as_ref()
                    .map(shown_lines)
                    .unwrap_or_default()
                    .join(" ");
                self.say(&format!(
                    "\nValid, and it catches the wrong fragment; it saw: {saw}"
                ))?;
                "catches"
            }
            ProbeVerdict::Misses => {
                self.say(
                    "\nValid, and it misses: the reference and the wrong fragment both pass it.",
                )?;
                "misses"
            }
        };
        let lab = &self.lab.id;
        Ok(self
            .progress
            .keep_probe(lab, &mutant.id, mutant.step, source, word)?)
    }
}
