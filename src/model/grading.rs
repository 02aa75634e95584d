//! How a lab is graded: what each part of a submission is worth.

use super::{Lab, Points};

/// The points of a lab.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grading {
    /// The points of each step, by its place in the lab.
    pub steps: Vec<Points>,
    /// The points for tests of the learner's own, one in each step that has a worksheet mutant.
    pub probes: Points,
    /// The points for having predicted, in each step that has a worksheet mutant. Whether a
    /// prediction was right is told and never counted: a wrong one is what a lab is for.
    pub predictions: Points,
    /// The written tasks that count.
    pub written: Vec<WrittenTask>,
    /// Tests that only staff may see.
    pub hidden: Vec<String>,
}

/// What a written answer needs to be given its points. A person reads it all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenTask {
    /// The task, by its name in the lab.
    pub task: String,
    /// What it is worth.
    pub points: Points,
    /// The fewest words it may have.
    pub words: usize,
    /// Terms that it must use: of each group any one, whatever the case.
    pub terms: Vec<Vec<String>>,
    /// How many items of a list it must have.
    pub items: usize,
}

impl Grading {
    /// The points of a lab that says nothing about them: ten a step.
    #[must_use]
    pub fn even(lab: &Lab) -> Self {
        Self {
            steps: vec![Points::whole(10); lab.steps.len()],
            probes: Points::default(),
            predictions: Points::default(),
            written: Vec::new(),
            hidden: Vec::new(),
        }
    }

    /// Returns what can be reached in all.
    #[must_use]
    pub fn total(&self) -> Points {
        let written = self.written.iter().map(|task| task.points);
        let rest = [self.probes, self.predictions];
        self.steps.iter().copied().chain(rest).chain(written).sum()
    }
}
