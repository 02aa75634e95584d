//! `idemlab test`: runs a learner's own code, once or whenever it is saved.

mod break_it;
mod watch;

use super::print::{complain, print};
use super::{Exit, choose, own, run, signal};
use crate::cli::{Cli, ReportFormat, Test};
use crate::event::Trial;
use crate::lab::{Bench, OwnCode, Upto, bench_track};
use crate::model::{Lab, Track};
use crate::report::trial;
use crate::workspace::Purpose;

/// Runs the tests of the workspace that it is called in.
pub fn test(cli: &Cli, arguments: &Test) -> Result<Exit, Exit> {
    let workspace = own::here()?;
    let pack = choose::pack(cli)?;
    let lab = own::lab(&pack, &workspace)?;
    let upto = match &arguments.step {
        Some(name) => Upto::Step(own::step(lab, name)?),
        None => Upto::Green,
    };
    let breaking = workspace.manifest().purpose == Purpose::Break;
    match (breaking, &arguments.predict) {
        (true, _) => return break_it::break_it(&workspace, lab, arguments),
        (false, Some(_)) => {
            complain(
                "--predict is for a copy of the reference that you changed; \
                 `idemlab start LAB --break` makes one",
            );
            return Err(Exit::Usage);
        }
        (false, None) => {}
    }
    let format = arguments.format.format;
    if arguments.watch {
        return watch::watch(cli, lab, &workspace, upto, format);
    }
    let code = own::code(&workspace)?;
    tell_of_a_build(&code);
    let interrupt = signal::interrupt_of_signals();
    let ran = Bench::new(lab, bench_track(lab, &code), interrupt)
        .and_then(|bench| bench.trial(&code, upto));
    let ran = ran.map_err(|fault| run::report_fault(lab, &fault, format))?;
    let attempts = own::attempts(cli, lab);
    print(&match format {
        ReportFormat::Text => trial::text(lab, &ran, &attempts),
        ReportFormat::Json => trial::json(lab, &ran, &attempts),
    })?;
    Ok(exit(&ran))
}

/// How the program ends after a run.
fn exit(trial: &Trial) -> Exit {
    let ran = trial.steps.iter().any(|step| !step.tests.is_empty());
    if trial.is_green() {
        Exit::Right
    } else if ran || trial.not_loaded.is_some() {
        Exit::Failed
    } else {
        Exit::Ungraded
    }
}

/// Says on a terminal why nothing happens for a while.
fn tell_of_a_build(code: &OwnCode) {
    use std::io::IsTerminal as _;
    if code.track() == Some(Track::Rust) && std::io::stderr().is_terminal() {
        eprintln!(
            "building {} (the first build takes a minute or two)",
            code.file()
        );
    }
}

/// Joins what was asked for to what the lab has, or says what there is not.
fn test_ids(lab: &Lab, code: &OwnCode, names: &[String]) -> Result<(), Exit> {
    let known: Vec<&str> = code
        .tests(lab)
        .iter()
        .map(|test| test.id.as_str())
        .collect();
    for name in names {
        if !known.contains(&name.as_str()) {
            let what = format!("test in lab {}", lab.id);
            return Err(choose::unknown(&what, name, known.iter().copied()));
        }
    }
    Ok(())
}
