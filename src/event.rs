//! What happens, told once: the screen, the plain face and every report listen to this.
//!
//! It imports `model` and `verdict`, and knows none of its listeners.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::model::{Mark, Prediction, Test, Track};
use crate::verdict::{MutantWord, Shown, TestVerdict, TestWord};

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "most events are the large one")]
pub enum Event {
    /// A subject is about to be run over some tests.
    Started {
        /// Who is run.
        subject: SubjectId,
        /// How many tests.
        tests: usize,
    },
    /// A test of a subject has its verdict.
    Tested {
        /// Who was run.
        subject: SubjectId,
        /// The test and its verdict.
        report: TestReport,
    },
    /// A subject was run over all its tests.
    Finished(SubjectReport),
}

/// Who is under test.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SubjectId {
    /// The reference.
    Reference,
    /// A mutant, by id.
    Mutant(String),
    /// A learner's file, by path.
    Submission(String),
}

impl SubjectId {
    /// Returns the kind of subject, as reports name it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Mutant(_) => "mutant",
            Self::Submission(_) => "submission",
        }
    }

    /// Returns the mutant's id or the submission's path.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Reference => None,
            Self::Mutant(id) | Self::Submission(id) => Some(id),
        }
    }
}

/// One test and its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct TestReport {
    /// Name of the test.
    pub id: String,
    /// Its step.
    pub step: u32,
    /// What a red verdict counts for.
    pub mark: Mark,
    /// Its verdict.
    pub verdict: TestVerdict,
    /// How long it took, forced waits included.
    pub took: Duration,
    /// How long a lock was held on purpose.
    pub held: Duration,
}

impl TestReport {
    /// Makes the report of a test.
    #[must_use]
    pub fn new(test: &Test, verdict: TestVerdict, took: Duration) -> Self {
        Self {
            id: test.id.clone(),
            step: test.step,
            mark: test.mark,
            held: verdict.seen.iter().map(|line| line.held).sum(),
            verdict,
            took,
        }
    }

    /// Returns the verdict in one word.
    #[must_use]
    pub const fn word(&self) -> TestWord {
        self.verdict.word
    }

    /// Tells whether the test catches its subject: red, and about the contract.
    #[must_use]
    pub fn catches(&self) -> bool {
        self.word().is_red() && self.mark == Mark::Contract
    }
}

/// A subject over all its tests.
#[derive(Debug, Clone, PartialEq)]
pub struct SubjectReport {
    /// Name of the lab.
    pub lab: String,
    /// The track it was run in.
    pub track: Track,
    /// Who was run.
    pub subject: SubjectId,
    /// The tests in the lab's order.
    pub tests: Vec<TestReport>,
    /// How long it took from start to end.
    pub took: Duration,
}

impl SubjectReport {
    /// Tells whether no test about the contract is red and every one was run.
    #[must_use]
    pub fn is_green(&self) -> bool {
        self.tests
            .iter()
            .all(|test| !test.catches() && test.word() != TestWord::NotRun)
    }

    /// Iterates over the ids of the tests that catch the subject.
    pub fn caught_by(&self) -> impl Iterator<Item = &str> {
        self.tests
            .iter()
            .filter(|test| test.catches())
            .map(|test| test.id.as_str())
    }

    /// Counts the tests that are red about something that the contract does not promise.
    #[must_use]
    pub fn told_beside(&self) -> usize {
        let beside = |test: &&TestReport| test.word().is_red() && !test.catches();
        self.tests.iter().filter(beside).count()
    }

    /// Returns the verdict of the subject as a mutant.
    #[must_use]
    pub fn mutant_word(&self) -> MutantWord {
        let contract = |test: &&TestReport| test.mark == Mark::Contract;
        match crate::verdict::of_mutant(self.tests.iter().filter(contract).map(TestReport::word)) {
            MutantWord::Crashed if self.not_loaded().is_some() => MutantWord::DoesNotBuild,
            word => word,
        }
    }

    /// Tells why the subject could not be loaded, if it could not; then no test says more.
    #[must_use]
    pub fn not_loaded(&self) -> Option<&str> {
        self.tests.iter().find_map(|test| test.verdict.not_loaded())
    }

    /// Forgets what each line saw, and keeps the verdicts: a hundred subjects fill no memory then.
    #[must_use]
    pub fn verdicts_only(mut self) -> Self {
        for test in &mut self.tests {
            test.verdict.seen = Vec::new();
        }
        self
    }

    /// Finds the report of a test.
    #[must_use]
    pub fn test(&self, id: &str) -> Option<&TestReport> {
        self.tests.iter().find(|test| test.id == id)
    }
}

/// A matrix: every mutant against every test.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// The reference over all tests.
    pub baseline: SubjectReport,
    /// The mutants in the lab's order.
    pub mutants: Vec<MutantReport>,
    /// Mutants that this machine cannot run, each with what is missing.
    pub left_out: Vec<(String, String)>,
    /// How long all of it took.
    pub took: Duration,
}

