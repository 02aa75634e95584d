//! Writing a test of one's own, and trying it.

use super::{catalogue, complain, ends, go, moved, predict, say, scroll, turned};
use crate::tui::field::Field;
use crate::tui::keys::{Act, Place};
use crate::tui::message::{Effect, Job, ProbeOutcome};
use crate::tui::model::{KeptProbe, Live, Model, Over, ProbeItem, ProbeState, Purpose};
use crate::worksheet::{ProbeWorth, probe_template, probe_yaml};

/// Opens the form, on the function of the step.
pub fn open(model: &mut Model) -> Vec<Effect> {
    // What was typed before is still there.
    if let Some(kept) = model.step_state().probe.clone() {
        return go::over(model, Over::Probe(kept));
    }
    let callable = model.callable();
    let own = model.step().function.as_deref();
    let function = callable
        .iter()
        .position(|step| step.function.as_deref() == own)
        .unwrap_or_else(|| callable.len().saturating_sub(1));
    let has_rows = !model.lab().tables.is_empty();
    let arguments = arguments(model, function);
    go::over(
        model,
        Over::Probe(Box::new(ProbeState {
            function,
            has_rows,
            given: Field::default(),
            arguments,
            raises: false,
            returns: Field::default(),
            rows: Field::default(),
            cursor: 0,
            source: None,
            outcome: None,
            scroll: 0,
        })),
    )
}

/// Keeps the form as it stands, for when it is opened again.
pub fn remember(model: &mut Model) {
    if let Some(Over::Probe(probe)) = &model.over {
        let kept = Box::new(ProbeState {
            cursor: 0,
            source: None,
            outcome: None,
            scroll: 0,
            ..(**probe).clone()
        });
        model.step_state_mut().probe = Some(kept);
    }
}

/// Closes the form or its verdict, and drops its run if one goes on.
pub fn leave(model: &mut Model) -> Vec<Effect> {
    if !matches!(model.over, Some(Over::Probe(_))) {
        return Vec::new();
    }
    remember(model);
    let effects = match &model.live {
        Some(live) if live.purpose == Purpose::Probe => go::cancel(model),
        _ => Vec::new(),
    };
    model.over = None;
    effects
}

fn arguments(model: &Model, function: usize) -> Vec<Field> {
    let callable = model.callable();
    let step = callable.get(function);
    step.map_or_else(Vec::new, |step| {
        step.arguments.iter().map(|_| Field::default()).collect()
    })
}

fn probe(model: &mut Model) -> Option<&mut ProbeState> {
    match &mut model.over {
        Some(Over::Probe(probe)) => Some(probe),
        _ => None,
    }
}

/// Keys of the form and of its verdict.
pub fn at(model: &mut Model, place: Place, act: Act) -> Vec<Effect> {
    if place == Place::ProbeVerdict {
        return at_verdict(model, act);
    }
    let items = match &model.over {
        Some(Over::Probe(probe)) => probe.items(),
        _ => return Vec::new(),
    };
    let functions = model.callable().len();
    let Some(probe) = probe(model) else {
        return Vec::new();
    };
    match act {
        Act::Back => return leave(model),
        Act::Choose => return try_form(model),
        Act::Editor => return edit(model),
        Act::Next if probe.cursor + 1 >= items.len() => return try_form(model),
        Act::Next => probe.cursor += 1,
        Act::Left | Act::Right => match items.get(probe.cursor) {
            Some(ProbeItem::Function) => {
                let function = turned(probe.function, act, functions);
                probe.function = function;
                let fresh = arguments(model, function);
                if let Some(Over::Probe(probe)) = &mut model.over {
                    // What was typed stays, as far as the other function has a place for it.
                    probe.arguments.resize(fresh.len(), Field::default());
                }
            }
            _ => probe.raises = !probe.raises,
        },
        _ => probe.cursor = moved(probe.cursor, act, items.len()),
    }
    Vec::new()
}

