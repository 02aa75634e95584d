//! The plain worksheet, walked by lines of input over the real engine.

use std::collections::BTreeMap;

use idemlab::model::{Pack, SeenIn, Sure, Track};
use idemlab::pack;
use idemlab::plain::{End, Plain};
use idemlab::progress::{Place, Progress};
use idemlab::run::{Interrupt, track};

fn shipped() -> Pack {
    pack::shipped().unwrap()
}

/// Walks with these lines as input; returns what was written and how it ended.
fn walk(progress: &mut Progress, input: &str) -> (String, End) {
    walk_lab("retention", progress, input)
}

fn walk_lab(lab: &str, progress: &mut Progress, input: &str) -> (String, End) {
    track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    let pack = shipped();
    let lab = pack.lab(lab).unwrap();
    let mut output = Vec::new();
    let interrupt = Interrupt::default();
    let end = Plain::new(
        input.as_bytes(),
        &mut output,
        lab,
        Track::Rust,
        progress,
        interrupt,
    )
    .run()
    .unwrap();
    (String::from_utf8(output).unwrap(), end)
}

#[test]
fn the_end_of_the_input_ends_it_at_every_question() {
    let lines = ["", "it fails the second time", "3", "", "c d", "2"];
    for count in 0..lines.len() {
        let mut progress = Progress::in_memory();
        let input = lines[..count].join("\n");
        let (text, end) = walk(&mut progress, &input);
        assert_eq!(end, End::Left, "after {count} lines");
        assert!(text.ends_with("the lab opens where you stopped.\n"));
        assert_eq!(progress.predictions("retention").unwrap(), []);
    }
}

#[test]
fn a_prediction_is_stored_with_its_run_and_what_was_seen() {
    let mut progress = Progress::in_memory();
    let input = "\nthe second call raises\n3\n\nd c\n2\nan error\nq\n";
    let (text, end) = walk(&mut progress, input);
    assert_eq!(end, End::Left);
    let stored = progress.predictions("retention").unwrap();
    assert_eq!(stored.len(), 1);
    let said = &stored[0].prediction;
    assert_eq!(said.observation, "the second call raises");
    assert_eq!(said.seen_in, Some(SeenIn::Error));
    assert_eq!(said.sure, Some(Sure::Fairly));
    assert_eq!(
        said.tests,
        ["setup-keeps-rows-that-are-there", "second-setup-succeeds"]
    );
    assert!(!said.unknown);
    let run = stored[0].run.as_ref().unwrap();
    assert!(run["second-setup-succeeds"].is_red());
    assert!(!run["first-setup-gives-an-empty-table"].is_red());
    assert_eq!(stored[0].sighting.as_deref(), Some("an error"));
    let comparison = stored[0].comparison(&shipped().labs[0]).unwrap();
    assert_eq!(comparison.found.len(), 2);
    assert!(text.contains(&comparison.sentence()), "{text}");
}

#[test]
fn titles_and_expectations_are_hidden_until_the_run() {
    let mut progress = Progress::in_memory();
    let (text, _) = walk(&mut progress, "\nx\n3\n\nread c\nc\n1\n\nq\n");
    let (before, after) = text.split_once("\nRUN\n").unwrap();
    let pack = shipped();
    let test = pack.labs[0].test("second-setup-succeeds").unwrap();
    assert!(!before.contains(&test.title) && after.contains(&test.title));
    assert!(!before.contains(&test.id));
    assert!(!before.contains("expected"));
}

#[test]
fn not_knowing_is_an_answer() {
    let mut progress = Progress::in_memory();
    let (text, _) = walk(&mut progress, "\n?\n?\n\n?\n?\n\nq\n");
    let stored = progress.predictions("retention").unwrap();
    assert!(stored[0].prediction.unknown);
    assert_eq!(stored[0].prediction.sure, None);
    assert!(text.contains("You did not say. "), "{text}");
}

#[test]
fn a_second_prediction_is_practice_and_the_first_is_kept() {
    let mut progress = Progress::in_memory();
    walk(
        &mut progress,
        "\nfirst\n1\n\na\n3\n\na\nsecond\n3\n\nc d\n3\n\nq\n",
    );
    let stored = progress.predictions("retention").unwrap();
    let said: Vec<(u32, &str)> = stored
        .iter()
        .map(|stored| (stored.attempt, stored.prediction.observation.as_str()))
        .collect();
    assert_eq!(said, [(1, "first"), (2, "second")]);
}

