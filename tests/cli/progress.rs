//! The progress file: where it is, and what happens to one that cannot be used.

use std::fs;
use std::process::Stdio;

use rusqlite::Connection;

use super::lab::{Lab, Place};

/// Answers step 1 as far as its result, then leaves.
const ONE_PREDICTION: &str = "\nthe second call raises\n3\n\nc d\n2\nan error\nq\n";

fn attempts(place: &Place, file: &str) -> Vec<(u32, String)> {
    let db = Connection::open(place.here().join(file)).unwrap();
    let mut select = db
        .prepare("SELECT attempt, observation FROM predictions ORDER BY id")
        .unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_prediction_is_kept_in_the_named_file_and_the_lab_goes_on_from_there() {
    let answer = Lab::new("--plain --progress mine.db")
        .input(ONE_PREDICTION)
        .run();
    let stored = attempts(&answer.place, "mine.db");
    assert_eq!(stored, [(1, "the second call raises".to_owned())]);
    let answer = Lab::at(answer.place, "--plain --progress mine.db").run();
    assert!(answer.stdout.contains("You stopped at step 1 of 8."));
}

#[test]
fn without_a_name_it_is_in_the_users_data_folder() {
    let answer = Lab::new("doctor").env("XDG_DATA_HOME", "").run();
    assert!(answer.stdout.contains("progress.db, made when needed"));
    let answer = Lab::at(answer.place, "--plain").input("q\n").run();
    assert!(
        answer
            .stdout
            .contains("idemlab · lab retention · rust track")
    );
    let here = fs::read_dir(answer.place.here()).unwrap();
    assert_eq!(
        here.count(),
        0,
        "nothing is written where the program starts"
    );
}

#[test]
fn a_damaged_file_is_named_left_alone_and_the_lab_opens() {
    let notes = "these are my notes, not a database, and long enough to be told from one";
    let answer = Lab::new("--plain --progress notes.txt")
        .file("notes.txt", notes)
        .input(ONE_PREDICTION)
        .any_stderr()
        .run();
    assert_eq!(
        answer.stderr,
        "note: nothing is saved in this session: notes.txt is not a progress file that can be \
         read (file is not a database); move it away, or name another file with --progress\n"
    );
    assert!(answer.stdout.contains("RESULT"));
    let after = fs::read_to_string(answer.place.here().join("notes.txt")).unwrap();
    assert_eq!(after, notes);
}

#[test]
fn a_file_of_a_newer_program_is_named_left_alone_and_the_lab_opens() {
    let answer = Lab::new("--plain --progress mine.db")
        .input(ONE_PREDICTION)
        .run();
    let file = answer.place.here().join("mine.db");
    Connection::open(&file)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let before = fs::read(&file).unwrap();
    let answer = Lab::at(answer.place, "--plain --progress mine.db")
        .input(ONE_PREDICTION)
        .any_stderr()
        .run();
    assert!(
        answer.stderr.starts_with(
            "note: nothing is saved in this session: mine.db was written by a newer idemlab \
             (schema 99"
        ),
        "{}",
        answer.stderr
    );
    assert!(answer.stdout.contains("RESULT"));
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_folder_in_its_place_is_named_and_the_lab_opens() {
    let answer = Lab::new("--plain --progress folder")
        .file("folder/file.txt", "")
        .input("q\n")
        .any_stderr()
        .run();
    assert!(
        answer
            .stderr
            .starts_with("note: nothing is saved in this session: "),
        "{}",
        answer.stderr
    );
    assert!(answer.stdout.contains("idemlab · lab retention"));
}

#[test]
fn doctor_names_a_file_that_cannot_be_used() {
    let answer = Lab::new("doctor --progress notes.txt")
        .file(
            "notes.txt",
            "these are my notes, and no database of any program at all",
        )
        .run();
    let line = answer
        .stdout
        .lines()
        .find(|line| line.contains("progress file"))
        .unwrap();
    assert!(line.starts_with("missing"), "{line}");
    assert!(line.contains("is not a progress file"), "{line}");
}

#[test]
fn two_labs_at_once_keep_both_predictions() {
    let place = Place::new();
    let folder = place.here();
    let run = |text: &'static str| {
        let folder = folder.clone();
        std::thread::spawn(move || {
            Lab::new("--plain --progress mine.db")
                .from(&folder)
                .input(&ONE_PREDICTION.replace("the second call raises", text))
                .run();
        })
    };
    for lab in [run("one"), run("another")] {
        lab.join().unwrap();
    }
    let stored = attempts(&place, "mine.db");
    let numbers: Vec<u32> = stored.iter().map(|(attempt, _)| *attempt).collect();
    assert_eq!(numbers, [1, 2]);
    let mut texts: Vec<&str> = stored.iter().map(|(_, text)| text.as_str()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["another", "one"]);
}

#[test]
fn a_reader_that_goes_away_ends_the_worksheet_without_a_word() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let (code, stderr) = Lab::new("--plain --progress mine.db").into_output(Stdio::from(writer));
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn a_lab_that_is_killed_at_any_moment_has_lost_nothing_that_it_said_was_kept() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let mut place = Place::new();
    let mut kept = 0;
    for round in 0..12 {
        let (mut lab, here) = Lab::at(place, "--plain --progress mine.db").start_talking();
        place = here;
        let mut input = lab.stdin.take().unwrap();
        let walk = format!("\nround {round}\n3\n\nc d\n2\nan error\na\nagain\n3\n\nc d\n2\n");
        let _ = input.write_all(walk.as_bytes());
        // Killed after so many lines of what it prints, now early, now late.
        let output = BufReader::new(lab.stdout.take().unwrap());
        let read = output
            .lines()
            .map_while(Result::ok)
            .take(5 + round * 11)
            .count();
        lab.kill().unwrap();
        lab.wait().unwrap();
        assert!(read > 0);
        if place.here().join("mine.db").is_file() {
            let db = Connection::open(place.here().join("mine.db")).unwrap();
            let whole: String = db
                .query_row("PRAGMA integrity_check", [], |row| row.get(0))
                .unwrap();
            assert_eq!(whole, "ok");
            let tables: u32 = db
                .query_row(
                    "SELECT COUNT(*) FROM sqlite_schema WHERE name='predictions'",
                    [],
                    |row| row.get(0),
                )
                .unwrap();
            let now = if tables == 1 {
                attempts(&place, "mine.db").len()
            } else {
                0
            };
            assert!(
                now >= kept,
                "round {round}: {now} predictions, {kept} before"
            );
            kept = now;
        }
    }
    assert!(kept > 2, "only {kept} predictions were made at all");
    let answer = Lab::at(place, "--plain --progress mine.db")
        .input("q\n")
        .run();
    assert!(
        answer.stdout.contains("You stopped at step"),
        "{}",
        answer.stdout
    );
}
