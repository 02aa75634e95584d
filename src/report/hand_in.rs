//! What is missing from a hand-in, and what was written, for people.

use std::fmt::Write as _;

use crate::event::{StepState, Trial};
use crate::model::Lab;
use crate::worksheet::ProbeWorth;

/// What a workspace has and has not.
#[derive(Debug, Clone, PartialEq)]
pub struct Missing {
    /// All steps, if they could be run.
    pub trial: Option<Trial>,
    /// Why they could not.
    pub not_run: Option<String>,
    /// The written tasks, each with whether there is an answer.
    pub answers: Vec<(String, bool)>,
    /// The files that are to be kept, each with what is to be in it and whether it is there.
    pub records: Vec<(String, String, bool)>,
    /// The learner's own tests.
    pub probes: Vec<ProbeState>,
    /// How many steps have a first prediction.
    pub predicted: usize,
    /// How many could have one.
    pub to_predict: usize,
}

/// A test of the learner's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeState {
    /// Its name, or where it stands.
    pub name: String,
    /// The mutant that it is aimed at.
    pub mutant: Option<String>,
    /// What it is worth, if that could be told.
    pub worth: Option<ProbeWorth>,
}

/// What became of what was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// There was nothing.
    New,
    /// An earlier hand-in was replaced.
    Again,
    /// The very same was there already.
    Same,
}

impl Missing {
    /// Tells whether nothing is missing.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.trial.as_ref().is_some_and(Trial::is_green)
            && self.answers.iter().all(|(_, there)| *there)
            && self.records.iter().all(|(_, _, there)| *there)
            && !self.probes.is_empty()
            && self.probes.iter().all(ProbeState::is_right)
            && self.predicted == self.to_predict
    }
}

impl ProbeState {
    fn is_right(&self) -> bool {
        self.worth == Some(ProbeWorth::Catches)
    }
}

/// Writes what is missing; where nothing is, that.
#[must_use]
pub fn text(lab: &Lab, missing: &Missing) -> String {
    let mut text = String::new();
    steps(&mut text, missing);
    let there = missing.answers.iter().filter(|(_, there)| *there).count();
    let _ = writeln!(text, "Answers      {there} of {}", missing.answers.len());
    for (task, _) in missing.answers.iter().filter(|(_, there)| !there) {
        let title = lab.task(task).map_or("", |task| &task.title);
        let _ = writeln!(text, "  · answers/{task}.md has none: {title}");
    }
    if !missing.records.is_empty() {
        let there = missing.records.iter().filter(|(_, _, there)| *there);
        let _ = writeln!(
            text,
            "Files        {} of {}",
            there.count(),
            missing.records.len()
        );
    }
    for (file, about, _) in missing.records.iter().filter(|(_, _, there)| !there) {
        let _ = writeln!(text, "  · {file} is not there: {}", about.trim());
    }
    let right = missing
        .probes
        .iter()
        .filter(|probe| probe.is_right())
        .count();
    match missing.probes.len() {
        0 => text.push_str("Own tests    none\n"),
        count => {
            let _ = writeln!(text, "Own tests    {right} of {count} catch their mutant");
        }
    }
    for probe in &missing.probes {
        let mark = if probe.is_right() { '✔' } else { '·' };
        let aim = probe.mutant.as_deref().unwrap_or("no mutant");
        let _ = writeln!(
            text,
            "  {mark} {} ({aim}): {}",
            probe.name,
            worth(probe.worth)
        );
    }
    let _ = writeln!(
        text,
        "Predictions  {} of {} steps",
        missing.predicted, missing.to_predict
    );
    text
}

fn steps(text: &mut String, missing: &Missing) {
    let Some(trial) = &missing.trial else {
        let why = missing
            .not_run
            .as_deref()
            .unwrap_or("it cannot be run here");
        let _ = writeln!(text, "Steps        not run: {why}");
        return;
    };
    if let Some(why) = &trial.not_loaded {
        let _ = writeln!(
            text,
            "Steps        {} does not load\n\n{}\n",
            trial.file,
            why.trim()
        );
        return;
    }
    let green = trial
        .steps
        .iter()
        .filter(|step| step.state() == StepState::Green);
    let _ = writeln!(
        text,
        "Steps        {} of {} green",
        green.count(),
        trial.steps.len()
    );
    for step in &trial.steps {
        let words = match step.state() {
            StepState::Green => continue,
            StepState::NotRun => "not run".to_owned(),
            StepState::NotWritten => "not written yet".to_owned(),
            StepState::Red => format!("{} of {} tests red", step.red(), step.tests.len()),
        };
        let _ = writeln!(text, "  · step {} {}: {words}", step.step, step.function);
    }
}

const fn worth(worth: Option<ProbeWorth>) -> &'static str {
    match worth {
        Some(ProbeWorth::Catches) => "valid, and it catches the mutant",
        Some(ProbeWorth::Misses) => "valid, and the mutant passes it too",
        Some(ProbeWorth::Invalid) => "not valid, the reference does not pass it",
        None => "it cannot be run",
    }
}

/// Writes what was handed in.
#[must_use]
pub fn written(target: &str, files: &[(&str, usize)], written: Written) -> String {
    let mut text = match written {
        Written::New => format!("\n{target} holds:\n"),
        Written::Again => format!("\n{target}, in place of an earlier one, holds:\n"),
        Written::Same => format!("\n{target} was there already, byte for byte. It holds:\n"),
    };
    for (file, bytes) in files {
        let _ = writeln!(text, "  {file:<30} {bytes:>7} bytes");
    }
    text
}
