//! The commands: each reads its arguments, calls the lab, and hands the result to a report.

mod check;
mod choose;
mod doctor;
mod exit;
mod grade;
mod hand_in;
mod list;
mod manual;
mod new;
mod own;
mod print;
mod run;
mod signal;
mod start;
mod test;
mod worksheet;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::run::{confine, track};

pub use exit::Exit;

/// Runs the program and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    // Before anything is parsed: helpers are started for every process of a submission.
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(code) = helper(&arguments) {
        return code;
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
        Some(Command::Completions { shell }) => manual::completions(*shell),
        Some(Command::Man { folder }) => manual::man(folder.as_deref()),
    }
}

/// Is one of the helpers as which the program starts itself, if it is asked to.
fn helper(arguments: &[OsString]) -> Option<ExitCode> {
    let (command, arguments) = arguments.split_first()?;
    let text = |place: usize| arguments.get(place)?.to_str();
    let ended = match command.to_str()? {
        confine::COMMAND => confine::helper(arguments)
            .map_err(|error| format!("failed to confine a program: {error}")),
        track::rust::COMMAND => track::rust::serve(text(0)?).map_err(|error| error.to_string()),
        track::shell::COMMAND => {
            let [_, folder, bash, sqlite] = arguments else {
                return None;
            };
            let [folder, bash, sqlite] = [folder, bash, sqlite].map(Path::new);
            let ended = track::shell::serve(text(0)?, folder, bash, sqlite);
            ended.map_err(|error| error.to_string())
        }
        _ => return None,
    };
    Some(match ended {
        Ok(()) => Exit::Right.into(),
        Err(why) => {
            print::complain(&why);
            Exit::Fault.into()
        }
    })
}
