//! `idemlab run` and `idemlab matrix`.

use super::Exit;
use crate::cli::{Cli, Matrix, Run};
use crate::lab::Bench;
use crate::model::Track;
use crate::run::Interrupt;

pub fn run(_cli: &Cli, _arguments: &Run) -> Exit {
    Exit::Right
}

pub fn matrix(_cli: &Cli, arguments: &Matrix) -> Exit {
    let pack = match crate::pack::shipped() {
        Ok(pack) => pack,
        Err(broken) => {
            for problem in broken.0 {
                eprintln!("{problem}");
            }
            return Exit::Pack;
        }
    };
    let lab = pack.lab(&arguments.lab).unwrap();
    let bench = Bench::new(lab, Track::Rust, Interrupt::default()).unwrap();
    let matrix = bench.matrix(&|_| {});
    match matrix {
        Ok(matrix) => {
            println!("baseline {:?}", matrix.baseline.took);
            for mutant in matrix.mutants {
                let report = mutant.report.unwrap();
                let caught: Vec<&str> = report.caught_by().collect();
                println!(
                    "{} {:?} {:?} {caught:?}",
                    mutant.id, mutant.word, report.took
                );
            }
            println!("{:?}", matrix.took);
            Exit::Right
        }
        Err(crate::lab::Fault::Baseline(report)) => {
            for test in report
                .tests
                .iter()
                .filter(|test| test.word() != crate::verdict::TestWord::Passed)
            {
                println!(
                    "{} {:?} {:?} expected {:?} observed {:?}",
                    test.id,
                    test.word(),
                    test.verdict.line,
                    test.verdict.expected,
                    test.verdict.observed
                );
            }
            Exit::Baseline
        }
        Err(fault) => {
            eprintln!("error: {fault}");
            Exit::Fault
        }
    }
}