/// Tells whether a probe has a verdict after which the obvious next thing is to change it.
#[must_use]
pub fn is_to_change(model: &Model) -> bool {
    match &model.over {
        Some(Over::Probe(probe)) => {
            !matches!(probe.outcome, Some(ProbeOutcome::Catches(..)) | None)
        }
        _ => false,
    }
}

fn at_verdict(model: &mut Model, act: Act) -> Vec<Effect> {
    let act = if act == Act::Next && is_to_change(model) {
        Act::Choose
    } else {
        act
    };
    match act {
        Act::Next | Act::Back => leave(model),
        Act::Choose => {
            if let Some(probe) = probe(model) {
                probe.outcome = None;
                probe.source = None;
                probe.scroll = 0;
            }
            Vec::new()
        }
        Act::Editor => edit(model),
        Act::Up => scroll(model, -1),
        Act::Down => scroll(model, 1),
        Act::Top | Act::Bottom => ends(model, act),
        _ => Vec::new(),
    }
}

/// Runs the form as it stands.
fn try_form(model: &mut Model) -> Vec<Effect> {
    match &model.over {
        Some(Over::Probe(probe)) => {
            let source = probe_yaml(model.lab(), &model.probe_form(probe));
            run(model, source)
        }
        _ => Vec::new(),
    }
}

/// Opens the text in the editor: what was run last, or the form as it stands.
fn edit(model: &mut Model) -> Vec<Effect> {
    match &model.over {
        Some(Over::Probe(probe)) => {
            let text = probe.source.clone().unwrap_or_else(|| {
                let yaml = probe_yaml(model.lab(), &model.probe_form(probe));
                probe_template(model.lab(), model.number(), &yaml)
            });
            vec![Effect::Edit(text)]
        }
        _ => Vec::new(),
    }
}

/// Takes what the editor left behind.
pub fn edited(model: &mut Model, result: Result<String, String>) -> Vec<Effect> {
    if !matches!(model.over, Some(Over::Probe(_))) {
        return Vec::new();
    }
    match result {
        Ok(text) if text.lines().all(is_no_content) => {
            say(model, "the file was empty, so nothing was run");
            Vec::new()
        }
        Ok(text) => run(model, text),
        Err(why) => {
            complain(model, &why);
            Vec::new()
        }
    }
}

fn is_no_content(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

fn run(model: &mut Model, source: String) -> Vec<Effect> {
    if model.live.is_some() {
        say(model, "a run is going on; try again when it is over");
        return Vec::new();
    }
    let Some(target) = predict::target(model) else {
        return Vec::new();
    };
    let run = model.next_run;
    model.next_run += 1;
    model.live = Some(Live {
        run,
        purpose: Purpose::Probe,
        lab: model.lab,
        step: model.number(),
        mutant: target.mutant.clone(),
        tests: Vec::new(),
        named: 0,
        elapsed: 0,
    });
    if let Some(probe) = probe(model) {
        probe.source = Some(source.clone());
        probe.outcome = None;
        probe.scroll = 0;
    }
    let mut effects = catalogue::stop(model);
    effects.push(Effect::Do(Job::Probe {
        run,
        target,
        source,
    }));
    effects
}

/// Shows the verdict of a probe, and keeps it in the model as the worker does in the file.
pub fn hear(model: &mut Model, outcome: ProbeOutcome) {
    let worth = match &outcome {
        ProbeOutcome::Catches(..) => Some(ProbeWorth::Catches),
        ProbeOutcome::Misses(_) => Some(ProbeWorth::Misses),
        ProbeOutcome::Invalid(..) => Some(ProbeWorth::Invalid),
        ProbeOutcome::Mistakes(_) | ProbeOutcome::Failed(_) => None,
    };
    let mutant = model.mutant().map(|mutant| mutant.id.clone());
    let Some(probe) = probe(model) else { return };
    probe.outcome = Some(outcome);
    probe.scroll = 0;
    let source = probe.source.clone().unwrap_or_default();
    if let (Some(worth), Some(mutant)) = (worth, mutant) {
        model.state_mut().probes.push(KeptProbe {
            mutant,
            source,
            worth,
        });
    }
}
