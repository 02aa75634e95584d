//! What goes in and out of `update`: messages, effects, and the plain values they carry.
//!
//! Only data. Everything that touches a file, a clock or a process is asked for by an effect
//! and answered by a message.

mod own;

use std::path::PathBuf;

use ratatui::crossterm::event::KeyEvent;

pub use self::own::{Aim, BreakSaid, OwnJob, OwnNews, OwnOffer, OwnPlace, OwnWhich};

use crate::event::{SubjectReport, TestReport};
use crate::model::{Prediction, Test, Track};
use crate::verdict::{MutantWord, TestWord};
use crate::worksheet::Attempt;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// A text was pasted.
    Paste(String),
    /// The terminal has this size now, in columns and rows.
    Resize(u16, u16),
    /// Time went by: milliseconds since the run started.
    Tick(u64),
    /// The worker has something to tell.
    News(News),
    /// The editor was closed: its text, or why there is none.
    Edited(Result<String, String>),
    /// The editor with a file of the learner's was closed, or could not be opened.
    Closed(Result<(), String>),
    /// The system asks the program to stop.
    #[cfg_attr(not(unix), expect(dead_code, reason = "signals are of Unix"))]
    Terminate,
    /// The terminal is gone.
    Gone,
    /// Somebody asks the program to pause.
    #[cfg_attr(not(unix), expect(dead_code, reason = "signals are of Unix"))]
    Pause,
    /// It goes on after a pause that it did not ask for.
    #[cfg_attr(not(unix), expect(dead_code, reason = "signals are of Unix"))]
    Resumed,
}

/// Something that the runtime is to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Hands a job to the worker.
    Do(Job),
    /// Stops a run, or forgets it if it has not begun.
    Cancel(u64),
    /// Opens a text in the learner's editor.
    Edit(String),
    /// Opens a file in the learner's editor.
    Open(PathBuf),
    /// Gives the terminal back and pauses the job, as ctrl-z does outside a lab.
    Suspend,
    /// Gives the terminal back and pauses this program, since others were asked already.
    Stop,
    /// Draws everything anew.
    Redraw,
    /// Ends the program.
    Quit(TuiExit),
}

/// How the screen ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TuiExit {
    /// The learner left.
    Left,
    /// A signal or ctrl-c during a run ended it.
    Interrupted,
}

/// Which subject in which lab and track.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Name of the lab.
    pub lab: String,
    /// The track.
    pub track: Track,
    /// The mutant.
    pub mutant: String,
    /// The mutant's step.
    pub step: u32,
}

/// What was said before a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// A prediction that is to be stored before anything runs.
    Now(Prediction),
    /// A prediction that is stored already, by its number.
    Before(i64),
    /// Nothing new: the run is only shown again.
    Nothing,
}

/// Something for the worker.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// Finds out which tracks of a lab work here.
    Tracks {
        /// Name of the lab.
        lab: String,
    },
    /// Runs the reference, unless that was done.
    Baseline {
        /// Name of the lab.
        lab: String,
        /// The track.
        track: Track,
    },
    /// Runs a mutant.
    Run {
        /// Number of the run.
        run: u64,
        /// Who is run.
        target: Target,
        /// What was said before.
        said: Said,
        /// The tests in the order in which they are run.
        tests: Vec<String>,
    },
    /// Stores what a run after a prediction showed; the worker asks this of itself.
    Ran {
        /// Number of the prediction.
        prediction: i64,
        /// What the run showed.
        report: SubjectReport,
    },
    /// Finds out how many tests catch further changes.
    Weigh {
        /// Number of the run.
        run: u64,
        /// Name of the lab.
        lab: String,
        /// The track.
        track: Track,
        /// The changes.
        mutants: Vec<String>,
    },
    /// Reads a learner's own test and runs it.
    Probe {
        /// Number of the run.
        run: u64,
        /// The mutant it is for.
        target: Target,
        /// Its text.
        source: String,
    },
    /// Stores a probe; the worker asks this of itself.
    KeepProbe {
        /// The mutant it is for.
        target: Target,
        /// Its text.
        source: String,
        /// Its verdict.
        verdict: &'static str,
    },
    /// Stores where the learner is.
    StopAt {
        /// Name of the lab.
        lab: String,
        /// The step.
        step: u32,
        /// The view of the step.
        view: &'static str,
    },
    /// Stores what the learner saw.
    Saw {
        /// Number of the prediction.
        prediction: i64,
        /// The line.
        text: String,
    },
    /// Stores an answer to a closing task.
    Answer {
        /// Name of the lab.
        lab: String,
        /// The task.
        task: String,
        /// The answer.
        text: String,
    },
    /// Does something about a learner's own code, under the number of a run.
    Own(u64, OwnJob),
    /// Stores the chosen track.
    Choose(Track),
    /// Writes a file with a free name into the current folder.
    Export {
        /// The name without `.md`.
        name: String,
        /// The text.
        text: String,
    },
}

