//! The commands: each reads its arguments, calls the lab, and hands the result to a report.

mod exit;
mod run;
mod worksheet;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::run::track;

pub use exit::Exit;

/// Runs the program and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let exit = match &cli.command {
        Some(Command::Subject { hash }) => match track::rust::serve(hash) {
            Ok(()) => Exit::Right,
            Err(error) => {
                eprintln!("error: {error}");
                Exit::Fault
            }
        },
        Some(Command::Run(arguments)) => run::run(&cli, arguments),
        Some(Command::Matrix(arguments)) => run::matrix(&cli, arguments),
        None => worksheet::open(&cli),
        _ => Exit::Usage,
    };
    exit.into()
}
