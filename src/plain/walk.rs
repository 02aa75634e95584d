//! The way through the steps.

use std::io::{BufRead, Write};

use super::{Plain, Stop};
use crate::event::{Event, SubjectReport};
use crate::lab::{Bench, Fault, mutated};
use crate::model::{Mutant, Step, Test};
use crate::progress::Place;
use crate::worksheet::{WHY, candidates, letter, no_test_can_tell, paragraphs};

/// What a learner does after a result.
enum Next {
    Step,
    Again,
    Further,
    Own,
}

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    pub(super) fn walk(&mut self) -> Result<(), Stop> {
        let steps = self.lab.steps.len();
        self.say(&format!(
            "idemlab · lab {} · {} track",
            self.lab.id, self.track
        ))?;
        let lab = self.lab;
        for source in &lab.sources {
            if source.track != self.track {
                let track = source.track;
                self.say(&format!("(`idemlab --track {track}` works it in {track})"))?;
            }
        }
        self.tell(&self.lab.title, "")?;
        self.say("")?;
        let place = self.progress.place(&self.lab.id)?;
        let first = match place {
            Some(place) => {
                if place.step > self.last() {
                    self.say("You have walked all steps; the last page comes now.")?;
                } else {
                    self.say(&format!("You stopped at step {} of {steps}.", place.step))?;
                }
                place.step
            }
            None => {
                self.tell(&paragraphs(&self.lab.idea).join("\n"), "")?;
                1
            }
        };
        self.say("\nEnter goes on; q leaves, and so does the end of the input.")?;
        self.line()?;
        for number in first..=self.last() {
            let Some(step) = self.lab.step(number) else {
                break;
            };
            let stop = Place {
                step: number,
                view: "contract".to_owned(),
            };
            self.progress.stop_at(&self.lab.id, &stop)?;
            self.step(step)?;
        }
        let end = Place {
            step: self.last() + 1,
            view: "closing".to_owned(),
        };
        self.progress.stop_at(&self.lab.id, &end)?;
        self.closing()
    }

    fn last(&self) -> u32 {
        self.lab.steps.last().map_or(0, |step| step.number)
    }

    fn step(&mut self, step: &Step) -> Result<(), Stop> {
        let head = format!("Step {} of {}: {}", step.number, self.last(), step.id);
        self.say(&format!("\n{head} — {}", step.title))?;
        self.show_contract(step)?;
        let Some(mutant) = self.lab.worksheet_mutant(step.number) else {
            let lab = self.lab;
            let task = step.task.as_deref().and_then(|id| lab.task(id));
            return match task {
                Some(task) => self.answer(task),
                None => self.say("\nThis step has no wrong fragment."),
            };
        };
        match mutated(self.lab, self.track, mutant) {
            Ok(mutated) => self.show_fragment(mutant, &mutated)?,
            Err(why) => return self.say(&format!("\nThe wrong fragment cannot be shown: {why}")),
        }
        loop {
            self.attempt(mutant)?;
            loop {
                match self.ask_next(step)? {
                    Next::Step => return Ok(()),
                    Next::Further => return self.further(step),
                    Next::Own => self.own(step.number)?,
                    Next::Again => break,
                }
            }
            self.say("\nAgain, as practice: the first prediction is kept.")?;
        }
    }

    /// One prediction and its run.
    pub(super) fn attempt(&mut self, mutant: &Mutant) -> Result<(), Stop> {
        let offered = candidates(self.lab, mutant, self.track);
        let prediction = self.predict(mutant, &offered)?;
        let lab = &self.lab.id;
        let id = self
            .progress
            .predict(lab, self.track, &mutant.id, mutant.step, &prediction)?;
        let Some(report) = self.run_mutant(mutant, &offered, &prediction.tests)? else {
            return Ok(());
        };
        self.progress.ran(id, &report)?;
        self.show_result(mutant, &prediction, &offered, &report)?;
        let reason = no_test_can_tell(mutant, &report);
        if reason.is_some() {
            self.say(&format!("\n{WHY} One line; Enter for nothing."))?;
        } else {
            self.show_lesson(mutant)?;
            self.say("\nWhat did you actually see? One line; Enter for nothing.")?;
        }
        let line = self.line()?;
        if !line.is_empty() {
            self.progress.saw(id, &line)?;
        }
        if let Some(reason) = reason {
            self.say("\n  Why no test can tell:")?;
            self.tell(reason, "  ")?;
            self.show_lesson(mutant)?;
        }
        Ok(())
    }

    /// Runs the mutant, the predicted tests first; no verdict while the reference is not green.
    fn run_mutant(
        &mut self,
        mutant: &Mutant,
        offered: &[&Test],
        first: &[String],
    ) -> Result<Option<SubjectReport>, Stop> {
        self.say("\nRUN\n")?;
        let bench = Bench::new(self.lab, self.track, self.interrupt.clone())?;
        if !self.baseline {
            let tests: Vec<&Test> = self.lab.tests_in(self.track).collect();
            match bench.baseline(&tests, &|_| {}) {
                Ok(_) => self.baseline = true,
                Err(Fault::Baseline(_)) => {
                    self.say("The reference does not pass its own tests here, so nothing can be said of a wrong fragment. `idemlab run` shows which.")?;
                    return Ok(None);
                }
                Err(fault) => return Err(fault.into()),
            }
        }
        let mut tests = offered.to_vec();
        tests.sort_by_key(|test| !first.contains(&test.id));
        let reds = std::sync::Mutex::new(Vec::new());
        let report = bench.mutant(mutant, &tests, &|event| {
            if let Event::Tested { report, .. } = event
                && report.word().is_red()
                && let Ok(mut reds) = reds.lock()
            {
                reds.push(report.id);
            }
        })?;
        // In the order of the list, not in that in which they came to an end.
        let reds = reds.into_inner().unwrap_or_default();
        for (place, test) in offered.iter().enumerate() {
            if reds.contains(&test.id) {
                self.say(&format!("  {} catches it", letter(place)))?;
            }
        }
        match report.report {
            Some(report) => Ok(Some(report)),
            None => {
                let why = report.why.unwrap_or_default();
                self.say(&format!("The wrong fragment cannot be run: {why}"))?;
                Ok(None)
            }
        }
    }

    fn ask_next(&mut self, step: &Step) -> Result<Next, Stop> {
        let next = if step.number == self.last() {
            "the last page"
        } else {
            "the next step"
        };
        self.say(&format!(
            "\nEnter for {next}; a to predict again, as practice;\nc for more wrong changes of this step; y for your own code; q to leave."
        ))?;
        loop {
            match self.line()?.as_str() {
                "" => return Ok(Next::Step),
                "a" => return Ok(Next::Again),
                "c" => return Ok(Next::Further),
                "y" => return Ok(Next::Own),
                _ => self.say("Enter, a, c, y or q.")?,
            }
        }
    }
}
