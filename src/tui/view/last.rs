//! The last page: the first predictions once more, how certainty matched, and the closing tasks.

use super::contract;
use super::doc::Doc;
use crate::model::Task;
use crate::tui::field::Field;
use crate::tui::model::Model;
use crate::tui::style::Look;
use crate::worksheet::{
    Standing, certainty, fit_so_far, next_in_order, standings, tasks_to_close_with,
};

/// Where it goes on after the lab.
const TO_OWN: &str = "y: the lab's tests over your own code. b: a copy of the reference to break.";

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model, task: usize, writing: bool) {
    let standings = standings(model.lab(), &model.state().attempts);
    let steps = &model.lab().steps;
    let all = steps.len();
    let done = steps
        .iter()
        .filter(|step| model.is_done(step.number))
        .count();
    if done == all {
        doc.title(&format!(
            "All {all} steps are done. What you said, and what the run showed:"
        ));
    } else {
        doc.title(&format!("{done} of {all} steps are done so far."));
    }
    doc.blank();
    for step in steps {
        if let Some(standing) = standings.iter().find(|one| one.step == step.number) {
            predicted(doc, standing);
        } else if step.task.is_some() {
            let words = if model.is_done(step.number) {
                "answered in writing"
            } else {
                "in writing, not answered yet"
            };
            let text = format!(" {:>2}  {:<16} {words}", step.number, step.id);
            doc.line(5, &[doc.span(Look::Plain, text)]);
        }
    }
    doc.blank();
    if let Some(text) = fit_so_far(&standings) {
        doc.prose(0, Look::Plain, &text);
    }
    for line in certainty(&standings) {
        doc.prose(2, Look::Plain, &line);
    }
    if let Some(title) = tasks_to_close_with(model.lab()) {
        doc.blank();
        doc.title(&format!("{title}, each in your own words:"));
    }
    for place in 0..model.lab().tasks.len() {
        doc.blank();
        let here = place == task;
        if here {
            doc.focused(|doc| one(doc, model, place, true, writing));
        } else {
            one(doc, model, place, false, false);
        }
    }
    doc.blank();
    doc.prose(0, Look::Dim, TO_OWN);
    if let Some(next) = next_in_order(&model.pack, model.lab()) {
        let text = format!("h: the first page. The next lab there is {}.", next.id);
        doc.prose(0, Look::Dim, &text);
    }
}

/// Says in a line how the prediction of a step fit.
fn predicted(doc: &mut Doc, standing: &Standing) {
    let comparison = &standing.comparison;
    let caught = comparison.found.len() + comparison.overlooked.len();
    let sure = comparison.sure.map_or("", |sure| sure.id());
    let text = format!(
        " {:>2}  {:<16} {:<12} {:<8} found {} of {caught}{}",
        standing.step,
        standing.function,
        comparison.fit.words(),
        sure,
        comparison.found.len(),
        match comparison.mistaken.len() {
            0 => String::new(),
            wrong => format!(" and named {wrong} in vain"),
        },
    );
    doc.line(5, &[doc.span(Look::Plain, text.trim_end().to_owned())]);
}

/// Builds the page on which a written step is answered.
pub fn answer(doc: &mut Doc, model: &Model, task: &Task) {
    doc.title(&task.title);
    doc.prose(0, Look::Plain, &squeezed(&task.text));
    doc.blank();
    let start = doc.lines.len();
    let empty = Field::default();
    let field = model.state().answers.get(&task.id).unwrap_or(&empty);
    doc.field(0, "> ", field, true);
    doc.focus.start = start;
    doc.blank();
    let text = "The last page shows this answer again, beside the other tasks.";
    doc.prose(0, Look::Dim, text);
    if let Some(storage) = &model.step().storage {
        doc.blank();
        contract::table(doc, storage);
    }
}

/// Makes one paragraph of a text.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn one(doc: &mut Doc, model: &Model, place: usize, here: bool, writing: bool) {
    let task = &model.lab().tasks[place];
    let look = if here { Look::Key } else { Look::Title };
    let mark = if here { "▸ " } else { "  " };
    doc.hanging(
        2,
        doc.span(look, mark),
        look,
        &format!("{}. {}", place + 1, task.title),
    );
    doc.prose(2, Look::Plain, &squeezed(&task.text));
    let start = doc.lines.len();
    let empty = Field::default();
    let field = model.state().answers.get(&task.id).unwrap_or(&empty);
    if writing || !field.is_blank() {
        doc.field(2, "> ", field, writing);
    } else if here {
        doc.prose(4, Look::Dim, "Enter: write here");
    }
    if writing {
        doc.focus = start.saturating_sub(3)..doc.lines.len();
    }
}
