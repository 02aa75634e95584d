//! Submissions: copied into a cell if they are confined, built once, run as often as it takes.

use std::path::Path;

use super::{Bench, Fault, Listener};
use crate::event::{SubjectId, SubjectReport, TestReport};
use crate::model::Test;
use crate::run::confine::{Cell, Purpose, SharedCell};
use crate::run::{Launch, LineSeen, NotReady, Outcome, Seen, track};
use crate::verdict::{Shown, TestVerdict, TestWord};

/// A submission that is ready to be run.
#[derive(Debug)]
pub struct Submitted {
    subject: SubjectId,
    launch: Launch,
    /// Where it is kept, if it is confined.
    cell: Option<SharedCell>,
}

impl Bench<'_> {
    /// Makes ready a learner's file that stands alone.
    ///
    /// # Errors
    ///
    /// Fails when it does not build, cannot be run here, or the run is interrupted.
    pub fn open_file(&self, file: &Path) -> Result<Submitted, Fault> {
        let subject = SubjectId::Submission(file.display().to_string());
        let Some(cell) = self.cell()? else {
            let launch =
                track::prepare_file(self.track, &self.lab.id, file, &self.warm, &self.interrupt)?;
            return Ok(Submitted {
                subject,
                launch,
                cell: None,
            });
        };
        let copy = cell.copy_file(file).map_err(not_copied)?;
        self.in_cell(cell, subject, &copy)
    }

    /// Makes ready `source`, a file of a learner's `folder`; it may use the files beside it.
    ///
    /// # Errors
    ///
    /// As [`Bench::open_file`].
    pub fn open_folder(&self, folder: &Path, source: &Path) -> Result<Submitted, Fault> {
        let Some(cell) = self.cell()? else {
            return self.open_file(&folder.join(source));
        };
        let subject = SubjectId::Submission(folder.join(source).display().to_string());
        let copy = cell.copy_folder(folder).map_err(not_copied)?.join(source);
        self.in_cell(cell, subject, &copy)
    }

    fn in_cell(
        &self,
        cell: SharedCell,
        subject: SubjectId,
        copy: &Path,
    ) -> Result<Submitted, Fault> {
        let launch = track::prepare_confined(
            self.track,
            &self.lab.id,
            copy,
            &cell,
            self.limits.build,
            &self.interrupt,
        )?;
        Ok(Submitted {
            subject,
            launch,
            cell: Some(cell),
        })
    }

    /// Makes ready a program that speaks the protocol: `build`, if there is any, and then
    /// `command` are run in a copy of `folder`.
    ///
    /// # Errors
    ///
    /// As [`Bench::open_file`].
    pub fn open_program(
        &self,
        folder: &Path,
        command: &[String],
        build: &[String],
    ) -> Result<Submitted, Fault> {
        let subject = SubjectId::Submission(folder.display().to_string());
        let lab = &self.lab.id;
        let cell = self.cell()?;
        let place = match &cell {
            None => folder.to_owned(),
            Some(cell) if build.is_empty() => cell.copy_folder(folder).map_err(not_copied)?,
            Some(cell) => cell.copy_to_build(folder).map_err(not_copied)?,
        };
        track::program::build(lab, &place, build, cell.as_ref(), &self.interrupt)?;
        let mut launch = track::program::launch(lab, &place, command)?;
        if let Some(cell) = &cell {
            launch = launch.confined(cell, Purpose::Command, &[]);
        }
        Ok(Submitted {
            subject,
            launch,
            cell,
        })
    }

    /// Runs a submission over `tests`. The baseline is the caller's business.
    ///
    /// # Errors
    ///
    /// Fails when the run is interrupted, or what was to confine it did not.
    pub fn submitted(
        &self,
        submitted: &Submitted,
        tests: &[&Test],
        tell: Listener<'_>,
    ) -> Result<SubjectReport, Fault> {
        let Submitted {
            subject,
            launch,
            cell,
        } = submitted;
        let report = self.run(subject.clone(), launch, tests, &[], self.lanes, tell)?;
        match cell.as_ref().and_then(|cell| cell.failure()) {
            Some(why) => Err(Fault::NotReady(NotReady {
                why: format!("failed to confine it: {why}"),
            })),
            None => Ok(report),
        }
    }

    /// Makes ready a learner's file and runs it over `tests`.
    ///
    /// A file that cannot be loaded is a report too: its `not_loaded` says why.
    ///
    /// # Errors
    ///
    /// Fails when there is no such file, it does not build, the machine cannot run it or the run
    /// is interrupted.
    pub fn submission(
        &self,
        file: &Path,
        tests: &[&Test],
        tell: Listener<'_>,
    ) -> Result<SubjectReport, Fault> {
        self.submitted(&self.open_file(file)?, tests, tell)
    }

    /// As [`Bench::submission`], for a file that may use those beside it.
    ///
    /// # Errors
    ///
    /// As [`Bench::submission`].
    pub fn submission_in(
        &self,
        folder: &Path,
        source: &Path,
        tests: &[&Test],
        tell: Listener<'_>,
    ) -> Result<SubjectReport, Fault> {
        self.submitted(&self.open_folder(folder, source)?, tests, tell)
    }

    /// Runs any program that speaks the protocol over `tests`.
    ///
    /// # Errors
    ///
    /// Fails when the run is interrupted; a red test is no error here.
    pub fn launched(
        &self,
        launch: &Launch,
        tests: &[&Test],
        tell: Listener<'_>,
    ) -> Result<SubjectReport, Fault> {
        let cell = self.cell()?;
        let mut launch = launch.clone();
        if let Some(cell) = &cell {
            if let Some(folder) = launch.folder() {
                let copy = cell.copy_folder(folder).map_err(not_copied)?;
                launch = launch.in_folder(&copy);
            }
            launch = launch.confined(cell, Purpose::Command, &[]);
        }
        let subject = SubjectId::Submission(launch.program().to_string_lossy().into_owned());
        let submitted = Submitted {
            subject,
            launch,
            cell,
        };
        self.submitted(&submitted, tests, tell)
    }

    /// Reports a submission that does not build: every test says so, and none says more.
    #[must_use]
    pub fn not_built(&self, tests: &[&Test], why: &str) -> SubjectReport {
        let verdict = || TestVerdict {
            word: TestWord::Errored,
            line: Some(1),
            expected: None,
            observed: Some(Shown::Words(format!("it does not build: {why}"))),
            notes: Vec::new(),
            seen: vec![LineSeen {
                line: 1,
                seen: Seen::Outcomes {
                    outcomes: vec![Outcome::NotLoaded {
                        why: why.to_owned(),
                    }],
                    left_locked: false,
                    unforced: None,
                },
                before: Vec::new(),
                after: Vec::new(),
                held: std::time::Duration::ZERO,
                waiting: None,
                asked: Vec::new(),
                waited: false,
            }],
        };
        SubjectReport {
            lab: self.lab.id.clone(),
            track: self.track,
            subject: SubjectId::Submission(String::new()),
            tests: tests
                .iter()
                .map(|test| TestReport::new(test, verdict(), std::time::Duration::ZERO))
                .collect(),
            took: std::time::Duration::ZERO,
        }
    }

    /// Makes a cell for a submission, if submissions are confined.
    fn cell(&self) -> Result<Option<SharedCell>, Fault> {
        let cell = self.confinement.as_ref();
        let cell = cell.map(|confinement| Cell::new(confinement, &self.scratch));
        Ok(cell.transpose()?.map(SharedCell::new))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn not_copied(error: std::io::Error) -> Fault {
    Fault::NotReady(NotReady {
        why: format!("failed to copy the submission: {error}"),
    })
}
