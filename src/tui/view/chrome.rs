//! What is around every page: the header, the rail of steps, messages, the line of keys.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use super::doc::wrap;
use crate::tui::keys;
use crate::tui::model::{Model, Over, Page, View};
use crate::tui::style::Look;
use crate::tui::update::{place, probe_is_to_change};
use crate::worksheet::cut;

/// Where the parts of the screen are.
pub struct Layout {
    header: Rect,
    /// The window of the page.
    pub body: Rect,
    messages: Rect,
    keys: Rect,
}

/// Columns left free at either side.
const MARGIN: u16 = 1;
/// The most lines that messages take from the page.
const MESSAGE_LINES: usize = 3;
/// The most lines that a warning takes from the first page.
const NOTICE_LINES: usize = 8;

impl Layout {
    /// Divides the screen.
    #[must_use]
    pub fn of(model: &Model, area: Rect) -> Self {
        let inner = Rect {
            x: area.x + MARGIN.min(area.width),
            width: area.width.saturating_sub(2 * MARGIN),
            ..area
        };
        let messages = u16::try_from(message_lines(model, inner.width).len()).unwrap_or(0);
        let header = if model.page == Page::Step { 3 } else { 2 };
        let keys = 2;
        let taken = header + messages + keys;
        let rows = |y: u16, height: u16| Rect {
            y: (area.y + y).min(area.y + area.height),
            height: height.min(area.height.saturating_sub(y)),
            ..inner
        };
        let body = area.height.saturating_sub(taken);
        Self {
            header: rows(0, header),
            body: rows(header, body),
            messages: rows(header + body, messages),
            keys: rows(header + body + messages, keys),
        }
    }
}

/// Says that the terminal is too small, as far as there is room for saying it.
pub fn too_small(frame: &mut Frame<'_>, area: Rect) {
    let text = format!(
        "This terminal is {}x{}; the lab needs {}x{}. Make it larger, or q to quit.",
        area.width,
        area.height,
        super::SMALLEST.0,
        super::SMALLEST.1
    );
    for (row, line) in wrap(&text, usize::from(area.width).max(1))
        .iter()
        .enumerate()
    {
        super::put(frame, area, row, &Line::raw(line.clone()));
    }
}

/// Draws everything but the page.
pub fn draw(model: &Model, frame: &mut Frame<'_>, layout: &Layout) {
    let style = |look: Look| look.style(model.colour);
    let width = usize::from(layout.header.width);
    let right = format!("{}  ?", model.track);
    let left = cut(&heading(model), width.saturating_sub(right.width() + 1));
    let gap = width.saturating_sub(left.width() + right.width());
    let mut head = vec![Line::from(vec![
        Span::styled(left, style(Look::Title)),
        Span::raw(" ".repeat(gap)),
        Span::styled(right, style(Look::Dim)),
    ])];
    if model.page == Page::Step {
        head.push(rail(model, width));
    }
    head.push(Line::styled("─".repeat(width), style(Look::Dim)));
    for (row, line) in head.iter().enumerate() {
        super::put(frame, layout.header, row, line);
    }
    for (row, line) in message_lines(model, layout.messages.width)
        .iter()
        .enumerate()
    {
        super::put(frame, layout.messages, row, line);
    }
    let rule = Line::styled("─".repeat(width), style(Look::Dim));
    super::put(frame, layout.keys, 0, &rule);
    super::put(frame, layout.keys, 1, &key_line(model, width));
}

fn heading(model: &Model) -> String {
    let lab = &model.lab().id;
    let title = match (&model.over, model.page) {
        (Some(Over::Help { .. }), _) => "keys".to_owned(),
        (Some(Over::Tracks { .. }), _) => "language".to_owned(),
        (Some(Over::Reader { .. }), _) => format!("{lab} · step {} · a test", model.number()),
        (Some(Over::Probe(_)), _) => format!("{lab} · step {} · your own test", model.number()),
        (None, Page::Home) => "predict, run, compare".to_owned(),
        (None, Page::Matrix(..)) => format!("{lab} · matrix"),
        (None, Page::Catalogue(_)) => {
            format!("{lab} · step {} · more wrong changes", model.number())
        }
        (None, Page::Own) if model.is_breaking() => format!("{lab} · a copy to break"),
        (None, Page::Own) => format!(
            "{lab} · step {} of {} · your code",
            model.number(),
            model.lab().steps.len()
        ),
        (None, Page::Last(..)) => format!("{lab} · after the last step"),
        (None, Page::Step) => format!(
            "{lab} · step {} of {} · {}{}",
            model.number(),
            model.lab().steps.len(),
            model.step().id,
            if model.state().chosen.is_some() {
                " · practice"
            } else {
                ""
            }
        ),
    };
    format!("idemlab · {title}")
}

