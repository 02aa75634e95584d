//! What observations mean: pure functions from what was seen to a verdict.
//!
//! Nothing here runs, waits or prints. It imports `model` and the observations of `run`.

mod line;
mod shown;

use serde::Serialize;

use crate::model::Mark;
use crate::run::{LineSeen, Outcome, Seen};

pub use line::{NO_FUNCTION, count_words, judge};
pub use shown::Shown;

/// The verdict of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestWord {
    /// Every line saw what it expects.
    Passed,
    /// A line saw something else.
    Failed,
    /// The subject died or did not speak the protocol.
    Errored,
    /// A call did not answer in time.
    TimedOut,
    /// The test was not run.
    NotRun,
    /// The order could not be forced, so nothing can be said; never red.
    Inconclusive,
}

impl TestWord {
    /// Returns the name used in reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Errored => "errored",
            Self::TimedOut => "timed_out",
            Self::NotRun => "not_run",
            Self::Inconclusive => "inconclusive",
        }
    }

    /// Reads a name as [`TestWord::id`] writes it.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        [
            Self::Passed,
            Self::Failed,
            Self::Errored,
            Self::TimedOut,
            Self::NotRun,
            Self::Inconclusive,
        ]
        .into_iter()
        .find(|word| word.id() == id)
    }

    /// Tells whether the test saw something wrong.
    #[must_use]
    pub const fn is_red(self) -> bool {
        matches!(self, Self::Failed | Self::Errored | Self::TimedOut)
    }
}

/// The verdict of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MutantWord {
    /// At least one test saw a wrong value, error or row.
    Caught,
    /// No test saw anything.
    Survived,
    /// The only thing seen is that it does not answer.
    TimedOut,
    /// The only thing seen is that it dies.
    Crashed,
    /// Its source cannot be built or loaded.
    DoesNotBuild,
    /// Its edits do not fit the reference.
    DoesNotApply,
    /// It answers differently from run to run.
    Flaky,
}

impl MutantWord {
    /// Returns the name used in reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Survived => "survived",
            Self::TimedOut => "timed_out",
            Self::Crashed => "crashed",
            Self::DoesNotBuild => "does_not_build",
            Self::DoesNotApply => "does_not_apply",
            Self::Flaky => "flaky",
        }
    }
}

/// The verdict of a mutant, given those of the tests.
#[must_use]
pub fn of_mutant(tests: impl IntoIterator<Item = TestWord>) -> MutantWord {
    let mut verdict = MutantWord::Survived;
    for word in tests {
        match (word, verdict) {
            (TestWord::Failed, _) => return MutantWord::Caught,
            (TestWord::Errored, _) => verdict = MutantWord::Crashed,
            (TestWord::TimedOut, MutantWord::Survived) => verdict = MutantWord::TimedOut,
            _ => {}
        }
    }
    verdict
}

/// Something worth telling that costs no mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What kind of remark it is.
    pub mark: Mark,
    /// The remark.
    pub text: String,
}

/// The verdict of one script line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineVerdict {
    /// Passed, failed, errored, timed out or inconclusive.
    pub word: TestWord,
    /// What would have been right; there if the line is not passed.
    pub expected: Option<Shown>,
    /// What was seen instead.
    pub observed: Option<Shown>,
    /// Remarks.
    pub notes: Vec<Note>,
}

impl LineVerdict {
    const fn passed() -> Self {
        Self {
            word: TestWord::Passed,
            expected: None,
            observed: None,
            notes: Vec::new(),
        }
    }

    const fn failed(expected: Shown, observed: Shown) -> Self {
        Self::not_passed(TestWord::Failed, expected, observed)
    }

    const fn not_passed(word: TestWord, expected: Shown, observed: Shown) -> Self {
        Self {
            word,
            expected: Some(expected),
            observed: Some(observed),
            notes: Vec::new(),
        }
    }
}

/// The verdict of one test, with what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct TestVerdict {
    /// The verdict.
    pub word: TestWord,
    /// The line that decided it, counted from 1, unless all passed.
    pub line: Option<usize>,
    /// What that line expects.
    pub expected: Option<Shown>,
    /// What it saw.
    pub observed: Option<Shown>,
    /// Remarks of all lines.
    pub notes: Vec<Note>,
    /// What every line saw that was run.
    pub seen: Vec<LineSeen>,
}

