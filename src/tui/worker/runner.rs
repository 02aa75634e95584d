//! The runner: runs subjects one after the other, and tells what they do.
//!
//! It never touches the progress file: what is to be stored it hands to the keeper.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Ask, NO_RUN, Shared, Task, lock};
use crate::event::{Event, SubjectReport};
use crate::lab::{Bench, Fault, ProbeVerdict};
use crate::model::{Lab, Pack, Test, Track};
use crate::pack;
use crate::run::{Interrupt, track};
use crate::tui::message::{Baseline, Job, Mistake, Msg, News, ProbeOutcome, Target, TrackOffer};
use crate::worksheet::{ProbeWorth, candidates};

/// Runs subjects.
pub(super) struct Runner {
    pub pack: Arc<Pack>,
    pub tell: Sender<Msg>,
    pub keep: Sender<Ask>,
    pub stops: Shared,
    /// How the reference stands, by lab and track, once that is known.
    pub baselines: BTreeMap<(String, Track), Baseline>,
}

impl Runner {
    /// Works until nobody can ask any more.
    pub fn work(mut self, tasks: &Receiver<Task>) {
        while let Ok(task) = tasks.recv() {
            if lock(&self.stops).ending {
                continue;
            }
            let run = match &task {
                Task::Run { run, .. } | Task::Probe { run, .. } | Task::Weigh { run, .. } => *run,
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
                        not_ready: track::missing(source.track, &source.text)
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
            Task::Weigh {
                lab,
                track,
                mutants,
                ..
            } => {
                // A list without words is no fault: it is only less of a help.
                let _ = self.weigh(&pack, &lab, track, &mutants, interrupt);
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

    /// Runs further changes, each over the tests up to its step, and tells how many catch it.
    fn weigh(
        &mut self,
        pack: &Pack,
        lab: &str,
        track: Track,
        mutants: &[String],
        interrupt: &Interrupt,
    ) -> Result<(), String> {
        let lab = pack.lab(lab).ok_or("there is no such lab")?;
        self.baseline(lab, track, interrupt)?;
        let bench = Bench::new(lab, track, interrupt.clone()).map_err(|fault| fault.to_string())?;
        for mutant in mutants.iter().filter_map(|id| lab.mutant(id)) {
            let tests = candidates(lab, mutant, track);
            let verdict = bench
                .mutant(mutant, &tests, &|_| {})
                .map_err(|fault| fault.to_string())?;
            let caught = verdict
                .report
                .map_or(0, |report| report.caught_by().count());
            self.news(News::Weighed {
                lab: lab.id.clone(),
                track,
                mutant: mutant.id.clone(),
                caught,
            });
        }
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
