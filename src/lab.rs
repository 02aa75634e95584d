//! Runs subjects over tests, judges what was seen, and tells its listeners.
//!
//! The one place where running and judging meet. The baseline comes first: while the reference
//! is not green, no mutant has a verdict.

mod again;
pub mod check;
mod folder;
mod lanes;
pub mod make;
mod submitted;
mod trial;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

pub use self::again::{Again, News, bench_track};
pub use self::folder::{
    Found, find_folder, folder_files, folder_name, folder_needs, make_folder, written_text,
};
pub use self::trial::{NothingToRun, OwnCode, Upto};

use self::lanes::Lanes;
use crate::event::{Event, Matrix, MutantReport, SubjectId, SubjectReport, TestReport};
use crate::model::{Lab, Mutant, Test, Track};
use crate::mutate;
use crate::run::track::Warm;
use crate::run::{Confinement, Interrupt, Launch, Limits, NotReady, PrepareError, Scratch, track};
use crate::verdict::{MutantWord, TestWord};

/// The most processes that share the tests of one subject: each has to be started first.
const MOST_LANES: usize = 4;

pub use submitted::Submitted;

/// Why a run came to no verdict.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
    /// The reference is not green, so nothing can be said of anything else.
    #[error("the baseline failed: the reference does not pass every test")]
    Baseline(Box<SubjectReport>),
    /// The subject cannot be run on this machine.
    #[error("{0}")]
    NotReady(#[from] NotReady),
    /// The reference itself does not build.
    #[error("the reference does not build: {0}")]
    DoesNotBuild(String),
    /// There is no such source in this track.
    #[error("lab {lab} has no {track} track")]
    NoTrack {
        /// Name of the lab.
        lab: String,
        /// The track that was asked for.
        track: Track,
    },
    /// The machine does not let the lab work.
    #[error("failed to make a scratch folder: {0}")]
    Scratch(#[from] std::io::Error),
    /// There is no room in the scratch folder, which makes tests red that are not.
    #[error("the scratch folder {} is full", .0.display())]
    Full(PathBuf),
}

/// What a learner's own test is worth.
#[derive(Debug, Clone, PartialEq)]
pub enum ProbeVerdict {
    /// The reference does not pass it, so it contradicts the contract; what it saw there.
    Invalid(Box<TestReport>),
    /// The reference passes it and the mutant does not; what it saw there.
    Catches(Box<TestReport>),
    /// Both pass it.
    Misses,
}

/// Returns the source of a mutant in a track.
///
/// # Errors
///
/// Says which edit does not fit, and why.
pub fn mutated(lab: &Lab, track: Track, mutant: &Mutant) -> Result<String, String> {
    let Some(source) = lab.source(track) else {
        return Err(format!("lab {} has no {track} track", lab.id));
    };
    let edits = mutant.edits_for(track);
    if edits.is_empty() {
        return Err(format!("it has no edits for the {track} track"));
    }
    let pairs = edits
        .iter()
        .map(|edit| (edit.find.as_str(), edit.replace.as_str()));
    mutate::apply(&source.text, pairs).map_err(|error| error.to_string())
}

impl From<PrepareError> for Fault {
    fn from(error: PrepareError) -> Self {
        match error {
            PrepareError::NotReady(not_ready) => Self::NotReady(not_ready),
            PrepareError::DoesNotBuild(why) => Self::DoesNotBuild(why),
            PrepareError::Interrupted => Self::Interrupted,
        }
    }
}

/// Somebody who listens to events, from several threads at once.
pub type Listener<'a> = &'a (dyn Fn(Event) + Sync);

/// A lab in one track, ready to run subjects.
#[derive(Debug)]
pub struct Bench<'a> {
    lab: &'a Lab,
    track: Track,
    interrupt: Interrupt,
    limits: Limits,
    scratch: Scratch,
    /// What its subjects share, so that each starts sooner.
    warm: Warm,
    /// What confines submissions, if anything does.
    confinement: Option<Confinement>,
    /// How many subjects run at once in a matrix.
    jobs: usize,
    /// How many processes share the tests of one subject.
    lanes: usize,
}

impl<'a> Bench<'a> {
    /// Makes a bench with a scratch folder of its own.
    ///
    /// # Errors
    ///
    /// Fails when the lab has no such track or there is no place for scratch.
    pub fn new(lab: &'a Lab, track: Track, interrupt: Interrupt) -> Result<Self, Fault> {
        if lab.source(track).is_none() {
            return Err(Fault::NoTrack {
                lab: lab.id.clone(),
                track,
            });
        }
        let cores = thread::available_parallelism().map_or(1, Into::into);
        Ok(Self {
            lab,
            track,
            interrupt,
            limits: Limits::default(),
            scratch: Scratch::new()?,
            warm: Warm::default(),
            confinement: None,
            jobs: cores,
            lanes: cores.min(MOST_LANES),
        })
    }

