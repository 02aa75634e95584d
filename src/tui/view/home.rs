//! The first page: the labs, where one is, how well predictions fit so far.

use unicode_width::UnicodeWidthStr;

use super::doc::Doc;
use crate::model::Lab;
use crate::tui::message::Baseline;
use crate::tui::model::{LabState, Model};
use crate::tui::style::Look;
use crate::worksheet::{
    certainty, fit_so_far, paragraphs, standings, suggested_order, suggested_place,
};

/// What the program is, for somebody who opens it the first time.
const WHAT: &str = "Each step shows what a function promises, and one wrong change to it. You say \
                    which test will notice. Then the tests run, and you see what really happens.";
/// What a wrong answer costs.
const COST: &str = "Wrong predictions cost nothing. The first one of each step is kept, so that you \
                    can look back.";

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model) {
    if model.labs.iter().all(|lab| lab.step == 0) {
        doc.prose(0, Look::Plain, WHAT);
        doc.blank();
        doc.prose(0, Look::Plain, COST);
        doc.blank();
    }
    for place in 0..model.labs.len() {
        if place == model.lab {
            doc.focused(|doc| entry(doc, model, place));
        } else {
            entry(doc, model, place);
        }
    }
    doc.blank();
    if let Some(order) = suggested_order(&model.pack) {
        doc.prose(0, Look::Dim, order);
        doc.blank();
    }
    let certainty = certainty(&standings(model.lab(), &model.state().attempts));
    if !certainty.is_empty() {
        doc.title(&format!("How certainty matched in {}:", model.lab().id));
        for line in certainty {
            doc.prose(2, Look::Plain, &line);
        }
        doc.blank();
    }
    baseline(doc, model);
    doc.prose(0, Look::Title, &model.lab().question);
    doc.blank();
    for line in paragraphs(&model.lab().idea) {
        if line.starts_with(' ') {
            doc.line(6, &[doc.span(Look::Plain, line)]);
        } else if line.is_empty() {
            doc.blank();
        } else {
            doc.prose(0, Look::Plain, &line);
        }
    }
}

fn entry(doc: &mut Doc, model: &Model, place: usize) {
    let lab = &model.pack.labs[place];
    let chosen = place == model.lab;
    let mark = if chosen { "▸ " } else { "  " };
    let look = if chosen { Look::Title } else { Look::Plain };
    let name = doc.span(look, format!("{mark}{}  ", lab.id));
    doc.hanging(14, name, look, &lab.title);
    let state = &model.labs[place];
    let mut text = stand(model, state, place);
    if let Some(place) = suggested_place(&model.pack, lab) {
        let both = format!("{place} · {text}");
        if both.width() + 14 <= doc.width() {
            text = both;
        } else {
            doc.prose(14, Look::Dim, &place);
        }
    }
    doc.prose(14, Look::Dim, &text);
    if let Some(fit) = fit_so_far(&standings(lab, &state.attempts)) {
        doc.prose(14, Look::Dim, &fit);
    }
}

fn stand(model: &Model, state: &LabState, place: usize) -> String {
    let lab = &model.pack.labs[place];
    let all = lab.steps.len();
    if state.step == 0 {
        return format!("{all} steps, not begun");
    }
    let steps = lab.steps.iter();
    let done = steps.filter(|step| state.is_done(lab, step)).count();
    let mut steps = lab.steps.iter();
    let open =
        steps.any(|step| lab.worksheet_mutant(step.number).is_some() && !state.is_done(lab, step));
    if !open {
        let left = match all - done {
            0 if has_closed(lab, state) => "every task is answered",
            0 => "the last page is left",
            1 => "an answer in writing and the last page are left",
            _ => "answers in writing and the last page are left",
        };
        return format!("{done} of {all} steps done; {left}");
    }
    let step = &lab.steps[state.step as usize - 1];
    let view = state.steps[state.step as usize - 1].view.title();
    format!(
        "{done} of {all} steps done; you are at step {}, {}: {view}",
        step.number, step.id
    )
}

/// Tells whether every task of the last page has an answer.
fn has_closed(lab: &Lab, state: &LabState) -> bool {
    let answer = |id: &String| state.answers.get(id);
    let is_answered = |id: &String| answer(id).is_some_and(|answer| !answer.is_blank());
    lab.tasks.iter().all(|task| is_answered(&task.id))
}

/// Says so if the reference is not what it should be.
fn baseline(doc: &mut Doc, model: &Model) {
    match model.baseline() {
        Some(Baseline::Red(tests)) => {
            let text = format!(
                "The reference does not pass {} of its own tests here, so no result can be trusted: {}.",
                tests.len(),
                tests.join(", ")
            );
            doc.hanging(2, doc.span(Look::Bad, "✘ "), Look::Bad, &text);
            doc.blank();
        }
        Some(Baseline::Broken(why)) => {
            let text = format!("The reference cannot be run here: {why}.");
            doc.hanging(2, doc.span(Look::Bad, "✘ "), Look::Bad, &text);
            doc.blank();
        }
        Some(Baseline::Green | Baseline::Running { .. }) | None => {}
    }
}
