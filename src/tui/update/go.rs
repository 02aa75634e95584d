//! Going from page to page, step to step, view to view.

use super::{catalogue, complain, ends, moved, own, predict, probe, result, say, scroll, turned};
use crate::model::Track;
use crate::tui::keys::{Act, Place};
use crate::tui::message::{Effect, Job};
use crate::tui::model::{Model, Over, Page, Purpose, View};
use crate::tui::view::matrix;

/// What is asked for when the screen opens.
#[must_use]
pub fn begin(model: &Model) -> Vec<Effect> {
    let lab = model.lab().id.clone();
    vec![
        Effect::Do(Job::Tracks { lab: lab.clone() }),
        Effect::Do(Job::Baseline {
            lab,
            track: model.track,
        }),
    ]
}

/// Lays something over the page.
pub fn over(model: &mut Model, over: Over) -> Vec<Effect> {
    let effects = match over {
        Over::Probe(_) => Vec::new(),
        // What was typed is kept; a run of it would come to nothing.
        _ => probe::leave(model),
    };
    model.over = Some(over);
    effects
}

pub fn home(model: &mut Model) -> Vec<Effect> {
    let effects = probe::leave(model);
    model.page = Page::Home;
    model.scroll = 0;
    effects
}

/// Goes back to the list from which a further change was opened.
pub fn back_to_list(model: &mut Model) -> Vec<Effect> {
    let mut effects = probe::leave(model);
    effects.extend(catalogue::open(model));
    effects
}

pub fn matrix(model: &mut Model) -> Vec<Effect> {
    let rows = matrix::rows(model);
    let here = model.mutant().map(|mutant| mutant.id.as_str());
    let row = rows
        .iter()
        .position(|mutant| Some(mutant.id.as_str()) == here);
    model.page = Page::Matrix(row.unwrap_or(0), 0);
    model.scroll = 0;
    Vec::new()
}

/// Opens the choice of the language.
pub fn tracks(model: &mut Model, go_on: bool) -> Vec<Effect> {
    let offers = model.state().tracks.as_deref().unwrap_or_default();
    let cursor = offers.iter().position(|offer| offer.track == model.track);
    over(
        model,
        Over::Tracks {
            cursor: cursor.unwrap_or(0),
            go_on,
        },
    )
}

pub fn at_home(model: &mut Model, act: Act) -> Vec<Effect> {
    match act {
        Act::Next => open(model),
        Act::Back => {
            model.notice = None;
            Vec::new()
        }
        Act::Up | Act::Down if model.labs.len() > 1 => {
            let lab = moved(model.lab, act, model.labs.len());
            if lab == model.lab {
                return Vec::new();
            }
            model.lab = lab;
            begin(model)
        }
        Act::Up => scroll(model, -1),
        Act::Down => scroll(model, 1),
        Act::Top | Act::Bottom => ends(model, act),
        _ => Vec::new(),
    }
}

/// Opens the lab where the learner stopped; the first time it asks for the language.
fn open(model: &mut Model) -> Vec<Effect> {
    let asks = !model.track_chosen
        && model.state().step == 0
        && model.state().tracks.as_ref().is_none_or(|offers| {
            offers
                .iter()
                .filter(|offer| offer.not_ready.is_none())
                .count()
                > 1
        })
        && model.lab().sources.len() > 1;
    if asks {
        return tracks(model, true);
    }
    go_on(model)
}

/// Goes on where the learner stopped.
pub fn go_on(model: &mut Model) -> Vec<Effect> {
    if model.state().step != 0 && model.is_all_done() {
        return last(model);
    }
    let number = model.number();
    jump(model, number)
}

pub fn last(model: &mut Model) -> Vec<Effect> {
    let answered = |id: &str| {
        let answer = model.state().answers.get(id);
        answer.is_some_and(|answer| !answer.is_blank())
    };
    let mut tasks = model.lab().tasks.iter();
    let open = tasks.position(|task| !answered(&task.id)).unwrap_or(0);
    model.page = Page::Last(open, false);
    model.scroll = 0;
    // What was said and seen comes first; the tasks are below it.
    model.follow = false;
    Vec::new()
}

/// Goes to a step.
pub fn jump(model: &mut Model, step: u32) -> Vec<Effect> {
    if model.lab().step(step).is_none() {
        let text = format!("this lab has steps 1 to {}", model.lab().steps.len());
        complain(model, &text);
        return Vec::new();
    }
    let mut effects = probe::leave(model);
    let state = model.state_mut();
    state.step = step;
    state.chosen = None;
    model.page = Page::Step;
    effects.extend(shown(model));
    effects
}

/// Goes to the next step, or after the last one to the last page.
pub fn next_step(model: &mut Model) -> Vec<Effect> {
    let next = model.number() + 1;
    if model.lab().step(next).is_some() {
        jump(model, next)
    } else {
        last(model)
    }
}

