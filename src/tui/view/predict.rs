//! The prediction: a line of one's own, then the kind of observation, then tests, then how sure.
//!
//! A question is shown once the one before it is answered. Titles and expectations of tests
//! are never on this page before the run.

use super::doc::Doc;
use super::fragment;
use crate::model::{SeenIn, Sure, Test};
use crate::tui::model::{Draft, Model, Question};
use crate::tui::style::Look;
use crate::worksheet::{Attempt, letter, offered_kinds, summary};

/// Lines that the questions need below the pinned change.
const QUESTIONS: usize = 11;

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model, height: u16) {
    let Some(mutant) = model.mutant() else {
        doc.prose(0, Look::Plain, "This step has no wrong change to look for.");
        return;
    };
    fragment::diff(doc, model, mutant, false);
    doc.blank();
    doc.pin(height, QUESTIONS);
    match model.last_attempt().filter(|_| model.is_said()) {
        Some(attempt) => said(doc, model, attempt),
        None => ask(doc, model),
    }
}

fn ask(doc: &mut Doc, model: &Model) {
    let draft = &model.step_state().draft;
    if draft.practice {
        let text = "Practice: the first prediction stays the one that counts.";
        doc.prose(0, Look::Key, text);
        doc.blank();
    }
    line(doc, draft);
    if draft.at >= Question::Kind {
        kind(doc, model, draft);
    }
    if draft.at >= Question::Tests {
        doc.blank();
        tests(doc, model, draft);
    }
    if draft.at == Question::Sure {
        doc.blank();
        sure(doc, model, draft);
    }
}

fn line(doc: &mut Doc, draft: &Draft) {
    let asking = draft.at == Question::Line;
    let look = if asking { Look::Title } else { Look::Plain };
    let start = doc.lines.len();
    let text = "What would have to happen for anyone to notice?";
    doc.prose(0, look, text);
    if asking {
        doc.prose(
            0,
            Look::Dim,
            "One line of your own: an input, an error, a state that shows the difference.",
        );
        doc.field(0, "> ", &draft.line, true);
        doc.focus.start = start;
    } else if draft.line.is_blank() {
        doc.prose(2, Look::Dim, "I don't know");
    } else {
        doc.field(0, "> ", &draft.line, false);
    }
}

fn kind(doc: &mut Doc, model: &Model, draft: &Draft) {
    let asking = draft.at == Question::Kind;
    if asking {
        doc.blank();
        let start = doc.lines.len();
        doc.prose(0, Look::Title, "Where would it be seen?");
        for (place, kind) in offered_kinds(model.lab()).into_iter().enumerate() {
            choice(doc, place, kind.choice(), place == draft.kind_cursor);
        }
        doc.focus = start..doc.lines.len();
    } else {
        let seen = draft.seen_in.map_or("I don't know", SeenIn::words);
        doc.prose(2, Look::Plain, &format!("Seen in: {seen}"));
    }
}

/// Adds an answer of which one is chosen.
fn choice(doc: &mut Doc, place: usize, text: &str, chosen: bool) {
    let look = if chosen { Look::Key } else { Look::Plain };
    let (lead, dot) = if chosen { ('▸', '•') } else { (' ', ' ') };
    let mark = format!("  {lead} {} ({dot}) ", place + 1);
    doc.hanging(10, doc.span(look, mark), look, text);
}

