//! What is really so: how long the reference takes, and which tests really catch a mutant.
//!
//! Computed by running, once for each lab and track, and never read from a file.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::event::SubjectReport;
use crate::lab::{Bench, Fault};
use crate::model::{Lab, Test, Track};
use crate::run::{Interrupt, Limits};

/// A call may take so many times what the slowest test of the reference took.
const PATIENCE: u32 = 20;
/// However fast the reference is, a call may take this long, in seconds.
const LEAST: Duration = Duration::from_secs(2);

/// The tests that catch each worksheet mutant, by its id.
pub type Caught = BTreeMap<String, Vec<String>>;

/// A value for each lab and track. Whoever asks while it is made waits, and makes no other.
type Known<T> = Mutex<BTreeMap<(String, Track), T>>;

/// What has been found out so far.
#[derive(Debug)]
pub struct Truth {
    jobs: usize,
    interrupt: Interrupt,
    limits: Known<Limits>,
    caught: Known<Caught>,
}

impl Truth {
    /// Knows nothing yet. `jobs` is how many submissions are run at once.
    #[must_use]
    pub fn new(jobs: usize, interrupt: Interrupt) -> Self {
        Self {
            jobs,
            interrupt,
            limits: Mutex::default(),
            caught: Mutex::default(),
        }
    }

    /// Returns what a submission may use: from what the reference takes under the same load.
    ///
    /// # Errors
    ///
    /// Fails when the reference is not green or cannot be run.
    pub fn limits(&self, lab: &Lab, track: Track) -> Result<Limits, Fault> {
        known(&self.limits, lab, track, || {
            let tests: Vec<&Test> = lab.tests_in(track).collect();
            let bench = Bench::new(lab, track, self.interrupt.clone())?;
            // As many references at once as there will be submissions.
            let reports: Vec<_> = thread::scope(|scope| {
                let runs: Vec<_> = (0..self.jobs.max(1))
                    .map(|_| scope.spawn(|| bench.baseline(&tests, &|_| {})))
                    .collect();
                runs.into_iter().filter_map(|run| run.join().ok()).collect()
            });
            let mut slowest = Duration::ZERO;
            for report in reports {
                slowest = slowest.max(slowest_test(&report?));
            }
            let usual = Limits::default();
            Ok(Limits {
                reply: (slowest * PATIENCE).clamp(LEAST, usual.reply),
                ..usual
            })
        })
    }

    /// Returns which tests in force at its step catch each worksheet mutant.
    ///
    /// # Errors
    ///
    /// Fails when the reference is not green or a mutant cannot be run.
    pub fn caught(&self, lab: &Lab, track: Track) -> Result<Caught, Fault> {
        known(&self.caught, lab, track, || {
            let bench = Bench::new(lab, track, self.interrupt.clone())?;
            let mut all = Caught::new();
            for step in &lab.steps {
                let Some(mutant) = lab.worksheet_mutant(step.number) else {
                    continue;
                };
                let tests: Vec<&Test> = lab.tests_up_to(step.number, track).collect();
                let report = bench.mutant(mutant, &tests, &|_| {})?.report;
                let caught = report.iter().flat_map(SubjectReport::caught_by);
                all.insert(mutant.id.clone(), caught.map(str::to_owned).collect());
            }
            Ok(all)
        })
    }
}

fn known<T: Clone>(
    all: &Known<T>,
    lab: &Lab,
    track: Track,
    find_out: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (lab.id.clone(), track);
    if let Some(value) = all.get(&key) {
        return Ok(value.clone());
    }
    let value = find_out()?;
    all.insert(key, value.clone());
    Ok(value)
}

/// How long the slowest test took, waits on purpose left out.
fn slowest_test(report: &SubjectReport) -> Duration {
    let times = report
        .tests
        .iter()
        .map(|test| test.took.saturating_sub(test.held));
    times.max().unwrap_or_default()
}
