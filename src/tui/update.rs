//! What a message changes, and what it asks the runtime to do.
//!
//! Pure: no file, no clock, no random source, no terminal. Replaying the same messages gives
//! the same model and the same effects.

mod catalogue;
mod go;
mod last;
mod news;
mod own;
mod predict;
mod probe;
mod result;
mod text;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

use super::keys::{self, Act, Place};
use super::message::{Aim, Effect, Msg, TuiExit};
use super::model::{Message, Model, Over, Page, ProbeItem, Purpose, Question, View};
use super::view;

pub use go::begin;
pub use probe::is_to_change as probe_is_to_change;

/// Applies a message.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = apply_message(model, msg);
    // Whichever way the view was left, what runs for it is ended.
    if model.page != Page::Own {
        effects.extend(own::leave(model));
    }
    effects
}

fn apply_message(model: &mut Model, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Key(event) if event.kind == KeyEventKind::Press => key(model, event),
        Msg::Key(_) => Vec::new(),
        Msg::Paste(text) => {
            text::paste(model, &text);
            settle(model);
            Vec::new()
        }
        Msg::Resize(columns, rows) => {
            model.size = (columns, rows);
            settle(model);
            Vec::new()
        }
        Msg::Tick(millis) => {
            if let Some(live) = &mut model.live {
                live.elapsed = millis;
            }
            Vec::new()
        }
        Msg::News(news) => {
            let effects = news::hear(model, news);
            settle(model);
            effects
        }
        Msg::Edited(result) => {
            let effects = probe::edited(model, result);
            settle(model);
            effects
        }
        Msg::Closed(result) => {
            own::closed(model, result);
            settle(model);
            Vec::new()
        }
        Msg::Terminate | Msg::Gone => vec![Effect::Quit(TuiExit::Interrupted)],
        Msg::Pause => paused(model, Effect::Stop),
        Msg::Resumed => vec![Effect::Redraw],
    }
}

/// Tells where a key is pressed now.
#[must_use]
pub fn place(model: &Model) -> Place {
    match &model.over {
        Some(Over::Help { .. }) => return Place::Help,
        Some(Over::Reader { .. }) => return Place::Reader,
        Some(Over::Tracks { .. }) => return Place::Tracks,
        Some(Over::Probe(probe)) if probe.outcome.is_some() => return Place::ProbeVerdict,
        Some(Over::Probe(_)) if probing(model) => return Place::Running,
        Some(Over::Probe(probe)) => {
            return match probe.items().get(probe.cursor) {
                Some(ProbeItem::Function | ProbeItem::Expect) => Place::ProbeChoice,
                _ => Place::ProbeText,
            };
        }
        None => {}
    }
    match model.page {
        Page::Home => Place::Home,
        Page::Matrix(..) => Place::Matrix,
        Page::Catalogue(_) => Place::Catalogue,
        Page::Own => Place::Own,
        Page::Last(_, false) => Place::Last,
        Page::Last(_, true) => Place::Task,
        Page::Step => step_place(model),
    }
}

fn step_place(model: &Model) -> Place {
    let state = model.step_state();
    match state.view {
        View::Contract => Place::Contract,
        View::Fragment if model.written().is_some() => Place::Task,
        View::Fragment => Place::Fragment,
        View::Predict | View::Result if model.running().is_some() => Place::Running,
        View::Predict if model.mutant().is_none() => Place::Fragment,
        View::Predict if model.waits_for_run() => Place::Stored,
        View::Predict if model.is_said() => Place::Said,
        View::Predict => match state.draft.at {
            Question::Line => Place::Line,
            Question::Kind => Place::Kind,
            Question::Tests => Place::Tests,
            Question::Sure => Place::Sure,
        },
        View::Result => match &state.result {
            Some(result) if result.saying => Place::Saw,
            _ => Place::Result,
        },
    }
}

/// Tells whether a probe is being run.
fn probing(model: &Model) -> bool {
    let live = model.live.as_ref();
    live.is_some_and(|live| live.purpose == Purpose::Probe)
}

fn key(model: &mut Model, event: KeyEvent) -> Vec<Effect> {
    if !view::fits(model.size) {
        return too_small(event);
    }
    let place = place(model);
    let act = keys::lookup(place, event);
    model.message = None;
    model.follow = true;
    let effects = match act {
        Some(act) => apply(model, place, act, event),
        None => {
            if place.is_text()
                && let Some(edit) = text::edit_of(event)
            {
                text::edit(model, edit);
            }
            Vec::new()
        }
    };
    settle(model);
    effects
}

/// While nothing can be read, a key may only end or pause the program.
fn too_small(event: KeyEvent) -> Vec<Effect> {
    match keys::lookup(Place::Home, event) {
        Some(Act::Quit | Act::Abort) => vec![Effect::Quit(TuiExit::Left)],
        Some(Act::Suspend) => vec![Effect::Suspend],
        _ => Vec::new(),
    }
}

