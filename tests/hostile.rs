//! Submissions that mean harm, run confined.

use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

use idemlab::event::SubjectReport;
use idemlab::lab::Bench;
use idemlab::model::{Lab, Test, Track};
use idemlab::pack;
use idemlab::run::{Confinement, Interrupt, Limits, track};

#[test]
fn the_reference_is_green() {
    track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    let confinement = Confinement::detect();
    println!("{:?} {:?}", confinement.applied(), confinement.lacking());
    assert!(confinement.is_enough());
    let pack = pack::shipped().unwrap();
    let lab = pack.lab("retention").unwrap();
    let tests: Vec<&Test> = lab.tests_in(Track::Python).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("retention.py");
    std::fs::write(&file, &lab.source(Track::Python).unwrap().text).unwrap();
    for confined in [false, true, false, true] {
        let mut bench = Bench::new(lab, Track::Python, Interrupt::default()).unwrap();
        if confined {
            bench = bench.confined(Confinement::detect());
            println!("{:?}", bench.confinement().unwrap().lacking());
        }
        let start = Instant::now();
        let report = bench.submission(&file, &tests, &|_| {}).unwrap();
        println!("{confined} {:?}", start.elapsed());
        if let Some(why) = report.not_loaded() {
            println!("{why}");
        }
        assert!(report.is_green());
    }
}
