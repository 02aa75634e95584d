//! Wide signs, missing colours, small windows: nothing is lost and nothing is out of line.

use unicode_width::UnicodeWidthStr;

use super::lab::Lab;
use crate::tui::message::Msg;

#[test]
fn wide_and_combining_signs_stay_in_line() {
    let mut lab = Lab::open(60, 20);
    lab.keys("enter enter enter");
    lab.send(Msg::Paste(
        "열쇠가 만료되면 e\u{301}e\u{301} 👩‍👩‍👧 ".repeat(12),
    ));
    for line in lab.text().lines() {
        assert!(line.width() <= 60, "{line}");
    }
    lab.keys("esc enter");
    for line in lab.text().lines() {
        assert!(line.width() <= 60, "{line}");
    }
}

#[test]
fn without_colours_every_screen_has_the_same_text() {
    for keys in [
        "",
        "enter 2 enter",
        "enter 2 enter enter ctrl-d d d",
        "enter 2 enter enter ctrl-d d d m",
    ] {
        let mut with = Lab::open(80, 24);
        with.keys(keys);
        let mut without = Lab::open(80, 24);
        without.model.colour = false;
        without.keys(keys);
        assert_eq!(with.text(), without.text());
        let buffer = without.buffer();
        for cell in &buffer.content {
            assert_eq!(cell.fg, ratatui::style::Color::Reset);
        }
    }
}

#[test]
fn code_is_whole_in_the_smallest_terminal() {
    for step in 1..=8 {
        let mut lab = Lab::open(60, 60);
        lab.keys(&format!("enter {step} enter"));
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let screen = squeezed(&lab.text());
        let mutant = lab.model.mutant().unwrap();
        for edit in mutant.edits_for(lab.model.track) {
            for line in edit.replace.lines() {
                assert!(
                    screen.contains(&squeezed(line)),
                    "step {step}: {line}\n{}",
                    lab.text()
                );
            }
        }
    }
}

#[test]
fn a_small_terminal_keeps_everything_and_q_still_quits() {
    let mut lab = Lab::open(80, 24);
    lab.keys("enter 2 enter enter 'half'")
        .resize(20, 5)
        .keys("' a sentence'")
        .resize(80, 24);
    assert_eq!(lab.model.step_state().draft.line.text(), "half");
    lab.resize(20, 5).keys("q");
    assert!(lab.exit.is_some());
}

#[test]
fn the_next_key_is_first_in_the_last_line_of_every_page() {
    for keys in [
        "",
        "enter",
        "enter enter",
        "enter enter enter",
        "enter enter enter ctrl-d",
        "m",
        "?",
    ] {
        for size in [(60, 20), (80, 24), (200, 60)] {
            let mut lab = Lab::open(size.0, size.1);
            lab.keys(keys);
            let text = lab.text();
            let last = text.lines().last().unwrap();
            assert!(last.trim_start().starts_with('↵'), "{keys}: {last}");
        }
    }
}
