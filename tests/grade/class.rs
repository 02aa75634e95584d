//! Many submissions: in one go, in parts, and after a kill.

use std::fs;
use std::process::Stdio;

use idemlab::gradebook::Gradebook;
use idemlab::lab;
use idemlab::model::Track;
use idemlab::pack;

use super::{Class, confined, find, python, read};

/// How many submissions, and how many kills; CI asks for more than a test at home.
fn asked(name: &str, usual: usize) -> usize {
    let number = std::env::var(name).ok();
    number.map_or(usual, |number| number.parse().unwrap())
}

/// A class of right, wrong and odd submissions under odd names.
fn mixed(count: usize) -> Class {
    let class = Class::new();
    let pack = pack::shipped().unwrap();
    let retention = pack.lab("retention").unwrap();
    let right = read("exercises/retention/python/reference.py");
    let wrong = retention
        .mutants
        .iter()
        .filter_map(|mutant| lab::mutated(retention, Track::Python, mutant).ok())
        // Python salts this anew in each process: what it writes is never the same twice.
        .filter(|source| !source.contains("hash("));
    let odd = [
        right.clone(),
        "def purge(:\n".to_owned(),
        read("exercises/retention/python/starter.py"),
        format!("{right}\nimport os, sys\nsys.stdout.write('{{\"id\":1}}\\n')\n"),
        format!("{right}\ndef counts(path):\n    import os\n    os._exit(0)\n"),
    ];
    let mut sources: Vec<String> = odd.into_iter().chain(wrong).collect();
    while sources.len() < count {
        sources.push(format!("{right}\n# submission {}\n", sources.len()));
    }
    for (place, source) in sources.iter().take(count).enumerate() {
        let name = match place % 4 {
            0 => format!("student {place}"),
            1 => format!("학생-{place}"),
            2 => format!("it's \"{place}\""),
            _ => format!("s{place}"),
        };
        class.add(&name, "python", source);
    }
    fs::create_dir(class.folder().join("nothing handed in")).unwrap();
    class
}

/// Leaves out what differs from run to run: times, and which of several processes came first.
fn timeless(mut book: Gradebook) -> String {
    let lab = &pack::shipped().unwrap().labs[0];
    let of_several = |id: &str| {
        let test = lab.tests.iter().find(|test| test.id == id);
        test.is_some_and(|test| test.processes() > 1)
    };
    for one in &mut book.submissions {
        one.millis = 0;
        for test in one.steps.iter_mut().flat_map(|step| &mut step.tests) {
            test.millis = 0;
            if of_several(&test.id) {
                // Expected is the case that comes nearest to it.
                (test.expected, test.observed) = (None, None);
            }
        }
    }
    serde_json::to_string_pretty(&book).unwrap()
}

/// Compares two results line by line, and says where they differ.
fn assert_same(one: Gradebook, other: Gradebook) {
    let (one, other) = (timeless(one), timeless(other));
    if one != other {
        let difference = similar::TextDiff::from_lines(&one, &other);
        let difference = difference.unified_diff().context_radius(25).to_string();
        let cut: String = difference.chars().take(6000).collect();
        panic!("the results differ:\n{cut}");
    }
}

#[test]
fn four_parts_merged_are_what_one_run_gives() {
    if !(python() && confined()) {
        return;
    }
    let count = asked("IDEMLAB_CLASS", 16);
    let class = mixed(count);
    let (whole, code) = class.grade(&[]);
    assert_eq!((whole.submissions.len(), code), (count + 1, 5));
    for part in 1..=4 {
        let output = class.run(&[
            "grade",
            "class",
            "--format",
            "json",
            "--shard",
            &format!("{part}/4"),
            "--out",
            &format!("{part}.json"),
        ]);
        assert!(
            matches!(output.status.code(), Some(0 | 1 | 5)),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.stdout.is_empty());
    }
    let parts = ["3.json", "1.json", "4.json", "2.json"];
    let merged = class.run(&[&["merge", "--format", "json"], &parts[..]].concat());
    assert_eq!(merged.status.code(), Some(5));
    let merged: Gradebook = serde_json::from_slice(&merged.stdout).unwrap();
    assert_same(merged, whole);

    let short = class.run(&["merge", "--format", "json", "1.json", "2.json", "4.json"]);
    assert_eq!(short.status.code(), Some(2));
    assert!(short.stdout.is_empty());
    let errors = String::from_utf8_lossy(&short.stderr);
    assert!(
        errors.contains("of 4 parts, these are missing: 3"),
        "{errors}"
    );
}

#[test]
fn neighbours_do_not_change_a_result() {
    if !(python() && confined()) {
        return;
    }
    let class = mixed(6);
    let (whole, _) = class.grade(&["--jobs", "3"]);
    let alone = class.run(&[
        "grade",
        "class/student 0",
        "--format",
        "json",
        "--jobs",
        "1",
    ]);
    let mut alone: Gradebook = serde_json::from_slice(&alone.stdout).unwrap();
    alone.submissions[0].path = "student 0".to_owned();
    let beside = Gradebook {
        submissions: vec![find(&whole, "student 0").clone()],
        ..whole
    };
    assert_same(alone, beside);
}

#[cfg(unix)]
#[test]
fn a_kill_at_any_moment_costs_no_result() {
    use std::hash::{BuildHasher as _, RandomState};
    use std::io::{BufRead as _, BufReader};
    use std::time::Duration;

    if !(python() && confined()) {
        return;
    }
    let class = mixed(5);
    let (whole, _) = class.grade(&[]);
    let whole = timeless(whole);
    for round in 0..asked("IDEMLAB_KILLS", 3) {
        // The moment is some time after so many results: another one in every round and run.
        let mut child = class
            .command(&["grade", "class", "--format", "json", "--out", "out.json"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let seen = lines.take(round % 6).flatten().count();
        let chance = RandomState::new().hash_one(round) % 400;
        std::thread::sleep(Duration::from_millis(chance));
        child.kill().unwrap();
        child.wait().unwrap();
        let (after, _) = class.grade_into("out.json");
        assert_eq!(
            timeless(after),
            whole,
            "round {round}, {seen} results and {chance} ms"
        );
        fs::remove_file(class.place.path().join("out.json")).unwrap();
    }
}

impl Class {
    /// Grades into a file, and reads it.
    fn grade_into(&self, file: &str) -> (Gradebook, i32) {
        let output = self.run(&["grade", "class", "--format", "json", "--out", file]);
        let text = fs::read(self.place.path().join(file));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let text = text.unwrap_or_else(|error| panic!("{error}\n{errors}"));
        (
            serde_json::from_slice(&text).unwrap(),
            output.status.code().unwrap(),
        )
    }
}
