//! The commands: each reads its arguments, calls the lab, and hands the result to a report.

mod check;
mod choose;
mod doctor;
mod exit;
mod grade;
mod hand_in;
mod list;
mod new;
mod own;
mod print;
mod run;
mod signal;
mod start;
mod test;
mod worksheet;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::run::{confine, track};

pub use exit::Exit;

/// Runs the program and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    // Before anything is parsed: the helper is started for every process of a submission.
    let mut arguments = std::env::args_os().skip(1);
    if arguments
        .next()
        .is_some_and(|first| first == confine::COMMAND)
    {
        return confined(&arguments.collect::<Vec<_>>());
    }
    let cli = Cli::parse();
    dispatch(&cli).unwrap_or_else(|exit| exit).into()
}

fn dispatch(cli: &Cli) -> Result<Exit, Exit> {
    match &cli.command {
        None => worksheet::worksheet(cli),
        Some(Command::List(arguments)) => list::list(cli, arguments),
        Some(Command::Run(arguments)) => run::run(cli, arguments),
        Some(Command::Matrix(arguments)) => run::matrix(cli, arguments),
        Some(Command::Grade(arguments)) => grade::grade(cli, arguments),
        Some(Command::Merge(arguments)) => grade::merge(cli, arguments),
        Some(Command::Start(arguments)) => start::start(cli, arguments),
        Some(Command::Test(arguments)) => test::test(cli, arguments),
        Some(Command::HandIn(arguments)) => hand_in::hand_in(cli, arguments),
        Some(Command::Check(arguments)) => check::check(cli, arguments),
        Some(Command::New(what)) => new::new(cli, what),
        Some(Command::Doctor(arguments)) => doctor::doctor(cli, arguments),
        Some(Command::Subject { hash }) => serve(hash),
        Some(Command::Shell {
            lab,
            folder,
            bash,
            sqlite,
        }) => spoken(track::shell::serve(lab, folder, bash, sqlite)),
    }
}

/// Confines itself and becomes another program; comes back only if that fails.
fn confined(arguments: &[OsString]) -> ExitCode {
    match confine::helper(arguments) {
        Ok(()) => Exit::Right.into(),
        Err(error) => {
            print::complain(&format!("failed to confine a program: {error}"));
            Exit::Fault.into()
        }
    }
}

/// Is a subject: the lab speaks with it on standard input and output.
fn serve(hash: &str) -> Result<Exit, Exit> {
    spoken(track::rust::serve(hash))
}

/// Tells how a talk with the lab ended.
fn spoken(ended: std::io::Result<()>) -> Result<Exit, Exit> {
    match ended {
        Ok(()) => Ok(Exit::Right),
        Err(error) => {
            print::complain(&error.to_string());
            Err(Exit::Fault)
        }
    }
}
