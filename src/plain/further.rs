//! Further wrong changes of a step, as practice: a numbered list, and the way through one.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use super::{Plain, Stop};
use crate::lab::{Bench, mutated};
use crate::model::{Mutant, Step};
use crate::worksheet::{Further, candidates, further, told, unweighed};

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    /// Lists further changes and opens those that are asked for, until Enter goes on.
    pub(super) fn further(&mut self, step: &Step) -> Result<(), Stop> {
        if !self.baseline {
            return self.say("That has to wait until the reference passes its own tests here.");
        }
        let none = further(self.lab, step.number, self.track, &BTreeMap::new()).is_empty();
        if none {
            return self.say("This step has no other wrong changes.");
        }
        self.weigh(step.number)?;
        loop {
            let (lab, counts) = (self.lab, self.weights.clone());
            let list = further(lab, step.number, self.track, &counts);
            self.list_further(step, &list)?;
            let Some(place) = self.one_further(list.len())? else {
                return Ok(());
            };
            self.walk_further(list[place].mutant)?;
        }
    }

    /// Runs the changes over the tests up to the step, once a session.
    fn weigh(&mut self, step: u32) -> Result<(), Stop> {
        let list = further(self.lab, step, self.track, &self.weights);
        let open = unweighed(&list);
        if open.is_empty() {
            return Ok(());
        }
        self.say("\nThe changes run over the tests, to put them in order.")?;
        let bench = Bench::new(self.lab, self.track, self.interrupt.clone())?;
        for mutant in open.iter().filter_map(|id| self.lab.mutant(id)) {
            let tests = candidates(self.lab, mutant, self.track);
            let report = bench.mutant(mutant, &tests, &|_| {})?.report;
            let caught = report.map_or(0, |report| report.caught_by().count());
            self.weights.insert(mutant.id.clone(), caught);
        }
        Ok(())
    }

    fn list_further(&mut self, step: &Step, list: &[Further<'_>]) -> Result<(), Stop> {
        let head = format!("More wrong changes to {}, from easy to subtle", step.id);
        self.say(&format!("\n{head}:\n"))?;
        let attempts = self.progress.predictions(&self.lab.id)?;
        for (place, further) in list.iter().enumerate() {
            let mutant = further.mutant;
            let text = match told(&attempts, self.lab, mutant) {
                Some(told) => format!("{} ({told})", mutant.title),
                None => format!("“{}”", mutant.belief.trim()),
            };
            let word = further.ease.map_or("", crate::worksheet::Ease::word);
            let first = format!("  {:>2}  {word:<12}  ", place + 1);
            self.fold(&text, &first, &" ".repeat(20))?;
        }
        Ok(())
    }

    /// Asks for one of the list; none if the learner goes on.
    fn one_further(&mut self, count: usize) -> Result<Option<usize>, Stop> {
        self.say("\nA number opens one; Enter goes on; q leaves.")?;
        loop {
            let line = self.line()?;
            match line.parse::<usize>() {
                _ if line.is_empty() => return Ok(None),
                Ok(number) if (1..=count).contains(&number) => return Ok(Some(number - 1)),
                _ => self.say(&format!("A number from 1 to {count}, Enter or q."))?,
            }
        }
    }

    fn walk_further(&mut self, mutant: &Mutant) -> Result<(), Stop> {
        match mutated(self.lab, self.track, mutant) {
            Ok(mutated) => self.show_fragment(mutant, &mutated)?,
            Err(why) => return self.say(&format!("\nThe wrong fragment cannot be shown: {why}")),
        }
        self.attempt(mutant)
    }
}
