//! A learner's own folder: `start`, `test` and `hand-in` as somebody meets them.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use idemlab::workspace::{Workspace, unpack};

use super::lab::{Answer, Lab, Place};

const REFERENCE: &str = include_str!("../../exercises/retention/python/reference.py");
const COMPILED: &str = include_str!("../../exercises/retention/rust/reference.rs");

/// A pack of two steps and three tests in Python, for what would take long with all.
fn tiny_pack() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad/base/python")
}

/// A workspace in Python, in the folder `retention`.
fn python() -> Place {
    Lab::new("start retention --track python").run().place
}

/// The same, with this source.
fn with(source: &str) -> Place {
    let place = python();
    place.write("retention/retention.py", source);
    place
}

/// A command inside a folder of the place.
fn inside(place: Place, folder: &str, arguments: &str) -> Lab {
    let folder = place.here().join(folder);
    Lab::at(place, arguments).from(&folder)
}

fn read(place: &Place, file: &str) -> String {
    fs::read_to_string(place.here().join(file)).unwrap()
}

#[test]
fn start_makes_a_folder_whose_first_step_is_not_written_yet() {
    let answer = Lab::new("start retention --track python").run();
    assert!(
        answer.stdout.contains("made  retention.py"),
        "{}",
        answer.stdout
    );
    assert!(
        answer.stdout.contains("Next: cd retention, "),
        "{}",
        answer.stdout
    );
    let pack = idemlab::pack::shipped().unwrap();
    let lab = pack.lab("retention").unwrap();
    let source = squeezed(&read(&answer.place, "retention/retention.py"));
    for step in &lab.steps {
        for text in step.promises.iter().map(|clause| &clause.text) {
            assert!(source.contains(&squeezed(text)), "{text}");
        }
        assert!(
            source.contains(&squeezed(&step.judge_by)),
            "{}",
            step.judge_by
        );
    }
    for task in &lab.tasks {
        let file = format!("retention/answers/{}.md", task.id);
        assert!(squeezed(&read(&answer.place, &file)).contains(&squeezed(&task.text)));
    }
    let workspace = Workspace::open(&answer.place.here().join("retention")).unwrap();
    assert_eq!(workspace.probes(lab), idemlab::workspace::Probes::default());
    assert!(
        workspace
            .answers(lab)
            .iter()
            .all(|answer| answer.text.is_empty())
    );
    let test = inside(answer.place, "retention", "test").code(1).run();
    assert!(
        test.stdout
            .contains("· 1  init_db          not written yet"),
        "{}",
        test.stdout
    );
    assert!(
        test.stdout.contains("· steps 2 to 8 not run"),
        "{}",
        test.stdout
    );
    assert!(
        test.stdout.contains("Next: write `init_db`"),
        "{}",
        test.stdout
    );
}

fn squeezed(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| *word != "///");
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_rust_starter_has_every_promise_too() {
    let pack = idemlab::pack::shipped().unwrap();
    let lab = pack.lab("retention").unwrap();
    for starter in &lab.starters {
        let source = squeezed(&starter.text);
        for step in &lab.steps {
            let clauses = step.promises.iter().map(|clause| &clause.text);
            for text in clauses.chain([&step.judge_by]) {
                assert!(source.contains(&squeezed(text)), "{}: {text}", starter.file);
            }
        }
    }
}

#[test]
fn a_half_made_folder_is_finished_and_what_is_there_stays() {
    let place = with("# mine\n");
    fs::remove_file(place.here().join("retention/answers/break-it.md")).unwrap();
    fs::remove_file(place.here().join("retention/README.md")).unwrap();
    let answer = inside(place, "retention", "start retention").run();
    assert!(
        answer.stdout.contains("left  retention.py"),
        "{}",
        answer.stdout
    );
    assert!(
        answer.stdout.contains("made  README.md"),
        "{}",
        answer.stdout
    );
    assert!(
        answer.stdout.contains("made  answers/break-it.md"),
        "{}",
        answer.stdout
    );
    assert_eq!(read(&answer.place, "retention/retention.py"), "# mine\n");
    assert!(!answer.place.here().join("retention/retention").exists());
}

