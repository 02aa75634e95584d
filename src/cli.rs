//! The command line, as clap reads it.

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
    List(Format),
    /// Run the reference or a mutant of a lab over its tests
    Run(Run),
    /// Run every mutant of a lab against every test
    Matrix(Matrix),
    /// Prove a pack: its files, its mutants in every track, its tests
    Check(Check),
    /// Tell what this machine has: interpreters, sqlite3, terminal, folders
    Doctor(Format),
    /// Be a compiled subject and answer the lab on standard input and output
    #[command(name = "__subject", hide = true)]
    Subject {
        /// Hash of the subject's source
        hash: String,
    },
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
    /// Name of the lab
    pub lab: String,
    /// Language: rust or python; that of the file, or rust, if left out
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
    /// Name of the lab
    pub lab: String,
    /// Language: rust or python
    #[arg(long, value_name = "TRACK", default_value = "rust")]
    pub track: String,
    /// Only mutants of this step
    #[arg(long, value_name = "N")]
    pub step: Option<u32>,
    /// Only mutants from here: worksheet, field or craft
    #[arg(long, value_name = "ORIGIN")]
    pub origin: Option<String>,
    /// Form of the report
    #[command(flatten)]
    pub format: Format,
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