impl TestVerdict {
    /// The verdict of a test that has not been run, and why.
    #[must_use]
    pub fn not_run(why: &str) -> Self {
        Self {
            word: TestWord::NotRun,
            line: None,
            expected: None,
            observed: Some(Shown::Words(why.to_owned())),
            notes: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// Tells why the subject could not be loaded, if that is what ended the test.
    #[must_use]
    pub fn not_loaded(&self) -> Option<&str> {
        match &self.seen.last()?.seen {
            Seen::Outcomes { outcomes, .. } => outcomes.iter().find_map(|outcome| match outcome {
                Outcome::NotLoaded { why } => Some(why.as_str()),
                _ => None,
            }),
            _ => None,
        }
    }

    /// Names the error that ended the test, if it is a slip of the pen and not a wrong thought:
    /// a name that is not there, code that does not parse.
    #[must_use]
    pub fn slip(&self) -> Option<&str> {
        match self.observed.as_ref()? {
            Shown::Raises { kind, .. } if line::is_slip(kind) => Some(kind),
            _ => None,
        }
    }

    /// The verdict of a test all of whose lines passed.
    #[must_use]
    pub fn passed(notes: Vec<Note>, seen: Vec<LineSeen>) -> Self {
        Self {
            word: TestWord::Passed,
            line: None,
            expected: None,
            observed: None,
            notes,
            seen,
        }
    }

    /// The verdict of a test that ended at `line`.
    #[must_use]
    pub fn ended_at(
        line: usize,
        verdict: LineVerdict,
        notes: Vec<Note>,
        seen: Vec<LineSeen>,
    ) -> Self {
        Self {
            word: verdict.word,
            line: Some(line),
            expected: verdict.expected,
            observed: verdict.observed,
            notes,
            seen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_value_makes_a_mutant_caught_whatever_else_happened() {
        use TestWord::{Errored, Failed, Inconclusive, NotRun, Passed, TimedOut};
        assert_eq!(of_mutant([Errored, TimedOut, Failed]), MutantWord::Caught);
        assert_eq!(of_mutant([Passed, TimedOut, Errored]), MutantWord::Crashed);
        assert_eq!(of_mutant([Errored, TimedOut]), MutantWord::Crashed);
        assert_eq!(of_mutant([Passed, TimedOut, NotRun]), MutantWord::TimedOut);
        assert_eq!(of_mutant([Passed, Inconclusive]), MutantWord::Survived);
        assert_eq!(of_mutant([]), MutantWord::Survived);
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for id in [
            "passed",
            "failed",
            "errored",
            "timed_out",
            "not_run",
            "inconclusive",
        ] {
            assert_eq!(TestWord::parse(id).map(TestWord::id), Some(id));
        }
        assert_eq!(TestWord::parse("green"), None);
    }

    #[test]
    fn red_is_what_was_seen_to_be_wrong_and_nothing_else() {
        let red = [TestWord::Failed, TestWord::Errored, TestWord::TimedOut];
        let other = [TestWord::Passed, TestWord::NotRun, TestWord::Inconclusive];
        assert!(red.into_iter().all(TestWord::is_red));
        assert!(!other.into_iter().any(TestWord::is_red));
    }

    #[test]
    fn a_verdict_of_a_mutant_is_named_as_in_reports() {
        for (word, id) in [
            (MutantWord::Caught, "caught"),
            (MutantWord::Survived, "survived"),
            (MutantWord::TimedOut, "timed_out"),
            (MutantWord::Crashed, "crashed"),
            (MutantWord::DoesNotBuild, "does_not_build"),
            (MutantWord::DoesNotApply, "does_not_apply"),
            (MutantWord::Flaky, "flaky"),
        ] {
            assert_eq!(word.id(), id);
            assert_eq!(serde_json::to_value(word).unwrap(), id);
        }
    }

    /// A test that ended at its second line, which saw `outcome`.
    fn ended(outcome: Outcome) -> TestVerdict {
        let seen = |outcomes| LineSeen {
            line: 1,
            seen: outcomes,
            before: Vec::new(),
            after: Vec::new(),
            held: std::time::Duration::ZERO,
            waiting: None,
            asked: Vec::new(),
            waited: false,
        };
        let observed = Shown::outcome(&outcome);
        let outcomes = Seen::Outcomes {
            outcomes: vec![Outcome::Returned(true.into()), outcome],
            left_locked: false,
            unforced: None,
        };
        let line = LineVerdict::failed(Shown::Words("an answer".to_owned()), observed);
        TestVerdict::ended_at(2, line, Vec::new(), vec![seen(Seen::Ran), seen(outcomes)])
    }

    fn raised(kind: &str) -> Outcome {
        Outcome::Raised {
            kind: kind.to_owned(),
            message: "no".to_owned(),
        }
    }

    #[test]
    fn why_a_subject_could_not_be_loaded_is_found_in_the_last_line() {
        let why = "SyntaxError".to_owned();
        let verdict = ended(Outcome::NotLoaded { why });
        assert_eq!(verdict.not_loaded(), Some("SyntaxError"));
        assert_eq!(ended(raised("ValueError")).not_loaded(), None);
        let mut later = verdict;
        let ran = later.seen.remove(0);
        later.seen.push(ran);
        assert_eq!(later.not_loaded(), None);
        assert_eq!(TestVerdict::not_run("why").not_loaded(), None);
    }

    #[test]
    fn a_slip_of_the_pen_is_named_and_a_wrong_thought_is_not() {
        assert_eq!(ended(raised("NameError")).slip(), Some("NameError"));
        assert_eq!(ended(raised("ValueError")).slip(), None);
        assert_eq!(ended(Outcome::Returned(1.into())).slip(), None);
        assert_eq!(TestVerdict::passed(Vec::new(), Vec::new()).slip(), None);
    }
}