#[test]
fn a_folder_of_another_language_is_left_alone() {
    let answer = Lab::at(python(), "start retention --track rust")
        .code(2)
        .any_stderr()
        .run();
    assert!(
        answer.stderr.contains("is a workspace already"),
        "{}",
        answer.stderr
    );
    let answer = Lab::new("start retention taken").file("taken", "x");
    let answer = answer.code(2).any_stderr().run();
    assert!(answer.stderr.contains("is no folder"), "{}", answer.stderr);
}

#[test]
fn a_slip_of_the_pen_is_told_with_what_was_likely_meant() {
    let answer = Lab::new("start retenton").code(2).any_stderr().run();
    assert!(
        answer.stderr.contains("did you mean retention?"),
        "{}",
        answer.stderr
    );
    let answer = inside(python(), "retention", "test resrve")
        .code(2)
        .any_stderr()
        .run();
    assert!(
        answer.stderr.contains("did you mean reserve?"),
        "{}",
        answer.stderr
    );
    let answer = inside(answer.place, "retention", "test 9")
        .code(2)
        .any_stderr()
        .run();
    assert!(
        answer.stderr.contains("steps are 1 to 8"),
        "{}",
        answer.stderr
    );
    answer
        .place
        .write("retention/idemlab.yaml", "lab: retention\ntrak: python\n");
    let answer = inside(answer.place, "retention", "test")
        .code(5)
        .any_stderr()
        .run();
    assert!(
        answer.stderr.contains("idemlab.yaml:2:1"),
        "{}",
        answer.stderr
    );
    assert!(
        answer.stderr.contains("did you mean `track`?"),
        "{}",
        answer.stderr
    );
}

#[test]
fn without_a_folder_it_says_how_to_make_one() {
    for arguments in ["test", "hand-in"] {
        let answer = Lab::new(arguments).code(2).any_stderr().run();
        assert!(
            answer.stderr.contains("`idemlab start LAB`"),
            "{}",
            answer.stderr
        );
    }
    let place = python();
    fs::remove_file(place.here().join("retention/retention.py")).unwrap();
    let answer = inside(place, "retention", "test")
        .code(5)
        .any_stderr()
        .run();
    assert!(
        answer.stderr.contains("there is no retention.py"),
        "{}",
        answer.stderr
    );
}

