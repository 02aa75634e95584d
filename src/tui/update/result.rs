//! Looking at a result, and saying what was seen.

use super::{catalogue, go, moved, predict};
use crate::tui::keys::{Act, Place};
use crate::tui::message::{Effect, Job, Said};
use crate::tui::model::{Model, Purpose};
use crate::tui::view::result::{Item, is_over, items};

/// Gets the result of an earlier session by running it once more; nothing new is stored.
pub fn fetch(model: &mut Model) -> Vec<Effect> {
    let has_run = model
        .last_attempt()
        .is_some_and(|attempt| attempt.run.is_some());
    if model.step_state().result.is_some() || model.live.is_some() || !has_run {
        return Vec::new();
    }
    let named = model
        .last_attempt()
        .map_or_else(Vec::new, |attempt| attempt.prediction.tests.clone());
    predict::start(model, Said::Nothing, &named, Purpose::Again)
}

/// Keys of the result and of the line about what was seen.
pub fn at(model: &mut Model, place: Place, act: Act) -> Vec<Effect> {
    match (place, act) {
        (Place::Saw, Act::Next) => {
            let mut effects = keep(model);
            if model.no_test_can_tell().is_some() {
                // The reason comes only now, below what the learner says.
                if let Some(result) = &mut model.step_state_mut().result {
                    result.told = true;
                }
            } else {
                effects.extend(on(model));
            }
            effects
        }
        (Place::Saw, Act::Back) => {
            saying(model, false);
            keep(model)
        }
        (Place::Result, Act::Next) if model.step_state().result.is_none() => {
            go::show(model, crate::tui::model::View::Predict)
        }
        (Place::Result, Act::Next) if is_over(model) => on(model),
        (Place::Result, Act::Next) => {
            saying(model, true);
            Vec::new()
        }
        (Place::Result, Act::Back) if model.state().chosen.is_some() => catalogue::open(model),
        (Place::Result, Act::Back) => go::home(model),
        (Place::Result, Act::Again) => predict::again(model),
        (Place::Result, Act::Choose) => unfold(model),
        (Place::Result, _) => {
            let count = items(model).len();
            if let Some(result) = &mut model.step_state_mut().result {
                result.cursor = moved(result.cursor, act, count);
            }
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Goes on after a result: to the next step, or back to the list of further changes.
fn on(model: &mut Model) -> Vec<Effect> {
    if model.state().chosen.is_some() {
        catalogue::open(model)
    } else {
        go::next_step(model)
    }
}

fn saying(model: &mut Model, saying: bool) {
    if let Some(result) = &mut model.step_state_mut().result {
        result.saying = saying;
    }
}

/// Stores the line about what was seen, if there is one.
fn keep(model: &mut Model) -> Vec<Effect> {
    let Some(result) = &mut model.step_state_mut().result else {
        return Vec::new();
    };
    result.saying = false;
    let text = result.saw.text().trim().to_owned();
    let Some(id) = model.last_attempt().map(|attempt| attempt.id) else {
        return Vec::new();
    };
    let attempts = &mut model.state_mut().attempts;
    let Some(attempt) = attempts.iter_mut().find(|attempt| attempt.id == id) else {
        return Vec::new();
    };
    if attempt.sighting.as_deref().unwrap_or_default() == text {
        return Vec::new();
    }
    attempt.sighting = Some(text.clone());
    vec![Effect::Do(Job::Saw {
        prediction: id,
        text,
    })]
}

/// Lists the passed tests, or folds them, and keeps the cursor on their heading.
fn unfold(model: &mut Model) -> Vec<Effect> {
    if let Some(result) = &mut model.step_state_mut().result {
        result.passed_open = !result.passed_open;
    }
    let items = items(model);
    let heading = items.iter().position(|item| *item == Item::Passed);
    if let (Some(result), Some(heading)) = (&mut model.step_state_mut().result, heading) {
        result.cursor = heading;
    }
    Vec::new()
}
