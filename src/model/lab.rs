//! Labs, their steps and the contracts of those steps.

use std::fmt;

use super::{Mutant, Test};

/// The language a lab is worked in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Track {
    /// Rust, compiled into the program: the default, needs nothing.
    #[default]
    Rust,
    /// Python 3 of the machine.
    Python,
    /// bash and the sqlite3 command of the machine.
    Shell,
}

impl Track {
    /// Every track there is, the default first.
    pub const ALL: [Self; 3] = [Self::Rust, Self::Python, Self::Shell];

    /// Returns the name used in files, commands and screens.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Python => "python",
            Self::Shell => "shell",
        }
    }

    /// Reads a name as [`Track::id`] writes it.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|track| track.id() == name)
    }
}

impl fmt::Display for Track {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// One lab: a folder under `exercises/`.
#[derive(Debug, Clone, PartialEq)]
pub struct Lab {
    /// Name of the lab, also that of its folder.
    pub id: String,
    /// Its place among the labs, the lowest first.
    pub order: u32,
    /// Its place in the order that is suggested to a learner, and what it is there for.
    pub suggested: Option<(u32, String)>,
    /// One line that says what the lab teaches.
    pub title: String,
    /// The question the lab answers, in a sentence.
    pub question: String,
    /// The idea behind it, in a few short paragraphs.
    pub idea: String,
    /// Tables the lab sets up and reads; empty for a lab without a store.
    pub tables: Vec<Table>,
    /// Steps in order; `steps[n].number == n + 1`.
    pub steps: Vec<Step>,
    /// What is answered in writing after the last step, in order.
    pub tasks: Vec<Task>,
    /// Inputs that tests name instead of writing them out.
    pub inputs: Vec<super::Input>,
    /// Folders of files that tests name instead of writing them out.
    pub folders: Vec<Folder>,
    /// All tests, by step, then in the order of their files.
    pub tests: Vec<Test>,
    /// All mutants: those of the worksheet first, by step.
    pub mutants: Vec<Mutant>,
    /// The reference source of each track that the lab has.
    pub sources: Vec<Source>,
    /// What a learner begins with, in each track in which there is something to begin with.
    pub starters: Vec<Source>,
    /// What each part of a submission is worth, if the pack says so.
    pub grading: Option<super::Grading>,
}

impl Lab {
    /// Finds a step by its number, counted from 1.
    #[must_use]
    pub fn step(&self, number: u32) -> Option<&Step> {
        self.steps.iter().find(|step| step.number == number)
    }

    /// Finds a written task by its id.
    #[must_use]
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }

    /// Returns what each part of a submission is worth.
    #[must_use]
    pub fn grading(&self) -> super::Grading {
        let even = || super::Grading::even(self);
        self.grading.clone().unwrap_or_else(even)
    }

    /// Finds a generated input by its id.
    #[must_use]
    pub fn input(&self, id: &str) -> Option<&super::Input> {
        self.inputs.iter().find(|input| input.id == id)
    }

    /// Finds a folder of files by its name.
    #[must_use]
    pub fn folder(&self, name: &str) -> Option<&Folder> {
        self.folders.iter().find(|folder| folder.name == name)
    }

    /// Finds a test by its id.
    #[must_use]
    pub fn test(&self, id: &str) -> Option<&Test> {
        self.tests.iter().find(|test| test.id == id)
    }

    /// Finds a mutant by its id.
    #[must_use]
    pub fn mutant(&self, id: &str) -> Option<&Mutant> {
        self.mutants.iter().find(|mutant| mutant.id == id)
    }

    /// Returns the worksheet's mutant of a step, if the step has one.
    #[must_use]
    pub fn worksheet_mutant(&self, step: u32) -> Option<&Mutant> {
        self.mutants
            .iter()
            .find(|mutant| mutant.step == step && mutant.origin == super::Origin::Worksheet)
    }

    /// Finds the step that declares a function: the first one that has it.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.has(name))
    }

    /// Lists the functions that a test of `step` may call, each once, in the order of the steps.
    #[must_use]
    pub fn functions_up_to(&self, step: u32) -> Vec<&str> {
        let mut functions: Vec<&str> = Vec::new();
        for known in self.steps.iter().filter(|known| known.number <= step) {
            if let Some(function) = known.function.as_deref()
                && !functions.contains(&function)
            {
                functions.push(function);
            }
        }
        functions
    }

    /// Returns the reference source of a track.
    #[must_use]
    pub fn source(&self, track: Track) -> Option<&Source> {
        self.sources.iter().find(|source| source.track == track)
    }

    /// Iterates over the tests that can be said in `track`.
    pub fn tests_in(&self, track: Track) -> impl Iterator<Item = &Test> {
        self.tests.iter().filter(move |test| test.runs_in(track))
    }

    /// Iterates over the tests in force at `step`: those of the step and of all earlier ones.
    pub fn tests_up_to(&self, step: u32, track: Track) -> impl Iterator<Item = &Test> {
        self.tests_in(track).filter(move |test| test.step <= step)
    }
}

