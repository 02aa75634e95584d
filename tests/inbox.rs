//! Lab `inbox` as shipped: what its tests cover, and what they see.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use idemlab::event::TestReport;
use idemlab::lab::Bench;
use idemlab::model::{Lab, Origin, Points, Track};
use idemlab::pack;
use idemlab::run::{Interrupt, track};
use idemlab::verdict::TestWord;
use serde_json::Value;

fn shipped() -> Lab {
    track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    let labs = pack::shipped().unwrap().labs;
    labs.into_iter().find(|lab| lab.id == "inbox").unwrap()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_step_has_three_tests_and_every_clause_one() {
    let lab = shipped();
    assert_eq!(lab.steps.len(), 8);
    let clauses: BTreeSet<&str> = lab
        .tests
        .iter()
        .filter_map(|test| test.clause.as_deref())
        .collect();
    for step in lab.steps.iter().filter(|step| step.function.is_some()) {
        let own = || lab.tests.iter().filter(|test| test.step == step.number);
        assert!(own().count() >= 3, "{}", step.id);
        for clause in &step.promises {
            assert!(clauses.contains(clause.id.as_str()), "{}", clause.id);
        }
        let mutant = lab.worksheet_mutant(step.number).unwrap();
        let misses =
            |test: &idemlab::model::Test| test.success && mutant.survives.contains(&test.id);
        assert!(lab.tests.iter().any(misses), "{}", mutant.id);
    }
}

#[test]
fn there_are_mutants_of_every_origin_and_equivalent_ones() {
    let lab = shipped();
    assert!(lab.mutants.len() >= 20);
    let field = lab.mutants.iter().filter(|one| one.origin == Origin::Field);
    assert!(field.clone().count() >= 6);
    assert!(field.clone().all(|one| one.report.is_some()));
    let equivalent = lab.mutants.iter().filter(|one| one.equivalent.is_some());
    assert!(equivalent.count() >= 2);
}

#[test]
fn two_steps_are_answered_in_writing_and_count() {
    let lab = shipped();
    let written: Vec<&str> = lab
        .steps
        .iter()
        .filter_map(|step| step.task.as_deref())
        .collect();
    assert_eq!(written, ["key", "report"]);
    let grading = lab.grading();
    assert_eq!(grading.total(), Points::whole(100));
    for task in written {
        assert!(grading.written.iter().any(|known| known.task == task));
    }
}

#[test]
fn the_messages_have_in_them_what_the_lab_is_about() {
    let lab = shipped();
    let files = &lab.folder("messages").unwrap().files;
    assert!(files.len() >= 40);
    let read = |text: &String| serde_json::from_str::<Value>(text).unwrap();
    let messages: Vec<Value> = files.iter().map(|(_, text)| read(text)).collect();
    let all = |name: &str| -> Vec<String> {
        let texts = messages.iter().map(|one| one[name].to_string());
        texts.collect()
    };
    let distinct = |name: &str| all(name).into_iter().collect::<BTreeSet<_>>().len();
    assert_eq!(distinct("msg_id"), 40);
    assert!(distinct("order_no") < distinct("msg_id"));
    assert!(distinct("day_no") < distinct("msg_id"));
    assert!(all("customer").iter().any(|text| text.contains('\'')));
    assert!(all("customer").iter().any(|text| text.contains("한")));
    let bodies: BTreeSet<String> = messages.iter().map(Value::to_string).collect();
    assert_eq!(bodies.len(), 41, "one id has two bodies");
}

/// What a look first does: one row all the same, and ten that were told `applied`.
#[test]
fn looking_first_leaves_one_row_and_is_seen_in_what_was_told() {
    let lab = shipped();
    for track in [Track::Rust, Track::Shell] {
        if track == Track::Shell && !has_shell() {
            continue;
        }
        let bench = Bench::new(&lab, track, Interrupt::default()).unwrap();
        let ids = ["ten-at-once-one-row", "one-of-ten-is-applied"];
        let tests: Vec<_> = ids.iter().map(|id| lab.test(id).unwrap()).collect();
        let report = bench
            .mutant(lab.mutant("load-looks-first").unwrap(), &tests, &|_| {})
            .unwrap();
        let words = report.report.unwrap().tests;
        let words: Vec<TestWord> = words.iter().map(TestReport::word).collect();
        assert_eq!(words, [TestWord::Passed, TestWord::Failed], "{track}");
    }
}

/// Tells whether there are bash and sqlite3; where CI runs, they must be there.
fn has_shell() -> bool {
    let there = track::shell::find().is_ok();
    assert!(
        there || std::env::var_os("CI").is_none(),
        "CI has no bash or no sqlite3"
    );
    there
}

#[test]
fn every_mutant_has_a_form_in_the_shell_and_some_have_no_other() {
    let lab = shipped();
    let has = |track: Track| {
        let mutants = lab.mutants.iter();
        mutants.filter(move |mutant| !mutant.edits_for(track).is_empty())
    };
    assert_eq!(has(Track::Shell).count(), lab.mutants.len());
    let rust: BTreeSet<&str> = has(Track::Rust).map(|mutant| &*mutant.id).collect();
    let only_shell: Vec<&str> = has(Track::Shell)
        .map(|mutant| &*mutant.id)
        .filter(|id| !rust.contains(id))
        .collect();
    assert_eq!(
        only_shell,
        [
            "load-asks-another-process",
            "load-loses-the-exit-code",
            "load-prints-its-timeout",
            "load-splits-names",
            "retention-asks-another-process",
        ]
    );
}

#[test]
fn the_scripts_are_split_and_joined_without_a_change_and_say_what_they_promise() {
    let lab = shipped();
    let starter = &lab.starters.iter().find(|one| one.track == Track::Shell);
    let starter = &starter.unwrap().text;
    for text in [&lab.source(Track::Shell).unwrap().text, starter] {
        let scripts = track::shell::scripts(text);
        let names: Vec<&str> = scripts.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["create.sh", "apply.sh", "race.sh", "purge.sh"]);
        assert_eq!(track::shell::source(&scripts), *text);
    }
    let words = |text: &str| {
        let words = text.split_whitespace().filter(|word| *word != "#");
        words.collect::<Vec<_>>().join(" ")
    };
    let starter = words(starter);
    for step in lab.steps.iter().filter(|step| step.function.is_some()) {
        assert!(starter.contains(&words(&step.judge_by)), "{}", step.id);
    }
}

/// Right solutions in unusual styles: a test may be inconclusive on them, and never red.
#[test]
fn no_right_solution_is_red() {
    let lab = shipped();
    if track::missing(Track::Rust, "").is_some() {
        return;
    }
    let bench = Bench::new(&lab, Track::Rust, Interrupt::default()).unwrap();
    let tests: Vec<_> = lab.tests_in(Track::Rust).collect();
    let mut seen = 0;
    for entry in fs::read_dir(root().join("tests/fair/inbox/rust")).unwrap() {
        let path = entry.unwrap().path();
        let report = bench.submission(&path, &tests, &|_| {}).unwrap();
        for test in &report.tests {
            let shown = path.display();
            assert!(
                !test.word().is_red(),
                "{shown}: {}: {:?}",
                test.id,
                test.verdict
            );
        }
        seen += 1;
    }
    assert!(seen >= 4);
}
