//! What happens, told once: the screen, the plain face and every report listen to this.
//!
//! It imports `model` and `verdict`, and knows none of its listeners.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::model::{Mark, Prediction, Test, Track};
use crate::verdict::{MutantWord, TestVerdict, TestWord};

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
