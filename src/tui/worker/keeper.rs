//! The keeper: owns the progress file, and stores a prediction before its run can begin.
//!
//! It never runs a subject, so that whatever is said is stored at once.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::sync::mpsc::{self, Receiver, Sender};

use super::{Ask, Progress, Task};
use crate::model::Prediction;
use crate::progress::{Place, SaveError};
use crate::tui::message::{Job, Msg, News, Said, Target};

/// Owns the progress file.
pub(super) struct Keeper {
    pub progress: Progress,
    pub tell: Sender<Msg>,
    pub tasks: Sender<Task>,
}

impl Keeper {
    /// Works until it is asked to make an end, and then until nobody can ask any more.
    pub fn work(mut self, asked: &Receiver<Ask>) {
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
            Job::Weigh {
                run,
                lab,
                track,
                mutants,
            } => self.task(Task::Weigh {
                run,
                lab,
                track,
                mutants,
            }),
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
            Job::Answer { lab, task, text } => return self.progress.answer(&lab, &task, &text),
            Job::Choose(track) => return self.progress.set("track", track.id()),
            // The worker has handed this to the desk.
            Job::Own(..) => {}
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
            Said::Now(prediction) => self.store(run, &target, &prediction).map(Some),
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
        prediction: &Prediction,
    ) -> Result<i64, SaveError> {
        let Target {
            lab,
            track,
            mutant,
            step,
        } = target;
        let id = self
            .progress
            .predict(lab, *track, mutant, *step, prediction)?;
        let stored = self.progress.predictions(lab)?;
        if let Some(stored) = stored.into_iter().find(|stored| stored.id == id) {
            let _ = self.tell.send(Msg::News(News::Stored {
                run,
                lab: lab.clone(),
                attempt: stored,
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
