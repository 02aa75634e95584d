//! The last page: the closing tasks, and writing everything to a file.

use super::{ends, go, moved};
use crate::tui::keys::{Act, Place};
use crate::tui::message::{Effect, Job};
use crate::tui::model::{Model, Page};
use crate::worksheet::export;

/// Keys of the last page and of an answer.
pub fn at(model: &mut Model, place: Place, act: Act) -> Vec<Effect> {
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

/// Stores an answer.
fn keep(model: &mut Model, task: usize) -> Vec<Effect> {
    let Some(task) = model.lab().tasks.get(task).map(|task| task.id.clone()) else {
        return Vec::new();
    };
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
