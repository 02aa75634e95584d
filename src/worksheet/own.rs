//! A learner's own code beside the lab: how far it is, and what was first said about the step.

use std::path::Path;

use crate::event::{Attempt, StepState, StepTrial, Trial};
use crate::model::{Lab, SeenIn, Sure, Test, Track};

use super::counted;

/// Returns the mark of a step's state, never told by its colour alone.
#[must_use]
pub const fn step_mark(state: StepState) -> char {
    match state {
        StepState::Green => '✔',
        StepState::Red => '✘',
        StepState::NotWritten | StepState::NotRun => '·',
    }
}

/// Lists the steps and how far each is; those that were not run are one line.
#[must_use]
pub fn own_steps(trial: &Trial) -> Vec<(StepState, String)> {
    let mut lines = Vec::new();
    let mut left_out: Vec<&StepTrial> = Vec::new();
    for step in &trial.steps {
        let state = step.state();
        let count = counted(step.tests.len(), "test");
        let words = match state {
            StepState::NotRun => {
                left_out.push(step);
                continue;
            }
            StepState::Green => format!("{count} green"),
            StepState::NotWritten => "not written yet".to_owned(),
            StepState::Red => format!("{} of {count} red", step.red()),
        };
        lines.push((
            state,
            format!("{}  {:<16} {words}", step.step, step.function),
        ));
    }
    match left_out[..] {
        [] => {}
        [only] => lines.push((
            StepState::NotRun,
            format!("{}  {:<16} not run", only.step, only.function),
        )),
        [first, .., last] => lines.push((
            StepState::NotRun,
            format!("steps {} to {} not run", first.step, last.step),
        )),
    }
    lines
}

/// Names the function to write next and the file it belongs in: a step may be called otherwise than
/// its function, and in the shell each function is a script.
#[must_use]
pub fn to_write(lab: &Lab, trial: &Trial, step: &StepTrial) -> (String, String) {
    let known = lab.step(step.step).and_then(|step| step.function.as_ref());
    let function = known.unwrap_or(&step.function);
    let file = if trial.language == Track::Shell.id() {
        let script = Path::new(&trial.file).with_file_name(format!("{function}.sh"));
        script.display().to_string()
    } else {
        trial.file.clone()
    };
    (function.clone(), file)
}

/// Says how it goes on after a run in which nothing was red.
#[must_use]
pub fn own_end(lab: &Lab, trial: &Trial) -> String {
    let run = trial.steps.iter().filter(|step| !step.tests.is_empty());
    let last = run.map(|step| step.step).max().unwrap_or(0);
    match lab.step(last + 1) {
        Some(next) => format!(
            "Green up to step {last}. The next is step {}, `{}`.",
            next.number, next.id
        ),
        None => "All steps are green.".to_owned(),
    }
}

/// Returns the promise that a test holds the code to.
#[must_use]
pub fn promise<'l>(lab: &'l Lab, test: &Test) -> Option<&'l str> {
    let id = test.clause.as_ref()?;
    let mut all = lab.steps.iter().flat_map(|step| &step.promises);
    all.find(|clause| clause.id == *id)
        .map(|clause| clause.text.trim())
}

/// Says what the learner first said about the wrong change of a step, line by line.
#[must_use]
pub fn said_first(lab: &Lab, attempt: &Attempt) -> Vec<String> {
    let said = &attempt.prediction;
    let mut lines = Vec::new();
    if !said.observation.trim().is_empty() {
        lines.push(format!("what would show it: {}", said.observation.trim()));
    }
    let kind = said.seen_in.map_or("not said", SeenIn::words);
    let sure = said.sure.map_or("not said", Sure::words);
    lines.push(format!("seen in: {kind}; {sure}"));
    let titles = said.tests.iter().map(|id| {
        let known = lab.test(id);
        known.map_or(id.as_str(), |test| test.title.as_str())
    });
    match (said.unknown, said.tests.is_empty()) {
        (true, _) => lines.push("tests that catch it: you did not know".to_owned()),
        (false, true) => lines.push("tests that catch it: none".to_owned()),
        (false, false) => {
            lines.push("tests that catch it:".to_owned());
            lines.extend(titles.map(|title| format!("- {title}")));
        }
    }
    if let Some(comparison) = attempt.comparison(lab) {
        lines.push(comparison.sentence());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_write_next_is_a_function_and_in_the_shell_a_script() {
        let pack = crate::pack::shipped().unwrap();
        let next = |lab: &str, language: &str, file: &str| {
            let lab = pack.lab(lab).unwrap();
            let step = StepTrial {
                step: lab.steps[0].number,
                function: lab.steps[0].id.clone(),
                tests: Vec::new(),
            };
            let trial = Trial {
                lab: lab.id.clone(),
                language: language.to_owned(),
                file: file.to_owned(),
                not_loaded: None,
                steps: Vec::new(),
                took: std::time::Duration::ZERO,
            };
            to_write(lab, &trial, &step)
        };
        let pair = |function: &str, file: &str| (function.to_owned(), file.to_owned());
        let script = next("inbox", "shell", "mine/apply.sh");
        assert_eq!(script, pair("create", "mine/create.sh"));
        let rust = next("inbox", "rust", "inbox.rs");
        assert_eq!(rust, pair("create", "inbox.rs"));
    }
}
