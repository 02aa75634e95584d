//! The command line, as clap reads it.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// An interactive lab and grader for idempotency keys.
///
/// Without a command it opens the lab: read a contract, predict which test catches a wrong
/// fragment, run it, and see what really happens.
#[derive(Debug, Parser)]
#[command(name = "idemlab", version, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do; the lab itself, if left out
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The worksheet as plain lines and numbered questions, nothing redrawn
    #[arg(long)]
    pub plain: bool,
    /// Work the lab in this language, now and from now on: rust, python or shell
    #[arg(long, value_name = "TRACK")]
    pub track: Option<String>,
    /// Show what a window costs at this rate, in charges a second
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub rate: Option<u64>,
    /// Open this lab; if left out, on the screen the one last worked in or the next
    #[arg(long, value_name = "LAB")]
    pub lab: Option<String>,
    /// Keep the progress in this file
    #[arg(long, value_name = "FILE", global = true)]
    pub progress: Option<PathBuf>,
    /// Use the pack in this folder
    #[arg(long, value_name = "DIR", global = true)]
    pub pack: Option<PathBuf>,
}

/// What the exit codes mean, as the help shows it.
const EXIT_CODES: &str = "\
Exit codes:
  0   all right (for `run --mutant`: caught)
  1   something failed: a test, or a mutant that survived
  2   the command line is wrong
  3   a pack has problems
  4   the baseline failed
  5   ungraded: nothing was run
  6   interrupted
  70  a fault of idemlab's own";

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List labs, steps, tests and mutants, and the tracks that work on this machine
    List(List),
    /// Run the reference or a mutant of a lab over its tests
    Run(Run),
    /// Run every mutant of a lab against every test
    Matrix(Matrix),
    /// Grade submissions: workspaces, hand-ins, folders of them
    Grade(Box<Grade>),
    /// Put the parts of a class together that were graded with --shard
    Merge(Merge),
    /// Make a folder in which to write a lab's functions yourself
    Start(Start),
    /// Run your own code, in its folder or one below it
    Test(Test),
    /// Bundle your folder into one file to hand in, after saying what is missing
    HandIn(HandIn),
    /// Prove a pack: its files, its mutants in every track, its tests
    Check(Check),
    /// Make a mutant or a test, and prove it
    #[command(subcommand)]
    New(New),
    /// Tell what this machine has: interpreters, sqlite3, terminal, folders
    Doctor(Format),
    /// Print what lets a shell complete the commands and options of idemlab
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one for each command
    Man {
        /// Write them into this folder
        folder: Option<PathBuf>,
    },
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct List {
    /// Only this lab; all of them, if left out
    #[arg(value_name = "LAB")]
    pub lab: Option<String>,
    /// Form of the report
    #[command(flatten)]
    pub format: Format,
}

/// How to report.
#[derive(Debug, Args)]
pub struct Format {
    /// Form of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub format: ReportFormat,
}

/// A form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// For programs; versioned
    Json,
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct Run {
    /// Name of the lab, such as retention; `idemlab list` has them all
    pub lab: String,
    /// Language: rust, python or shell; that of the file, or rust, if left out
    #[arg(long, value_name = "TRACK")]
    pub track: Option<String>,
    /// Run this mutant instead of the reference
    #[arg(long, value_name = "ID")]
    pub mutant: Option<String>,
    /// Run this file of your own instead of the reference
    #[arg(long, value_name = "PATH", conflicts_with = "mutant")]
    pub file: Option<PathBuf>,
    /// Run only this test; may be given more than once
    #[arg(long = "test", value_name = "ID")]
    pub tests: Vec<String>,
    /// Form of the report
    #[command(flatten)]
    pub format: Format,
}

/// Arguments of `matrix`.
#[derive(Debug, Args)]
pub struct Matrix {
    /// Name of the lab, such as retention; `idemlab list` has them all
    pub lab: String,
    /// Language: rust, python or shell
    #[arg(long, value_name = "TRACK", default_value = "rust")]
    pub track: String,
    /// Only mutants of this step
    #[arg(long, value_name = "N")]
    pub step: Option<u32>,
    /// Only mutants from here: worksheet, field or craft
    #[arg(long, value_name = "ORIGIN")]
    pub origin: Option<String>,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = MatrixFormat::Text)]
    pub format: MatrixFormat,
}

/// A form of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MatrixFormat {
    /// For people
    Text,
    /// For programs; versioned
    Json,
    /// The mutation testing report schema of Stryker, which its viewer shows
    Stryker,
}

/// Arguments of `grade`.
#[derive(Debug, Args)]
pub struct Grade {
    /// Workspaces, hand-ins, or folders of them: a whole class
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// How many submissions are graded at once; as many as there are cores, if left out
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Grade only this part of the class, such as 1/4; `merge` puts the parts together
    #[arg(long, value_name = "K/N")]
    pub shard: Option<String>,
    /// Keep the results so far in this file, and go on from it after a kill
    #[arg(long, value_name = "FILE")]
    pub session: Option<PathBuf>,
    /// Grade everything anew, whatever an interrupted run has left
    #[arg(long)]
    pub fresh: bool,
    /// Run submissions with all rights of yours; only for code that you trust
    #[arg(long)]
    pub unconfined: bool,
    /// How the results are written
    #[command(flatten)]
    pub report: GradeReport,
}

/// Arguments of `merge`.
#[derive(Debug, Args)]
pub struct Merge {
    /// Results of `grade --shard --format json`, every part once
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// How the results are written
    #[command(flatten)]
    pub report: GradeReport,
}

