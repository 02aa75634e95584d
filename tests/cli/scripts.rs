//! A learner's own folder of scripts, in a place whose name has blanks, quotes and Korean in it.

use std::fs;
use std::path::PathBuf;

use idemlab::run::track::shell;
use idemlab::workspace::unpack;

use super::lab::{Answer, Lab, Place};

const REFERENCE: &str = include_str!("../../exercises/inbox/shell/reference.sh");
const FOLDER: &str = "it's a \"받은 편지함\"";

/// Tells whether there are bash and sqlite3; where CI runs, they must be there.
fn tools() -> bool {
    let there = shell::find().is_ok();
    assert!(
        there || std::env::var_os("CI").is_none(),
        "CI has no bash or no sqlite3"
    );
    there
}

fn start() -> Answer {
    Lab::new("start inbox --track shell").argument(FOLDER).run()
}

fn folder(place: &Place) -> PathBuf {
    place.here().join(FOLDER)
}

fn inside(place: Place, arguments: &str) -> Lab {
    let folder = folder(&place);
    Lab::at(place, arguments).from(&folder)
}

fn write(place: &Place, scripts: &[(String, String)]) {
    for (name, text) in scripts {
        fs::write(folder(place).join(name), text).unwrap();
    }
}

#[test]
fn start_makes_each_script_and_brings_the_messages() {
    let answer = start();
    let made: Vec<&str> = answer.stdout.lines().map(str::trim).collect();
    for line in [
        "made  create.sh                    yours to write",
        "made  purge.sh                     yours to write",
        "made  messages/                    what the lab brings along",
    ] {
        assert!(made.contains(&line), "{line}: {}", answer.stdout);
    }
    let next = "write create.sh, and run `idemlab test`.";
    assert!(answer.stdout.contains(next), "{}", answer.stdout);
    let readme = fs::read_to_string(folder(&answer.place).join("README.md")).unwrap();
    for file in ["`create.sh`", "`purge.sh`", "`dup.txt`", "`replay.txt`"] {
        assert!(readme.contains(file), "{readme}");
    }
    assert!(readme.lines().all(|line| line.chars().count() <= 100));
    let messages = fs::read_dir(folder(&answer.place).join("messages")).unwrap();
    assert_eq!(messages.count(), 47);
}

#[test]
fn scripts_are_not_written_yet_and_then_green_step_by_step() {
    if !tools() {
        return;
    }
    let test = inside(start().place, "test").code(1).run();
    let words = "· 1  history          not written yet";
    assert!(test.stdout.contains(words), "{}", test.stdout);
    let (one, others) = shell::scripts(REFERENCE)
        .into_iter()
        .partition::<Vec<_>, _>(|(name, _)| name == "create.sh");
    write(&test.place, &one);
    let test = inside(test.place, "test").code(1).run();
    for words in [
        "✔ 1  history          6 tests green",
        "· 3  load             not written yet",
    ] {
        assert!(test.stdout.contains(words), "{}", test.stdout);
    }
    write(&test.place, &others);
    let test = inside(test.place, "test 7").run();
    let words = "✔ 7  replay           5 tests green";
    assert!(test.stdout.contains(words), "{}", test.stdout);
}

#[test]
fn a_hand_in_holds_what_was_kept_and_names_what_was_not() {
    if !tools() {
        return;
    }
    let place = start().place;
    write(&place, &shell::scripts(REFERENCE));
    let here = folder(&place);
    for (file, text) in [
        ("key.md", "The idempotency key is the id of the message."),
        ("race.txt", "rows=1\n"),
        ("helper.py", "pass\n"),
    ] {
        fs::write(here.join(file), text).unwrap();
    }
    let answer = inside(place, "hand-in").run();
    for words in [
        "Steps        6 of 8 green",
        "Answers      1 of 3",
        "Files        1 of 3",
        "· dup.txt is not there: The ids that were duplicates",
    ] {
        assert!(answer.stdout.contains(words), "{words}: {}", answer.stdout);
    }
    let opened = answer.place.here().join("opened");
    fs::create_dir(&opened).unwrap();
    unpack(&here.join("inbox-hand-in.zip"), &opened).unwrap();
    let mut files: Vec<String> = fs::read_dir(opened)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(
        files,
        [
            "answers",
            "apply.sh",
            "create.sh",
            "helper.py",
            "idemlab.yaml",
            "key.md",
            "predictions.json",
            "probes.yaml",
            "purge.sh",
            "race.sh",
            "race.txt",
        ]
    );
}

#[test]
fn a_change_in_any_script_of_a_copy_is_one_change_of_the_reference() {
    if !tools() {
        return;
    }
    let place = Lab::new("start inbox --track shell --break")
        .argument(FOLDER)
        .run()
        .place;
    let answer = inside(place, "test --predict old-rows-go")
        .code(5)
        .any_stderr()
        .run();
    let words = "is the reference as it was";
    assert!(answer.stderr.contains(words), "{}", answer.stderr);
    let purge = folder(&answer.place).join("purge.sh");
    let text = fs::read_to_string(&purge).unwrap();
    fs::write(&purge, text.replace("created_at <", "created_at >")).unwrap();
    let answer = inside(answer.place, "test --predict old-rows-go").run();
    let words = "You named, and they notice it:\n  old-rows-go";
    assert!(answer.stdout.contains(words), "{}", answer.stdout);
}