#[test]
fn it_goes_on_where_the_learner_stopped() {
    let mut progress = Progress::in_memory();
    let one = "x\n3\n\nc\n1\n\n";
    walk(&mut progress, &format!("\n{one}\n"));
    let (text, _) = walk(&mut progress, "\n");
    assert!(text.contains("You stopped at step 2 of 8."));
    assert!(text.contains("Step 2 of 8: reserve"));
    assert!(!text.contains("Step 1 of 8"));
}

#[test]
fn all_eight_steps_and_the_last_page_can_be_walked() {
    let mut progress = Progress::in_memory();
    let one = "x\n2\n\na b\n3\n\n\n";
    let (text, end) = walk(
        &mut progress,
        &format!("\n{}my change\nbecause\nresends\n", one.repeat(8)),
    );
    assert_eq!(end, End::Finished);
    assert_eq!(progress.predictions("retention").unwrap().len(), 8);
    assert!(text.contains("THE LAST PAGE"));
    assert!(text.contains("certain: "));
    let answers = progress.answers("retention").unwrap();
    assert_eq!(answers["not-guaranteed"], "resends");
    assert_eq!(answers.len(), 3);
}

#[test]
fn a_probe_is_judged_by_reference_and_mutant() {
    let catches = "script:\n  - call: init_db\n  - call: init_db\n.\n";
    let misses = "start: nothing\nscript:\n  - call: init_db\n.\n";
    let invalid = "script:\n  - call: init_db\n    returns: 5\n.\n";
    let wrong = "script:\n  - cal: init_db\n.\n";
    let mut progress = Progress::in_memory();
    let input = format!("\nx\n3\np\n{catches}p\n{misses}p\n{invalid}p\n{wrong}\nc d\n1\n\nq\n");
    let (text, _) = walk(&mut progress, &input);
    let probes = progress.probes("retention").unwrap();
    let verdicts: Vec<&str> = probes.iter().map(|probe| probe.verdict.as_str()).collect();
    assert_eq!(verdicts, ["catches", "misses", "invalid"]);
    assert!(text.contains("line 2, column 5: "), "{text}");
    assert!(text.contains("Where there is no table `keys`"));
    assert_eq!(progress.predictions("retention").unwrap().len(), 1);
}

#[test]
fn further_changes_are_listed_and_the_reason_of_one_of_no_effect_comes_last() {
    let mut progress = Progress::in_memory();
    let pack = shipped();
    let list = idemlab::worksheet::further(&pack.labs[0], 1, Track::Rust, &BTreeMap::new());
    let last = list.last().unwrap().mutant;
    let reason = last.equivalent.as_deref().unwrap();
    let input = format!(
        "\nx\n3\n\nc d\n2\nan error\nc\n{}\ny\n3\n\nnone\n2\nit is the same\n\nq\n",
        list.len()
    );
    let (text, end) = walk(&mut progress, &input);
    assert_eq!(end, End::Left);
    assert!(text.contains("More wrong changes to init_db"), "{text}");
    assert!(text.contains("perhaps none"), "{text}");
    let (before, after) = text.split_once("No test can tell: why?").unwrap();
    let start = reason.split(' ').take(4).collect::<Vec<_>>().join(" ");
    assert!(!before.contains(&start) && after.contains(&start), "{text}");
    let stored = progress.predictions("retention").unwrap();
    assert_eq!(stored.len(), 2);
    assert_eq!((&stored[1].mutant, stored[1].attempt), (&last.id, 1));
    assert_eq!(stored[1].sighting.as_deref(), Some("it is the same"));
    assert!(text.contains("Step 2 of 8"), "{text}");
}

#[test]
fn a_written_step_is_answered_where_it_is_asked() {
    let mut progress = Progress::in_memory();
    let place = Place {
        step: 2,
        view: "contract".to_owned(),
    };
    progress.stop_at("inbox", &place).unwrap();
    let (text, _) = walk_lab("inbox", &mut progress, "\nthe id of the message\nq\n");
    assert!(text.contains("ANSWER IN WRITING"), "{text}");
    assert_eq!(
        progress.answers("inbox").unwrap()["key"],
        "the id of the message"
    );
}

#[test]
fn only_what_a_lab_can_show_is_offered() {
    let mut progress = Progress::in_memory();
    let (text, _) = walk_lab("invoice", &mut progress, "\nx\nq\n");
    let (_, kinds) = text.split_once("Where would it be seen?").unwrap();
    assert!(kinds.contains("3  time or memory"), "{kinds}");
    assert!(!kinds.contains("rows"), "{kinds}");
}