/// Draws the steps with their state, and the views of the open one.
fn rail(model: &Model, width: usize) -> Line<'static> {
    let style = |look: Look| look.style(model.colour);
    let views = views(model);
    let gap_between =
        |gap: usize| views.iter().map(Span::width).sum::<usize>() + gap * (views.len() - 1);
    let steps = model.lab().steps.iter().map(|step| {
        let current = step.number == model.number();
        let (mark, look) = match (current, model.is_done(step.number)) {
            (true, _) => ('▶', Look::Title),
            (false, true) => ('✔', Look::Good),
            (false, false) => ('·', Look::Dim),
        };
        Span::styled(format!("{mark}{} ", step.number), style(look))
    });
    let current = model.number() as usize - 1;
    let mut spans = around(
        steps.collect(),
        current,
        width.saturating_sub(gap_between(1)),
    );
    let used: usize = spans.iter().map(Span::width).sum();
    let gap = if used + gap_between(2) <= width { 2 } else { 1 };
    let free = width.saturating_sub(used + gap_between(gap));
    spans.push(Span::raw(" ".repeat(free)));
    for (place, view) in views.into_iter().enumerate() {
        if place > 0 {
            spans.push(Span::raw(" ".repeat(gap)));
        }
        spans.push(view);
    }
    Line::from(spans)
}

/// Leaves out the steps that are furthest from the open one, until the others fit.
fn around(mut steps: Vec<Span<'static>>, mut current: usize, room: usize) -> Vec<Span<'static>> {
    const MORE: &str = "… ";
    let (mut before, mut after) = (false, false);
    loop {
        let marks = MORE.width() * (usize::from(before) + usize::from(after));
        let wide: usize = steps.iter().map(Span::width).sum();
        if wide + marks <= room || steps.len() < 2 {
            break;
        }
        if current >= steps.len() - current {
            steps.remove(0);
            current -= 1;
            before = true;
        } else {
            steps.pop();
            after = true;
        }
    }
    if before {
        steps.insert(0, Span::raw(MORE));
    }
    if after {
        steps.push(Span::raw(MORE));
    }
    steps
}

fn views(model: &Model) -> Vec<Span<'static>> {
    let state = model.step_state();
    let views = model.views().iter().copied();
    views
        .map(|view| {
            let running = view == View::Result && model.running().is_some();
            let title = if running {
                "Run"
            } else {
                model.view_title(view)
            };
            if view == state.view {
                Span::styled(format!("[{title}]"), Look::Title.style(model.colour))
            } else if view <= state.opened {
                Span::raw(title)
            } else {
                Span::styled(title, Look::Dim.style(model.colour))
            }
        })
        .collect()
}

/// Builds the lines for a warning and for what the last key came to.
fn message_lines(model: &Model, width: u16) -> Vec<Line<'static>> {
    let width = usize::from(width);
    let mut lines = Vec::new();
    let mut add = |text: &str, look: Look, most: usize| {
        for row in wrap(text, width.max(8)).into_iter().take(most) {
            lines.push(Line::styled(row, look.style(model.colour)));
        }
    };
    match &model.notice {
        Some(notice) if model.page == Page::Home => {
            add(
                &format!("! {notice} (Esc hides this)"),
                Look::Warning,
                NOTICE_LINES,
            );
        }
        Some(notice) => {
            let text = format!("! {notice}");
            add(&cut(&text, width.max(8)), Look::Warning, 1);
        }
        None => {}
    }
    if let Some(message) = &model.message {
        let mark = if message.is_error { "✘" } else { "·" };
        let look = if message.is_error {
            Look::Bad
        } else {
            Look::Key
        };
        add(&format!("{mark} {}", message.text), look, MESSAGE_LINES);
    }
    lines
}

