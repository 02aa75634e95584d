//! A learner's own code: finds or makes its folder, and runs its tests whenever it changes.
//!
//! A thread of its own, so that neither a run of the lab nor the progress file waits for it.
//! What it started is ended before it goes on to something else.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use crate::lab::{
    self, Again, Bench, Fault, Found, OwnCode, Upto, bench_track, find_folder, folder_needs,
    written_text,
};
use crate::model::{Lab, Pack};
use crate::mutate;
use crate::run::Interrupt;
use crate::tui::message::{
    Aim, BreakSaid, Msg, News, OwnJob, OwnNews, OwnOffer, OwnPlace, OwnWhich,
};
use crate::workspace::{Engine, How, OpenError, Purpose, Watch, Workspace};

/// What is asked of it.
pub(super) enum OwnTask {
    /// A job, under the number of a run.
    Job(u64, OwnJob),
    /// Ends what goes on under this number.
    End(u64),
    /// Ends the run that goes on, and watches on.
    Pause,
    /// Runs anew what was ended for a pause.
    Resume,
    /// Makes an end of everything.
    Quit,
}

/// Keeps a learner's own code running.
pub(super) struct Desk {
    pub pack: Arc<Pack>,
    pub tell: Sender<Msg>,
    /// To ask itself when a copy has changed.
    pub ask: Sender<OwnTask>,
    /// The folder in which the program was started.
    pub here: PathBuf,
    pub open: Option<Open>,
}

/// What goes on, under its number.
pub(super) struct Open {
    run: u64,
    work: Work,
}

enum Work {
    Write(Again),
    Break(Box<Breaking>),
}

/// A copy to break.
struct Breaking {
    lab: Lab,
    root: PathBuf,
    trying: Option<Trying>,
    watch: Watch,
}

