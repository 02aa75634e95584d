//! How a lab is graded: what each part of a submission is worth.

use super::{Lab, Points, Track};

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
    /// The files in which a learner keeps what a step showed.
    pub records: Vec<Record>,
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

/// A file in which a learner keeps what a step showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its name, in the folder itself.
    pub file: String,
    /// The tracks in which it is asked for; all if empty.
    pub tracks: Vec<Track>,
    /// The place of the step in the lab, from 0.
    pub step: usize,
    /// What it is worth: part of the points of the step.
    pub points: Points,
    /// What is to be in it.
    pub text: String,
    /// The lines that it must have, in this order; any if empty.
    pub lines: Vec<String>,
    /// What its last line must be.
    pub last: Option<String>,
    /// Terms that it must have: of each group any one, whatever the case.
    pub terms: Vec<Vec<String>>,
}

impl Grading {
    /// Lists the files that are asked for in a track; in no track, those of every one.
    pub fn records_in(&self, track: Option<Track>) -> impl Iterator<Item = &Record> {
        let is_asked = move |record: &&Record| {
            record.tracks.is_empty() || track.is_some_and(|track| record.tracks.contains(&track))
        };
        self.records.iter().filter(is_asked)
    }

    /// Returns what the tests of each step are worth in a track: the rest is for its files.
    #[must_use]
    pub fn steps_in(&self, track: Option<Track>) -> Vec<Points> {
        let mut steps = self.steps.clone();
        for record in self.records_in(track) {
            if let Some(Points(points)) = steps.get_mut(record.step) {
                *points = points.saturating_sub(record.points.0);
            }
        }
        steps
    }

    /// The points of a lab that says nothing about them: ten a step.
    #[must_use]
    pub fn even(lab: &Lab) -> Self {
        Self {
            steps: vec![Points::whole(10); lab.steps.len()],
            probes: Points::default(),
            predictions: Points::default(),
            written: Vec::new(),
            records: Vec::new(),
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
