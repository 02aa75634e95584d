//! Attacks in Python around a right solution: each is refused, and the solution stays green.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use idemlab::model::Track;

use super::place::{ONE, Place, confinement, not_passed, reference, tests_folder};

const PRELUDE: &str = include_str!("prelude.py");

#[test]
fn every_attack_is_refused_and_the_right_solution_around_it_stays_green() {
    let Some(confinement) = confinement() else {
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/refused");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let files = Mutex::new(files);
    let wrong = Mutex::new(Vec::new());
    let own_uid = confinement.applied().iter().any(|word| word == "uid");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = { files.lock().unwrap().pop() } {
                    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
                    if name == "become-somebody" && !own_uid {
                        continue;
                    }
                    if let Err(why) = attack(&fs::read_to_string(&file).unwrap(), port) {
                        wrong.lock().unwrap().push(format!("{name}: {why}"));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(
        listener.accept().is_err(),
        "somebody came through the network"
    );
}

#[test]
fn an_attack_that_succeeds_would_be_noticed() {
    if confinement().is_none() {
        return;
    }
    let why = attack("refused(reads, __file__)\n", 1).unwrap_err();
    assert!(why.contains("it worked"), "{why}");
}

/// Runs an attack around the reference; says what went wrong if it was not refused.
fn attack(text: &str, port: u16) -> Result<(), String> {
    let place = Place::new(Track::Python);
    let source = format!("{}{PRELUDE}{text}", reference(Track::Python))
        .replace("@NEIGHBOUR@", &place.neighbour().to_string_lossy())
        .replace("@TESTS@", &tests_folder().to_string_lossy())
        .replace("@PROGRAM@", env!("CARGO_BIN_EXE_idemlab"))
        .replace("@PORT@", &port.to_string())
        .replace("@LAB@", &std::process::id().to_string())
        .replace("@MARK@", place.mark());
    let report = place
        .run(source.as_bytes(), ONE)
        .map_err(|fault| fault.to_string())?;
    match report.not_loaded() {
        Some(why) => Err(why.to_owned()),
        None if report.is_green() => Ok(()),
        None => Err(not_passed(&report).join("; ")),
    }
}
