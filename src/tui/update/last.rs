//! The last page: the closing tasks, and writing everything to a file.

use super::{ends, go, moved};
use crate::tui::keys::{Act, Place};
use crate::tui::message::{Effect, Job};
use crate::tui::model::{Model, Page, View};
use crate::worksheet::export;

/// Keys of the last page and of an answer.
pub fn at(model: &mut Model, place: Place, act: Act) -> Vec<Effect> {
    if model.page == Page::Step {
        return at_step(model, act);
    }
    let Page::Last(task, _) = model.page else {
        return Vec::new();
    };
    let tasks = model.lab().tasks.len();
    match (place, act) {
        (Place::Task, Act::Next) => {
            let next = moved(task, Act::Down, tasks);
            model.page = Page::Last(next, next != task);
            keep(model, task)
        }
        (Place::Task, Act::Back) => {
            model.page = Page::Last(task, false);
            keep(model, task)
        }
        (Place::Last, Act::Next) => {
            model.page = Page::Last(task, task < tasks);
            Vec::new()
        }
        (Place::Last, Act::Back) => go::home(model),
        (Place::Last, Act::Export) => vec![write(model)],
        (Place::Last, Act::Up | Act::Down) => {
            model.page = Page::Last(moved(task, act, tasks), false);
            Vec::new()
        }
        (Place::Last, Act::Top | Act::Bottom) => ends(model, act),
        _ => Vec::new(),
    }
}

/// Keys of the answer of a written step, on the step's own page.
fn at_step(model: &mut Model, act: Act) -> Vec<Effect> {
    let mut effects = keep_typed(model, Place::Task);
    match act {
        Act::Next => effects.extend(go::next_step(model)),
        Act::Back => effects.extend(go::show(model, View::Contract)),
        _ => {}
    }
    effects
}

/// Stores what is typed so far, if an answer is being written.
pub fn keep_typed(model: &Model, place: Place) -> Vec<Effect> {
    let tasks = &model.lab().tasks;
    let task = match model.page {
        Page::Last(task, _) => tasks.get(task),
        Page::Step => model.written(),
        _ => None,
    };
    match task.filter(|_| place == Place::Task) {
        Some(task) => keep_answer(model, task.id.clone()),
        None => Vec::new(),
    }
}

/// Stores an answer.
fn keep(model: &Model, task: usize) -> Vec<Effect> {
    match model.lab().tasks.get(task) {
        Some(task) => keep_answer(model, task.id.clone()),
        None => Vec::new(),
    }
}

fn keep_answer(model: &Model, task: String) -> Vec<Effect> {
    let Some(answer) = model.state().answers.get(&task) else {
        return Vec::new();
    };
    vec![Effect::Do(Job::Answer {
        lab: model.lab().id.clone(),
        task,
        text: answer.text().trim().to_owned(),
    })]
}

fn write(model: &Model) -> Effect {
    let answers = model
        .state()
        .answers
        .iter()
        .map(|(task, field)| (task.clone(), field.text().to_owned()))
        .collect();
    Effect::Do(Job::Export {
        name: format!("idemlab-{}-answers", model.lab().id),
        text: export(model.lab(), &model.state().attempts, &answers),
    })
}
