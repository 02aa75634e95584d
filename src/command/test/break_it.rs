//! `idemlab test` in a copy of the reference: which tests notice a change, beside what was said.
//!
//! A prediction about a change is stored before its run, and the first one stays. The run of a
//! change is not repeated from the store: it is short.

use super::{tell_of_a_build, test_ids};
use crate::cli::{ReportFormat, Test};
use crate::command::print::{complain, print};
use crate::command::{Exit, own, run, signal};
use crate::event::{SubjectReport, Trial};
use crate::lab::{self, Bench, OwnCode, Upto};
use crate::model::{Lab, Prediction};
use crate::mutate;
use crate::report::breaking;
use crate::worksheet::compare;
use crate::workspace::{BREAKS, BreakSaid, Workspace};

/// Runs a changed copy over all tests.
pub fn break_it(workspace: &Workspace, lab: &Lab, arguments: &Test) -> Result<Exit, Exit> {
    if arguments.watch || arguments.step.is_some() {
        complain("a copy to break is run as a whole, and once for each prediction");
        return Err(Exit::Usage);
    }
    let code = own::code(workspace)?;
    let track = code.track().unwrap_or_default();
    let text = lab::written_text(workspace, lab).map_err(|error| {
        complain(&format!("failed to read {}: {error}", code.file()));
        Exit::Ungraded
    })?;
    let reference = lab.source(track).map_or("", |source| source.text.as_str());
    if text == reference {
        complain(&format!(
            "{} is the reference as it was; change a line of it first",
            code.file()
        ));
        return Err(Exit::Ungraded);
    }
    let hash = mutate::hash(&text);
    let mut breaks = workspace.breaks().map_err(|why| {
        complain(&why);
        Exit::Ungraded
    })?;
    let said = match breaks.said(&hash) {
        Some(said) => said.clone(),
        None => {
            let said = predict(lab, &code, arguments.predict.as_deref(), hash)?;
            breaks.add(said.clone());
            workspace.keep_breaks(&breaks).map_err(|error| {
                complain(&format!(
                    "failed to store the prediction in {BREAKS}: {error}"
                ));
                Exit::Fault
            })?;
            said
        }
    };
    tell_of_a_build(&code);
    let interrupt = signal::interrupt_of_signals();
    let ran = Bench::new(lab, track, interrupt).and_then(|bench| bench.trial(&code, Upto::All));
    let format = arguments.format.format;
    let trial = ran.map_err(|fault| run::report_fault(lab, &fault, format))?;
    show(lab, reference, &text, &trial, &said, format)
}

fn show(
    lab: &Lab,
    reference: &str,
    changed: &str,
    trial: &Trial,
    said: &BreakSaid,
    format: ReportFormat,
) -> Result<Exit, Exit> {
    let prediction = Prediction {
        tests: said.tests.clone(),
        unknown: said.unknown,
        ..Prediction::default()
    };
    let report = as_report(trial);
    let offered: Vec<&str> = report.tests.iter().map(|test| test.id.as_str()).collect();
    let comparison = compare(&prediction, &report, &offered);
    print(&match format {
        ReportFormat::Text => breaking::text(lab, reference, changed, trial, &comparison),
        ReportFormat::Json => breaking::json(trial, &prediction, &comparison),
    })?;
    let caught = report.caught_by().next().is_some();
    Ok(if caught { Exit::Right } else { Exit::Failed })
}

fn as_report(trial: &Trial) -> SubjectReport {
    SubjectReport {
        lab: trial.lab.clone(),
        track: crate::model::Track::parse(&trial.language).unwrap_or_default(),
        subject: crate::event::SubjectId::Submission(trial.file.clone()),
        tests: trial
            .steps
            .iter()
            .flat_map(|step| step.tests.clone())
            .collect(),
        took: trial.took,
    }
}

/// Reads a prediction from the command line; without one, says which tests there are.
fn predict(
    lab: &Lab,
    code: &OwnCode,
    asked: Option<&str>,
    hash: String,
) -> Result<BreakSaid, Exit> {
    let Some(asked) = asked else {
        print(&breaking::tests(lab, &code.tests(lab)))?;
        complain(
            "say first which tests will notice this change: \
             idemlab test --predict ID,ID (or none, or unknown)",
        );
        return Err(Exit::Usage);
    };
    let said = |tests: Vec<String>, unknown| BreakSaid {
        hash,
        tests,
        unknown,
    };
    match asked.trim() {
        "unknown" => Ok(said(Vec::new(), true)),
        "none" => Ok(said(Vec::new(), false)),
        names => {
            let names = names.split(',').map(|name| name.trim().to_owned());
            let mut names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
            names.sort();
            names.dedup();
            test_ids(lab, code, &names)?;
            Ok(said(names, false))
        }
    }
}
