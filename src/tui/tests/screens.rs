//! Key strings to whole screens, at three sizes: every page as a learner sees it.

use super::lab::Lab;
use crate::tui::message::{Baseline, Msg, News};
use crate::tui::worker::Saved;

/// The keys that lead to the questions of step 2.
const TO_PREDICT: &str = "enter 2 enter enter ";
/// The keys that answer all but the last question, with two tests chosen.
const TO_SURE: &str = "enter 2 enter enter 'the same key again with another digest' enter down enter \
     down down space down space enter ";

/// Shows a page at the three sizes.
fn at_three_sizes(name: &str, keys: &str) {
    at_three_sizes_with(name, |lab| {
        lab.keys(keys);
    });
}

fn at_three_sizes_with(name: &str, play: impl Fn(&mut Lab)) {
    for (columns, rows) in [(80, 24), (60, 20), (120, 40)] {
        let mut lab = Lab::open(columns, rows);
        play(&mut lab);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), lab.screen());
    }
}

#[test]
fn home_the_first_time() {
    at_three_sizes("home_first", "");
}

#[test]
fn home_after_some_steps() {
    at_three_sizes("home_later", &format!("{TO_SURE} down down enter h"));
}

#[test]
fn contract() {
    at_three_sizes("contract", "enter 5");
}

#[test]
fn fragment() {
    at_three_sizes("fragment", "enter 2 enter");
}

#[test]
fn the_first_question() {
    at_three_sizes("line", &format!("{TO_PREDICT} 'the old row is gone'"));
}

#[test]
fn the_second_question() {
    at_three_sizes(
        "kind",
        &format!("{TO_PREDICT} 'the old row is gone' enter down"),
    );
}

#[test]
fn the_third_question() {
    let keys = format!("{TO_PREDICT} ctrl-d d down down space down");
    at_three_sizes("tests", &keys);
}

#[test]
fn the_third_question_far_down_the_list() {
    at_three_sizes("tests_end", &format!("{TO_PREDICT} ctrl-d d end"));
}

#[test]
fn the_last_question() {
    at_three_sizes("sure", TO_SURE);
}

#[test]
fn a_test_that_is_read() {
    at_three_sizes("reader", &format!("{TO_PREDICT} ctrl-d d down down v"));
}

#[test]
fn while_it_runs() {
    at_three_sizes_with("running", |lab| {
        lab.answers = false;
        lab.keys(&format!("{TO_SURE} enter")).send(Msg::Tick(120));
    });
}

#[test]
fn stopped() {
    at_three_sizes_with("stopped", |lab| {
        lab.answers = false;
        lab.keys(&format!("{TO_SURE} enter esc"));
    });
}

#[test]
fn result() {
    at_three_sizes("result", &format!("{TO_SURE} down down enter"));
}

#[test]
fn result_with_the_passed_tests() {
    at_three_sizes("result_passed", &format!("{TO_SURE} enter end space down"));
}

#[test]
fn result_of_i_dont_know() {
    at_three_sizes("result_unknown", &format!("{TO_PREDICT} ctrl-d d d"));
}

#[test]
fn what_was_seen() {
    at_three_sizes(
        "saw",
        &format!("{TO_SURE} enter enter 'true came back, 행은 바뀌었다'"),
    );
}

#[test]
fn said() {
    at_three_sizes("said", &format!("{TO_SURE} enter backtab"));
}

#[test]
fn practice() {
    at_three_sizes(
        "practice",
        &format!("{TO_SURE} enter a 'again' enter enter"),
    );
}

#[test]
fn practice_result() {
    at_three_sizes(
        "practice_result",
        &format!("{TO_SURE} enter a ctrl-d d space enter enter"),
    );
}

#[test]
fn matrix_before_any_run() {
    at_three_sizes("matrix_empty", "m");
}

#[test]
fn matrix() {
    let keys = format!("{TO_SURE} enter n enter enter ctrl-d d d m up right right");
    at_three_sizes("matrix", &keys);
}

#[test]
fn help() {
    at_three_sizes("help", &format!("{TO_SURE} ?"));
}

