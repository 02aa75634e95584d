//! Typing and pasting into whatever text is being written.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::place;
use crate::tui::field::{Edit, Field};
use crate::tui::keys::Place;
use crate::tui::model::{Model, Over, Page, ProbeItem, View};

/// Tells what a key changes in a text.
pub fn edit_of(event: KeyEvent) -> Option<Edit> {
    let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    match (event.code, ctrl, alt) {
        // AltGr reaches some terminals as both, and then the sign is text.
        (KeyCode::Char(sign), false, false) | (KeyCode::Char(sign), true, true) => {
            Some(Edit::Insert(sign))
        }
        (KeyCode::Char('a'), true, _) | (KeyCode::Home, ..) => Some(Edit::Start),
        (KeyCode::Char('e'), true, _) | (KeyCode::End, ..) => Some(Edit::End),
        (KeyCode::Char('u'), true, _) => Some(Edit::DeleteToStart),
        (KeyCode::Char('k'), true, _) => Some(Edit::DeleteToEnd),
        (KeyCode::Char('w') | KeyCode::Backspace, true, _) | (KeyCode::Backspace, _, true) => {
            Some(Edit::DeleteWord)
        }
        (KeyCode::Char('h'), true, _) | (KeyCode::Backspace, ..) => Some(Edit::Backspace),
        (KeyCode::Delete, ..) => Some(Edit::Delete),
        (KeyCode::Left, true, _) | (KeyCode::Left | KeyCode::Char('b'), _, true) => {
            Some(Edit::WordLeft)
        }
        (KeyCode::Right, true, _) | (KeyCode::Right | KeyCode::Char('f'), _, true) => {
            Some(Edit::WordRight)
        }
        (KeyCode::Left, ..) => Some(Edit::Left),
        (KeyCode::Right, ..) => Some(Edit::Right),
        _ => None,
    }
}

/// Changes the text that is being written.
pub fn edit(model: &mut Model, edit: Edit) {
    if let Some(field) = field(model) {
        field.edit(edit);
    }
}

/// Puts a pasted text where the cursor is; outside a text it is ignored.
pub fn paste(model: &mut Model, text: &str) {
    if place(model).is_text()
        && let Some(field) = field(model)
    {
        field.paste(text);
        model.follow = true;
    }
}

/// Finds the text that is being written.
fn field(model: &mut Model) -> Option<&mut Field> {
    if let Some(Over::Probe(probe)) = &model.over {
        let item = *probe.items().get(probe.cursor)?;
        let Some(Over::Probe(probe)) = &mut model.over else {
            return None;
        };
        return match item {
            ProbeItem::Given => Some(&mut probe.given),
            ProbeItem::Argument(at) => probe.arguments.get_mut(at),
            ProbeItem::Returns => Some(&mut probe.returns),
            ProbeItem::Rows => Some(&mut probe.rows),
            ProbeItem::Function | ProbeItem::Expect => None,
        };
    }
    match model.page {
        Page::Last(task, true) => {
            let id = model.lab().tasks.get(task)?.id.clone();
            Some(model.state_mut().answers.entry(id).or_default())
        }
        Page::Step if place(model) == Place::Task => {
            let id = model.written()?.id.clone();
            Some(model.state_mut().answers.entry(id).or_default())
        }
        Page::Step => {
            let state = model.step_state_mut();
            match state.view {
                View::Predict => Some(&mut state.draft.line),
                View::Result => state.result.as_mut().map(|result| &mut result.saw),
                _ => None,
            }
        }
        _ => None,
    }
}
