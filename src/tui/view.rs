//! Draws a model. Pure: the same model and size give the same screen.
//!
//! A page is built as a `Doc` by its own file under `view/`; here it meets the window, the
//! header above it and the line of keys below.

mod catalogue;
mod chrome;
mod contract;
pub mod doc;
mod fragment;
mod help;
mod home;
mod last;
pub(super) mod matrix;
mod own;
mod predict;
mod probe;
mod reader;
pub(super) mod result;
mod running;
mod script;
mod tracks;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use self::doc::Doc;
use super::model::{Model, Over, Page, View};

/// The smallest terminal that can show the lab, in columns and rows.
pub const SMALLEST: (u16, u16) = (60, 20);

/// Tells whether the terminal is large enough.
#[must_use]
pub const fn fits(size: (u16, u16)) -> bool {
    size.0 >= SMALLEST.0 && size.1 >= SMALLEST.1
}

/// Draws the whole screen.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    let area = frame.area();
    if !fits((area.width, area.height)) {
        chrome::too_small(frame, area);
        return;
    }
    let layout = chrome::Layout::of(model, area);
    chrome::draw(model, frame, &layout);
    let doc = body(model, layout.body.width, layout.body.height);
    draw_doc(model, frame, &layout, &doc);
}

/// Returns columns and rows of the window in which a page is shown.
#[must_use]
pub fn window(model: &Model) -> (u16, u16) {
    let area = Rect::new(0, 0, model.size.0, model.size.1);
    let body = chrome::Layout::of(model, area).body;
    (body.width, body.height)
}

/// Builds the page that is shown.
#[must_use]
pub fn body(model: &Model, width: u16, height: u16) -> Doc {
    let mut doc = Doc::new(width, model.colour);
    match &model.over {
        Some(Over::Help { place, .. }) => help::build(&mut doc, *place),
        Some(Over::Reader { test, .. }) => reader::build(&mut doc, model, test),
        Some(Over::Tracks { cursor, .. }) => tracks::build(&mut doc, model, *cursor),
        Some(Over::Probe(probe)) => probe::build(&mut doc, model, probe),
        None => page(&mut doc, model, height),
    }
    doc
}

fn page(doc: &mut Doc, model: &Model, height: u16) {
    match model.page {
        Page::Home => home::build(doc, model),
        Page::Catalogue(marked) => catalogue::build(doc, model, marked),
        Page::Own => own::build(doc, model, height),
        Page::Matrix(row, column) => matrix::build(doc, model, row, column),
        Page::Last(task, writing) => last::build(doc, model, task, writing),
        Page::Step => match model.step_state().view {
            View::Contract => contract::build(doc, model),
            View::Fragment => fragment::build(doc, model),
            View::Predict => predict::build(doc, model, height),
            View::Result if model.running().is_some() => running::build(doc, model),
            View::Result => result::build(doc, model),
        },
    }
}

/// Returns the last first line that a page can have in the window.
#[must_use]
pub fn furthest(doc: &Doc, height: u16) -> usize {
    (doc.lines.len()).saturating_sub(usize::from(height).max(doc.pinned + 1))
}

/// Moves the first line so far that the selected part is in sight.
#[must_use]
pub fn follow(doc: &Doc, height: u16, scroll: usize) -> usize {
    let room = usize::from(height).saturating_sub(doc.pinned).max(1);
    if doc.focus.is_empty() || doc.focus.end <= doc.pinned {
        return if doc.focus.is_empty() { scroll } else { 0 };
    }
    let first = doc.focus.start.saturating_sub(doc.pinned);
    let last = doc.focus.end - doc.pinned;
    if first < scroll || last - first > room {
        first
    } else if last > scroll + room {
        last - room
    } else {
        scroll
    }
}

/// Returns the first line of whatever is shown.
#[must_use]
pub fn scroll_of(model: &Model) -> usize {
    match &model.over {
        Some(Over::Help { scroll, .. } | Over::Reader { scroll, .. }) => *scroll,
        Some(Over::Probe(probe)) => probe.scroll,
        Some(Over::Tracks { .. }) => 0,
        None => model.scroll,
    }
}

fn draw_doc(model: &Model, frame: &mut Frame<'_>, layout: &chrome::Layout, doc: &Doc) {
    let area = layout.body;
    let scroll = scroll_of(model).min(furthest(doc, area.height));
    let height = usize::from(area.height);
    let rest = doc.pinned + scroll;
    let shown = doc.lines[..doc.pinned]
        .iter()
        .chain(&doc.lines[rest..])
        .take(height);
    for (row, line) in shown.enumerate() {
        put(frame, area, row, line);
    }
    let below = doc.lines.len().saturating_sub(scroll + height);
    chrome::more(model, frame, layout, scroll, below);
    if let Some((line, column)) = doc.cursor {
        let row = if line < doc.pinned {
            Some(line)
        } else {
            line.checked_sub(scroll)
                .filter(|row| *row >= doc.pinned && *row < height)
        };
        if let (Some(row), Ok(column)) = (row, u16::try_from(column))
            && column < area.width
            && let Ok(row) = u16::try_from(row)
        {
            frame.set_cursor_position((area.x + column, area.y + row));
        }
    }
}

fn put(frame: &mut Frame<'_>, area: Rect, row: usize, line: &Line<'_>) {
    if let Ok(row) = u16::try_from(row)
        && row < area.height
    {
        frame
            .buffer_mut()
            .set_line(area.x, area.y + row, line, area.width);
    }
}
