//! What keys do, told by what is asked of the worker.

use super::lab::Lab;
use crate::model::{Prediction, SeenIn, Sure};
use crate::tui::message::{Effect, Job, Msg, News, Said, TuiExit};
use crate::tui::model::{Page, View};

const TO_SURE: &str =
    "enter 2 enter enter 'the old row is gone' enter down enter down down space enter";

fn predictions(lab: &Lab) -> Vec<Prediction> {
    let said = lab.jobs().filter_map(|job| match job {
        Job::Run {
            said: Said::Now(prediction),
            ..
        } => Some(prediction.clone()),
        _ => None,
    });
    said.collect()
}

#[test]
fn a_newcomer_sees_a_result_after_at_most_twelve_keys_and_a_line() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter enter enter 'twice'");
    lab.keys("enter enter space enter enter");
    assert_eq!(lab.model.step_state().view, View::Result);
    assert!(lab.model.step_state().result.is_some());
}

#[test]
fn enter_alone_leads_through_a_step_and_on_to_the_next() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter enter enter 'x' enter enter enter enter");
    assert_eq!(lab.model.step_state().view, View::Result);
    lab.keys("enter enter");
    assert_eq!(
        (lab.model.number(), lab.model.step_state().view),
        (2, View::Contract)
    );
}

#[test]
fn a_prediction_is_what_was_answered() {
    let mut lab = Lab::open(80, 24);
    lab.keys(TO_SURE).keys("down down enter");
    assert_eq!(
        predictions(&lab),
        [Prediction {
            observation: "the old row is gone".to_owned(),
            seen_in: Some(SeenIn::Rows),
            tests: vec!["existing-key-is-refused".to_owned()],
            sure: Some(Sure::Certain),
            unknown: false,
        }]
    );
}

#[test]
fn i_dont_know_is_an_answer_to_every_question() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter enter enter ctrl-d d d");
    let unknown = Prediction {
        unknown: true,
        ..Prediction::default()
    };
    assert_eq!(predictions(&lab), std::slice::from_ref(&unknown));
    let mut lab = Lab::open(80, 24);
    lab.keys("enter enter enter 'x' enter enter space enter d");
    let said = predictions(&lab).remove(0);
    assert!(!said.unknown && said.tests.len() == 1 && said.sure.is_none());
    assert_eq!(said.observation, "x");
}

#[test]
fn the_named_tests_run_first() {
    let mut lab = Lab::open(80, 24);
    lab.keys(TO_SURE).keys("enter");
    let tests = lab.jobs().find_map(|job| match job {
        Job::Run { tests, .. } => Some(tests.clone()),
        _ => None,
    });
    let tests = tests.unwrap();
    assert_eq!(tests[0], "existing-key-is-refused");
    assert_eq!(tests[1], "new-key-is-reserved");
    assert_eq!(tests.len(), lab.model.offered().len());
}

#[test]
fn neither_titles_nor_ids_nor_expectations_are_shown_before_the_run() {
    let mut lab = Lab::whole(120, 100);
    lab.keys("enter 2 enter enter ctrl-d d");
    let mut before = lab.text();
    for _ in 0..lab.model.offered().len() {
        lab.keys("v");
        before.push_str(&lab.text());
        lab.keys("esc down");
    }
    for test in lab.model.offered() {
        assert!(!before.contains(&test.title), "{}", test.title);
        assert!(!before.contains(&test.id), "{}", test.id);
    }
    assert!(!before.contains("expected"));
}

#[test]
fn every_offered_test_can_be_reached_and_is_shown_in_the_smallest_terminal() {
    let mut lab = Lab::whole(60, 20);
    lab.keys("enter 8 enter enter ctrl-d d");
    let count = lab.model.offered().len();
    for place in 0..count {
        let name = crate::worksheet::letter(place);
        let mark = format!("▸ [ ] {name:>2}");
        assert!(lab.text().contains(&mark), "{mark} is not on the screen");
        lab.keys("down");
    }
}

#[test]
fn a_stopped_run_drops_its_news_and_keeps_the_prediction() {
    let mut lab = Lab::open(80, 24);
    lab.answers = false;
    lab.keys(TO_SURE).keys("enter");
    let run = lab.model.live.as_ref().unwrap().run;
    lab.keys("esc");
    assert!(lab.effects.contains(&Effect::Cancel(run)));
    let why = "late".to_owned();
    lab.send(Msg::News(News::Failed { run, why }));
    assert!(
        lab.model
            .message
            .as_ref()
            .is_none_or(|message| !message.is_error)
    );
    assert!(lab.model.waits_for_run());
    lab.answers = true;
    lab.keys("enter");
    assert_eq!(
        predictions(&lab).len(),
        1,
        "the prediction is not made twice"
    );
    assert!(lab.model.step_state().result.is_some());
    assert!(!lab.model.waits_for_run());
}

#[test]
fn keys_during_a_run_do_what_they_say_or_nothing() {
    let mut lab = Lab::open(80, 24);
    lab.answers = false;
    lab.keys(TO_SURE).keys("enter");
    let before = lab.jobs().count();
    lab.keys("enter space a n d v p x 'zzz'");
    assert_eq!(lab.jobs().count(), before);
    lab.keys("1");
    assert_eq!(lab.model.number(), 1);
    lab.keys("2 ?");
    assert!(lab.text().contains("Stops the run"));
}

