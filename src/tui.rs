//! The lab on the screen.
//!
//! `update` turns messages into a new model and effects, `view` draws the model; both are pure.
//! `runtime` owns the terminal and the loop, and `worker` alone knows the lab and the progress
//! file. The key table in `keys` is the only one.

mod field;
pub mod keys;
mod message;
mod model;
mod runtime;
mod style;
mod system;
mod terminal;
#[cfg(test)]
mod tests;
mod update;
mod view;
mod worker;

use std::io;
use std::sync::Arc;

use self::field::Field;
pub use self::message::TuiExit;
use self::model::{KeptProbe, LabState, Model, Page, StepState, View};
use self::worker::{Progress, Saved, Worker};
use crate::model::{Lab, Pack, Track};
use crate::worksheet::{ProbeWorth, is_done};

/// Opens the lab on the screen, and returns when the learner leaves or the terminal is gone.
///
/// `at` is the place of the lab that is marked first. `notice` is shown until it is dismissed:
/// that progress is not saved, say.
///
/// # Errors
///
/// Fails when the terminal cannot be used, or the pack has nothing to show.
pub fn run(
    pack: Pack,
    at: usize,
    progress: Progress,
    notice: Option<String>,
) -> io::Result<TuiExit> {
    if pack.labs.is_empty() || pack.labs.iter().any(|lab| lab.steps.is_empty()) {
        return Err(io::Error::other("the pack has no lab with steps"));
    }
    let (saved, track) = worker::saved(&pack, &progress).map_err(io::Error::other)?;
    let pack = Arc::new(pack);
    let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let model = opened(Arc::clone(&pack), at, saved, track, notice, colour);
    runtime::run(model, |tell| Worker::start(pack, progress, tell))
}

/// Makes the model with which the screen opens.
fn opened(
    pack: Arc<Pack>,
    at: usize,
    saved: Vec<Saved>,
    track: Option<Track>,
    notice: Option<String>,
    colour: bool,
) -> Model {
    let labs = pack.labs.iter().zip(saved);
    let labs: Vec<LabState> = labs.map(|(lab, saved)| lab_state(lab, saved)).collect();
    let at = at.min(labs.len().saturating_sub(1));
    let track_here = track.filter(|track| pack.labs[at].source(*track).is_some());
    Model {
        labs,
        lab: at,
        page: Page::Home,
        over: None,
        size: (80, 24),
        colour,
        notice,
        message: None,
        track: track_here.unwrap_or(Track::Rust),
        track_chosen: track_here.is_some(),
        live: None,
        weighing: None,
        own: None,
        next_run: 1,
        scroll: 0,
        // The marked lab may stand below the first window.
        follow: at > 0,
        pack,
    }
}

/// Puts what was saved about a lab in its place.
fn lab_state(lab: &Lab, saved: Saved) -> LabState {
    let mut steps: Vec<StepState> = lab.steps.iter().map(|_| StepState::default()).collect();
    for (step, state) in lab.steps.iter().zip(&mut steps) {
        let said = saved
            .attempts
            .iter()
            .any(|attempt| attempt.step == step.number);
        if is_done(&saved.attempts, lab, step.number) {
            (state.view, state.opened) = (View::Contract, View::Result);
        } else if said {
            (state.view, state.opened) = (View::Predict, View::Predict);
        }
    }
    let last = lab.steps.last().map_or(0, |step| step.number);
    let furthest_said = saved.attempts.iter().map(|attempt| attempt.step).max();
    let mut at = furthest_said.unwrap_or(0).min(last);
    if let Some((step, view)) = saved.place {
        // The plain lines leave a place behind the last step.
        let step = step.clamp(1, last);
        at = step;
        let state = &mut steps[step as usize - 1];
        if let Some(view) = View::parse(&view) {
            // A result that was never there cannot be shown.
            let furthest = state.opened.max(View::Predict);
            state.view = view.min(furthest);
            state.opened = state.opened.max(state.view);
        }
    }
    LabState {
        attempts: saved.attempts,
        probes: saved
            .probes
            .into_iter()
            .filter_map(|(mutant, source, verdict)| {
                Some(KeptProbe {
                    mutant,
                    source,
                    worth: ProbeWorth::parse(&verdict)?,
                })
            })
            .collect(),
        answers: saved
            .answers
            .into_iter()
            .map(|(task, text)| (task, Field::new(&text)))
            .collect(),
        step: at,
        steps,
        ..LabState::default()
    }
}