/// Goes to the view `by` places on, if it is open.
pub fn view(model: &mut Model, by: isize) -> Vec<Effect> {
    let state = model.step_state();
    let views = model.views();
    let at = views.iter().position(|view| *view == state.view);
    let to = at.unwrap_or(0).checked_add_signed(by);
    let to = to.and_then(|to| views.get(to));
    match to {
        Some(to) if *to <= state.opened => show(model, *to),
        Some(to) => {
            let title = model.view_title(*to);
            let text = format!("{title} opens when you have come that far; Enter goes on");
            say(model, &text);
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// Shows a view of the open step, and opens it if need be.
pub fn show(model: &mut Model, view: View) -> Vec<Effect> {
    let state = model.step_state_mut();
    state.view = view;
    state.opened = state.opened.max(view);
    shown(model)
}

/// Stores where the learner is, and gets what the view needs.
pub fn shown(model: &mut Model) -> Vec<Effect> {
    model.scroll = 0;
    let mut effects = vec![Effect::Do(Job::StopAt {
        lab: model.lab().id.clone(),
        step: model.number(),
        view: match model.state().chosen {
            // A further change is opened from the result of the step's own.
            Some(_) => View::Result.id(),
            None => model.step_state().view.id(),
        },
    })];
    if model.step_state().view == View::Result {
        // What was said and what happened comes first, even if the first red test is long.
        model.follow = false;
        effects.extend(result::fetch(model));
    }
    effects
}

/// Keys of the pages that are only read.
pub fn at_text(model: &mut Model, place: Place, act: Act) -> Vec<Effect> {
    match act {
        Act::Next => match place {
            Place::Contract => show(model, View::Fragment),
            Place::Fragment if model.mutant().is_none() => next_step(model),
            Place::Fragment => show(model, View::Predict),
            Place::Stored => predict::run_stored(model),
            _ => show(model, View::Result),
        },
        Act::Back => match place {
            Place::Contract | Place::Fragment if model.state().chosen.is_some() => {
                back_to_list(model)
            }
            Place::Contract => home(model),
            Place::Fragment => show(model, View::Contract),
            _ => show(model, View::Fragment),
        },
        Act::Again => predict::again(model),
        Act::Up => scroll(model, -1),
        Act::Down => scroll(model, 1),
        Act::Top | Act::Bottom => ends(model, act),
        _ => Vec::new(),
    }
}

/// Keys of the help and of a test that is read.
pub fn at_over(model: &mut Model, act: Act) -> Vec<Effect> {
    match act {
        Act::Next | Act::Back => {
            let from = match model.over.take() {
                Some(Over::Help { place, .. }) => place,
                _ => Place::Reader,
            };
            match from {
                Place::ProbeChoice | Place::ProbeText | Place::ProbeVerdict => probe::open(model),
                _ => Vec::new(),
            }
        }
        Act::Up => scroll(model, -1),
        Act::Down => scroll(model, 1),
        Act::Top | Act::Bottom => ends(model, act),
        _ => Vec::new(),
    }
}

pub fn at_matrix(model: &mut Model, act: Act) -> Vec<Effect> {
    let Page::Matrix(row, column) = model.page else {
        return Vec::new();
    };
    let rows = matrix::rows(model).len();
    let columns = matrix::columns(model).len();
    match act {
        Act::Next | Act::Back => {
            if model.state().step == 0 {
                return home(model);
            }
            model.page = Page::Step;
            model.scroll = 0;
        }
        Act::Up | Act::Down => model.page = Page::Matrix(moved(row, act, rows), column),
        _ => model.page = Page::Matrix(row, moved(column, act, columns)),
    }
    Vec::new()
}

pub fn at_tracks(model: &mut Model, act: Act) -> Vec<Effect> {
    let Some(Over::Tracks { cursor, go_on }) = model.over else {
        return Vec::new();
    };
    let offers = model.state().tracks.clone().unwrap_or_default();
    match act {
        Act::Back => {
            model.over = None;
            Vec::new()
        }
        Act::Next => match offers.get(cursor) {
            Some(offer) => match &offer.not_ready {
                Some(why) => {
                    complain(model, &format!("{} is not ready: {why}", offer.track));
                    Vec::new()
                }
                None => choose(model, offer.track, go_on),
            },
            None => Vec::new(),
        },
        _ => {
            let cursor = turned(cursor, act, offers.len());
            over(model, Over::Tracks { cursor, go_on })
        }
    }
}

/// Takes a language, and goes on to the step if that is where the choice came from.
fn choose(model: &mut Model, track: Track, on: bool) -> Vec<Effect> {
    model.over = None;
    let mut effects = vec![Effect::Do(Job::Choose(track))];
    if track != model.track {
        effects.extend(cancel(model));
        model.track = track;
        for lab in &mut model.labs {
            for step in lab.steps.iter_mut().chain(lab.further.values_mut()) {
                // Tests, letters and diffs of the other language do not hold here.
                step.result = None;
                step.draft.tests.clear();
                step.draft.cursor = 0;
            }
        }
        if model.page == Page::Step && model.step_state().view == View::Result {
            model.step_state_mut().view = View::Predict;
        }
    }
    model.track_chosen = true;
    effects.push(Effect::Do(Job::Baseline {
        lab: model.lab().id.clone(),
        track,
    }));
    effects.extend(own::anew(model));
    if on {
        effects.extend(go_on(model));
    }
    effects
}

/// Stops the run; its news are dropped from now on.
pub fn cancel(model: &mut Model) -> Vec<Effect> {
    let Some(live) = model.live.take() else {
        return Vec::new();
    };
    let text = match live.purpose {
        Purpose::Predicted => "the run is stopped; the prediction is stored",
        Purpose::Again => "the run is stopped",
        Purpose::Probe => "the run of your test is stopped",
    };
    say(model, text);
    if live.purpose == Purpose::Probe {
        if let Some(Over::Probe(probe)) = &mut model.over {
            probe.source = None;
        }
    } else if let Some(step) = model.state_of(live.lab, &live.mutant) {
        step.view = View::Predict;
        step.opened = step.opened.min(View::Predict).max(step.view);
    }
    vec![Effect::Cancel(live.run)]
}
