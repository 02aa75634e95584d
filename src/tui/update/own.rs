//! A learner's own code: opening the view, its keys, what the worker tells, and leaving it.

use super::{catalogue, complain, ends, go, say, scroll};
use crate::tui::keys::Act;
use crate::tui::message::{Aim, Effect, Job, OwnJob, OwnNews, OwnWhich};
use crate::tui::model::{Model, Own, OwnStand, OwnState, OwnTold, Page};

/// Opens the view for the open step.
pub fn open(model: &mut Model, aim: Aim) -> Vec<Effect> {
    let from = match &model.own {
        Some(own) if model.page == Page::Own => own.from,
        _ => model.page,
    };
    // The background makes room for what the learner asks for.
    let mut effects = catalogue::stop(model);
    effects.extend(leave(model));
    let run = model.next_run;
    model.next_run += 1;
    let which = OwnWhich {
        lab: model.lab().id.clone(),
        step: model.number(),
        track: model.track,
        aim,
    };
    model.own = Some(Own {
        run,
        which: which.clone(),
        stand: OwnStand::Looking,
        from,
    });
    model.page = Page::Own;
    model.scroll = 0;
    effects.push(Effect::Do(Job::Own(run, OwnJob::Open(which))));
    effects
}

/// Ends what runs for the view, and drops its news from now on.
pub fn leave(model: &mut Model) -> Option<Effect> {
    let own = model.own.take()?;
    Some(Effect::Cancel(own.run))
}

/// Opens the view anew after something it depends on has changed.
pub fn anew(model: &mut Model) -> Vec<Effect> {
    match &model.own {
        Some(own) if model.page == Page::Own => {
            let aim = own.which.aim;
            open(model, aim)
        }
        _ => Vec::new(),
    }
}

/// Goes to another step and stays in the view.
pub fn jump(model: &mut Model, step: u32) -> Vec<Effect> {
    if model.is_breaking() {
        say(model, "a copy to break is run over the tests of all steps");
        return Vec::new();
    }
    if model.lab().step(step).is_none() {
        let text = format!("this lab has steps 1 to {}", model.lab().steps.len());
        complain(model, &text);
        return Vec::new();
    }
    let state = model.state_mut();
    state.step = step;
    state.chosen = None;
    anew(model)
}

/// Keys of the view.
pub fn at(model: &mut Model, act: Act) -> Vec<Effect> {
    match act {
        Act::Next => next(model),
        Act::Back => back(model),
        Act::Editor => editor(model),
        Act::Up => scroll(model, -1),
        Act::Down => scroll(model, 1),
        Act::Top | Act::Bottom => ends(model, act),
        _ => Vec::new(),
    }
}

/// Makes the folder, runs the tests, or looks for the folder once more.
fn next(model: &mut Model) -> Vec<Effect> {
    let Some(own) = &mut model.own else {
        return Vec::new();
    };
    let job = match &own.stand {
        OwnStand::Looking => return Vec::new(),
        OwnStand::Nothing(_) => OwnJob::Make(own.which.clone()),
        OwnStand::There(_) => OwnJob::Now,
        OwnStand::Unusable(_) => OwnJob::Open(own.which.clone()),
    };
    if job != OwnJob::Now {
        own.stand = OwnStand::Looking;
    }
    vec![Effect::Do(Job::Own(own.run, job))]
}

fn back(model: &mut Model) -> Vec<Effect> {
    let Some(own) = &model.own else {
        return go::home(model);
    };
    let (from, step) = (own.from, own.which.step);
    let moved = model.state().chosen.is_none() && from == Page::Step;
    model.page = from;
    model.scroll = 0;
    if moved {
        return go::jump(model, step);
    }
    Vec::new()
}

fn editor(model: &mut Model) -> Vec<Effect> {
    let path = model.own_state().and_then(|state| state.place.path.clone());
    match path {
        Some(path) => vec![Effect::Open(path)],
        None => {
            complain(model, "there is no file to edit yet");
            Vec::new()
        }
    }
}

/// Hears that the editor was closed; what it saved is noticed as any other change.
pub fn closed(model: &mut Model, result: Result<(), String>) {
    if let Err(why) = result {
        complain(model, &why);
    }
}

/// Hears the worker.
pub fn hear(model: &mut Model, run: u64, news: OwnNews) {
    let Some(own) = model.own.as_mut().filter(|own| own.run == run) else {
        return;
    };
    let told = match news {
        OwnNews::Nothing(offer) => {
            own.stand = OwnStand::Nothing(offer);
            return;
        }
        OwnNews::There(place) => {
            let made = place.is_new.then(|| place.folder.clone());
            own.stand = OwnStand::There(Box::new(OwnState {
                place,
                running: false,
                told: None,
            }));
            if let Some(folder) = made {
                say(model, &format!("{folder} is made; e opens the file"));
            }
            return;
        }
        OwnNews::Unusable(problems) if !matches!(own.stand, OwnStand::There(_)) => {
            own.stand = OwnStand::Unusable(problems);
            return;
        }
        OwnNews::NotRun(why) if !matches!(own.stand, OwnStand::There(_)) => {
            own.stand = OwnStand::Unusable(vec![why]);
            return;
        }
        OwnNews::Running => None,
        OwnNews::Ran(trial) => Some(OwnTold::Ran(trial)),
        OwnNews::Broke(trial, said) => Some(OwnTold::Broke(trial, said)),
        OwnNews::NotRun(why) => Some(OwnTold::NotRun(why)),
        OwnNews::Unusable(problems) => Some(OwnTold::Unusable(problems)),
    };
    if let OwnStand::There(state) = &mut own.stand {
        state.running = told.is_none();
        if told.is_some() {
            state.told = told;
        }
    }
}