#[test]
fn tracks() {
    at_three_sizes("tracks", "t down");
}

#[test]
fn last_page() {
    at_three_sizes_with("last", |lab| {
        all_steps(lab);
    });
}

#[test]
fn a_closing_task() {
    at_three_sizes_with("task", |lab| {
        all_steps(lab);
        lab.keys("enter 'fetch with >= fails nothing-at-expires'");
    });
}

#[test]
fn the_answers_in_a_file() {
    at_three_sizes_with("exported", |lab| {
        all_steps(lab);
        lab.keys("x");
    });
}

#[test]
fn home_after_all_steps() {
    at_three_sizes_with("home_done", |lab| {
        all_steps(lab);
        lab.keys("esc");
    });
}

/// Walks all steps: certain and right, certain and wrong, unknown, and so on.
fn all_steps(lab: &mut Lab) {
    lab.keys("enter");
    for step in 1..=8 {
        lab.keys("enter enter");
        match step % 3 {
            0 => lab.keys("ctrl-d d d"),
            1 => {
                lab.keys("'twice' enter down down enter down down space down space enter up enter")
            }
            _ => lab.keys("'once' enter enter space enter down enter"),
        };
        lab.keys("enter 'as shown' enter");
    }
}

#[test]
fn the_form_of_a_probe() {
    at_three_sizes(
        "probe_form",
        &format!("{TO_PREDICT} ctrl-d d p 'k, v1, pending, -, 10' down down 'k'"),
    );
}

#[test]
fn a_probe_that_catches() {
    let keys =
        "p 'k, v1, pending, -, 10' down down 'k' down 'v2' down '99' down down 'false' ctrl-r";
    at_three_sizes("probe_catches", &format!("{TO_PREDICT} ctrl-d d {keys}"));
}

#[test]
fn a_probe_that_misses() {
    let keys = "p down down 'k' down 'v1' down '99' down down 'true' ctrl-r";
    at_three_sizes("probe_misses", &format!("{TO_PREDICT} ctrl-d d {keys}"));
}

#[test]
fn a_probe_that_is_not_valid() {
    let keys =
        "p 'k, v1, pending, -, 10' down down 'k' down 'v3' down '99' down down 'true' ctrl-r";
    at_three_sizes("probe_invalid", &format!("{TO_PREDICT} ctrl-d d {keys}"));
}

#[test]
fn a_probe_that_cannot_be_read() {
    let keys = "p down down 'k' down 'v1' down '{' down down 'true' ctrl-r";
    at_three_sizes("probe_mistakes", &format!("{TO_PREDICT} ctrl-d d {keys}"));
}

#[test]
fn a_warning_from_the_start() {
    for (columns, rows) in [(80, 24), (60, 20), (120, 40)] {
        let notice = "nothing is saved this time: /home/me/progress.db was written by a newer idemlab \
                      (schema 2, this one knows 1); update idemlab, or name another file with --progress";
        let lab = Lab::with(columns, rows, Saved::default(), Some(notice));
        insta::assert_snapshot!(format!("notice_{columns}x{rows}"), lab.screen());
    }
}

#[test]
fn a_reference_that_is_not_green() {
    at_three_sizes_with("baseline_red", |lab| {
        lab.answers = false;
        lab.keys(&format!("{TO_SURE} enter"));
        let run = lab.model.live.as_ref().unwrap().run;
        lab.send(Msg::News(News::Baseline {
            lab: "retention".to_owned(),
            track: crate::model::Track::Rust,
            state: Baseline::Red(vec!["new-key-is-reserved".to_owned()]),
        }));
        let why = "the baseline failed".to_owned();
        lab.send(Msg::News(News::Failed { run, why }));
    });
}

#[test]
fn a_terminal_that_is_too_small() {
    for (columns, rows) in [(59, 20), (60, 19), (20, 5), (1, 1)] {
        let lab = Lab::open(columns, rows);
        insta::assert_snapshot!(format!("small_{columns}x{rows}"), lab.screen());
    }
}

#[test]
fn the_key_page_of_the_book() {
    insta::assert_snapshot!(crate::tui::keys::markdown());
}
