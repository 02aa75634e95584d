//! What a student may see of results, and the few sums that several forms show.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::gradebook::{Gradebook, Points, Predicted, Status, Step, Submission, Test};

/// Makes the copy of results that students may see: of a hidden test only that it is there.
///
/// Its name goes too, wherever else it stands. Points stay as they are.
#[must_use]
pub fn for_students(book: &Gradebook) -> Gradebook {
    let mut seen = book.clone();
    for submission in &mut seen.submissions {
        hide(submission);
    }
    seen
}

/// Makes the copy of one submission that its student may see.
pub fn submission_for_students(submission: &Submission) -> Submission {
    let mut seen = submission.clone();
    hide(&mut seen);
    seen
}

fn hide(submission: &mut Submission) {
    let hidden: BTreeSet<String> = submission
        .steps
        .iter()
        .flat_map(|step| &step.tests)
        .filter(|test| test.hidden)
        .map(|test| test.id.clone())
        .collect();
    for step in &mut submission.steps {
        let all = step.tests.len();
        step.tests.retain(|test| !test.hidden);
        step.hidden += all - step.tests.len();
    }
    for item in &mut submission.predictions.items {
        hide_in_prediction(item, &hidden);
    }
}

fn hide_in_prediction(item: &mut Predicted, hidden: &BTreeSet<String>) {
    let before = item.said.len() + item.caught_by.len();
    item.said.retain(|id| !hidden.contains(id));
    item.caught_by.retain(|id| !hidden.contains(id));
    if item.said.len() + item.caught_by.len() < before {
        let right = |id: &&String| item.caught_by.contains(id);
        item.found = item.said.iter().filter(right).count();
        item.wrong = item.said.len() - item.found;
    }
}

/// How far somebody came in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// All points.
    Full,
    /// Some of them.
    Part,
    /// None of them.
    None,
    /// Nothing can be said.
    Unknown,
}

impl Mark {
    /// Tells how far a submission came in one of its steps.
    pub fn of(submission: &Submission, step: &Step) -> Self {
        if submission.status == Status::Ungraded {
            return Self::Unknown;
        }
        let lost = step.why.is_some() || step.tests.iter().any(Test::counts_against);
        match (step.score, step.max_score) {
            (Points(0), Points(0)) if lost => Self::None,
            (score, most) if score >= most => Self::Full,
            (Points(0), _) => Self::None,
            _ => Self::Part,
        }
    }

    /// Returns its sign, one column wide.
    pub const fn sign(self) -> char {
        match self {
            Self::Full => '✔',
            Self::Part => '~',
            Self::None => '✘',
            Self::Unknown => '?',
        }
    }

    /// Returns it in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Full => "all points",
            Self::Part => "some points",
            Self::None => "no points",
            Self::Unknown => "not graded",
        }
    }
}

/// How many tests there are, by what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Tests that passed.
    pub passed: usize,
    /// Red tests that cost points.
    pub broken: usize,
    /// Red tests that cost nothing.
    pub remarked: usize,
    /// Tests that were not run or not decided.
    pub undecided: usize,
    /// Green tests that were red once.
    pub unstable: usize,
    /// Tests that are left out.
    pub hidden: usize,
}

impl Tally {
    /// Counts the tests of a step.
    pub fn of(step: &Step) -> Self {
        let mut tally = Self {
            hidden: step.hidden,
            ..Self::default()
        };
        for test in &step.tests {
            tally.unstable += usize::from(test.unstable);
            match &*test.verdict {
                "passed" => tally.passed += 1,
                _ if test.counts_against() => tally.broken += 1,
                "failed" | "errored" | "timed_out" => tally.remarked += 1,
                _ => tally.undecided += 1,
            }
        }
        tally
    }

    /// Counts the tests of all steps.
    pub fn of_all(submission: &Submission) -> Self {
        let mut all = Self::default();
        for tally in submission.steps.iter().map(Self::of) {
            all.passed += tally.passed;
            all.broken += tally.broken;
            all.remarked += tally.remarked;
            all.undecided += tally.undecided;
            all.unstable += tally.unstable;
            all.hidden += tally.hidden;
        }
        all
    }

    /// Returns how many tests can be seen.
    pub const fn seen(self) -> usize {
        self.passed + self.broken + self.remarked + self.undecided
    }

    /// Says it in a sentence without an end: `12 of 14 tests passed, 2 hidden`.
    pub fn words(self) -> String {
        let seen = self.seen();
        let visible = if self.hidden > 0 { "visible " } else { "" };
        let mut text = if seen == 0 {
            format!("no {visible}tests")
        } else if self.passed == seen {
            format!("all {visible}tests passed")
        } else {
            format!("{} of {seen} {visible}tests passed", self.passed)
        };
        if self.hidden > 0 {
            let _ = write!(text, " ({} hidden)", self.hidden);
        }
        if self.undecided > 0 {
            let _ = write!(text, ", {} not decided", self.undecided);
        }
        if self.unstable > 0 {
            let _ = write!(text, ", {} unstable", self.unstable);
        }
        text
    }
}

/// A class in a few figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Class {
    /// How many submissions there are.
    pub all: usize,
    /// How many have points.
    pub graded: usize,
    /// How many have not.
    pub ungraded: usize,
    /// How many were run without being confined.
    pub unconfined: usize,
    /// The mean share of the points, in percent, of those that have points.
    pub mean: Option<u32>,
    /// The middle one of these shares; of two, the lower.
    pub median: Option<u32>,
}

impl Class {
    /// Counts a class.
    pub fn of<'a>(submissions: impl IntoIterator<Item = &'a Submission>) -> Self {
        let mut class = Self::default();
        let mut shares = Vec::new();
        for submission in submissions {
            class.all += 1;
            class.unconfined += usize::from(!submission.confinement.applied);
            match submission.score {
                Some(score) if submission.status == Status::Graded => {
                    class.graded += 1;
                    shares.push(percent(score, submission.max_score));
                }
                _ => class.ungraded += 1,
            }
        }
        shares.sort_unstable();
        if let Some(last) = shares.len().checked_sub(1) {
            class.median = Some(shares[last / 2]);
            let sum: u64 = shares.iter().map(|share| u64::from(*share)).sum();
            class.mean = u32::try_from(sum / shares.len() as u64).ok();
        }
        class
    }
}

/// Returns a share in whole percent, rounded down; all of nothing is all of it.
pub fn percent(score: Points, most: Points) -> u32 {
    match most.0 {
        0 => 100,
        most => u32::try_from(u64::from(score.0) * 100 / u64::from(most)).unwrap_or(100),
    }
}