/// How results are written.
#[derive(Debug, Args)]
pub struct GradeReport {
    /// text, json, junit, gradescope, exercism, github, markdown, csv or html
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub format: String,
    /// Who reads them: staff, or student, who sees nothing of hidden tests
    #[arg(long, value_name = "WHO")]
    pub audience: Option<String>,
    /// Write them into this file; it is there whole or not at all
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `start`.
#[derive(Debug, Args)]
pub struct Start {
    /// Name of the lab, such as retention; `idemlab list` has them all
    pub lab: String,
    /// The folder; the lab's name, if left out
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Language: rust, python or shell; that of the worksheet, if left out
    #[arg(long, value_name = "TRACK")]
    pub track: Option<String>,
    /// Begin with a copy of the reference, to change it and see which tests notice
    #[arg(long = "break")]
    pub to_break: bool,
}

/// Arguments of `test`.
#[derive(Debug, Args)]
pub struct Test {
    /// The step, by number or function; it and all steps before it are run. If left out, the
    /// steps are run in order up to the first that is not green
    #[arg(value_name = "STEP")]
    pub step: Option<String>,
    /// Run again whenever a file is saved
    #[arg(long)]
    pub watch: bool,
    /// In a copy of the reference: the tests that will notice the change, with commas, or `none`,
    /// or `unknown`
    #[arg(long, value_name = "ID,ID", conflicts_with_all = ["watch", "step"])]
    pub predict: Option<String>,
    /// Form of the report
    #[command(flatten)]
    pub format: Format,
}

/// Arguments of `hand-in`.
#[derive(Debug, Args)]
pub struct HandIn {
    /// Where to put it: a folder, or a file that ends in .zip; `LAB-hand-in.zip` in your folder,
    /// if left out
    #[arg(value_name = "DIR|FILE.zip")]
    pub to: Option<PathBuf>,
    /// Only say what is missing
    #[arg(long, conflicts_with = "to")]
    pub check: bool,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Folder of the pack; the shipped one, if left out
    #[arg(value_name = "PACK")]
    pub folder: Option<PathBuf>,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,
    /// Run everything, whatever is known from earlier checks
    #[arg(long)]
    pub no_cache: bool,
}

/// A form of the report of `check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people
    Text,
    /// For programs; versioned
    Json,
    /// Annotations of GitHub Actions
    Github,
}

/// What to make.
#[derive(Debug, Subcommand)]
pub enum New {
    /// Make a mutant: find its place, run it over all tests, write its file
    ///
    /// What is not given as a flag is asked for, one question a line; without a terminal it must
    /// be given. TEXT is the text itself, `-` for standard input, or @FILE.
    Mutant(Box<NewMutant>),
    /// Make a test: prove it on the reference, show which mutants it catches, add it to its file
    ///
    /// What is not given as a flag is asked for, one question a line; without a terminal it must
    /// be given.
    Test(Box<NewTest>),
}

/// Arguments of `new mutant`.
#[derive(Debug, Args)]
pub struct NewMutant {
    /// Name of the lab; may be left out if only one has such a step
    #[arg(long, value_name = "LAB")]
    pub lab: Option<String>,
    /// The step whose function it changes, by number or function
    #[arg(long, value_name = "STEP")]
    pub step: Option<String>,
    /// Name of the mutant and of its file: small letters, digits and hyphens
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// What the changed code does, in a sentence
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Why somebody writes it: the mistaken thought, in their words
    #[arg(long, value_name = "TEXT")]
    pub belief: Option<String>,
    /// What to take away from it
    #[arg(long, value_name = "TEXT")]
    pub lesson: Option<String>,
    /// Where it comes from: field (a public report) or craft
    #[arg(long, value_name = "field|craft")]
    pub origin: Option<String>,
    /// Link to the public report, for --origin field
    #[arg(long, value_name = "URL")]
    pub report: Option<String>,
    /// The fragment of the reference to change, in every track that has it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub find: Option<String>,
    /// What to put there
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub replace: Option<String>,
    /// The fragment in one track; may be given more than once
    #[arg(long, value_name = "TRACK=TEXT")]
    pub find_in: Vec<String>,
    /// What to put there in one track
    #[arg(long, value_name = "TRACK=TEXT")]
    pub replace_in: Vec<String>,
    /// A diff instead: its removed lines are the fragments, its added lines replace them
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true,
          conflicts_with_all = ["find", "replace", "find_in", "replace_in"])]
    pub diff: Option<String>,
    /// Which occurrence is meant, by its line in the reference
    #[arg(long, value_name = "[TRACK=]LINE")]
    pub line: Vec<String>,
    /// Why no test can tell it from the reference
    #[arg(long, value_name = "TEXT")]
    pub equivalent: Option<String>,
    /// Write the file even if no test catches the mutant; `check` then says so
    #[arg(long, conflicts_with = "equivalent")]
    pub draft: bool,
}

/// Arguments of `new test`.
#[derive(Debug, Args)]
pub struct NewTest {
    /// Name of the lab; may be left out if only one has such a step
    #[arg(long, value_name = "LAB")]
    pub lab: Option<String>,
    /// The step it belongs to, by number or function
    #[arg(long, value_name = "STEP")]
    pub step: Option<String>,
    /// Name of the test: small letters, digits and hyphens
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// The behaviour it shows, in a sentence
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// The promise it holds to
    #[arg(long, value_name = "CLAUSE")]
    pub clause: Option<String>,
    /// Its given rows and its script, in the form of the lab's tests: @FILE, or `-`
    #[arg(long, value_name = "TEXT")]
    pub yaml: Option<String>,
    /// A plain test, expected to miss things
    #[arg(long)]
    pub success: bool,
    /// Why it is there although no mutant fails it
    #[arg(long, value_name = "TEXT", conflicts_with = "success")]
    pub guard: Option<String>,
    /// Copy the shipped exercises into the pack first, if it has none
    #[arg(long)]
    pub with_exercises: bool,
}
