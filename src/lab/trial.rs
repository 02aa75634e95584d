//! Runs a learner's own code over the steps of a lab.
//!
//! The reference is not run: whether the lab's tests are right is for `check`. Nothing here says
//! what a red test costs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Bench, Fault};
use crate::event::{StepState, StepTrial, Trial};
use crate::model::{Lab, Test, Track};
use crate::run::track::{self, Warm};
use crate::run::{Interrupt, Launch, NotReady, PrepareError};
use crate::workspace::{Engine, Workspace};

/// Which steps of a learner's code are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upto {
    /// From the first on, as long as they are green.
    Green,
    /// This step and all before it, whatever they show.
    Step(u32),
    /// All steps.
    All,
}

/// Why a workspace cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NothingToRun(pub String);

/// A learner's code as it lies in a workspace, and what it takes to run it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCode {
    lab: String,
    root: PathBuf,
    engine: Engine,
    /// The file under test, if the manifest names one, and where it lies.
    source: Option<(String, PathBuf)>,
}

impl OwnCode {
    /// Looks what there is to run in a workspace; runs nothing.
    ///
    /// # Errors
    ///
    /// Says that the file under test is not there, or why it cannot be used.
    pub fn of(workspace: &Workspace) -> Result<Self, NothingToRun> {
        let manifest = workspace.manifest();
        let path = workspace
            .source()
            .map_err(|problem| NothingToRun(format!("{}: {}", problem.file, problem.title)))?;
        let source = match (&manifest.source, path) {
            (Some(name), None) => {
                let root = workspace.root().display();
                return Err(NothingToRun(format!("there is no {name} in {root}")));
            }
            (Some(name), Some(path)) => Some((name.clone(), path)),
            (None, _) => None,
        };
        Ok(Self {
            lab: manifest.lab.clone(),
            root: workspace.root().to_owned(),
            engine: manifest.engine.clone(),
            source,
        })
    }

    /// Returns the track whose tests it is run by; that of a program is no track of the lab.
    #[must_use]
    pub const fn track(&self) -> Option<Track> {
        self.engine.track()
    }

    /// Names the language.
    #[must_use]
    pub fn language(&self) -> &str {
        self.engine.name()
    }

    /// Names the file under test, or the program if there is no such file.
    #[must_use]
    pub fn file(&self) -> &str {
        match (&self.source, &self.engine) {
            (Some((name, _)), _) => name,
            (None, Engine::Program { command, .. }) => command.last().map_or("", String::as_str),
            (None, Engine::Track(track)) => track.id(),
        }
    }

    /// Lists the tests that it can be held to: those that its track, or any program, can say.
    #[must_use]
    pub fn tests<'l>(&self, lab: &'l Lab) -> Vec<&'l Test> {
        match self.track() {
            Some(track) => lab.tests_in(track).collect(),
            None => {
                let for_all = |test: &&Test| test.tracks.is_empty();
                lab.tests.iter().filter(for_all).collect()
            }
        }
    }

    /// Builds what has to be built, and tells how to start it.
    ///
    /// # Errors
    ///
    /// Says what is missing on this machine, or why the code does not build.
    pub fn launch(&self, warm: &Warm, interrupt: &Interrupt) -> Result<Launch, PrepareError> {
        match &self.engine {
            Engine::Track(track) => {
                let path = self.source.as_ref().map_or(Path::new(""), |(_, path)| path);
                track::prepare_file(*track, &self.lab, path, warm, interrupt)
            }
            Engine::Program { command, build, .. } => {
                track::program::build(&self.lab, &self.root, build, None, interrupt)?;
                Ok(track::program::launch(&self.lab, &self.root, command)?)
            }
        }
    }
}

impl Bench<'_> {
    /// Runs a learner's own code over its steps.
    ///
    /// Code that does not build or load is a result too.
    ///
    /// # Errors
    ///
    /// Fails when the machine cannot run it or the run is interrupted.
    pub fn trial(&self, code: &OwnCode, upto: Upto) -> Result<Trial, Fault> {
        let start = Instant::now();
        let lab = self.lab();
        let mut trial = Trial {
            lab: lab.id.clone(),
            language: code.language().to_owned(),
            file: code.file().to_owned(),
            not_loaded: None,
            steps: lab.steps.iter().map(not_run).collect(),
            took: Duration::ZERO,
        };
        match code.launch(&self.warm, &self.interrupt) {
            Ok(launch) => self.steps(&launch, code, upto, &mut trial)?,
            Err(PrepareError::Interrupted) => return Err(Fault::Interrupted),
            Err(PrepareError::DoesNotBuild(why)) => trial.not_loaded = Some(why),
            Err(PrepareError::NotReady(missing)) => return Err(Fault::NotReady(missing)),
        }
        // The workshop builds every source under one name; the learner knows it by its own.
        trial.not_loaded = trial
            .not_loaded
            .map(|why| why.replace("src/subject.rs", code.file()));
        trial.took = start.elapsed();
        Ok(trial)
    }

    fn steps(
        &self,
        launch: &Launch,
        code: &OwnCode,
        upto: Upto,
        trial: &mut Trial,
    ) -> Result<(), Fault> {
        let tests = code.tests(self.lab());
        if let Upto::Green = upto {
            for place in 0..trial.steps.len() {
                let step = trial.steps[place].step;
                let own: Vec<&Test> = tests
                    .iter()
                    .copied()
                    .filter(|test| test.step == step)
                    .collect();
                if own.is_empty() {
                    continue;
                }
                self.some(launch, &own, trial)?;
                if trial.not_loaded.is_some() || trial.steps[place].state() != StepState::Green {
                    break;
                }
            }
            return Ok(());
        }
        let in_force = |test: &&Test| match upto {
            Upto::Step(last) => test.step <= last,
            Upto::Green | Upto::All => true,
        };
        let tests: Vec<&Test> = tests.into_iter().filter(in_force).collect();
        self.some(launch, &tests, trial)
    }

    /// Runs some tests, and puts each to its step.
    fn some(&self, launch: &Launch, tests: &[&Test], trial: &mut Trial) -> Result<(), Fault> {
        if tests.is_empty() {
            return Ok(());
        }
        let report = self.launched(launch, tests, &|_| {})?;
        if let Some(why) = report.not_loaded() {
            trial.not_loaded = Some(why.to_owned());
            return Ok(());
        }
        for test in report.tests {
            let of_test = |step: &&mut StepTrial| step.step == test.step;
            if let Some(step) = trial.steps.iter_mut().find(of_test) {
                step.tests.push(test);
            }
        }
        Ok(())
    }
}

fn not_run(step: &crate::model::Step) -> StepTrial {
    StepTrial {
        step: step.number,
        function: step.id.clone(),
        tests: Vec::new(),
    }
}

impl From<NothingToRun> for Fault {
    fn from(nothing: NothingToRun) -> Self {
        Self::NotReady(NotReady { why: nothing.0 })
    }
}
