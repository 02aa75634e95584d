//! `idemlab run` and `idemlab matrix`.

use super::print::{complain, print};
use super::{Exit, choose, signal};
use crate::cli::{Cli, Matrix, MatrixFormat, ReportFormat, Run};
use crate::event::{MutantReport, SubjectReport};
use crate::lab::{Bench, Fault};
use crate::model::{Lab, Track};
use crate::report::{human, json, stryker};
use crate::verdict::MutantWord;

/// What is said when the reference is red.
const NO_VERDICT: &str = "the baseline failed: the reference does not pass every test; \
                          no mutant gets a verdict until it does";

/// Runs the reference, a mutant or a file.
pub fn run(cli: &Cli, arguments: &Run) -> Result<Exit, Exit> {
    let pack = choose::pack(cli)?;
    let lab = choose::lab(&pack, &arguments.lab)?;
    let name = track_name(arguments);
    let track = choose::track(lab, name)?;
    let tests = choose::tests(lab, track, &arguments.tests)?;
    if let Some(file) = arguments.file.as_ref().filter(|file| !file.is_file()) {
        complain(&format!("there is no file {}", file.display()));
        return Err(Exit::Usage);
    }
    let mutant = match &arguments.mutant {
        Some(id) => Some(choose::mutant(lab, id)?),
        None => None,
    };
    let format = arguments.format.format;
    let bench = open(lab, name)?;
    let Some(mutant) = mutant else {
        let report = match &arguments.file {
            Some(file) => bench.submission(file, &tests, &|_| {}),
            None => bench.reference(&tests, &|_| {}),
        };
        return show_run(lab, report, format);
    };
    match bench.baseline(&tests, &|_| {}) {
        Ok(_) => show_mutant(lab, &bench, bench.mutant(mutant, &tests, &|_| {}), format),
        Err(Fault::Baseline(report)) if format == ReportFormat::Json => {
            print(&json::no_verdict(&mutant.id, &report))?;
            complain(NO_VERDICT);
            Err(Exit::Baseline)
        }
        Err(fault) => Err(report_fault(lab, &fault, format)),
    }
}

/// Returns the track that was asked for, else that of the file, else the default.
fn track_name(arguments: &Run) -> &str {
    let of_file = arguments.file.as_ref().and_then(|file| file.extension());
    match (&arguments.track, of_file) {
        (Some(name), _) => name,
        (None, Some(extension)) if extension == "py" => Track::Python.id(),
        (None, Some(extension)) if extension == "sh" => Track::Shell.id(),
        (None, _) => Track::default().id(),
    }
}

/// Runs every mutant against every test.
pub fn matrix(cli: &Cli, arguments: &Matrix) -> Result<Exit, Exit> {
    let pack = choose::pack(cli)?;
    let lab = choose::lab(&pack, &arguments.lab)?;
    let mut lab = lab.clone();
    choose::only(&mut lab, arguments.step, arguments.origin.as_deref())?;
    let lab = &lab;
    let bench = open(lab, &arguments.track)?;
    let format = match arguments.format {
        MatrixFormat::Text => ReportFormat::Text,
        MatrixFormat::Json | MatrixFormat::Stryker => ReportFormat::Json,
    };
    let matrix = bench
        .matrix(&|_| {})
        .map_err(|fault| report_fault(lab, &fault, format))?;
    print(&match arguments.format {
        MatrixFormat::Text => human::matrix(lab, &matrix),
        MatrixFormat::Json => json::matrix(&matrix),
        MatrixFormat::Stryker => stryker::write(&matrix, lab),
    })?;
    let right = |mutant: &MutantReport| {
        let equivalent = lab
            .mutant(&mutant.id)
            .is_some_and(|known| known.equivalent.is_some());
        let told = mutant
            .report
            .as_ref()
            .is_some_and(|run| run.told_beside() > 0);
        match mutant.word {
            MutantWord::Caught => !equivalent,
            MutantWord::Survived => equivalent || told,
            _ => false,
        }
    };
    for (id, why) in &matrix.left_out {
        complain(&format!("mutant {id} was not run: {why}"));
    }
    if !matrix.left_out.is_empty() {
        return Ok(Exit::Ungraded);
    }
    Ok(if matrix.mutants.iter().all(right) {
        Exit::Right
    } else {
        Exit::Failed
    })
}

fn open<'l>(lab: &'l Lab, track: &str) -> Result<Bench<'l>, Exit> {
    let track = choose::track(lab, track)?;
    let interrupt = signal::interrupt_of_signals();
    Bench::new(lab, track, interrupt).map_err(|fault| report_fault(lab, &fault, ReportFormat::Text))
}

fn show_run(
    lab: &Lab,
    report: Result<SubjectReport, Fault>,
    format: ReportFormat,
) -> Result<Exit, Exit> {
    let report = report.map_err(|fault| report_fault(lab, &fault, format))?;
    print(&match format {
        ReportFormat::Text => human::run(lab, &report),
        ReportFormat::Json => json::run(&report),
    })?;
    Ok(if report.is_green() {
        Exit::Right
    } else {
        Exit::Failed
    })
}

fn show_mutant(
    lab: &Lab,
    bench: &Bench<'_>,
    report: Result<MutantReport, Fault>,
    format: ReportFormat,
) -> Result<Exit, Exit> {
    let report = report.map_err(|fault| report_fault(lab, &fault, format))?;
    print(&match format {
        ReportFormat::Text => human::mutant(lab, &report),
        ReportFormat::Json => json::mutant(&lab.id, bench.track(), &report),
    })?;
    Ok(match report.word {
        MutantWord::Caught => Exit::Right,
        _ => Exit::Failed,
    })
}

/// Says why there is no verdict, and how the program ends for it.
pub(super) fn report_fault(lab: &Lab, fault: &Fault, format: ReportFormat) -> Exit {
    match fault {
        Fault::Baseline(report) => {
            let printed = match format {
                ReportFormat::Text => {
                    eprint!("{}", human::run(lab, report));
                    Ok(())
                }
                ReportFormat::Json => print(&json::failed_baseline(report)),
            };
            if let Err(exit) = printed {
                return exit;
            }
            complain(NO_VERDICT);
            Exit::Baseline
        }
        Fault::Interrupted => {
            complain("interrupted; nothing is left running");
            Exit::Interrupted
        }
        Fault::DoesNotBuild(_) => {
            complain(&fault.to_string());
            Exit::Baseline
        }
        Fault::NotReady(_) => {
            complain(&fault.to_string());
            Exit::Ungraded
        }
        Fault::NoTrack { .. } => {
            complain(&fault.to_string());
            Exit::Usage
        }
        Fault::Full(_) => {
            complain(&format!(
                "{fault}, and a test can be red for that alone; make room, or set IDEMLAB_SCRATCH \
                 to another folder"
            ));
            Exit::Fault
        }
        Fault::Scratch(_) => {
            complain(&format!(
                "{fault}; set IDEMLAB_SCRATCH to a folder that can be written"
            ));
            Exit::Fault
        }
    }
}
