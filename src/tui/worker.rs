//! Does what takes time or touches the disk: the only part of the screen that knows the lab and
//! the progress file.
//!
//! Three threads. The keeper owns the progress file and stores at once, also while a run goes on;
//! the runner runs subjects one after the other. A prediction reaches the runner only after the
//! keeper has stored it. The desk runs a learner's own code, beside both.

mod keeper;
mod own;
mod runner;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use self::keeper::Keeper;
use self::own::{Desk, OwnTask};
use self::runner::Runner;
use super::message::{Job, Msg, Target};
use crate::model::{Pack, Track};
use crate::progress::SaveError;
use crate::run::Interrupt;
use crate::worksheet::Attempt;

pub use crate::progress::Progress;

/// What was saved about a lab before.
#[derive(Debug, Default)]
pub struct Saved {
    /// All predictions.
    pub attempts: Vec<Attempt>,
    /// Own tests: the mutant, the text, the verdict's name.
    pub probes: Vec<(String, String, String)>,
    /// Answers by task.
    pub answers: BTreeMap<String, String>,
    /// Step and view where the learner stopped.
    pub place: Option<(u32, String)>,
}

/// Reads what was saved about each lab of a pack, and the chosen language.
///
/// # Errors
///
/// Fails when the file cannot be read.
pub fn saved(pack: &Pack, progress: &Progress) -> Result<(Vec<Saved>, Option<Track>), SaveError> {
    let mut all = Vec::new();
    for lab in &pack.labs {
        let attempts = progress.predictions(&lab.id)?.into_iter();
        let probes = progress.probes(&lab.id)?.into_iter();
        let place = progress.place(&lab.id)?;
        all.push(Saved {
            attempts: attempts.collect(),
            probes: probes
                .map(|probe| (probe.mutant, probe.source, probe.verdict))
                .collect(),
            answers: progress.answers(&lab.id)?,
            place: place.map(|place| (place.step, place.view)),
        });
    }
    let track = progress.setting("track")?;
    Ok((all, track.as_deref().and_then(Track::parse)))
}

/// The runs that were stopped, and the one that is going on.
#[derive(Debug, Default)]
struct Stops {
    stopped: BTreeSet<u64>,
    current: Option<(u64, Interrupt)>,
    ending: bool,
}

type Shared = Arc<Mutex<Stops>>;

fn lock(stops: &Shared) -> std::sync::MutexGuard<'_, Stops> {
    stops.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number under which background work of no run goes on.
const NO_RUN: u64 = u64::MAX;

/// The worker, as the runtime holds it.
#[derive(Debug)]
pub struct Worker {
    jobs: Option<Sender<Ask>>,
    own: Sender<OwnTask>,
    stops: Shared,
    threads: Vec<JoinHandle<()>>,
}

/// What the keeper is asked: a job, or to make an end.
enum Ask {
    Job(Job),
    End,
}

impl Worker {
    /// Starts the worker; it tells what happens to `tell`.
    #[must_use]
    pub fn start(pack: Arc<Pack>, progress: Progress, tell: &Sender<Msg>) -> Self {
        let stops = Shared::default();
        let (jobs, asked) = mpsc::channel();
        let (tasks, to_run) = mpsc::channel();
        let keeper = Keeper {
            progress,
            tell: tell.clone(),
            tasks,
        };
        let runner = Runner {
            pack,
            tell: tell.clone(),
            keep: jobs.clone(),
            stops: Arc::clone(&stops),
            baselines: BTreeMap::new(),
        };
        let (own, own_tasks) = mpsc::channel();
        let desk = Desk {
            pack: Arc::clone(&runner.pack),
            tell: tell.clone(),
            ask: own.clone(),
            here: std::env::current_dir().unwrap_or_default(),
            open: None,
        };
        let threads = vec![
            thread::spawn(move || desk.work(&own_tasks)),
            thread::spawn(move || runner.work(&to_run)),
            thread::spawn(move || keeper.work(&asked)),
        ];
        Self {
            jobs: Some(jobs),
            own,
            stops,
            threads,
        }
    }

    /// Hands over a job and returns at once.
    pub fn ask(&self, job: Job) {
        if let Job::Own(run, job) = job {
            // There is nothing to store in it.
            let _ = self.own.send(OwnTask::Job(run, job));
            return;
        }
        if let Some(jobs) = &self.jobs {
            // A worker that is gone has told so already.
            let _ = jobs.send(Ask::Job(job));
        }
    }

    /// Stops whatever runs at the moment, also in the background.
    pub fn rest(&self) {
        if let Some((_, interrupt)) = &lock(&self.stops).current {
            interrupt.raise();
        }
        let _ = self.own.send(OwnTask::Pause);
    }

    /// Goes on after a pause: a learner's own code is run anew.
    pub fn resume(&self) {
        let _ = self.own.send(OwnTask::Resume);
    }

    /// Stops a run, or forgets it if it has not begun.
    pub fn cancel(&self, run: u64) {
        let _ = self.own.send(OwnTask::End(run));
        let mut stops = lock(&self.stops);
        stops.stopped.insert(run);
        if let Some((current, interrupt)) = &stops.current
            && *current == run
        {
            interrupt.raise();
        }
    }
}

impl Drop for Worker {
    /// Ends every run, stores what is left to store, and waits until nothing is left running.
    fn drop(&mut self) {
        let _ = self.own.send(OwnTask::Quit);
        let mut stops = lock(&self.stops);
        stops.ending = true;
        if let Some((_, interrupt)) = &stops.current {
            interrupt.raise();
        }
        drop(stops);
        let jobs = self.jobs.take();
        // The runner first: what it has to say is still kept.
        if let Some(jobs) = jobs {
            let _ = jobs.send(Ask::End);
        }
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// A task for the runner.
pub(super) enum Task {
    Tracks(String),
    Baseline(String, Track),
    Run {
        run: u64,
        target: Target,
        prediction: Option<i64>,
        tests: Vec<String>,
    },
    Weigh {
        run: u64,
        lab: String,
        track: Track,
        mutants: Vec<String>,
    },
    Probe {
        run: u64,
        target: Target,
        source: String,
    },
}
