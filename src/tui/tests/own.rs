//! The view of a learner's own code: every state of it, its keys, and what is asked for.

use std::path::PathBuf;
use std::time::Duration;

use super::lab::{Lab, report};
use crate::event::{StepTrial, Trial};
use crate::model::Track;
use crate::tui::message::{
    Aim, BreakSaid, Effect, Job, Msg, News, OwnJob, OwnNews, OwnOffer, OwnPlace, OwnWhich,
};
use crate::tui::model::Page;

/// Nothing is there yet.
pub fn nothing(which: &OwnWhich) -> Vec<OwnNews> {
    vec![OwnNews::Nothing(OwnOffer {
        folder: match which.aim {
            Aim::Write => "retention/".to_owned(),
            Aim::Break => "retention-break/".to_owned(),
        },
        track: which.track,
        needs: None,
    })]
}

pub fn which() -> OwnWhich {
    OwnWhich {
        lab: "retention".to_owned(),
        step: 2,
        track: Track::Rust,
        aim: Aim::Write,
    }
}

pub fn place() -> OwnPlace {
    OwnPlace {
        folder: "retention/".to_owned(),
        file: "retention.py".to_owned(),
        path: Some(PathBuf::from("retention/retention.py")),
        language: "python".to_owned(),
        looking: None,
        is_new: false,
    }
}

pub fn said() -> BreakSaid {
    BreakSaid {
        tests: vec![
            "existing-key-is-refused".to_owned(),
            "new-key-is-reserved".to_owned(),
        ],
        unknown: false,
    }
}

/// A run up to a step with some red tests.
pub fn trial(upto: u32, red: &[&str]) -> Trial {
    static LAB: std::sync::LazyLock<crate::model::Lab> =
        std::sync::LazyLock::new(|| Lab::open(80, 24).model.lab().clone());
    let lab = &*LAB;
    let mut mutant = lab.worksheet_mutant(2).unwrap().clone();
    mutant.caught_by = red.iter().map(|id| (*id).to_owned()).collect();
    let tests: Vec<String> = lab.tests.iter().map(|test| test.id.clone()).collect();
    let report = report(lab, &mutant, &tests);
    let steps = lab.steps.iter().map(|step| StepTrial {
        step: step.number,
        function: step.id.clone(),
        tests: report
            .tests
            .iter()
            .filter(|test| test.step == step.number && test.step <= upto)
            .cloned()
            .collect(),
    });
    Trial {
        lab: lab.id.clone(),
        language: "python".to_owned(),
        file: "retention.py".to_owned(),
        not_loaded: None,
        steps: steps.collect(),
        took: Duration::from_millis(112),
    }
}

fn green(which: &OwnWhich) -> Vec<OwnNews> {
    vec![
        OwnNews::There(place()),
        OwnNews::Running,
        OwnNews::Ran(Box::new(trial(which.step, &[]))),
    ]
}

fn red(which: &OwnWhich) -> Vec<OwnNews> {
    let trial = trial(
        which.step,
        &["existing-key-is-refused", "done-key-is-refused"],
    );
    vec![
        OwnNews::There(place()),
        OwnNews::Running,
        OwnNews::Ran(Box::new(trial)),
    ]
}

fn unloadable(which: &OwnWhich) -> Vec<OwnNews> {
    let mut trial = trial(0, &[]);
    trial.not_loaded = Some(
        "Traceback (most recent call last):\n  File \"retention.py\", line 41\n    return (\n           \
         ^\nSyntaxError: '(' was never closed\n"
            .to_owned(),
    );
    let mut place = place();
    place.looking = Some("the folder lies on NFS".to_owned());
    let _ = which;
    vec![OwnNews::There(place), OwnNews::Ran(Box::new(trial))]
}

fn broken(_: &OwnWhich) -> Vec<OwnNews> {
    let trial = trial(8, &["existing-key-is-refused", "done-key-is-refused"]);
    vec![
        OwnNews::There(place()),
        OwnNews::Broke(Box::new(trial), said()),
    ]
}

fn at_three_sizes(name: &str, own: fn(&OwnWhich) -> Vec<OwnNews>, keys: &str) {
    for (columns, rows) in [(80, 24), (60, 20), (120, 40)] {
        let mut lab = Lab::open(columns, rows);
        lab.own = own;
        lab.keys(keys);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), lab.screen());
    }
}

/// The keys that predict, run and go on to one's own code.
const AFTER_A_RUN: &str = "enter 2 enter enter 'another digest: the old row is gone' enter down \
     enter down down space down space enter enter y";

#[test]
fn without_a_folder_it_offers_to_make_one() {
    at_three_sizes("own_nothing", nothing, "enter 2 y");
}

