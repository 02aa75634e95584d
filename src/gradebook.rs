//! The results of grading: as they are written down, read again, merged and shown.
//!
//! Plain values only. `grade` fills them, every report reads them, and `merge` reads what another
//! machine wrote; so this is the versioned form itself, and no type of the engine's own.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the form that is written and read.
pub const VERSION: u32 = 1;

/// Points, in hundredths: sums stay exact, and a file says `7.5` or `8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Points(pub u32);

impl Points {
    /// Makes so many whole points.
    #[must_use]
    pub const fn whole(points: u32) -> Self {
        Self(points * 100)
    }

    /// Returns the share `part` of `whole` of these points, rounded down to a hundredth; nothing
    /// of nothing.
    #[must_use]
    pub fn share(self, part: usize, whole: usize) -> Self {
        let share = u64::from(self.0) * part as u64 / (whole as u64).max(1);
        Self(u32::try_from(share).unwrap_or(self.0))
    }

    /// Returns the points as a number, for formats that know nothing else.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl std::iter::Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        Self(points.map(|points| points.0).sum())
    }
}

impl std::fmt::Display for Points {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, rest) = (self.0 / 100, self.0 % 100);
        match rest {
            0 => write!(f, "{whole}"),
            rest if rest % 10 == 0 => write!(f, "{whole}.{}", rest / 10),
            rest => write!(f, "{whole}.{rest:02}"),
        }
    }
}

impl Serialize for Points {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(100) {
            serializer.serialize_u32(self.0 / 100)
        } else {
            serializer.serialize_f64(self.as_f64())
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = f64::deserialize(deserializer)?;
        let hundredths = (points * 100.0).round();
        if !(0.0..=f64::from(u32::MAX)).contains(&hundredths) {
            return Err(serde::de::Error::custom("points must be zero or more"));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range was checked above"
        )]
        let hundredths = hundredths as u32;
        Ok(Self(hundredths))
    }
}

/// Everything that one `grade` or `merge` came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gradebook {
    /// Version of this form, [`VERSION`].
    pub version: u32,
    /// Whether every submission that was asked for is in it.
    pub complete: bool,
    /// Names the program and the pack that graded: results of different ones are never mixed.
    pub pack: String,
    /// Which part of a class this is, if it is a part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The submissions, by path.
    pub submissions: Vec<Submission>,
}

/// One part of a class that is graded in parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Its number, counted from 1.
    pub number: u32,
    /// Into how many parts the class was divided.
    pub of: u32,
    /// Every submission of the whole class, by path: so a merge can say which are missing.
    pub roll: Vec<String>,
}

/// Whether anything could be said of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It was run, or it failed to load: it has points.
    Graded,
    /// Nothing of it could be run: it has none, which is not the same as zero.
    Ungraded,
}

/// One submission and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// Where it lies, as it was asked for, with `/` between the parts; in a class, from the
    /// folder of the class.
    pub path: String,
    /// Name of the lab; empty if that could not be told.
    pub lab: String,
    /// The track, or the name of the language of a submission that brings its own command.
    pub track: String,
    /// Graded or ungraded.
    pub status: Status,
    /// Why it is ungraded, or why its source does not load.
    pub why: Option<String>,
    /// What it was given; nothing while it is ungraded.
    pub score: Option<Points>,
    /// What it could have been given.
    pub max_score: Points,
    /// How it was kept from everything else.
    pub confinement: Confinement,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// The learner's own tests, by step.
    pub probes: Section<Probe>,
    /// The written answers. A person reads them: no program says that one is correct.
    pub written: Section<Written>,
    /// The predictions, each beside what the real matrix shows.
    pub predictions: Section<Predicted>,
    /// How long it took, in milliseconds.
    pub millis: u64,
}

/// A part of a result that has points of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Section<T> {
    /// What it was given.
    pub score: Points,
    /// What it could have been given.
    pub max_score: Points,
    /// What is in it.
    pub items: Vec<T>,
}

impl<T> Default for Section<T> {
    fn default() -> Self {
        Self {
            score: Points::default(),
            max_score: Points::default(),
            items: Vec::new(),
        }
    }
}

