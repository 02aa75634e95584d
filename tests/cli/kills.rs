//! Killed at any moment and run again, a command leaves what it would have left at once: nothing
//! half written, nothing lost, nothing believed that was cut off.
//!
//! Predictions of a killed worksheet are in `progress`, a class that is graded in `tests/grade`.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

use super::lab::{Answer, Lab, Place};
use super::tiny;

/// At how many moments each command is killed.
const MOMENTS: u32 = 10;

/// How the hidden name of a file begins that is not whole yet.
const PART: &str = ".idemlab-";

/// Runs a command to its end, and elsewhere kills it at moments from its start to its end, each
/// time in the place that the last one left; returns both answers of a run to the end.
fn killed_and_whole(command: impl Fn(Option<Place>) -> Lab, code: i32) -> (Answer, Answer) {
    let start = Instant::now();
    let whole = command(None).code(code).any_stderr().run();
    let took = start.elapsed();
    let mut place = None;
    let mut kills = 0;
    for moment in 0..MOMENTS {
        let (mut child, here) = command(place.take()).start();
        // Not to wait for something: any moment will do.
        std::thread::sleep(took * moment / MOMENTS);
        kills += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let mut rest = Vec::new();
        child.stdout.unwrap().read_to_end(&mut rest).unwrap();
        place = Some(here);
    }
    assert!(kills > 0, "it was always over before it was killed");
    (command(place).code(code).any_stderr().run(), whole)
}

/// Reads all files below a folder, by their paths in it. What was being written when a command was
/// killed stays behind under a hidden name, and is no file of anybody.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path
                .file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with(PART)
            {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

/// What a command said, without how much of it was done before.
fn said(answer: &Answer) -> String {
    let cut = |line: &str| line.split(" (").next().unwrap_or_default().to_owned();
    let lines: Vec<String> = answer.stdout.lines().map(cut).collect();
    lines.join("\n")
}

#[test]
fn a_folder_that_was_begun_is_finished() {
    let start = |place: Option<Place>| {
        let place = place.unwrap_or_else(Place::new);
        Lab::at(place, "start retention --track rust mine")
    };
    let (killed, whole) = killed_and_whole(start, 0);
    let files = tree(&whole.place.here());
    assert!(files.len() > 5, "{:?}", files.keys());
    assert_eq!(tree(&killed.place.here()), files);
}

#[test]
fn a_hand_in_is_whole_or_not_there() {
    let hand_in = |place: Option<Place>| {
        let place = place.unwrap_or_else(|| {
            let started = Lab::new("start retention --track rust mine").run();
            started.place
        });
        let zip = place.here().join("mine/retention-hand-in.zip");
        if zip.exists() {
            let file = fs::File::open(&zip).unwrap();
            assert!(file.metadata().unwrap().len() > 0);
        }
        let folder = place.here().join("mine");
        Lab::at(place, "hand-in").from(&folder)
    };
    let (killed, whole) = killed_and_whole(hand_in, 0);
    assert_eq!(tree(&killed.place.here()), tree(&whole.place.here()));
}

#[test]
fn what_a_check_had_proved_is_neither_lost_nor_made_up() {
    let check = |place: Option<Place>| match place {
        Some(place) => Lab::at(place, "check --pack pack"),
        None => tiny::lab("check", tiny::GREEN),
    };
    // The small pack has a mutant that nothing catches, and says so each time.
    let (killed, whole) = killed_and_whole(check, 3);
    assert!(whole.stdout.contains("not-caught"), "{}", whole.stdout);
    assert_eq!(said(&killed), said(&whole));
}