/// A mutant and its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct MutantReport {
    /// Name of the mutant.
    pub id: String,
    /// Its step.
    pub step: u32,
    /// Its verdict.
    pub word: MutantWord,
    /// Its tests, if it could be run.
    pub report: Option<SubjectReport>,
    /// Why it could not be run, if it could not.
    pub why: Option<String>,
}

/// A prediction that is stored, with what its run showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// Its number in the progress file.
    pub id: i64,
    /// The mutant it is about.
    pub mutant: String,
    /// The mutant's step.
    pub step: u32,
    /// 1 for the first, which counts; more for practice.
    pub attempt: u32,
    /// What was said.
    pub prediction: Prediction,
    /// What the run showed, by test, if it was run.
    pub run: Option<BTreeMap<String, TestWord>>,
    /// What the learner says they saw.
    pub sighting: Option<String>,
}

/// A learner's own code, run over the steps of a lab.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// Name of the lab.
    pub lab: String,
    /// The track, or the language of a program that is none of a track's.
    pub language: String,
    /// The file under test, by its path inside its folder; the program, if there is no such file.
    pub file: String,
    /// Why it cannot be built or loaded, in the words of its compiler; no step was run then.
    pub not_loaded: Option<String>,
    /// All steps of the lab, in order.
    pub steps: Vec<StepTrial>,
    /// How long it took from start to end.
    pub took: Duration,
}

/// One step of a learner's own code.
#[derive(Debug, Clone, PartialEq)]
pub struct StepTrial {
    /// Its number, counted from 1.
    pub step: u32,
    /// Name of its function.
    pub function: String,
    /// Its own tests, in the lab's order; none if it was not run.
    pub tests: Vec<TestReport>,
}

/// How far a step of a learner's own code has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepState {
    /// It was not run.
    NotRun,
    /// No test about the contract is red, and every one was run.
    Green,
    /// Its function is not there, or says itself that it is not written.
    NotWritten,
    /// A test is red.
    Red,
}

impl StepState {
    /// Returns the name used in reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::NotRun => "not_run",
            Self::Green => "green",
            Self::NotWritten => "not_written",
            Self::Red => "red",
        }
    }
}

impl StepTrial {
    /// Tells how far the step has come.
    #[must_use]
    pub fn state(&self) -> StepState {
        let any = |is: &dyn Fn(&TestReport) -> bool| self.tests.iter().any(is);
        let passed = |test: &TestReport| test.word() == TestWord::Passed;
        if self.tests.is_empty() {
            StepState::NotRun
        } else if !any(&TestReport::catches) && !any(&|test| test.word() == TestWord::NotRun) {
            StepState::Green
        } else if !any(&passed) && any(&|test| is_unwritten(test, &self.function)) {
            // What is not written passes nothing; a few tests see that only by what is missing.
            StepState::NotWritten
        } else {
            StepState::Red
        }
    }

    /// Counts the tests about the contract that are red.
    #[must_use]
    pub fn red(&self) -> usize {
        self.tests.iter().filter(|test| test.catches()).count()
    }
}

impl Trial {
    /// Tells whether every step that was run is green, and at least one was.
    #[must_use]
    pub fn is_green(&self) -> bool {
        let run = |step: &&StepTrial| step.state() != StepState::NotRun;
        let mut steps = self.steps.iter().filter(run).peekable();
        self.not_loaded.is_none()
            && steps.peek().is_some()
            && steps.all(|step| step.state() == StepState::Green)
    }

    /// Finds the first step that was run and is not green.
    #[must_use]
    pub fn stopped_at(&self) -> Option<&StepTrial> {
        let fine = [StepState::Green, StepState::NotRun];
        self.steps.iter().find(|step| !fine.contains(&step.state()))
    }

    /// Iterates over the red tests, by step.
    pub fn red_tests(&self) -> impl Iterator<Item = &TestReport> {
        let tests = self.steps.iter().flat_map(|step| &step.tests);
        tests.filter(|test| test.catches())
    }
}

/// Tells whether a red test saw no more than that there is no such function yet.
fn is_unwritten(test: &TestReport, function: &str) -> bool {
    let observed = test.verdict.observed.as_ref();
    observed.is_some_and(|shown| says_unwritten(shown, function))
}

fn says_unwritten(shown: &Shown, function: &str) -> bool {
    let (kind, message) = match shown {
        Shown::Raises { kind, message } => (kind, message.as_deref().unwrap_or_default()),
        Shown::Outcomes(all) => return all.iter().all(|one| says_unwritten(one, function)),
        _ => return false,
    };
    // A kind may have the name of its module before its own.
    match kind.rsplit('.').next().unwrap_or_default() {
        "NotImplementedError" | "NotImplemented" => true,
        "panic" => message.contains("not yet implemented") || message.contains("not implemented"),
        crate::verdict::NO_FUNCTION => message.contains(&format!("`{function}`")),
        _ => false,
    }
}
