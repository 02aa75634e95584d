//! Further wrong changes of a step: the list, and opening one in the place of the step's own.

use super::{go, moved, say};
use crate::tui::keys::Act;
use crate::tui::message::{Effect, Job};
use crate::tui::model::{Model, Page, StepState, View};
use crate::worksheet::unweighed;

/// Shows the list, once the step's own change is done, and has the changes weighed.
pub fn open(model: &mut Model) -> Vec<Effect> {
    if !model.is_done(model.number()) {
        say(
            model,
            "more wrong changes come after this step's own: predict and run that one first",
        );
        return Vec::new();
    }
    let list = model.further();
    let Some(first) = list.first().map(|further| further.mutant.id.clone()) else {
        say(model, "this step has no other wrong changes");
        return Vec::new();
    };
    let open = unweighed(&list);
    let marked = model.state_mut().chosen.take().unwrap_or(first);
    let place = model
        .lab()
        .mutants
        .iter()
        .position(|mutant| mutant.id == marked);
    model.page = Page::Catalogue(place.unwrap_or(0));
    model.scroll = 0;
    weigh(model, open)
}

/// Asks how many tests catch changes; what is asked already is asked anew.
fn weigh(model: &mut Model, mutants: Vec<String>) -> Vec<Effect> {
    let mut effects = stop(model);
    if !mutants.is_empty() {
        let run = model.next_run;
        model.next_run += 1;
        model.weighing = Some(run);
        effects.push(Effect::Do(Job::Weigh {
            run,
            lab: model.lab().id.clone(),
            track: model.track,
            mutants,
        }));
    }
    effects
}

/// Makes room for a run that the learner asks for; the rest is weighed when the list is opened.
pub fn stop(model: &mut Model) -> Vec<Effect> {
    model
        .weighing
        .take()
        .map(Effect::Cancel)
        .into_iter()
        .collect()
}

/// Keys of the list.
pub fn at(model: &mut Model, act: Act) -> Vec<Effect> {
    let Page::Catalogue(marked) = model.page else {
        return Vec::new();
    };
    match act {
        Act::Next => {
            let id = model
                .lab()
                .mutants
                .get(marked)
                .map(|mutant| mutant.id.clone());
            id.map_or_else(Vec::new, |id| choose(model, id))
        }
        Act::Back => {
            model.page = Page::Step;
            go::shown(model)
        }
        _ => {
            let places = model.further_places();
            let at = places.iter().position(|place| *place == marked);
            let to = moved(at.unwrap_or(0), act, places.len());
            if let Some(to) = places.get(to) {
                model.page = Page::Catalogue(*to);
            }
            Vec::new()
        }
    }
}

/// Opens a further change where the learner stopped with it.
fn choose(model: &mut Model, id: String) -> Vec<Effect> {
    let said = model
        .state()
        .attempts
        .iter()
        .rfind(|attempt| attempt.mutant == id);
    let view = match said.map(|attempt| attempt.run.is_some()) {
        Some(true) => View::Result,
        Some(false) => View::Predict,
        None => View::Fragment,
    };
    let state = model.state_mut();
    state.further.entry(id.clone()).or_insert(StepState {
        view,
        opened: view,
        ..StepState::default()
    });
    state.chosen = Some(id);
    model.page = Page::Step;
    go::shown(model)
}