fn apply(model: &mut Model, place: Place, act: Act, event: KeyEvent) -> Vec<Effect> {
    match act {
        Act::Quit => vec![Effect::Quit(TuiExit::Left)],
        Act::Abort => {
            let exit = if model.live.is_some() {
                TuiExit::Interrupted
            } else {
                TuiExit::Left
            };
            let mut effects = last::keep_typed(model, place);
            effects.push(Effect::Quit(exit));
            effects
        }
        Act::Suspend => paused(model, Effect::Suspend),
        Act::Redraw => vec![Effect::Redraw],
        Act::PageUp => scroll(model, -page(model)),
        Act::PageDown => scroll(model, page(model)),
        Act::Help => go::over(model, Over::Help { place, scroll: 0 }),
        Act::Track => go::tracks(model, false),
        Act::Further => catalogue::open(model),
        Act::Own => own::open(model, Aim::Write),
        Act::BreakIt => own::open(model, Aim::Break),
        Act::Home if model.page == Page::Step && model.state().chosen.is_some() => {
            go::back_to_list(model)
        }
        Act::Home => go::home(model),
        Act::Matrix => go::matrix(model),
        Act::Jump => match event.code {
            // On a keyboard the 0 stands after the 9.
            KeyCode::Char('0') => jump(model, 10),
            KeyCode::Char(digit) => jump(model, digit.to_digit(10).unwrap_or(0)),
            _ => Vec::new(),
        },
        Act::Pick => match event.code {
            KeyCode::Char(digit) => predict::pick(model, digit.to_digit(10).unwrap_or(0)),
            _ => Vec::new(),
        },
        Act::StepOn => jump(model, model.number() + 1),
        Act::StepBack => jump(model, model.number() - 1),
        Act::NextStep => go::next_step(model),
        Act::ViewOn => go::view(model, 1),
        Act::ViewBack => go::view(model, -1),
        _ => local(model, place, act),
    }
}

/// Goes to a step; the view of one's own code goes along.
fn jump(model: &mut Model, step: u32) -> Vec<Effect> {
    if model.page == Page::Own {
        own::jump(model, step)
    } else {
        go::jump(model, step)
    }
}

/// Applies what means something else from place to place.
fn local(model: &mut Model, place: Place, act: Act) -> Vec<Effect> {
    match place {
        Place::Home => go::at_home(model, act),
        Place::Contract | Place::Fragment | Place::Stored | Place::Said => {
            go::at_text(model, place, act)
        }
        Place::Line | Place::Kind | Place::Tests | Place::Sure => predict::at(model, place, act),
        Place::Running => match act {
            Act::Back => go::cancel(model),
            Act::Top | Act::Bottom => ends(model, act),
            _ => Vec::new(),
        },
        Place::Result | Place::Saw => result::at(model, place, act),
        Place::Catalogue => catalogue::at(model, act),
        Place::Own => own::at(model, act),
        Place::Matrix => go::at_matrix(model, act),
        Place::Last | Place::Task => last::at(model, place, act),
        Place::Reader | Place::Help => go::at_over(model, act),
        Place::Tracks => go::at_tracks(model, act),
        Place::ProbeChoice | Place::ProbeText | Place::ProbeVerdict => probe::at(model, place, act),
    }
}

/// Stops a run before a pause: its clock would go on, and make a verdict of the wait.
fn paused(model: &mut Model, pause: Effect) -> Vec<Effect> {
    let mut effects = go::cancel(model);
    effects.push(pause);
    effects
}

/// Returns how far a page key goes.
fn page(model: &Model) -> isize {
    let height = isize::try_from(view::window(model).1).unwrap_or(1);
    (height - 3).max(1)
}

fn scroll_of(model: &mut Model) -> &mut usize {
    match &mut model.over {
        Some(Over::Help { scroll, .. } | Over::Reader { scroll, .. }) => scroll,
        Some(Over::Probe(probe)) => &mut probe.scroll,
        Some(Over::Tracks { .. }) | None => &mut model.scroll,
    }
}

/// Moves what is shown, and lets the selected line go out of sight.
fn scroll(model: &mut Model, by: isize) -> Vec<Effect> {
    model.follow = false;
    let scroll = scroll_of(model);
    *scroll = scroll.saturating_add_signed(by);
    Vec::new()
}

/// Goes to the start or the end of what is shown.
fn ends(model: &mut Model, act: Act) -> Vec<Effect> {
    model.follow = false;
    *scroll_of(model) = if act == Act::Top { 0 } else { usize::MAX };
    Vec::new()
}

/// Keeps what is shown inside its page, and the selected line in sight.
fn settle(model: &mut Model) {
    if !view::fits(model.size) {
        return;
    }
    let (width, height) = view::window(model);
    let doc = view::body(model, width, height);
    let mut scroll = *scroll_of(model);
    if model.follow {
        scroll = view::follow(&doc, height, scroll);
    }
    *scroll_of(model) = scroll.min(view::furthest(&doc, height));
}

/// Tells the learner what a key came to.
fn say(model: &mut Model, text: &str) {
    model.message = Some(Message {
        text: text.to_owned(),
        is_error: false,
    });
}

/// Tells the learner what went wrong.
fn complain(model: &mut Model, text: &str) {
    model.message = Some(Message {
        text: text.to_owned(),
        is_error: true,
    });
}

/// Moves a cursor, at most to either end.
fn moved(at: usize, act: Act, count: usize) -> usize {
    let last = count.saturating_sub(1);
    match act {
        Act::Up | Act::Left => at.min(last).saturating_sub(1),
        Act::Down | Act::Right => (at + 1).min(last),
        Act::Top => 0,
        Act::Bottom => last,
        _ => at.min(last),
    }
}

/// Moves a cursor, round from one end to the other.
fn turned(at: usize, act: Act, count: usize) -> usize {
    let count = count.max(1);
    match act {
        Act::Left | Act::Up => (at + count - 1) % count,
        Act::Right | Act::Down => (at + 1) % count,
        Act::Top => 0,
        Act::Bottom => count - 1,
        _ => at % count,
    }
}
