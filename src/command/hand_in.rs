//! `idemlab hand-in`: says what is missing, and bundles what is there.

mod write;

use super::print::{complain, print};
use super::{Exit, choose, own, run, signal};
use crate::cli::{Cli, HandIn, ReportFormat};
use crate::event::{Attempt, Trial};
use crate::lab::{Bench, Fault, OwnCode, ProbeVerdict, Upto, bench_track};
use crate::model::{Lab, Problem};
use crate::report::hand_in::{self, Missing, ProbeState};
use crate::run::Interrupt;
use crate::worksheet::{ProbeWorth, first_attempt};
use crate::workspace::{Journal, PROBES, Purpose, Workspace, bundle};

/// Shows what is missing, and writes the hand-in.
pub fn hand_in(cli: &Cli, arguments: &HandIn) -> Result<Exit, Exit> {
    let workspace = own::here()?;
    let pack = choose::pack(cli)?;
    let lab = own::lab(&pack, &workspace)?;
    if workspace.manifest().purpose == Purpose::Break {
        complain("this is a copy of the reference to break; there is nothing in it to hand in");
        return Err(Exit::Usage);
    }
    let interrupt = signal::interrupt_of_signals();
    let attempts = own::attempts(cli, lab);
    let missing = look(&workspace, lab, &attempts, &interrupt)?;
    print(&hand_in::text(lab, &missing))?;
    if arguments.check {
        let whole = missing.is_nothing();
        return Ok(if whole { Exit::Right } else { Exit::Failed });
    }
    let journal = Journal::of(&lab.id, &attempts);
    let files = bundle(&workspace, lab, &journal).map_err(|problem| {
        own::tell_problems(&[*problem]);
        complain("nothing was written: this file cannot be handed in as it is");
        Exit::Ungraded
    })?;
    let target = write::target(&workspace, lab, arguments.to.as_deref());
    let written = write::write(&workspace, lab, &target, &files)?;
    print(&hand_in::written(
        &target.shown(),
        &files_of(&files),
        written,
    ))?;
    Ok(Exit::Right)
}

fn files_of(files: &[crate::workspace::Bundled]) -> Vec<(&str, usize)> {
    let files = files.iter();
    files
        .map(|file| (file.inside.as_str(), file.bytes.len()))
        .collect()
}

/// Runs and reads everything that a hand-in may have.
fn look(
    workspace: &Workspace,
    lab: &Lab,
    attempts: &[Attempt],
    interrupt: &Interrupt,
) -> Result<Missing, Exit> {
    let answers = workspace.answers(lab);
    let probes = workspace.probes(lab);
    let unreadable = answers.iter().filter_map(|answer| answer.problem.clone());
    let mut problems: Vec<Problem> = unreadable.collect();
    problems.extend(probes.problems.iter().cloned());
    let wrong = probes
        .probes
        .iter()
        .filter_map(|probe| probe.test.as_ref().err());
    problems.extend(wrong.flatten().cloned());
    if !problems.is_empty() {
        own::tell_problems(&problems);
    }
    let mut worth = Vec::new();
    for probe in &probes.probes {
        worth.push(ProbeState {
            name: match &probe.test {
                Ok(test) => test.id.clone(),
                Err(_) => format!("the one in line {} of {PROBES}", probe.place.0),
            },
            mutant: probe.mutant.clone(),
            worth: probe_worth(lab, probe, workspace, interrupt)?,
        });
    }
    let (trial, not_run) = match trial(workspace, lab, interrupt) {
        Ok(trial) => (Some(trial), None),
        Err(Fault::NotReady(missing)) => (None, Some(missing.why)),
        Err(fault) => return Err(run::report_fault(lab, &fault, ReportFormat::Text)),
    };
    let predicted =
        |step: &&crate::model::Step| first_attempt(attempts, lab, step.number).is_some();
    Ok(Missing {
        trial,
        not_run,
        answers: answers
            .into_iter()
            .map(|answer| (answer.task, !answer.text.is_empty()))
            .collect(),
        records: records(workspace, lab),
        probes: worth,
        predicted: lab.steps.iter().filter(predicted).count(),
        to_predict: lab
            .steps
            .iter()
            .filter(|step| lab.worksheet_mutant(step.number).is_some())
            .count(),
    })
}

fn records(workspace: &Workspace, lab: &Lab) -> Vec<(String, String, bool)> {
    let track = workspace.manifest().engine.track();
    let is_there = |file: &str| {
        let text = workspace.record(file);
        text.is_some_and(|text| !text.trim().is_empty())
    };
    let grading = lab.grading();
    let records = grading.records_in(track);
    records
        .map(|record| {
            (
                record.file.clone(),
                record.text.clone(),
                is_there(&record.file),
            )
        })
        .collect()
}

fn trial(workspace: &Workspace, lab: &Lab, interrupt: &Interrupt) -> Result<Trial, Fault> {
    let code = OwnCode::of(workspace)?;
    let bench = Bench::new(lab, bench_track(lab, &code), interrupt.clone())?;
    bench.trial(&code, Upto::All)
}

/// Runs a test of the learner's own; nothing if it cannot be read or run here.
///
/// It is run in the lab's first track, which needs nothing: what it is worth is the same in all.
fn probe_worth(
    lab: &Lab,
    probe: &crate::pack::OwnProbe,
    workspace: &Workspace,
    interrupt: &Interrupt,
) -> Result<Option<ProbeWorth>, Exit> {
    let Ok(test) = &probe.test else {
        return Ok(None);
    };
    let mutant = probe.mutant.as_deref().and_then(|id| lab.mutant(id));
    let Some(mutant) = mutant else {
        return Ok(None);
    };
    let own = workspace.manifest().engine.track();
    let mut tracks = lab.sources.iter().map(|source| source.track);
    let has = |track: &crate::model::Track| !mutant.edits_for(*track).is_empty();
    let Some(track) = tracks.find(has).or(own) else {
        return Ok(None);
    };
    let ran = Bench::new(lab, track, interrupt.clone()).and_then(|bench| bench.probe(test, mutant));
    match ran {
        Ok(ProbeVerdict::Catches(_)) => Ok(Some(ProbeWorth::Catches)),
        Ok(ProbeVerdict::Misses) => Ok(Some(ProbeWorth::Misses)),
        Ok(ProbeVerdict::Invalid(_)) => Ok(Some(ProbeWorth::Invalid)),
        Err(Fault::NotReady(_)) => Ok(None),
        Err(fault) => Err(run::report_fault(lab, &fault, ReportFormat::Text)),
    }
}