/// How a submission was confined.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Confinement {
    /// Whether it was confined at all.
    pub applied: bool,
    /// What kept it in, such as `landlock` or `seccomp`.
    pub by: Vec<String>,
    /// What this machine lacks.
    pub lacking: Vec<String>,
}

/// One step of a submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its number, counted from 1.
    pub step: u32,
    /// Name of its function.
    pub function: String,
    /// What the step is about.
    pub title: String,
    /// What it was given.
    pub score: Points,
    /// What it could have been given.
    pub max_score: Points,
    /// Why it was given nothing, if one reason says it all: a function that is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Its own tests, in the lab's order.
    pub tests: Vec<Test>,
    /// How many more tests it has that are left out here: in a form for students, the hidden ones.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hidden: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// One test of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// Its name.
    pub id: String,
    /// The behaviour that it shows.
    pub title: String,
    /// Its verdict, by name: `passed`, `failed`, `errored`, `timed_out`, `not_run` or
    /// `inconclusive`.
    pub verdict: String,
    /// What a red verdict counts for: `contract`, `strictness` or `reliability`. Only the first
    /// costs points.
    pub mark: String,
    /// Whether only staff may see what it does.
    pub hidden: bool,
    /// Whether it was red once and green when it was run again: told, never counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unstable: bool,
    /// The line of the script that decided it, counted from 1.
    pub line: Option<usize>,
    /// What that line asks for, in words of the lab.
    pub says: Option<String>,
    /// What would have been right.
    pub expected: Option<Value>,
    /// What was seen.
    pub observed: Option<Value>,
    /// Remarks that cost nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How long it took, in milliseconds.
    pub millis: u64,
}

impl Test {
    /// Tells whether the verdict costs points.
    #[must_use]
    pub fn counts_against(&self) -> bool {
        self.mark == "contract" && matches!(&*self.verdict, "failed" | "errored" | "timed_out")
    }
}

/// A learner's own test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The step it is about.
    pub step: u32,
    /// The mutant it is aimed at.
    pub mutant: String,
    /// Whether the reference passes it.
    pub valid: bool,
    /// Whether it catches the mutant.
    pub caught: bool,
    /// Why it is not valid, or could not be read.
    pub why: Option<String>,
}

/// A written answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Name of the task.
    pub id: String,
    /// What was asked.
    pub title: String,
    /// Whether there is an answer at all.
    pub present: bool,
    /// How many words it has.
    pub words: usize,
    /// What the task asks for and the answer has not, each as a sentence.
    pub missing: Vec<String>,
    /// The answer itself, for the person who reads it.
    pub text: String,
}

/// A prediction beside the real matrix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Predicted {
    /// The step.
    pub step: u32,
    /// The mutant that it is about.
    pub mutant: String,
    /// Whether the learner said something before the run.
    pub made: bool,
    /// The tests that were said to catch it.
    pub said: Vec<String>,
    /// The tests that really do.
    pub caught_by: Vec<String>,
    /// How sure the learner was: `guess`, `fairly` or `certain`.
    pub sure: Option<String>,
    /// How many of the tests that catch it were named.
    pub found: usize,
    /// How many of the tests that were named do not catch it.
    pub wrong: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_exact_and_written_as_short_as_they_are() {
        let third = Points::whole(8).share(1, 3);
        assert_eq!(third.to_string(), "2.66");
        assert_eq!(Points::whole(8).share(3, 3), Points::whole(8));
        assert_eq!(Points::whole(8).share(0, 0), Points(0));
        assert_eq!(Points(750).to_string(), "7.5");
        assert_eq!(serde_json::to_string(&Points(800)).unwrap(), "8");
        assert_eq!(serde_json::to_string(&Points(266)).unwrap(), "2.66");
    }

    #[test]
    fn points_are_read_as_they_are_written() {
        for hundredths in 0..3000 {
            let text = serde_json::to_string(&Points(hundredths)).unwrap();
            let read: Points = serde_json::from_str(&text).unwrap();
            assert_eq!(read, Points(hundredths));
        }
        assert!(serde_json::from_str::<Points>("-1").is_err());
    }
}
