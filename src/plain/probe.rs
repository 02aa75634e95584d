//! A test of the learner's own, written beside a prediction.

use std::io::{BufRead, Write};

use super::{Plain, Stop};
use crate::lab::{Bench, ProbeVerdict};
use crate::model::{Argument, Cell, Kind, Lab, Mutant, Step, Test};
use crate::pack::{self, Broken};
use crate::worksheet::{
    ProbeForm, ProbeWorth, contradicted, probe_template, probe_yaml, shown_lines,
};

impl<R: BufRead, W: Write> Plain<'_, R, W> {
    /// Lets the learner write tests of their own, as many as they like.
    pub(super) fn offer_probe(&mut self, mutant: &Mutant) -> Result<(), Stop> {
        let Some(step) = self.lab.step(mutant.step) else {
            return Ok(());
        };
        loop {
            self.say("\nEnter goes on to the tests; p writes a test of your own first.")?;
            match self.line()?.as_str() {
                "" => return Ok(()),
                "p" => self.probe(step, mutant)?,
                _ => self.say("Enter, p or q.")?,
            }
        }
    }

    fn probe(&mut self, step: &Step, mutant: &Mutant) -> Result<(), Stop> {
        self.say("\nA test in the lab's own form, such as:\n")?;
        let example = probe_yaml(self.lab, &example(self.lab, step));
        // The first line speaks of an editor.
        for line in probe_template(self.lab, step.number, &example)
            .lines()
            .skip(1)
        {
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
        let worth = match &verdict {
            ProbeVerdict::Invalid(_) => ProbeWorth::Invalid,
            ProbeVerdict::Catches(_) => ProbeWorth::Catches,
            ProbeVerdict::Misses => ProbeWorth::Misses,
        };
        self.say("")?;
        self.tell(worth.sentence(), "")?;
        match &verdict {
            ProbeVerdict::Invalid(report) => {
                self.show_script(test, Some(report))?;
                let (likely, others) = contradicted(self.lab, test, report);
                self.say("  The contract says:")?;
                for clause in likely.into_iter().chain(others) {
                    self.tell(&clause.text, "    ")?;
                }
            }
            ProbeVerdict::Catches(report) => {
                let saw = report.verdict.observed.as_ref().map(shown_lines);
                self.say(&format!("  It saw: {}", saw.unwrap_or_default().join(" ")))?;
            }
            ProbeVerdict::Misses => {}
        }
        let lab = &self.lab.id;
        Ok(self
            .progress
            .keep_probe(lab, &mutant.id, mutant.step, source, worth.id())?)
    }
}

/// Finds a row of the lab's first table, as its tests write one.
fn sample_row(lab: &Lab) -> String {
    let given = lab.tests.iter().flat_map(|test| &test.given);
    let mut one = given.filter(|table| table.rows.len() == 1);
    let row = one.find_map(|table| table.rows.first());
    let cell = |cell: &Cell| match cell {
        Cell::Null | Cell::Blob(_) => "null".to_owned(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => text.clone(),
        Cell::Json(value) => format!("{{json: {value}}}"),
    };
    let cells: Vec<String> = row.into_iter().flatten().map(cell).collect();
    cells.join(", ")
}

/// A test of a step's function to begin with.
fn example(lab: &Lab, step: &Step) -> ProbeForm {
    let row = sample_row(lab);
    let row = row.as_str();
    let has_rows = !lab.tables.is_empty();
    let rows = match (has_rows, step.number) {
        (false, _) => "",
        (true, 1) => "none",
        (true, _) => row,
    };
    let value = |argument: &Argument| match (argument.name.as_str(), argument.kind) {
        ("key", _) => "k".to_owned(),
        ("digest", _) => "v2".to_owned(),
        (_, Kind::Text) => "text".to_owned(),
        (_, Kind::Number | Kind::Integer) => "10".to_owned(),
        (_, Kind::Json | Kind::Callback) => "{receipt: 1}".to_owned(),
        // An event comes at a time; what else it has are texts.
        (_, Kind::List) => match argument.parts.split_first() {
            Some((_, rest)) => format!("[[0, {}]]", rest.join(", ")),
            None => "[]".to_owned(),
        },
    };
    let required = step.arguments.iter().filter(|argument| !argument.optional);
    ProbeForm {
        given: if has_rows && step.number > 1 {
            row.to_owned()
        } else {
            String::new()
        },
        function: step.function.clone().unwrap_or_default(),
        arguments: required
            .map(|argument| (argument.name.clone(), value(argument)))
            .collect(),
        raises: false,
        returns: if step.answers_truth {
            "false".to_owned()
        } else {
            String::new()
        },
        rows: rows.to_owned(),
    }
}