#[test]
fn a_red_run_shows_the_broken_line_and_the_first_prediction() {
    at_three_sizes("own_red", red, AFTER_A_RUN);
    at_three_sizes("own_red_below", red, &format!("{AFTER_A_RUN} end"));
}

#[test]
fn a_green_run_says_what_is_next() {
    at_three_sizes("own_green", green, "enter 2 y");
}

#[test]
fn a_file_that_does_not_parse_shows_the_message_and_polling_is_said() {
    at_three_sizes("own_unloadable", unloadable, "enter 2 y");
}

#[test]
fn a_copy_to_break_shows_who_notices_beside_what_was_said() {
    for (columns, rows) in [(80, 24), (60, 20)] {
        let mut lab = Lab::open(columns, rows);
        lab.own = broken;
        lab.model.page = Page::Last(0, false);
        lab.keys("b");
        insta::assert_snapshot!(format!("own_break_{columns}x{rows}"), lab.screen());
    }
}

fn cancelled(lab: &Lab) -> Vec<u64> {
    let cancels = lab.effects.iter().filter_map(|effect| match effect {
        Effect::Cancel(run) => Some(*run),
        _ => None,
    });
    cancels.collect()
}

fn own_jobs(lab: &Lab) -> Vec<(u64, OwnJob)> {
    let jobs = lab.jobs().filter_map(|job| match job {
        Job::Own(run, job) => Some((*run, job.clone())),
        _ => None,
    });
    jobs.collect()
}

#[test]
fn leaving_ends_what_runs_whichever_way_one_leaves() {
    for keys in ["esc", "h"] {
        let mut lab = Lab::open(80, 24);
        lab.own = red;
        lab.keys("enter 2 y");
        let run = own_jobs(&lab)[0].0;
        assert!(!cancelled(&lab).contains(&run));
        lab.keys(keys);
        assert_eq!(cancelled(&lab), [run], "{keys}");
        assert_eq!(lab.model.own, None);
    }
}

#[test]
fn news_of_a_run_that_was_left_are_dropped() {
    let mut lab = Lab::open(80, 24);
    lab.own = |_| vec![OwnNews::There(place()), OwnNews::Running];
    lab.keys("enter 2 y");
    let old = own_jobs(&lab)[0].0;
    lab.keys("3");
    let before = lab.model.clone();
    lab.send(Msg::News(News::Own(
        old,
        OwnNews::Ran(Box::new(trial(2, &[]))),
    )));
    assert!(lab.model == before);
}

#[test]
fn a_digit_runs_the_tests_up_to_that_step_and_the_view_stays() {
    let mut lab = Lab::open(80, 24);
    lab.own = green;
    lab.keys("enter 2 y 4");
    let jobs = own_jobs(&lab);
    let steps: Vec<u32> = jobs
        .iter()
        .map(|(_, job)| match job {
            OwnJob::Open(which) => which.step,
            _ => 0,
        })
        .collect();
    assert_eq!(steps, [2, 4]);
    assert_eq!(cancelled(&lab), [jobs[0].0]);
    assert!(lab.text().contains("step 4 of 8 · your code"));
    lab.keys("esc");
    assert!(lab.text().contains("step 4 of 8 · fetch"));
}

#[test]
fn enter_makes_the_folder_then_runs_it_and_e_opens_the_file() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter 2 y e");
    assert!(lab.text().contains("there is no file to edit yet"));
    lab.keys("enter");
    let (run, job) = own_jobs(&lab).pop().unwrap();
    assert!(matches!(job, OwnJob::Make(_)));
    let mut made = place();
    made.is_new = true;
    lab.send(Msg::News(News::Own(run, OwnNews::There(made))));
    assert!(lab.text().contains("retention/ is made"));
    lab.keys("e");
    let path = PathBuf::from("retention/retention.py");
    assert_eq!(lab.effects.last(), Some(&Effect::Open(path)));
    lab.send(Msg::Closed(
        Err("the editor x cannot be started".to_owned()),
    ));
    assert!(lab.text().contains("✘ the editor x cannot be started"));
    lab.keys("r");
    assert_eq!(own_jobs(&lab).pop(), Some((run, OwnJob::Now)));
}

#[test]
fn while_it_runs_again_the_last_result_stays() {
    let mut lab = Lab::open(80, 24);
    lab.own = red;
    lab.keys("enter 2 y");
    let run = own_jobs(&lab)[0].0;
    lab.send(Msg::News(News::Own(run, OwnNews::Running)));
    let text = lab.text();
    assert!(text.contains("the tests are running"), "{text}");
    assert!(text.contains("2  reserve"), "{text}");
}

#[test]
fn another_language_is_offered_anew() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter 2 y t enter");
    assert!(matches!(own_jobs(&lab).pop(), Some((_, OwnJob::Open(_)))));
    assert_eq!(lab.model.page, Page::Own);
}