/// Draws the keys of the place: Enter always, then as many as there is room for.
fn key_line(model: &Model, width: usize) -> Line<'static> {
    let place = place(model);
    let mut keys = keys::line(place);
    if let Some(first) = keys.first_mut() {
        first.1 = next_words(model, place).unwrap_or(first.1);
    }
    if keys.first().is_some_and(|first| first.1 == "next step") {
        // Enter does the same, and one way is enough to be told.
        keys.retain(|(key, _)| key != "n");
    }
    if place == keys::Place::Own && !model.has_own_file() {
        keys.retain(|(key, _)| key != "e");
    }
    // Help and quit stay: what gives way is what stands before them.
    let wide = |keys: &[(String, &str)]| -> usize {
        let each = keys
            .iter()
            .map(|(key, what)| key.width() + 1 + what.width());
        each.sum::<usize>() + 3 * keys.len().saturating_sub(1)
    };
    while wide(&keys) > width && keys.len() > 2 {
        let at = keys
            .iter()
            .rposition(|(_, what)| !matches!(*what, "help" | "quit"))
            .filter(|at| *at > 0)
            .unwrap_or(keys.len() - 1);
        keys.remove(at);
    }
    let mut spans = Vec::new();
    for (at, (key, what)) in keys.into_iter().enumerate() {
        if at > 0 {
            spans.push(Span::styled(" · ", Look::Dim.style(model.colour)));
        }
        spans.push(Span::styled(key, Look::Key.style(model.colour)));
        spans.push(Span::raw(format!(" {what}")));
    }
    Line::from(spans)
}

/// Says what Enter does where that depends on more than the place.
fn next_words(model: &Model, place: keys::Place) -> Option<&'static str> {
    let further = model.state().chosen.is_some();
    let last = model.number() as usize == model.lab().steps.len();
    match place {
        keys::Place::Home if model.state().step == 0 => Some("start"),
        keys::Place::Home if model.is_all_done() => Some("the last page"),
        keys::Place::Own => super::own::next_words(model),
        keys::Place::Contract if model.written().is_some() => Some("write an answer"),
        keys::Place::Task if model.page == Page::Step => Some(if last {
            "keep it, the last page"
        } else {
            "keep it, next step"
        }),
        keys::Place::Fragment if model.mutant().is_none() => {
            Some(if last { "the last page" } else { "next step" })
        }
        keys::Place::Fragment if model.is_said() => Some("the prediction"),
        keys::Place::Result if model.step_state().result.is_none() => Some("the prediction"),
        keys::Place::Result | keys::Place::Saw if further => super::result::next_words(model),
        keys::Place::Result if super::result::is_over(model) => {
            Some(if last { "the last page" } else { "next step" })
        }
        keys::Place::ProbeVerdict if probe_is_to_change(model) => Some("change it"),
        keys::Place::ProbeText => match &model.over {
            Some(Over::Probe(probe)) if probe.cursor + 1 == probe.items().len() => Some("run it"),
            _ => None,
        },
        keys::Place::Saw => Some(if last {
            "keep it, the last page"
        } else {
            "keep it, next step"
        }),
        _ => None,
    }
}

/// Says on the rules above and below the page how much more there is.
pub fn more(model: &Model, frame: &mut Frame<'_>, layout: &Layout, above: usize, below: usize) {
    let body = layout.body;
    let dim = Look::Key.style(model.colour);
    let mut say = |text: String, y: u16| {
        let wide = u16::try_from(text.width()).unwrap_or(0);
        if wide + 2 <= body.width {
            let x = body.x + body.width - wide - 1;
            frame.buffer_mut().set_string(x, y, text, dim);
        }
    };
    if above > 0 && body.y > 0 {
        say(format!(" ↑ {above} more "), body.y - 1);
    }
    if below > 0 {
        say(format!(" ↓ {below} more · PgDn "), layout.keys.y);
    }
}