/// A run of a copy; dropped, it is ended.
struct Trying {
    interrupt: Interrupt,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Trying {
    fn drop(&mut self) {
        self.interrupt.raise();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Desk {
    /// Works until it is asked to make an end.
    pub fn work(mut self, tasks: &Receiver<OwnTask>) {
        while let Ok(task) = tasks.recv() {
            match task {
                OwnTask::Quit => return,
                OwnTask::End(run) => drop(self.open.take_if(|open| open.run == run)),
                OwnTask::Pause => self.pause(),
                OwnTask::Resume => self.now(),
                OwnTask::Job(run, job) => {
                    let done = catch_unwind(AssertUnwindSafe(|| self.job(run, job)));
                    if done.is_err() {
                        self.news(run, OwnNews::NotRun(fault_of_our_own()));
                    }
                }
            }
        }
    }

    fn news(&self, run: u64, news: OwnNews) {
        let _ = self.tell.send(Msg::News(News::Own(run, news)));
    }

    fn job(&mut self, run: u64, job: OwnJob) {
        let (which, make) = match job {
            OwnJob::Now => {
                // What was left for something else has nothing to run any more.
                if self.open.as_ref().is_some_and(|open| open.run == run) {
                    self.now();
                }
                return;
            }
            OwnJob::Open(which) => (which, false),
            OwnJob::Make(which) => (which, true),
        };
        self.open = None;
        let pack = Arc::clone(&self.pack);
        let Some(lab) = pack.lab(&which.lab) else {
            return;
        };
        match self.folder(lab, &which, make) {
            Ok((workspace, is_new)) => self.begin(run, lab, &which, &workspace, is_new),
            Err(news) => self.news(run, news),
        }
    }

    /// Finds the folder, or makes it; otherwise says how it stands.
    #[expect(
        clippy::result_large_err,
        reason = "the news goes straight to the screen"
    )]
    fn folder(
        &self,
        lab: &Lab,
        which: &OwnWhich,
        make: bool,
    ) -> Result<(Workspace, bool), OwnNews> {
        let purpose = match which.aim {
            Aim::Write => Purpose::Write,
            Aim::Break => Purpose::Break,
        };
        match find_folder(&self.here, &lab.id, purpose) {
            Found::There(workspace) => Ok((workspace, false)),
            Found::Broken(error) => Err(OwnNews::Unusable(problems(&error))),
            Found::Nothing(folder) if make => lab::make_folder(&folder, lab, which.track, purpose)
                .map(|workspace| (workspace, true))
                .map_err(OwnNews::NotRun),
            Found::Nothing(folder) => Err(OwnNews::Nothing(OwnOffer {
                folder: self.name(&folder),
                track: which.track,
                needs: folder_needs(lab, which.track),
            })),
        }
    }

    /// Names a folder as one reaches it from where the program was started.
    fn name(&self, folder: &Path) -> String {
        match folder.strip_prefix(&self.here) {
            Ok(inside) if inside.as_os_str().is_empty() => "this folder".to_owned(),
            Ok(inside) => format!("{}/", inside.display()),
            Err(_) => format!("{}/", folder.display()),
        }
    }

    fn begin(
        &mut self,
        run: u64,
        lab: &Lab,
        which: &OwnWhich,
        workspace: &Workspace,
        is_new: bool,
    ) {
        let root = workspace.root().to_owned();
        let (heard, news) = mpsc::channel();
        let work = match which.aim {
            Aim::Write => {
                let upto = Upto::Step(which.step);
                Work::Write(Again::begin(lab.clone(), workspace, upto, heard))
            }
            Aim::Break => {
                let ask = self.ask.clone();
                let changed = move || drop(ask.send(OwnTask::Job(run, OwnJob::Now)));
                Work::Break(Box::new(Breaking {
                    lab: lab.clone(),
                    root: root.clone(),
                    trying: None,
                    watch: Watch::begin(&root, changed),
                }))
            }
        };
        let how = match &work {
            Work::Write(again) => again.how(),
            Work::Break(breaking) => breaking.watch.how(),
        };
        self.news(run, OwnNews::There(self.place(workspace, how, is_new)));
        let is_break = matches!(work, Work::Break(_));
        self.open = Some(Open { run, work });
        if is_break {
            self.now();
        } else {
            forward(run, news, self.tell.clone());
        }
    }

    fn place(&self, workspace: &Workspace, how: &How, is_new: bool) -> OwnPlace {
        let manifest = workspace.manifest();
        let file = match (&manifest.source, &manifest.engine) {
            (Some(source), _) => source.clone(),
            (None, Engine::Program { command, .. }) => command.join(" "),
            (None, Engine::Track(track)) => track.id().to_owned(),
        };
        OwnPlace {
            folder: self.name(workspace.root()),
            file,
            path: workspace.source().ok().flatten(),
            language: manifest.engine.name().to_owned(),
            looking: match how {
                How::Told => None,
                How::Looking(why) => Some(why.clone()),
            },
            is_new,
        }
    }

    fn pause(&mut self) {
        match self.open.as_mut().map(|open| &mut open.work) {
            Some(Work::Write(again)) => again.pause(),
            Some(Work::Break(breaking)) => breaking.trying = None,
            None => {}
        }
    }

    /// Runs the tests now.
    fn now(&mut self) {
        let tell = self.tell.clone();
        match &mut self.open {
            Some(Open {
                work: Work::Write(again),
                ..
            }) => again.now(),
            Some(Open {
                run,
                work: Work::Break(breaking),
            }) => breaking.now(*run, tell),
            None => {}
        }
    }
}

impl Breaking {
    fn now(&mut self, run: u64, tell: Sender<Msg>) {
        // The run before is ended first.
        self.trying = None;
        let interrupt = Interrupt::default();
        let (lab, root, raised) = (self.lab.clone(), self.root.clone(), interrupt.clone());
        let thread = thread::spawn(move || {
            let news = |news| drop(tell.send(Msg::News(News::Own(run, news))));
            news(OwnNews::Running);
            let told = catch_unwind(AssertUnwindSafe(|| tried(&lab, &root, &raised)));
            let told = told.unwrap_or_else(|_| Err(fault_of_our_own()));
            if !raised.is_raised() {
                news(match told {
                    Ok((trial, said)) => OwnNews::Broke(Box::new(trial), said),
                    Err(why) => OwnNews::NotRun(why),
                });
            }
        });
        self.trying = Some(Trying {
            interrupt,
            thread: Some(thread),
        });
    }
}

/// Runs a changed copy, if something was said about the change.
fn tried(
    lab: &Lab,
    root: &Path,
    interrupt: &Interrupt,
) -> Result<(crate::event::Trial, BreakSaid), String> {
    let workspace = Workspace::open(root).map_err(|error| error.to_string())?;
    let code = OwnCode::of(&workspace).map_err(|nothing| nothing.to_string())?;
    let track = bench_track(lab, &code);
    let text = written_text(&workspace, lab)
        .map_err(|error| format!("failed to read {}: {error}", code.file()))?;
    let reference = lab.source(track).map_or("", |source| source.text.as_str());
    if text == reference {
        return Err(format!(
            "{} is the reference as it was; change a line of it first",
            code.file()
        ));
    }
    let breaks = workspace.breaks()?;
    let Some(said) = breaks.said(&mutate::hash(&text)) else {
        return Err("nothing was said about this change yet".to_owned());
    };
    let said = BreakSaid {
        tests: said.tests.clone(),
        unknown: said.unknown,
    };
    Bench::new(lab, track, interrupt.clone())
        .and_then(|bench| bench.trial(&code, Upto::All))
        .map(|trial| (trial, said))
        .map_err(|fault| fault.to_string())
}

/// Passes news on under their number, until there are no more.
fn forward(run: u64, heard: Receiver<lab::News>, tell: Sender<Msg>) {
    thread::spawn(move || {
        let send = |news| tell.send(Msg::News(News::Own(run, news))).is_ok();
        for news in heard {
            let news = match news {
                lab::News::Running => OwnNews::Running,
                lab::News::Ran(Ok(trial)) => OwnNews::Ran(Box::new(trial)),
                // Ended for another run, of which there will be news.
                lab::News::Ran(Err(Fault::Interrupted)) => continue,
                lab::News::Ran(Err(fault)) => OwnNews::NotRun(fault.to_string()),
                lab::News::Broken(error) => OwnNews::Unusable(problems(&error)),
            };
            if !send(news) {
                return;
            }
        }
        // After an end that was asked for, nobody listens to this number any more.
        send(OwnNews::NotRun(fault_of_our_own()));
    });
}

fn fault_of_our_own() -> String {
    "a fault of idemlab's own; please report it".to_owned()
}

fn problems(error: &OpenError) -> Vec<String> {
    match error {
        OpenError::NoManifest(_) => vec![error.to_string()],
        OpenError::Problems(found) => found
            .iter()
            .map(|problem| {
                format!(
                    "{}:{}:{}: {}; {}",
                    problem.file, problem.line, problem.column, problem.title, problem.help
                )
            })
            .collect(),
    }
}
