//! Does what takes time or touches the disk: the only file of the screen that knows the lab and
//! the progress file.
//!
//! Two threads. The keeper owns the progress file and stores at once, also while a run goes on;
//! the runner runs subjects one after the other. A prediction reaches the runner only after the
//! keeper has stored it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::message::{Baseline, Job, Mistake, Msg, News, ProbeOutcome, Said, Target, TrackOffer};
use crate::event::{Event, SubjectReport};
use crate::lab::{Bench, Fault, ProbeVerdict};
use crate::model::{Lab, Pack, Prediction, Test, Track};
use crate::pack;
use crate::progress::{Place, SaveError, Stored};
use crate::run::{Interrupt, track};
use crate::worksheet::{Attempt, ProbeWorth};

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
        let attempts = progress.predictions(&lab.id)?.into_iter().map(attempt);
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

fn attempt(stored: Stored) -> Attempt {
    Attempt {
        id: stored.id,
        mutant: stored.mutant,
        step: stored.step,
        attempt: stored.attempt,
        prediction: stored.prediction,
        run: stored.run,
        sighting: stored.sighting,
    }
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
        let threads = vec![
            thread::spawn(move || runner.work(&to_run)),
            thread::spawn(move || keeper.work(&asked)),
        ];
        Self {
            jobs: Some(jobs),
            stops,
            threads,
        }
    }

    /// Hands over a job and returns at once.
    pub fn ask(&self, job: Job) {
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
    }

    /// Stops a run, or forgets it if it has not begun.
    pub fn cancel(&self, run: u64) {
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
enum Task {
    Tracks(String),
    Baseline(String, Track),
    Run {
        run: u64,
        target: Target,
        prediction: Option<i64>,
        tests: Vec<String>,
    },
    Probe {
        run: u64,
        target: Target,
        source: String,
    },
}

struct Keeper {
    progress: Progress,
    tell: Sender<Msg>,
    tasks: Sender<Task>,
}

impl Keeper {
    fn work(mut self, asked: &Receiver<Ask>) {
        while let Ok(Ask::Job(job)) = asked.recv() {
            if let Err(error) = self.job(job) {
                let _ = self.tell.send(Msg::News(News::NotSaved(error.to_string())));
            }
        }
        // The runner ends when nobody can ask it any more; what it still had to keep comes now.
        drop(std::mem::replace(&mut self.tasks, mpsc::channel().0));
        while let Ok(ask) = asked.recv() {
            if let Ask::Job(job) = ask {
                let _ = self.job(job);
            }
        }
    }

    fn job(&mut self, job: Job) -> Result<(), SaveError> {
        match job {
            Job::Tracks { lab } => self.task(Task::Tracks(lab)),
            Job::Baseline { lab, track } => self.task(Task::Baseline(lab, track)),
            Job::Run {
                run,
                target,
                said,
                tests,
            } => self.run(run, target, said, tests),
            Job::Ran { prediction, report } => return self.progress.ran(prediction, &report),
            Job::Probe {
                run,
                target,
                source,
            } => self.task(Task::Probe {
                run,
                target,
                source,
            }),
            Job::KeepProbe {
                target,
                source,
                verdict,
            } => {
                let Target {
                    lab, mutant, step, ..
                } = &target;
                return self
                    .progress
                    .keep_probe(lab, mutant, *step, &source, verdict);
            }
            Job::StopAt { lab, step, view } => {
                let view = view.to_owned();
                return self.progress.stop_at(&lab, &Place { step, view });
            }
            Job::Saw { prediction, text } => return self.progress.saw(prediction, &text),
            Job::Answer { lab, task, text } => return self.progress.answer(&lab, task, &text),
            Job::Choose(track) => return self.progress.set("track", track.id()),
            Job::Export { name, text } => {
                let written = export(&name, &text).map_err(|error| error.to_string());
                let _ = self.tell.send(Msg::News(News::Exported(written)));
            }
        }
        Ok(())
    }

    fn task(&self, task: Task) {
        let _ = self.tasks.send(task);
    }

    /// Stores the prediction, and only then lets anything run.
    fn run(&mut self, run: u64, target: Target, said: Said, tests: Vec<String>) {
        let prediction = match said {
            Said::Nothing => Ok(None),
            Said::Before(id) => Ok(Some(id)),
            Said::Now(prediction) => self.store(run, &target, prediction).map(Some),
        };
        match prediction {
            Ok(prediction) => self.task(Task::Run {
                run,
                target,
                prediction,
                tests,
            }),
            Err(error) => {
                let why = format!("{error}; nothing was run");
                let _ = self.tell.send(Msg::News(News::Failed { run, why }));
            }
        }
    }

    fn store(
        &mut self,
        run: u64,
        target: &Target,
        prediction: Prediction,
    ) -> Result<i64, SaveError> {
        let Target {
            lab,
            track,
            mutant,
            step,
        } = target;
        let id = self
            .progress
            .predict(lab, *track, mutant, *step, &prediction)?;
        let stored = self.progress.predictions(lab)?;
        if let Some(stored) = stored.into_iter().find(|stored| stored.id == id) {
            let _ = self.tell.send(Msg::News(News::Stored {
                run,
                lab: lab.clone(),
                attempt: attempt(stored),
            }));
        }
        Ok(id)
    }
}

/// Writes a file under a name that nobody uses yet, and returns the name.
fn export(name: &str, text: &str) -> io::Result<String> {
    let mut number = 1;
    loop {
        let file = match number {
            1 => format!("{name}.md"),
            _ => format!("{name}-{number}.md"),
        };
        match OpenOptions::new().write(true).create_new(true).open(&file) {
            Ok(mut open) => {
                open.write_all(text.as_bytes())?;
                return Ok(file);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

struct Runner {
    pack: Arc<Pack>,
    tell: Sender<Msg>,
    keep: Sender<Ask>,
    stops: Shared,
    baselines: BTreeMap<(String, Track), Baseline>,
}

impl Runner {
    fn work(mut self, tasks: &Receiver<Task>) {
        while let Ok(task) = tasks.recv() {
            if lock(&self.stops).ending {
                continue;
            }
            let run = match &task {
                Task::Run { run, .. } | Task::Probe { run, .. } => *run,
                Task::Tracks(_) | Task::Baseline(..) => NO_RUN,
            };
            let Some(interrupt) = self.begin(run) else {
                continue;
            };
            // A fault of the lab's own must not end the session with a run that never ends.
            let done = catch_unwind(AssertUnwindSafe(|| self.task(task, &interrupt)));
            lock(&self.stops).current = None;
            if done.is_err() {
                let why = "a fault of idemlab's own; please report it".to_owned();
                self.news(News::Failed { run, why });
            }
        }
    }

    /// Makes a run the current one, unless it was stopped already.
    fn begin(&self, run: u64) -> Option<Interrupt> {
        let mut stops = lock(&self.stops);
        if stops.ending || stops.stopped.remove(&run) {
            return None;
        }
        let interrupt = Interrupt::default();
        stops.current = Some((run, interrupt.clone()));
        Some(interrupt)
    }

    fn news(&self, news: News) {
        let _ = self.tell.send(Msg::News(news));
    }

    fn task(&mut self, task: Task, interrupt: &Interrupt) {
        let pack = Arc::clone(&self.pack);
        match task {
            Task::Tracks(lab) => {
                if let Some(lab) = pack.lab(&lab) {
                    let offers = lab.sources.iter().map(|source| TrackOffer {
                        track: source.track,
                        not_ready: track::prepare(source.track, &lab.id, &source.text)
                            .err()
                            .map(|not_ready| not_ready.why),
                    });
                    self.news(News::Tracks {
                        lab: lab.id.clone(),
                        offers: offers.collect(),
                    });
                }
            }
            Task::Baseline(lab, track) => {
                if let Some(lab) = pack.lab(&lab) {
                    // What went wrong is told as the state of the baseline.
                    let _ = self.baseline(lab, track, interrupt);
                }
            }
            Task::Run {
                run,
                target,
                prediction,
                tests,
            } => {
                if let Err(why) = self.run(&pack, run, &target, prediction, &tests, interrupt) {
                    self.news(News::Failed { run, why });
                }
            }
            Task::Probe {
                run,
                target,
                source,
            } => {
                let outcome = self
                    .probe(&pack, &target, source, interrupt)
                    .unwrap_or_else(ProbeOutcome::Failed);
                self.news(News::Probed { run, outcome });
            }
        }
    }

    /// Makes sure that the reference passes every test; runs it once a session and track.
    fn baseline(&mut self, lab: &Lab, track: Track, interrupt: &Interrupt) -> Result<(), String> {
        let key = (lab.id.clone(), track);
        if !self.baselines.contains_key(&key) {
            match self.run_baseline(lab, track, interrupt) {
                Ok(state) => {
                    self.baselines.insert(key.clone(), state);
                }
                Err(Fault::Interrupted) => return Err("the run was stopped".to_owned()),
                Err(fault) => {
                    // Not remembered: what is missing may be there the next time.
                    let why = fault.to_string();
                    self.tell_baseline(lab, track, Baseline::Broken(why.clone()));
                    return Err(why);
                }
            }
        }
        let state = self.baselines[&key].clone();
        let red = matches!(state, Baseline::Red(_));
        self.tell_baseline(lab, track, state);
        if red {
            return Err("the baseline failed: the reference does not pass every test".to_owned());
        }
        Ok(())
    }

    fn tell_baseline(&self, lab: &Lab, track: Track, state: Baseline) {
        self.news(News::Baseline {
            lab: lab.id.clone(),
            track,
            state,
        });
    }

    fn run_baseline(
        &self,
        lab: &Lab,
        track: Track,
        interrupt: &Interrupt,
    ) -> Result<Baseline, Fault> {
        let bench = Bench::new(lab, track, interrupt.clone())?;
        let tests: Vec<&Test> = lab.tests_in(track).collect();
        let of = tests.len();
        let done = Mutex::new(0);
        let tell = |event: Event| {
            if let Event::Tested { .. } = event {
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                *done += 1;
                self.tell_baseline(lab, track, Baseline::Running { done: *done, of });
            }
        };
        match bench.baseline(&tests, &tell) {
            Ok(_) => Ok(Baseline::Green),
            Err(Fault::Baseline(report)) => {
                let red = report
                    .tests
                    .iter()
                    .filter(|test| test.word() != crate::verdict::TestWord::Passed);
                Ok(Baseline::Red(red.map(|test| test.id.clone()).collect()))
            }
            Err(fault) => Err(fault),
        }
    }

    fn run(
        &mut self,
        pack: &Pack,
        run: u64,
        target: &Target,
        prediction: Option<i64>,
        tests: &[String],
        interrupt: &Interrupt,
    ) -> Result<(), String> {
        let lab = pack.lab(&target.lab).ok_or("there is no such lab")?;
        let mutant = lab
            .mutant(&target.mutant)
            .ok_or("there is no such change")?;
        self.baseline(lab, target.track, interrupt)?;
        let tests: Vec<&Test> = tests.iter().filter_map(|id| lab.test(id)).collect();
        let bench =
            Bench::new(lab, target.track, interrupt.clone()).map_err(|fault| fault.to_string())?;
        let tell = |event: Event| {
            if let Event::Tested { report, .. } = event {
                let (id, word) = (report.id.clone(), report.word());
                self.news(News::Tested { run, id, word });
            }
        };
        let verdict = bench
            .mutant(mutant, &tests, &tell)
            .map_err(|fault| fault.to_string())?;
        let report = verdict
            .report
            .map(|report| Box::new(in_lab_order(lab, report)));
        if let (Some(prediction), Some(report)) = (prediction, &report) {
            let report = SubjectReport::clone(report);
            let _ = self.keep.send(Ask::Job(Job::Ran { prediction, report }));
        }
        self.news(News::Finished {
            run,
            word: verdict.word,
            report,
            why: verdict.why,
        });
        Ok(())
    }

    fn probe(
        &mut self,
        pack: &Pack,
        target: &Target,
        source: String,
        interrupt: &Interrupt,
    ) -> Result<ProbeOutcome, String> {
        let lab = pack.lab(&target.lab).ok_or("there is no such lab")?;
        let mutant = lab
            .mutant(&target.mutant)
            .ok_or("there is no such change")?;
        let probe = match pack::read_probe(lab, target.step, &source) {
            Ok(probe) => probe,
            Err(broken) => return Ok(ProbeOutcome::Mistakes(mistakes(broken))),
        };
        self.baseline(lab, target.track, interrupt)?;
        let bench =
            Bench::new(lab, target.track, interrupt.clone()).map_err(|fault| fault.to_string())?;
        let verdict = bench
            .probe(&probe, mutant)
            .map_err(|fault| fault.to_string())?;
        let probe = Box::new(probe);
        let (worth, outcome) = match verdict {
            ProbeVerdict::Invalid(report) => {
                (ProbeWorth::Invalid, ProbeOutcome::Invalid(probe, report))
            }
            ProbeVerdict::Catches(report) => {
                (ProbeWorth::Catches, ProbeOutcome::Catches(probe, report))
            }
            ProbeVerdict::Misses => (ProbeWorth::Misses, ProbeOutcome::Misses(probe)),
        };
        let _ = self.keep.send(Ask::Job(Job::KeepProbe {
            target: target.clone(),
            source,
            verdict: worth.id(),
        }));
        Ok(outcome)
    }
}

fn mistakes(broken: pack::Broken) -> Vec<Mistake> {
    let problems = broken.0.into_iter();
    problems
        .map(|problem| Mistake {
            line: problem.line,
            column: problem.column,
            title: problem.title,
            help: problem.help,
        })
        .collect()
}

/// Puts the tests of a report back into the lab's order.
fn in_lab_order(lab: &Lab, mut report: SubjectReport) -> SubjectReport {
    report
        .tests
        .sort_by_key(|test| lab.tests.iter().position(|known| known.id == test.id));
    report
}