    /// Changes what a subject may use.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns what a subject may use.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Lets every process of a submission, its build too, run confined.
    #[must_use]
    pub fn confined(mut self, confinement: Confinement) -> Self {
        self.limits.output = self.limits.output.min(confinement.allowance().output);
        self.confinement = Some(confinement.with_reach(&track::reads(self.track)));
        self
    }

    /// Returns what confines submissions, if anything does.
    #[must_use]
    pub const fn confinement(&self) -> Option<&Confinement> {
        self.confinement.as_ref()
    }

    /// Changes how many processes may share the tests of a subject; at most that many are used.
    #[must_use]
    pub fn with_lanes(mut self, lanes: usize) -> Self {
        self.lanes = lanes.clamp(1, MOST_LANES);
        self
    }

    /// Returns the lab.
    #[must_use]
    pub const fn lab(&self) -> &'a Lab {
        self.lab
    }

    /// Returns the track.
    #[must_use]
    pub const fn track(&self) -> Track {
        self.track
    }

    /// Runs the reference over `tests`.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be run or is interrupted; a red test is no error here.
    pub fn reference(&self, tests: &[&Test], tell: Listener<'_>) -> Result<SubjectReport, Fault> {
        let source = self.lab.source(self.track).map(|source| &source.text);
        let source = source.ok_or_else(|| Fault::NoTrack {
            lab: self.lab.id.clone(),
            track: self.track,
        })?;
        let launch = self.prepare(source)?;
        self.run(SubjectId::Reference, &launch, tests, &[], self.lanes, tell)
    }

    /// Runs any source over `tests`, under the name of `subject`.
    ///
    /// # Errors
    ///
    /// Fails when it does not build, cannot be run here, or the run is interrupted.
    pub fn source(
        &self,
        subject: SubjectId,
        source: &str,
        tests: &[&Test],
    ) -> Result<SubjectReport, Fault> {
        let launch = self.prepare(source)?;
        self.run(subject, &launch, tests, &[], self.lanes, &|_| {})
    }

    /// Runs the reference over `tests` and insists that it is green.
    ///
    /// # Errors
    ///
    /// Fails with [`Fault::Baseline`] when it is not, else as [`Bench::reference`].
    pub fn baseline(&self, tests: &[&Test], tell: Listener<'_>) -> Result<SubjectReport, Fault> {
        let report = self.reference(tests, tell)?;
        if report.is_green() {
            Ok(report)
        } else {
            Err(Fault::Baseline(Box::new(report)))
        }
    }

    /// Runs a mutant over `tests`. The baseline is the caller's business.
    ///
    /// # Errors
    ///
    /// Fails when the machine cannot run it or the run is interrupted. Edits that do not fit
    /// are a verdict.
    pub fn mutant(
        &self,
        mutant: &Mutant,
        tests: &[&Test],
        tell: Listener<'_>,
    ) -> Result<MutantReport, Fault> {
        self.mutant_on(self.lanes, mutant, tests, tell)
    }

    pub(crate) fn mutant_on(
        &self,
        lanes: usize,
        mutant: &Mutant,
        tests: &[&Test],
        tell: Listener<'_>,
    ) -> Result<MutantReport, Fault> {
        let verdict = |word, report, why| MutantReport {
            id: mutant.id.clone(),
            step: mutant.step,
            word,
            report,
            why,
        };
        let source = match mutated(self.lab, self.track, mutant) {
            Ok(source) => source,
            Err(why) => return Ok(verdict(MutantWord::DoesNotApply, None, Some(why))),
        };
        let launch = match self.prepare(&source) {
            Ok(launch) => launch,
            Err(PrepareError::DoesNotBuild(why)) => {
                return Ok(verdict(MutantWord::DoesNotBuild, None, Some(why)));
            }
            Err(error) => return Err(error.into()),
        };
        let promised = mutant.caught_by_for(self.track);
        let subject = SubjectId::Mutant(mutant.id.clone());
        let report = self.run(subject, &launch, tests, promised, lanes, tell)?;
        let why = report.not_loaded().map(ToOwned::to_owned);
        Ok(verdict(report.mutant_word(), Some(report), why))
    }

    /// Runs a learner's own test against the reference, and against the mutant if that passes.
    ///
    /// # Errors
    ///
    /// Fails when the machine cannot run it or the run is interrupted.
    pub fn probe(&self, probe: &Test, mutant: &Mutant) -> Result<ProbeVerdict, Fault> {
        let report = self.reference(&[probe], &|_| {})?;
        if let Some(test) = report
            .tests
            .into_iter()
            .find(|test| test.word() != TestWord::Passed)
        {
            return Ok(ProbeVerdict::Invalid(Box::new(test)));
        }
        let report = self.mutant(mutant, &[probe], &|_| {})?.report;
        Ok(
            match report.and_then(|report| report.tests.into_iter().next()) {
                Some(test) if test.catches() => ProbeVerdict::Catches(Box::new(test)),
                _ => ProbeVerdict::Misses,
            },
        )
    }

    /// Runs every mutant of the lab over every test, several at once.
    ///
    /// # Errors
    ///
    /// Fails when the baseline is not green, something cannot be run, or it is interrupted.
    pub fn matrix(&self, tell: Listener<'_>) -> Result<Matrix, Fault> {
        let start = Instant::now();
        let tests: Vec<&Test> = self.lab.tests_in(self.track).collect();
        let baseline = self.baseline(&tests, tell)?;
        let mutants: Vec<&Mutant> = self
            .lab
            .mutants
            .iter()
            .filter(|mutant| !mutant.edits_for(self.track).is_empty())
            .collect();
        let rows = self.side_by_side(&mutants, |mutant| {
            // Every core has a mutant of its own; more processes for each would only cost.
            match self.mutant_on(1, mutant, &tests, tell) {
                Ok(row) => Ok(Ok(MutantReport {
                    report: row.report.map(SubjectReport::verdicts_only),
                    ..row
                })),
                Err(Fault::NotReady(missing)) => Ok(Err((mutant.id.clone(), missing.why))),
                Err(fault) => Err(fault),
            }
        })?;
        let (mut mutants, mut left_out) = (Vec::new(), Vec::new());
        for row in rows {
            match row {
                Ok(report) => mutants.push(report),
                Err(reason) => left_out.push(reason),
            }
        }
        Ok(Matrix {
            baseline,
            mutants,
            left_out,
            took: start.elapsed(),
        })
    }

    /// Does `work` for each item on all cores, and keeps the order.
    pub(crate) fn side_by_side<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> Result<R, Fault> + Sync,
    ) -> Result<Vec<R>, Fault> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<Option<Result<R, Fault>>>> =
            Mutex::new(items.iter().map(|_| None).collect());
        thread::scope(|scope| {
            for _ in 0..self.jobs.min(items.len()) {
                scope.spawn(|| {
                    while let Some((place, item)) = {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        items.get(place).map(|item| (place, item))
                    } {
                        let result = work(item);
                        done.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(result);
                    }
                });
            }
        });
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.into_iter().flatten().collect()
    }

    fn prepare(&self, source: &str) -> Result<Launch, PrepareError> {
        let lab = &self.lab.id;
        let (scratch, warm) = (&self.scratch, &self.warm);
        track::prepare(self.track, lab, source, scratch, warm, &self.interrupt)
    }

    /// Runs one subject over `tests`, shared by so many processes.
    fn run(
        &self,
        id: SubjectId,
        launch: &Launch,
        tests: &[&Test],
        promised: &[String],
        lanes: usize,
        tell: Listener<'_>,
    ) -> Result<SubjectReport, Fault> {
        let start = Instant::now();
        tell(Event::Started {
            subject: id.clone(),
            tests: tests.len(),
        });
        let work = Lanes {
            lab: self.lab,
            scratch: &self.scratch,
            interrupt: &self.interrupt,
            limits: self.limits,
            id: &id,
            launch,
            promised,
            tell,
        };
        let mut reports = work.run(tests, lanes);
        if self.interrupt.is_raised() {
            return Err(Fault::Interrupted);
        }
        if reports.iter().any(|report| report.word().is_red()) && self.scratch.is_full() {
            return Err(Fault::Full(self.scratch.path().to_owned()));
        }
        let order = |id: &str| tests.iter().position(|test| test.id == id);
        reports.sort_by_key(|report| order(&report.id));
        let report = SubjectReport {
            lab: self.lab.id.clone(),
            track: self.track,
            subject: id,
            tests: reports,
            took: start.elapsed(),
        };
        tell(Event::Finished(report.clone()));
        Ok(report)
    }
}