fn tests(doc: &mut Doc, model: &Model, draft: &Draft) {
    let asking = draft.at == Question::Tests;
    let offered = model.offered();
    let start = doc.lines.len();
    let mut count = format!("{} of {} chosen", draft.tests.len(), offered.len());
    let first = offered.first().map(|test| test.step);
    if asking && doc.width() > 70 && offered.iter().any(|test| Some(test.step) != first) {
        count.push_str(" · e earlier steps");
    }
    let look = if asking { Look::Title } else { Look::Plain };
    let pieces = vec![
        doc.span(look, "Which of these tests catch it?  "),
        doc.span(Look::Dim, count),
    ];
    doc.line(0, &pieces);
    if !asking {
        let chosen: Vec<String> = letters(&offered, &draft.tests);
        let text = if chosen.is_empty() {
            "none of them".to_owned()
        } else {
            chosen.join(" ")
        };
        doc.prose(2, Look::Plain, &text);
        return;
    }
    let mut step = None;
    for (place, test) in offered.iter().enumerate() {
        if step != Some(test.step) {
            heading(doc, model, test.step);
            step = Some(test.step);
        }
        let at = doc.lines.len();
        entry(doc, model, draft, place, test);
        if place == draft.cursor {
            // At the top of the list its question is kept in sight as well.
            let first = if place == 0 { start } else { at };
            doc.focus = first..doc.lines.len();
        }
    }
}

fn heading(doc: &mut Doc, model: &Model, step: u32) {
    let name = model.lab().step(step).map_or("", |step| step.id.as_str());
    let text = if step == model.number() {
        format!("this step, {name}")
    } else {
        format!("step {step}, {name}")
    };
    doc.prose(2, Look::Dim, &text);
}

fn entry(doc: &mut Doc, model: &Model, draft: &Draft, place: usize, test: &Test) {
    let chosen = draft.tests.contains(&test.id);
    let here = place == draft.cursor;
    let look = match (here, chosen) {
        (true, _) => Look::Cursor,
        (false, true) => Look::Key,
        (false, false) => Look::Plain,
    };
    let mark = format!(
        "{} [{}] {:>2}  ",
        if here { '▸' } else { ' ' },
        if chosen { 'x' } else { ' ' },
        letter(place)
    );
    doc.hanging(10, doc.span(look, mark), look, &summary(model.lab(), test));
}

fn sure(doc: &mut Doc, model: &Model, draft: &Draft) {
    let start = doc.lines.len();
    doc.prose(0, Look::Title, "How sure are you?");
    for (place, sure) in Sure::ALL.into_iter().enumerate() {
        let text = match sure {
            Sure::Guess => "a guess",
            other => other.words(),
        };
        choice(doc, place, text, place == draft.sure_cursor);
    }
    if model.live.is_some() {
        doc.prose(0, Look::Dim, "Your run begins when the one before is over.");
    }
    doc.focus = start..doc.lines.len();
}

/// Names tests by their letters, in the offered order.
#[must_use]
pub fn letters(offered: &[&Test], ids: &[String]) -> Vec<String> {
    let places = offered.iter().enumerate();
    places
        .filter(|(_, test)| ids.contains(&test.id))
        .map(|(place, _)| letter(place))
        .collect()
}

/// Shows a prediction that is stored.
fn said(doc: &mut Doc, model: &Model, attempt: &Attempt) {
    let prediction = &attempt.prediction;
    let offered = model.offered();
    doc.title(&match attempt.attempt {
        1 => "You said, before anything ran:".to_owned(),
        more => format!("You said, as practice {}:", more - 1),
    });
    let dont_know = "I don't know";
    let say = |doc: &mut Doc, head: &str, text: &str| {
        let mark = doc.span(Look::Dim, format!("  {head}"));
        doc.hanging(16, mark, Look::Plain, text);
    };
    let line = prediction.observation.trim();
    say(
        doc,
        "It would show",
        if line.is_empty() { dont_know } else { line },
    );
    let seen = prediction.seen_in.map_or(dont_know, SeenIn::words);
    say(doc, "Seen in", seen);
    let letters = letters(&offered, &prediction.tests);
    let tests = match (prediction.unknown, letters.is_empty()) {
        (true, _) => dont_know.to_owned(),
        (false, true) => "no test catches it".to_owned(),
        (false, false) => letters.join(" "),
    };
    say(doc, "Caught by", &tests);
    if let Some(sure) = prediction.sure {
        say(doc, "How sure", sure.words());
    }
    doc.blank();
    let text = if model.waits_for_run() {
        "It is stored and has not been run yet."
    } else {
        "It is stored and does not change. You can predict again, as practice."
    };
    doc.prose(0, Look::Plain, text);
}
