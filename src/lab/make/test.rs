//! Tries a new test: on the reference, and on every mutant.

use crate::event::SubjectReport;
use crate::lab::{Bench, Fault};
use crate::model::{Lab, Mutant, Test, Track};
use crate::run::Interrupt;

/// What a new test is worth in one track.
#[derive(Debug)]
pub enum Verdict {
    /// The reference does not pass it; what it saw there.
    Contradicts(Box<SubjectReport>),
    /// The reference passes it, and this is what it sees of the mutants.
    Right(Catches),
    /// This machine cannot run the track, and why.
    NotReady(String),
}

/// Which mutants a test catches in one track.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catches {
    /// The mutants it catches, in the lab's order.
    pub caught: Vec<String>,
    /// How many mutants were run.
    pub ran: usize,
}

/// Runs a test that is not yet in the lab.
///
/// # Errors
///
/// Fails when it is interrupted or the machine does not let it run.
pub fn try_test(
    lab: &Lab,
    track: Track,
    test: &Test,
    interrupt: &Interrupt,
) -> Result<Verdict, Fault> {
    let bench = Bench::new(lab, track, interrupt.clone())?;
    let report = match bench.reference(&[test], &|_| {}) {
        Ok(report) => report,
        Err(Fault::NotReady(why)) => return Ok(Verdict::NotReady(why.to_string())),
        Err(fault) => return Err(fault),
    };
    if !report.is_green() {
        return Ok(Verdict::Contradicts(Box::new(report)));
    }
    let mutants: Vec<&Mutant> = lab
        .mutants
        .iter()
        .filter(|mutant| !mutant.edits_for(track).is_empty())
        .collect();
    let rows = bench.side_by_side(&mutants, |mutant| {
        match bench.mutant_on(1, mutant, &[test], &|_| {}) {
            Ok(report) => Ok(report.report),
            Err(Fault::NotReady(_)) => Ok(None),
            Err(fault) => Err(fault),
        }
    })?;
    if interrupt.is_raised() {
        return Err(Fault::Interrupted);
    }
    let ran = rows.iter().flatten().count();
    let caught = mutants
        .iter()
        .zip(&rows)
        .filter(|(_, row)| {
            row.as_ref()
                .is_some_and(|row| row.caught_by().next().is_some())
        })
        .map(|(mutant, _)| mutant.id.clone());
    Ok(Verdict::Right(Catches {
        caught: caught.collect(),
        ran,
    }))
}