/// What the worker tells.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// These tracks of a lab work here, or do not.
    Tracks {
        /// Name of the lab.
        lab: String,
        /// The tracks it has sources for.
        offers: Vec<TrackOffer>,
    },
    /// The reference was run, or is being run.
    Baseline {
        /// Name of the lab.
        lab: String,
        /// The track.
        track: Track,
        /// How it stands.
        state: Baseline,
    },
    /// A prediction is stored; its run begins.
    Stored {
        /// Number of the run.
        run: u64,
        /// Name of the lab.
        lab: String,
        /// What is stored.
        attempt: Attempt,
    },
    /// A test of a run has its verdict.
    Tested {
        /// Number of the run.
        run: u64,
        /// Name of the test.
        id: String,
        /// Its verdict.
        word: TestWord,
    },
    /// A run is over.
    Finished {
        /// Number of the run.
        run: u64,
        /// The mutant's verdict.
        word: MutantWord,
        /// Its tests, if it could be run.
        report: Option<Box<SubjectReport>>,
        /// Why it could not be run, if it could not.
        why: Option<String>,
    },
    /// A run came to nothing.
    Failed {
        /// Number of the run.
        run: u64,
        /// Why.
        why: String,
    },
    /// A further change was run over its tests.
    Weighed {
        /// Name of the lab.
        lab: String,
        /// The track.
        track: Track,
        /// The change.
        mutant: String,
        /// How many tests catch it.
        caught: usize,
    },
    /// A probe has its verdict.
    Probed {
        /// Number of the run.
        run: u64,
        /// The verdict.
        outcome: ProbeOutcome,
    },
    /// Something about a learner's own code, under the number of a run.
    Own(u64, OwnNews),
    /// Something could not be saved.
    NotSaved(String),
    /// A file was written, under this name; or it was not.
    Exported(Result<String, String>),
}

/// A track that a lab has sources for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackOffer {
    /// The track.
    pub track: Track,
    /// Why it does not work here, if it does not.
    pub not_ready: Option<String>,
}

/// How the reference stands in a track.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Baseline {
    /// It is being run, or waits to be.
    Running {
        /// Tests that have their verdict.
        done: usize,
        /// All tests.
        of: usize,
    },
    /// It passes every test.
    Green,
    /// It does not pass these tests.
    Red(Vec<String>),
    /// It cannot be run.
    Broken(String),
}

/// What a probe came to.
#[derive(Debug, Clone, PartialEq)]
pub enum ProbeOutcome {
    /// It cannot be read.
    Mistakes(Vec<Mistake>),
    /// The reference does not pass it.
    Invalid(Box<Test>, Box<TestReport>),
    /// The reference passes it, and the mutant does not.
    Catches(Box<Test>, Box<TestReport>),
    /// Both pass it.
    Misses(Box<Test>),
    /// It could not be run.
    Failed(String),
}

/// A mistake in a probe's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub title: String,
    /// What to do.
    pub help: String,
}