/// A folder of files, such as messages, that the lab brings along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Its name inside the lab's folder.
    pub name: String,
    /// Its files: name and text, in the order of the names.
    pub files: Vec<(String, String)>,
}

/// A task that is answered in writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Name of the task, also that of the file with its answer.
    pub id: String,
    /// The task in a few words.
    pub title: String,
    /// What to do, in a paragraph.
    pub text: String,
}

/// A table that the lab creates before a test, unless the test starts without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Name of the table.
    pub name: String,
    /// Its columns, in the order in which tests write rows.
    pub columns: Vec<String>,
    /// The statement that creates it.
    pub create: String,
    /// The columns that order its rows when they are read.
    pub order_by: String,
}

/// One worksheet step: a function and what it promises, or something to be answered in writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Place in the lab, counted from 1.
    pub number: u32,
    /// Short name, unique in the lab: that of its function, if it is not given another.
    pub id: String,
    /// The function it is about, which other steps may be about too; none for a written step.
    pub function: Option<String>,
    /// The task that a written step is answered with.
    pub task: Option<String>,
    /// What the step is about, in a few words.
    pub title: String,
    /// Arguments of its function in order, the store's path left out.
    pub arguments: Vec<Argument>,
    /// Whether its function answers yes or no.
    pub answers_truth: bool,
    /// How the function is declared in each track.
    pub signatures: Vec<(Track, String)>,
    /// What the function promises, clause by clause.
    pub promises: Vec<Clause>,
    /// What to judge an implementation by, in a sentence.
    pub judge_by: String,
    /// A drawing that belongs to the contract.
    pub chart: Option<Chart>,
    /// What a window costs, as a table that belongs to the contract.
    pub storage: Option<Storage>,
    /// A remark that holds in one track only.
    pub asides: Vec<(Track, String)>,
}

impl Step {
    /// Tells whether the step is about a function of this name.
    #[must_use]
    pub fn has(&self, function: &str) -> bool {
        self.function.as_deref() == Some(function)
    }

    /// Returns how the function is declared in `track`.
    #[must_use]
    pub fn signature(&self, track: Track) -> Option<&str> {
        find_track(&self.signatures, track)
    }

    /// Returns the remark for `track`, if there is one.
    #[must_use]
    pub fn aside(&self, track: Track) -> Option<&str> {
        find_track(&self.asides, track)
    }
}

fn find_track(list: &[(Track, String)], track: Track) -> Option<&str> {
    list.iter()
        .find(|(which, _)| *which == track)
        .map(|(_, text)| text.as_str())
}

/// The live keys of an input over time, as a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    /// The input, by its id.
    pub input: String,
    /// How long a key is live, in seconds.
    pub ttl: u64,
}

/// What it costs to keep a row for a time, at some rates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storage {
    /// Bytes of a row, its share of the index included.
    pub row: u64,
    /// The windows, in seconds.
    pub windows: Vec<u64>,
    /// The rates, in rows a second.
    pub rates: Vec<u64>,
}

/// The highest rate of a [`Storage`].
pub const MOST_A_SECOND: u64 = 1000;

/// One promise of a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Name by which tests refer to it, unique in the lab.
    pub id: String,
    /// The promise, in a sentence.
    pub text: String,
}

/// An argument of a step's function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its name, as scripts write it under `with`.
    pub name: String,
    /// What kind of value it takes.
    pub kind: Kind,
    /// Whether a call may leave it out.
    pub optional: bool,
    /// For a list of lists: what the parts of each are called; empty if they may be anything.
    /// For a callback: what its arguments are called.
    pub parts: Vec<String>,
}

/// The kind of value an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A string.
    Text,
    /// A number of seconds or another quantity.
    Number,
    /// A whole number.
    Integer,
    /// A list of values.
    List,
    /// Any JSON value.
    Json,
    /// A function of the lab that the subject may call; `parts` names its arguments.
    Callback,
}

/// The reference of a lab in one track.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The language.
    pub track: Track,
    /// Path of the file inside the pack, with `/` between its parts.
    pub file: String,
    /// The text of the file.
    pub text: String,
}
