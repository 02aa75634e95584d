//! Further wrong changes of a step, and the ways to and from them.

use super::lab::Lab;
use crate::tui::message::{Effect, Job, Said};
use crate::tui::model::{Page, View};

/// The keys that lead to the result of step 4 and on to the list.
const TO_LIST: &str = "enter 4 enter enter ctrl-d d d c ";

fn at_three_sizes(name: &str, keys: &str) {
    for (columns, rows) in [(80, 24), (60, 20), (120, 40)] {
        let mut lab = Lab::open(columns, rows);
        lab.keys(keys);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), lab.screen());
    }
}

#[test]
fn the_list() {
    at_three_sizes("further", &format!("{TO_LIST} down"));
}

#[test]
fn the_list_after_one_of_it() {
    at_three_sizes(
        "further_run",
        &format!("{TO_LIST} enter enter ctrl-d d d esc"),
    );
}

#[test]
fn the_fragment_of_a_further_change() {
    at_three_sizes("further_fragment", &format!("{TO_LIST} enter"));
}

#[test]
fn one_that_no_test_can_tell() {
    at_three_sizes(
        "no_test",
        &format!("{TO_LIST} end enter enter ctrl-d d enter enter"),
    );
}

#[test]
fn why_no_test_can_tell() {
    let keys = format!("{TO_LIST} end enter enter ctrl-d d enter enter");
    at_three_sizes(
        "no_test_why",
        &format!("{keys} enter 'NULL cannot be there' enter"),
    );
}

#[test]
fn the_reason_is_hidden_until_the_learner_has_said_theirs() {
    let mut lab = Lab::open(120, 60);
    lab.keys(TO_LIST)
        .keys("end enter enter ctrl-d d enter enter");
    assert!(!lab.text().contains("the same"), "{}", lab.text());
    lab.keys("enter");
    assert!(!lab.text().contains("the same"), "{}", lab.text());
    lab.keys("enter");
    assert!(
        lab.text().contains("Why no test can tell"),
        "{}",
        lab.text()
    );
    lab.keys("enter");
    assert!(matches!(lab.model.page, Page::Catalogue(_)));
}

#[test]
fn the_list_is_for_steps_that_are_done() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter 4 c");
    assert_eq!(lab.model.page, Page::Step);
    assert!(lab.text().contains("more wrong changes come after"));
    assert!(!lab.jobs().any(|job| matches!(job, Job::Weigh { .. })));
}

#[test]
fn neither_names_nor_titles_are_in_the_list_before_the_run() {
    let mut lab = Lab::whole(120, 200);
    lab.keys(TO_LIST);
    let text = lab.text();
    for further in lab.model.further() {
        assert!(!text.contains(&further.mutant.id), "{}", further.mutant.id);
        assert!(
            !text.contains(&further.mutant.title),
            "{}",
            further.mutant.title
        );
    }
}

#[test]
fn a_further_change_is_predicted_and_the_step_stays_as_it_was() {
    let mut lab = Lab::open(80, 24);
    lab.keys(TO_LIST).keys("enter");
    let id = lab.model.mutant().unwrap().id.clone();
    assert!(lab.text().contains("Nothing has run yet."));
    lab.keys("enter 'x' enter enter space enter enter");
    let said = lab.jobs().filter_map(|job| match job {
        Job::Run {
            target,
            said: Said::Now(_),
            ..
        } => Some(target.mutant.clone()),
        _ => None,
    });
    assert_eq!(said.last(), Some(id.clone()));
    assert_eq!(lab.model.step_state().view, View::Result);
    lab.keys("esc esc");
    assert_eq!(lab.model.page, Page::Step);
    assert_ne!(lab.model.mutant().unwrap().id, id);
    assert!(lab.model.is_done(4));
    lab.keys("c enter");
    assert_eq!(lab.model.mutant().unwrap().id, id);
    assert_eq!(lab.model.step_state().view, View::Result);
    lab.keys("h");
    assert!(matches!(lab.model.page, Page::Catalogue(_)));
    lab.keys("enter n");
    assert_eq!(
        (lab.model.number(), lab.model.state().chosen.clone()),
        (5, None)
    );
}

#[test]
fn a_run_stops_the_weighing_and_the_list_takes_it_up_again() {
    let mut lab = Lab::open(80, 24);
    lab.keys(TO_LIST.trim_end_matches("c "));
    lab.answers = false;
    lab.keys("c");
    let run = lab.model.weighing.unwrap();
    lab.keys("enter enter ctrl-d d d");
    assert!(lab.effects.contains(&Effect::Cancel(run)));
    lab.keys("esc esc esc");
    assert!(matches!(lab.model.page, Page::Catalogue(_)));
    assert!(lab.model.weighing.is_some_and(|again| again != run));
}

#[test]
fn the_matrix_has_a_further_change_once_it_was_run() {
    let mut lab = Lab::open(120, 40);
    lab.keys(TO_LIST).keys("esc m");
    let before = lab
        .text()
        .lines()
        .filter(|line| line.contains(" 4 "))
        .count();
    lab.keys("esc c enter enter ctrl-d d d m");
    let after = lab
        .text()
        .lines()
        .filter(|line| line.contains(" 4 "))
        .count();
    assert_eq!(after, before + 1, "{}", lab.text());
}

#[test]
fn a_probe_that_runs_is_dropped_when_its_step_is_left() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter 2 enter enter ctrl-d d p down down 'k'");
    lab.answers = false;
    lab.keys("ctrl-r");
    let run = lab.model.live.as_ref().unwrap().run;
    lab.keys("3");
    assert!(lab.effects.contains(&Effect::Cancel(run)));
    assert_eq!((lab.model.number(), lab.model.over.clone()), (3, None));
    assert!(lab.model.live.is_none());
    lab.keys("2 p");
    assert!(lab.text().contains("key         k"), "{}", lab.text());
}

#[test]
fn digits_mark_answers_and_stay_at_the_step() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter 2 enter enter ctrl-d 3");
    let draft = &lab.model.step_state().draft;
    assert_eq!((lab.model.number(), draft.kind_cursor), (2, 2));
    lab.keys("enter enter 3");
    assert_eq!(lab.model.step_state().draft.sure_cursor, 2);
}
