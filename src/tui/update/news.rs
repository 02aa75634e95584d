//! What the worker tells. News of a run that is over or was stopped are dropped.

use super::{complain, go, own, probe, say};
use crate::event::SubjectReport;
use crate::tui::field::Field;
use crate::tui::message::{Baseline, Effect, News};
use crate::tui::model::{Model, Over, Purpose, ResultState, View};
use crate::verdict::MutantWord;
use crate::worksheet::Attempt;

/// Hears the worker.
pub fn hear(model: &mut Model, news: News) -> Vec<Effect> {
    match news {
        News::Tracks { lab, offers } => return tracks(model, &lab, offers),
        News::Baseline { lab, track, state } => {
            if let Some(at) = place_of(model, &lab) {
                model.labs[at].baselines.insert(track, state);
            }
        }
        News::Stored { run, lab, attempt } => stored(model, run, &lab, attempt),
        News::Tested { run, id, word } => {
            if let Some(live) = model.live.as_mut().filter(|live| live.run == run)
                && let Some(test) = live.tests.iter_mut().find(|(test, _)| *test == id)
            {
                test.1 = Some(word);
            }
        }
        News::Finished {
            run,
            word,
            report,
            why,
        } => finished(model, run, word, report, why),
        News::Failed { run, why } => failed(model, run, &why),
        News::Weighed {
            lab,
            track,
            mutant,
            caught,
        } => {
            if let Some(at) = place_of(model, &lab) {
                model.labs[at].weights.insert((track, mutant), caught);
            }
        }
        News::Probed { run, outcome } => {
            if is_live(model, run) {
                model.live = None;
                probe::hear(model, outcome);
            }
        }
        News::Own(run, news) => own::hear(model, run, news),
        News::NotSaved(why) => complain(model, &why),
        News::Exported(Ok(name)) => say(model, &format!("written to {name} in the current folder")),
        News::Exported(Err(why)) => {
            complain(model, &format!("the file could not be written: {why}"));
        }
    }
    Vec::new()
}

fn place_of(model: &Model, lab: &str) -> Option<usize> {
    model.pack.labs.iter().position(|known| known.id == lab)
}

fn is_live(model: &Model, run: u64) -> bool {
    model.live.as_ref().is_some_and(|live| live.run == run)
}

/// Learns which languages work; a choice that waited for this goes on if there is none.
fn tracks(
    model: &mut Model,
    lab: &str,
    offers: Vec<crate::tui::message::TrackOffer>,
) -> Vec<Effect> {
    let Some(at) = place_of(model, lab) else {
        return Vec::new();
    };
    let ready = offers
        .iter()
        .filter(|offer| offer.not_ready.is_none())
        .count();
    let here = offers.iter().position(|offer| offer.track == model.track);
    model.labs[at].tracks = Some(offers);
    match &mut model.over {
        Some(Over::Tracks { go_on: true, .. }) if ready <= 1 && at == model.lab => {
            model.over = None;
            go::go_on(model)
        }
        Some(Over::Tracks { cursor, .. }) if at == model.lab => {
            *cursor = here.unwrap_or(0);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// A prediction is stored, also if its run was stopped in the meantime.
fn stored(model: &mut Model, _run: u64, lab: &str, attempt: Attempt) {
    let Some(at) = place_of(model, lab) else {
        return;
    };
    if let Some(step) = model.state_of(at, &attempt.mutant) {
        step.draft.practice = false;
    }
    let lab = &mut model.labs[at];
    if !lab.attempts.iter().any(|known| known.id == attempt.id) {
        lab.attempts.push(attempt);
    }
}

fn finished(
    model: &mut Model,
    run: u64,
    word: MutantWord,
    report: Option<Box<SubjectReport>>,
    why: Option<String>,
) {
    let Some(live) = model.live.take_if(|live| live.run == run) else {
        return;
    };
    let Some(state) = model.labs.get_mut(live.lab) else {
        return;
    };
    let attempt = state
        .attempts
        .iter_mut()
        .rev()
        .find(|attempt| attempt.mutant == live.mutant);
    let mut saw = Field::default();
    if let Some(attempt) = attempt {
        if let Some(report) = report.as_ref().filter(|_| attempt.run.is_none()) {
            let words = report.tests.iter();
            attempt.run = Some(words.map(|test| (test.id.clone(), test.word())).collect());
        }
        saw = Field::new(attempt.sighting.as_deref().unwrap_or_default());
    }
    let Some(step) = model.state_of(live.lab, &live.mutant) else {
        return;
    };
    step.result = Some(ResultState {
        report,
        word,
        why,
        cursor: 0,
        passed_open: false,
        saw,
        saying: false,
        told: false,
    });
    step.draft.practice = false;
    model.scroll = 0;
    model.follow = false;
}

fn failed(model: &mut Model, run: u64, why: &str) {
    let Some(live) = model.live.take_if(|live| live.run == run) else {
        return;
    };
    let red = matches!(model.baseline(), Some(Baseline::Red(_)));
    let text = if red {
        "no verdict: the reference does not pass its own tests here".to_owned()
    } else {
        why.to_owned()
    };
    complain(model, &text);
    if live.purpose == Purpose::Probe {
        if let Some(Over::Probe(probe)) = &mut model.over {
            probe.source = None;
        }
        return;
    }
    if let Some(step) = model.state_of(live.lab, &live.mutant)
        && !red
    {
        step.view = View::Predict;
    }
}
