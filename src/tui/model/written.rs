//! Steps that are answered in writing: their views, and when they are done.

use super::{LabState, Model, View};
use crate::model::{Lab, Step, Task};
use crate::worksheet;

impl LabState {
    /// Tells whether a step is done; a written one is when it has an answer.
    #[must_use]
    pub fn is_done(&self, lab: &Lab, step: &Step) -> bool {
        let is_answered = |task: &str| {
            let answer = self.answers.get(task);
            answer.is_some_and(|answer| !answer.is_blank())
        };
        worksheet::is_step_done(lab, step, &self.attempts, &is_answered)
    }
}

impl Model {
    /// Returns the task of the open step, if it is one that is answered in writing.
    #[must_use]
    pub fn written(&self) -> Option<&Task> {
        if self.lab().worksheet_mutant(self.number()).is_some() {
            return None;
        }
        self.lab().task(self.step().task.as_ref()?)
    }

    /// Lists the views of the open step: a written one has a contract and an answer.
    #[must_use]
    pub fn views(&self) -> &'static [View] {
        match self.written() {
            Some(_) => &[View::Contract, View::Fragment],
            None => &View::ALL,
        }
    }

    /// Returns the title of a view of the open step.
    #[must_use]
    pub fn view_title(&self, view: View) -> &'static str {
        match view {
            View::Fragment if self.written().is_some() => "Answer",
            other => other.title(),
        }
    }
}
