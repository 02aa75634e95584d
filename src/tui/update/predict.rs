//! Answering the questions of a prediction, and running it.

use super::{catalogue, go, moved, probe, say, turned};
use crate::model::{Prediction, Sure};
use crate::tui::keys::{Act, Place};
use crate::tui::message::{Effect, Job, Said, Target};
use crate::tui::model::{Draft, Live, Model, Over, Purpose, Question, View};
use crate::worksheet::offered_kinds;

/// Keys of the four questions.
pub fn at(model: &mut Model, place: Place, act: Act) -> Vec<Effect> {
    match act {
        Act::Back => back(model),
        Act::Probe => probe::open(model),
        _ => match place {
            Place::Line => line(model, act),
            Place::Kind => kind(model, act),
            Place::Tests => tests(model, act),
            _ => sure(model, act),
        },
    }
}

fn draft(model: &mut Model) -> &mut Draft {
    &mut model.step_state_mut().draft
}

/// Marks the answer of a number, as it stands before it in the list.
pub fn pick(model: &mut Model, number: u32) -> Vec<Effect> {
    let place = (number as usize).saturating_sub(1);
    let kinds = offered_kinds(model.lab()).len();
    let draft = draft(model);
    match draft.at {
        Question::Kind => draft.kind_cursor = place.min(kinds - 1),
        Question::Sure => draft.sure_cursor = place.min(Sure::ALL.len() - 1),
        Question::Line | Question::Tests => {}
    }
    Vec::new()
}

/// Finds the first test of the next step in the list; after the last ones the first of all.
fn next_group(model: &Model) -> usize {
    let offered = model.offered();
    let at = model.step_state().draft.cursor;
    let step = offered.get(at).map(|test| test.step);
    let mut rest = offered.iter().enumerate().skip(at);
    rest.find(|(_, test)| Some(test.step) != step)
        .map_or(0, |(place, _)| place)
}

fn back(model: &mut Model) -> Vec<Effect> {
    let draft = draft(model);
    draft.at = match draft.at {
        Question::Line => return go::show(model, View::Fragment),
        Question::Kind => Question::Line,
        Question::Tests => Question::Kind,
        Question::Sure => Question::Tests,
    };
    Vec::new()
}

fn line(model: &mut Model, act: Act) -> Vec<Effect> {
    match act {
        Act::Next if draft(model).line.is_blank() => {
            say(model, "one line first, or ctrl-d for \"I don't know\"");
        }
        Act::Next => draft(model).at = Question::Kind,
        Act::Unknown => {
            draft(model).line = crate::tui::field::Field::default();
            draft(model).at = Question::Kind;
        }
        _ => {}
    }
    Vec::new()
}

fn kind(model: &mut Model, act: Act) -> Vec<Effect> {
    let kinds = offered_kinds(model.lab());
    let draft = draft(model);
    match act {
        Act::Next => {
            draft.seen_in = kinds.get(draft.kind_cursor).copied();
            draft.at = Question::Tests;
        }
        Act::Unknown => {
            draft.seen_in = None;
            draft.at = Question::Tests;
        }
        _ => draft.kind_cursor = turned(draft.kind_cursor, act, kinds.len()),
    }
    Vec::new()
}

fn tests(model: &mut Model, act: Act) -> Vec<Effect> {
    let offered: Vec<String> = model.offered().iter().map(|test| test.id.clone()).collect();
    let group = next_group(model);
    let draft = draft(model);
    let here = offered.get(draft.cursor).cloned();
    match (act, here) {
        (Act::Next, _) => {
            let none = draft.tests.is_empty();
            draft.at = Question::Sure;
            if none {
                say(model, "you chose none: you say that no test catches it");
            }
        }
        (Act::Unknown, _) => {
            let draft = Prediction {
                tests: Vec::new(),
                unknown: true,
                ..said(&model.step_state().draft)
            };
            return run(model, draft);
        }
        (Act::Choose, Some(here)) => {
            match draft.tests.iter().position(|test| *test == here) {
                Some(at) => drop(draft.tests.remove(at)),
                None => draft.tests.push(here),
            }
            // In the order in which they are shown, whatever the order of choosing was.
            draft
                .tests
                .sort_by_key(|test| offered.iter().position(|id| id == test));
        }
        (Act::NextGroup, _) => draft.cursor = group,
        (Act::Read, Some(test)) => {
            return go::over(model, Over::Reader { test, scroll: 0 });
        }
        _ => draft.cursor = moved(draft.cursor, act, offered.len()),
    }
    Vec::new()
}

