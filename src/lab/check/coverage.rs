//! Does every clause have a test, every test a mutant that it catches, every mutant a row of
//! its own?

use std::collections::HashMap;

use super::{Checker, Row, file_of};
use crate::model::{Lab, Mutant};
use crate::pack::Step;

impl Checker<'_> {
    pub(super) fn clauses(&mut self, lab: &Lab) {
        let file = format!("exercises/{}/lab.yaml", lab.id);
        for (place, step) in lab.steps.iter().enumerate() {
            // What is answered in writing is read by a person.
            if step.function.is_none() {
                continue;
            }
            for (at, clause) in step.promises.iter().enumerate() {
                if !lab
                    .tests
                    .iter()
                    .any(|test| test.clause.as_deref() == Some(&clause.id))
                {
                    let way = [
                        Step::Key("steps"),
                        Step::Item(place),
                        Step::Key("promises"),
                        Step::Item(at),
                        Step::Key("id"),
                    ];
                    let title = format!("no test holds the function to `{}`", clause.id);
                    self.report(
                        "clause-without-test",
                        &file,
                        &way,
                        &title,
                        "write a test with this `clause:`",
                    );
                }
            }
        }
    }

    /// Reports tests that no mutant fails and that do not say why they are there, if all mutants
    /// were run; and guards that a mutant does fail.
    pub(super) fn idle_tests(&mut self, lab: &Lab, red: &[String], complete: bool) {
        for test in &lab.tests {
            let is_red = red.contains(&test.id);
            let (file, place) = self
                .sources
                .test(&lab.id, &test.id)
                .unwrap_or(("exercises", 0));
            let file = file.to_owned();
            if complete && !is_red && !test.success && test.guard.is_none() {
                let title = format!("no mutant fails `{}`", test.id);
                let help = "add the mutant that only it sees, mark it `success: true`, or say why it is there with `guard:`";
                self.report(
                    "idle-test",
                    &file,
                    &[Step::Item(place), Step::Key("id")],
                    &title,
                    help,
                );
            }
            if is_red && test.guard.is_some() {
                let title = format!("`{}` is marked as a guard, and a mutant fails it", test.id);
                self.warn(
                    "busy-guard",
                    &file,
                    &[Step::Item(place), Step::Key("guard")],
                    &title,
                    "take `guard:` away",
                );
            }
        }
    }

    /// Hints at mutants that no test tells from each other.
    pub(super) fn same_rows(&mut self, lab: &Lab, rows: &[(&Mutant, Row)]) {
        let mut owners: HashMap<Vec<&str>, &str> = HashMap::new();
        for (mutant, row) in rows {
            let reds: Vec<&str> = row.reds().collect();
            if reds.is_empty() {
                continue;
            }
            if let Some(other) = owners.get(&reds) {
                let title = format!("the same tests catch this mutant and `{other}`");
                self.warn(
                    "same-row",
                    &file_of(lab, mutant),
                    &[Step::Key("title")],
                    &title,
                    "a hint only: do both teach something of their own?",
                );
            } else {
                owners.insert(reds, &mutant.id);
            }
        }
    }
}