#[test]
fn right_code_is_green_from_any_folder_below() {
    let place = with(REFERENCE);
    let answer = inside(place, "retention/answers", "test").run();
    assert!(
        answer.stdout.contains("All steps are green."),
        "{}",
        answer.stdout
    );
    let answer = inside(answer.place, "retention", "test 2").run();
    assert!(
        answer.stdout.contains("Green up to step 2."),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_folder_may_have_any_name() {
    let answer = Lab::new("start retention --track python")
        .argument("열쇠 집/été")
        .run();
    answer.place.write("열쇠 집/été/retention.py", REFERENCE);
    let answer = inside(answer.place, "열쇠 집/été", "test reserve").run();
    assert!(answer.stdout.contains("✔ 2  reserve"), "{}", answer.stdout);
    let answer = inside(answer.place, "열쇠 집/été", "hand-in").run();
    assert!(
        answer.stdout.contains("retention-hand-in.zip holds"),
        "{}",
        answer.stdout
    );
}

#[test]
fn the_first_broken_line_is_shown_with_rows_and_the_promise() {
    let place = with(&REFERENCE.replace("INSERT OR IGNORE", "INSERT OR REPLACE"));
    let answer = inside(place, "retention", "test").code(1).run();
    for text in [
        "✔ 1  init_db",
        "✘ 2  reserve",
        "expected  false",
        "saw       true",
        "Rows before the call in line",
        "Rows after the call in line",
        "The promise:",
        "Also red:",
    ] {
        assert!(
            answer.stdout.contains(text),
            "{text} in:\n{}",
            answer.stdout
        );
    }
    // A later step shows the earlier one's fault first.
    let answer = inside(answer.place, "retention", "test 3 --format json")
        .code(1)
        .run();
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(report["version"], 1);
    assert_eq!(report["verdict"], "failed");
    assert_eq!(report["broken"]["step"], 2);
    assert_eq!(report["steps"][2]["state"], "green");
    assert_eq!(report["steps"][3]["state"], "not_run");
}

#[test]
fn the_first_prediction_stands_beside_it() {
    let place = with(&REFERENCE.replace("CREATE TABLE IF NOT EXISTS", "CREATE TABLE"));
    let walk = Lab::at(place, "--plain --progress mine.db")
        .input("\nit fails the second time\n3\n\nc\n2\n\nq\n")
        .run();
    let answer = inside(walk.place, "retention", "test --progress ../mine.db");
    let answer = answer.code(1).run();
    for text in [
        "Your first prediction at this step",
        "what would show it: it fails the second time",
        "seen in: error; fairly sure",
    ] {
        assert!(
            answer.stdout.contains(text),
            "{text} in:\n{}",
            answer.stdout
        );
    }
}

#[test]
fn code_that_does_not_parse_is_told_at_its_place() {
    let place = with("x = 1\ndef init_db(path:\n    pass\n");
    let answer = inside(place, "retention", "test").code(1).run();
    assert!(
        answer.stdout.contains("It does not load"),
        "{}",
        answer.stdout
    );
    assert!(
        answer.stdout.contains("retention.py, line 2"),
        "{}",
        answer.stdout
    );
    let answer = inside(answer.place, "retention", "test --format json")
        .code(1)
        .run();
    let report: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    assert!(report["why"].as_str().unwrap().contains("line 2"));
}

/// Runs code over the pack of three tests.
fn tiny(source: &str, code: i32) -> Answer {
    let place = Place::new();
    place.write("mine/idemlab.yaml", "lab: retention\ntrack: python\n");
    place.write("mine/retention.py", source);
    inside(place, "mine", "test 2")
        .argument("--pack")
        .argument(tiny_pack())
        .code(code)
        .run()
}

const TINY: &str = include_str!("../bad/base/python/exercises/retention/python/reference.py");

#[test]
fn code_that_never_ends_gets_a_verdict() {
    let source = format!("{TINY}\ndef init_db(path):\n    while True: pass\n");
    let answer = tiny(&source, 1);
    assert!(
        answer.stdout.contains("set-up: timed out"),
        "{}",
        answer.stdout
    );
    assert!(answer.stdout.contains("✔ 2  reserve"), "{}", answer.stdout);
}

#[test]
fn code_that_dies_gets_a_verdict() {
    let source = format!("import os\n{TINY}\ndef reserve(*a, **k):\n    os._exit(3)\n");
    let answer = tiny(&source, 1);
    assert!(answer.stdout.contains("errored"), "{}", answer.stdout);
    assert!(answer.stdout.contains("✔ 1  init_db"), "{}", answer.stdout);
    let answer = tiny("raise SystemExit('no')\n", 1);
    assert!(
        answer.stdout.contains("It does not load"),
        "{}",
        answer.stdout
    );
}

#[test]
fn code_that_floods_is_green_all_the_same() {
    let source = format!(
        "{TINY}\n_reserve = reserve\ndef reserve(path, key, digest, expires):\n    \
         for _ in range(200): print('x' * 100_000)\n    \
         return _reserve(path, key, digest, expires)\n"
    );
    let answer = tiny(&source, 0);
    assert!(answer.stdout.len() < 2000, "{}", answer.stdout.len());
}

#[test]
fn a_program_in_any_language_is_tested_as_it_is_graded() {
    let there = |name| Command::new(name).arg("--version").output().is_ok();
    if !(there("node") && there("sqlite3")) {
        assert!(
            std::env::var_os("CI").is_none(),
            "CI needs node and sqlite3"
        );
        return;
    }
    let place = Place::new();
    let node = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/grade/node");
    for name in ["idemlab.yaml", "retention.js"] {
        place.write(
            &format!("mine/{name}"),
            &fs::read_to_string(node.join(name)).unwrap(),
        );
    }
    let answer = inside(place, "mine", "test 2").run();
    assert!(answer.stdout.contains("✔ 2  reserve"), "{}", answer.stdout);
}

#[test]
fn a_rust_folder_has_what_an_editor_needs() {
    let answer = Lab::new("start retention --track rust mine").run();
    for file in ["Cargo.toml", "kit/lib.rs", "kit/kit.rs", "kit/kit/error.rs"] {
        assert!(
            answer.place.here().join("mine").join(file).is_file(),
            "{file}"
        );
    }
    // This text is compiled into the program, so that no compiler is needed.
    answer.place.write("mine/retention.rs", COMPILED);
    let answer = inside(answer.place, "mine", "test").run();
    assert!(
        answer.stdout.contains("All steps are green."),
        "{}",
        answer.stdout
    );
}

#[test]
fn a_changed_copy_is_run_only_after_a_prediction_and_the_first_stays() {
    let answer = Lab::new("start retention --break").run();
    let place = answer.place;
    let answer = inside(place, "retention-break", "test")
        .code(5)
        .any_stderr()
        .run();
    assert!(answer.stderr.contains("change a line"), "{}", answer.stderr);
    let changed = COMPILED.replace("INSERT OR IGNORE INTO keys", "INSERT OR REPLACE INTO keys");
    assert_ne!(changed, COMPILED);
    answer.place.write("retention-break/retention.rs", &changed);
    let answer = inside(answer.place, "retention-break", "test")
        .code(2)
        .any_stderr()
        .run();
    assert!(
        answer.stdout.contains("  existing-key-is-refused\n"),
        "{}",
        answer.stdout
    );
    let asked = "test --predict existing-key-is-refused,new-key-is-reserved";
    let first = inside(answer.place, "retention-break", asked).run();
    assert!(
        first
            .stdout
            .contains("You named, and they notice it:\n  existing-key")
    );
    assert!(
        first
            .stdout
            .contains("do not notice it:\n  new-key-is-reserved")
    );
    let again = "test --predict none --format json";
    let second = inside(first.place, "retention-break", again).run();
    let report: serde_json::Value = serde_json::from_str(&second.stdout).unwrap();
    assert_eq!(report["verdict"], "caught");
    assert_eq!(report["predicted"].as_array().unwrap().len(), 2);
    let answer = inside(second.place, "retention-break", "hand-in")
        .code(2)
        .any_stderr();
    answer.run();
}

#[test]
fn a_hand_in_says_what_is_missing_and_holds_only_the_learners_own() {
    let place = with(REFERENCE);
    place.write(
        "retention/answers/break-it.md",
        "<!-- asked -->\nThe limit.\n",
    );
    place.write(
        "retention/probes.yaml",
        "probes:\n  - mutant: reserve-replaces\n    given: {keys: [[k, v1, pending, null, 10]]}\n    script:\n      - call: reserve\n        with: {key: k, digest: v2, expires: 99}\n        returns: false\n  - step: 3\n    script:\n      - call: nothing\n",
    );
    place.write("retention/diary.txt", "private");
    let answer = inside(place, "retention", "hand-in").any_stderr().run();
    for text in [
        "Steps        8 of 8 green",
        "Answers      1 of 3",
        "answers/not-guaranteed.md has none",
        "Own tests    1 of 2 catch their mutant",
        "✔ probe-1 (reserve-replaces): valid, and it catches the mutant",
        "Predictions  0 of 8 steps",
        "retention-hand-in.zip holds:",
    ] {
        assert!(
            answer.stdout.contains(text),
            "{text} in:\n{}",
            answer.stdout
        );
    }
    assert!(!answer.stdout.contains("diary"), "{}", answer.stdout);
    assert!(
        answer.stderr.contains("probes.yaml:10:"),
        "{}",
        answer.stderr
    );
    let zip = answer.place.here().join("retention/retention-hand-in.zip");
    let bytes = fs::read(&zip).unwrap();
    let here = answer.place.here().display().to_string();
    assert!(!String::from_utf8_lossy(&bytes).contains(&here));
    let into = tempfile::tempdir().unwrap();
    let opened = unpack(&zip, into.path()).unwrap();
    assert!(opened.source().unwrap().is_some());
    assert!(opened.journal().unwrap().is_some());
    let again = inside(answer.place, "retention", "hand-in")
        .any_stderr()
        .run();
    assert!(again.stdout.contains("byte for byte"), "{}", again.stdout);
    let check = inside(again.place, "retention", "hand-in --check")
        .code(1)
        .any_stderr();
    assert!(!check.run().stdout.contains("holds"));
}

#[test]
fn the_same_files_give_the_same_hand_in_and_nothing_else_is_replaced() {
    let zip = |name: &str| {
        let place = with(REFERENCE);
        let answer = inside(place, "retention", &format!("hand-in ../{name}")).run();
        (
            fs::read(answer.place.here().join(name)).unwrap(),
            answer.place,
        )
    };
    let (first, _) = zip("a.zip");
    let (second, place) = zip("b.zip");
    assert!(first == second);
    place.write("other.zip", "mine");
    let answer = inside(place, "retention", "hand-in ../other.zip")
        .code(2)
        .any_stderr()
        .run();
    assert!(answer.stderr.contains("is no hand-in"), "{}", answer.stderr);
    assert_eq!(read(&answer.place, "other.zip"), "mine");
    // The one of this lab may be replaced, and that is said.
    answer.place.write("retention/retention.py", "x = 1\n");
    let answer = inside(answer.place, "retention", "hand-in ../b.zip").run();
    assert!(
        answer.stdout.contains("in place of an earlier one"),
        "{}",
        answer.stdout
    );
    let answer = inside(answer.place, "retention", "hand-in ../folder").run();
    assert_eq!(read(&answer.place, "folder/retention.py"), "x = 1\n");
    answer.place.write("folder/notes.txt", "mine");
    let answer = inside(answer.place, "retention", "hand-in ../folder")
        .code(2)
        .any_stderr()
        .run();
    assert!(answer.stderr.contains("notes.txt"), "{}", answer.stderr);
    let answer = inside(answer.place, "retention", "hand-in .")
        .code(2)
        .any_stderr()
        .run();
    assert!(
        answer.stderr.contains("that you work in"),
        "{}",
        answer.stderr
    );
}

#[test]
fn the_journal_of_a_hand_in_is_that_of_the_progress_file() {
    let walk = Lab::at(with("x = 1\n"), "--plain --progress mine.db")
        .input("\nit fails the second time\n3\n\nc\n2\nan error\nq\n")
        .run();
    let arguments = "hand-in --progress ../mine.db ../folder";
    let answer = inside(walk.place, "retention", arguments).run();
    assert!(
        answer.stdout.contains("Predictions  1 of 8 steps"),
        "{}",
        answer.stdout
    );
    let workspace = Workspace::open(&answer.place.here().join("folder")).unwrap();
    let journal = workspace.journal().unwrap().unwrap();
    let said = journal.about("init-not-idempotent").unwrap();
    assert_eq!(said.observation, "it fails the second time");
    assert_eq!(said.saw.as_deref(), Some("an error"));
    assert_eq!(
        said.run.as_ref().unwrap()["second-setup-succeeds"],
        "failed"
    );
}

/// Watches a folder, and reads what is said up to the next pause.
fn watches(
    place: &Place,
    variables: &[(&str, &str)],
) -> (std::process::Child, impl FnMut() -> String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_idemlab"))
        .args(["test", "--watch"])
        .current_dir(place.here().join("retention"))
        .env("HOME", place.here())
        .env("IDEMLAB_SCRATCH", place.scratch())
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let next = move || {
        let mut text = String::new();
        for line in lines.by_ref() {
            let line = line.unwrap();
            if line.starts_with("Watching.") {
                return text;
            }
            text.push_str(&line);
            text.push('\n');
        }
        panic!("it ended:\n{text}");
    };
    (child, next)
}

#[test]
fn a_save_runs_the_tests_again_and_so_does_enter() {
    for variables in [&[][..], &[("IDEMLAB_POLL", "1")]] {
        let place = python();
        let (mut child, mut next) = watches(&place, variables);
        assert!(next().contains("not written yet"));
        place.write("retention/retention.py", REFERENCE);
        assert!(next().contains("All steps are green."));
        place.write("retention/retention.py", "def\n");
        assert!(next().contains("It does not load"));
        child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        assert!(next().contains("It does not load"));
        child.stdin.as_mut().unwrap().write_all(b"q\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            stderr.contains("twice a second"),
            !variables.is_empty(),
            "{stderr}"
        );
        assert!(!stderr.contains('\u{1b}'));
    }
}

#[test]
fn a_save_during_a_run_ends_it_and_starts_another() {
    let place = with(&format!(
        "{REFERENCE}\ndef init_db(path):\n    while True: pass\n"
    ));
    let (mut child, mut next) = watches(&place, &[]);
    // The endless run has begun or is about to; either way it is the new text that is shown.
    place.write("retention/retention.py", REFERENCE);
    let mut text = next();
    while !text.contains("All steps are green.") {
        text = next();
    }
    child.stdin.as_mut().unwrap().write_all(b"q\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let left: Vec<_> = fs::read_dir(place.scratch()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