fn sure(model: &mut Model, act: Act) -> Vec<Effect> {
    match act {
        Act::Next => {
            let draft = &model.step_state().draft;
            let sure = Some(draft.sure());
            let prediction = Prediction {
                sure,
                ..said(draft)
            };
            run(model, prediction)
        }
        Act::Unknown => {
            let prediction = said(&model.step_state().draft);
            run(model, prediction)
        }
        _ => {
            let draft = draft(model);
            draft.sure_cursor = turned(draft.sure_cursor, act, Sure::ALL.len());
            Vec::new()
        }
    }
}

/// Begins a further prediction.
pub fn again(model: &mut Model) -> Vec<Effect> {
    if model.mutant().is_none() || model.waits_for_run() {
        return Vec::new();
    }
    *draft(model) = Draft {
        practice: true,
        ..Draft::default()
    };
    go::show(model, View::Predict)
}

/// Gathers the answers so far; how sure one is comes last.
fn said(draft: &Draft) -> Prediction {
    Prediction {
        observation: draft.line.text().trim().to_owned(),
        seen_in: draft.seen_in,
        tests: draft.tests.clone(),
        sure: None,
        unknown: false,
    }
}

/// Stores a prediction and runs it.
fn run(model: &mut Model, prediction: Prediction) -> Vec<Effect> {
    if model.live.is_some() {
        say(model, "a run is going on; try again when it is over");
        return Vec::new();
    }
    let named = prediction.tests.clone();
    start(model, Said::Now(prediction), &named, Purpose::Predicted)
}

/// Runs the prediction that is stored and was not run.
pub fn run_stored(model: &mut Model) -> Vec<Effect> {
    let Some(attempt) = model.last_attempt() else {
        return Vec::new();
    };
    let (id, named) = (attempt.id, attempt.prediction.tests.clone());
    start(model, Said::Before(id), &named, Purpose::Predicted)
}

/// Starts a run of the open step's mutant, the named tests first.
pub fn start(model: &mut Model, said: Said, named: &[String], purpose: Purpose) -> Vec<Effect> {
    let Some(target) = target(model) else {
        return Vec::new();
    };
    let offered = model.offered();
    let is_named = |id: &str| named.iter().any(|test| test == id);
    let (first, rest): (Vec<String>, Vec<String>) = offered
        .iter()
        .map(|test| test.id.clone())
        .partition(|id| is_named(id));
    let named = first.len();
    let tests: Vec<String> = first.into_iter().chain(rest).collect();
    let run = model.next_run;
    model.next_run += 1;
    model.live = Some(Live {
        run,
        purpose,
        lab: model.lab,
        step: model.number(),
        mutant: target.mutant.clone(),
        tests: tests.iter().map(|id| (id.clone(), None)).collect(),
        named,
        elapsed: 0,
    });
    model.scroll = 0;
    let state = model.step_state_mut();
    state.result = None;
    state.view = View::Result;
    state.opened = View::Result;
    let stop = Job::StopAt {
        lab: target.lab.clone(),
        step: target.step,
        view: View::Result.id(),
    };
    let job = Job::Run {
        run,
        target,
        said,
        tests,
    };
    let mut effects = catalogue::stop(model);
    effects.extend([Effect::Do(job), Effect::Do(stop)]);
    effects
}

/// Names the open step's mutant in the chosen track.
pub fn target(model: &Model) -> Option<Target> {
    let mutant = model.mutant()?;
    Some(Target {
        lab: model.lab().id.clone(),
        track: model.track,
        mutant: mutant.id.clone(),
        step: mutant.step,
    })
}