#[test]
fn q_quits_and_in_a_text_it_is_text() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter enter enter 'quick q' q");
    assert_eq!(lab.exit, None);
    assert_eq!(lab.model.step_state().draft.line.text(), "quick qq");
    lab.keys("esc q");
    assert_eq!(lab.exit, Some(TuiExit::Left));
}

#[test]
fn ctrl_c_during_a_run_is_an_interruption() {
    let mut lab = Lab::open(80, 24);
    lab.keys("ctrl-c");
    assert_eq!(lab.exit, Some(TuiExit::Left));
    let mut lab = Lab::open(80, 24);
    lab.answers = false;
    lab.keys(TO_SURE).keys("enter ctrl-c");
    assert_eq!(lab.exit, Some(TuiExit::Interrupted));
}

#[test]
fn a_further_prediction_is_practice_and_the_first_one_stays() {
    let mut lab = Lab::open(80, 24);
    lab.keys(TO_SURE)
        .keys("enter a 'other' enter enter space enter enter");
    let attempts: Vec<u32> = lab
        .model
        .attempts()
        .map(|attempt| attempt.attempt)
        .collect();
    assert_eq!(attempts, [1, 2]);
    assert!(lab.text().contains("practice"));
    assert!(lab.model.is_done(2));
}

#[test]
fn what_was_seen_is_stored() {
    let mut lab = Lab::open(80, 24);
    lab.keys(TO_SURE).keys("enter enter 'it said true' enter");
    let saw = lab.jobs().find_map(|job| match job {
        Job::Saw { prediction, text } => Some((*prediction, text.clone())),
        _ => None,
    });
    assert_eq!(saw, Some((1, "it said true".to_owned())));
    assert_eq!(lab.model.number(), 3);
}

#[test]
fn a_paste_is_text_in_a_text_and_nothing_elsewhere() {
    let mut lab = Lab::open(80, 24);
    lab.send(Msg::Paste("q".to_owned()));
    assert_eq!((lab.exit, lab.model.page), (None, Page::Home));
    lab.keys("enter enter enter")
        .send(Msg::Paste("one\ntwo".to_owned()));
    assert_eq!(lab.model.step_state().draft.line.text(), "one two");
}

#[test]
fn after_the_last_step_come_the_closing_tasks() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter 8 enter enter ctrl-d d d enter enter");
    assert_eq!(lab.model.page, Page::Last(0, false));
    lab.keys("enter 'one' enter 'two' enter 'three' enter");
    assert_eq!(lab.model.page, Page::Last(2, false));
    let answers: Vec<(&str, &str)> = lab
        .jobs()
        .filter_map(|job| match job {
            Job::Answer { task, text, .. } => Some((task.as_str(), text.as_str())),
            _ => None,
        })
        .collect();
    let want = [
        ("break-it", "one"),
        ("still-in-force", "two"),
        ("not-guaranteed", "three"),
    ];
    assert_eq!(answers, want);
    lab.keys("x");
    let text = lab.jobs().find_map(|job| match job {
        Job::Export { text, .. } => Some(text.clone()),
        _ => None,
    });
    let text = text.unwrap();
    for part in ["one", "three", "I don't know", "# retention"] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn a_probe_is_kept_and_stands_in_the_matrix() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter 2 enter enter ctrl-d d p");
    lab.keys("down down 'k' down 'v2' down '99' down down 'false' ctrl-r");
    assert!(lab.text().contains("it catches the wrong change"));
    lab.keys("enter d m");
    assert!(lab.text().contains("p1✘"));
}

#[test]
fn the_place_is_stored_with_every_move() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter enter enter");
    let places: Vec<(u32, &str)> = lab
        .jobs()
        .filter_map(|job| match job {
            Job::StopAt { step, view, .. } => Some((*step, *view)),
            _ => None,
        })
        .collect();
    assert_eq!(places, [(1, "contract"), (1, "fragment"), (1, "predict")]);
}

#[test]
fn a_written_step_is_answered_where_it_is_asked() {
    let mut lab = Lab::open_lab("inbox", 80, 24);
    lab.keys("enter 2");
    assert!(lab.screen().contains("write an answer"), "{}", lab.screen());
    lab.keys("enter 'the id of the message'");
    assert!(lab.screen().contains("[Answer]"), "{}", lab.screen());
    assert!(!lab.model.is_done(3) && lab.model.is_done(2));
    lab.keys("enter");
    assert_eq!(lab.model.number(), 3);
    let kept = lab.jobs().any(|job| {
        matches!(job, Job::Answer { task, text, .. } if task == "key" && text.contains("the id"))
    });
    assert!(kept);
}

#[test]
fn the_open_view_is_in_sight_however_many_steps_there_are() {
    let mut lab = Lab::open_lab("charge", 60, 20);
    lab.keys("enter enter 5 enter enter");
    assert!(lab.screen().contains("[Predict]"), "{}", lab.screen());
    assert!(lab.screen().contains("▶5"), "{}", lab.screen());
}
