//! Runs a learner's own code again whenever that is asked for or its files change.
//!
//! One channel in, one out: a terminal and a screen use it alike. A change during a run ends that
//! run and starts another. It prints nothing and waits for nobody.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::{Bench, Fault, OwnCode, Upto};
use crate::event::Trial;
use crate::model::{Lab, Track};
use crate::run::Interrupt;
use crate::workspace::{How, OpenError, Watch, Workspace};

/// What happened while a workspace was watched.
#[derive(Debug)]
pub enum News {
    /// The tests are about to be run.
    Running,
    /// They were run, or could not be.
    Ran(Result<Trial, Fault>),
    /// The folder is no workspace any more.
    Broken(OpenError),
}

/// Runs the tests of a workspace again and again until it is dropped.
#[derive(Debug)]
pub struct Again {
    asks: Sender<()>,
    watch: Watch,
    current: Arc<Current>,
    runner: Option<JoinHandle<()>>,
}

/// The run that is going on.
#[derive(Debug, Default)]
struct Current {
    interrupt: std::sync::Mutex<Interrupt>,
    over: AtomicBool,
}

impl Current {
    /// Ends the run that is going on.
    fn stop(&self) {
        let interrupt = self.interrupt.lock();
        interrupt
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .raise();
    }

    /// Begins a run, with an interrupt of its own.
    fn begin(&self) -> Interrupt {
        let fresh = Interrupt::default();
        let slot = self.interrupt.lock();
        *slot.unwrap_or_else(std::sync::PoisonError::into_inner) = fresh.clone();
        if self.over.load(Ordering::SeqCst) {
            fresh.raise();
        }
        fresh
    }
}

impl Again {
    /// Runs the tests now, and after each change of a source; `news` hears of it.
    #[must_use]
    pub fn begin(lab: Lab, workspace: &Workspace, upto: Upto, news: Sender<News>) -> Self {
        let (asks, asked) = mpsc::channel();
        let current = Arc::new(Current::default());
        let watch = {
            let (asks, current) = (asks.clone(), Arc::clone(&current));
            Watch::begin(workspace.root(), move || {
                current.stop();
                let _ = asks.send(());
            })
        };
        let _ = asks.send(());
        let runner = Runner {
            lab,
            root: workspace.root().to_owned(),
            upto,
            news,
            current: Arc::clone(&current),
        };
        let runner = Some(thread::spawn(move || runner.work(&asked)));
        Self {
            asks,
            watch,
            current,
            runner,
        }
    }

    /// Tells how changes are noticed.
    #[must_use]
    pub const fn how(&self) -> &How {
        self.watch.how()
    }

    /// Ends the run that is going on, and says nothing of it.
    pub fn pause(&self) {
        self.current.stop();
    }

    /// Runs the tests now, from the beginning.
    pub fn now(&self) {
        self.current.stop();
        let _ = self.asks.send(());
    }
}

impl Drop for Again {
    fn drop(&mut self) {
        self.current.over.store(true, Ordering::SeqCst);
        self.current.stop();
        let _ = self.asks.send(());
        // Nothing that it started may be left running.
        if let Some(runner) = self.runner.take() {
            let _ = runner.join();
        }
    }
}

struct Runner {
    lab: Lab,
    root: std::path::PathBuf,
    upto: Upto,
    news: Sender<News>,
    current: Arc<Current>,
}

impl Runner {
    fn work(self, asked: &Receiver<()>) {
        while asked.recv().is_ok() {
            // Whatever was asked for by now, this run is the answer. In this order: what is asked
            // for from here on ends the run, or starts another.
            while asked.try_recv().is_ok() {}
            let interrupt = self.current.begin();
            if self.current.over.load(Ordering::SeqCst) || self.news.send(News::Running).is_err() {
                return;
            }
            let news = match Workspace::open(&self.root) {
                Ok(workspace) => News::Ran(self.run(&workspace, interrupt.clone())),
                Err(error) => News::Broken(error),
            };
            // A run that was ended for another one has nothing to say.
            if !interrupt.is_raised() && self.news.send(news).is_err() {
                return;
            }
        }
    }

    fn run(&self, workspace: &Workspace, interrupt: Interrupt) -> Result<Trial, Fault> {
        let code = OwnCode::of(workspace)?;
        let bench = Bench::new(&self.lab, bench_track(&self.lab, &code), interrupt)?;
        bench.trial(&code, self.upto)
    }
}

/// Chooses the track of the bench: a program of no track is run beside the lab's own.
#[must_use]
pub fn bench_track(lab: &Lab, code: &OwnCode) -> Track {
    let first = lab.sources.first().map(|source| source.track);
    code.track().or(first).unwrap_or_default()
}
