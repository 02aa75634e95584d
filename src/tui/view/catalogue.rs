//! Further wrong changes of a step, from easy to subtle.

use super::doc::Doc;
use crate::tui::message::Baseline;
use crate::tui::model::Model;
use crate::tui::style::Look;
use crate::worksheet::{Further, told};

/// Columns of the word before a change.
const WORD: usize = 17;

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model, marked: usize) {
    let step = model.step();
    doc.title(&format!(
        "More wrong changes to {}, from easy to subtle",
        step.id
    ));
    let text = "Each is one change, with the thought behind it. All of it is practice.";
    doc.prose(0, Look::Plain, text);
    doc.blank();
    let list = model.further();
    for further in &list {
        let place = model.lab().mutants.get(marked);
        let here = place.is_some_and(|mutant| mutant.id == further.mutant.id);
        let start = doc.lines.len();
        entry(doc, model, *further, here);
        if here {
            doc.focus = start..doc.lines.len();
        }
    }
    if list.iter().any(|further| further.ease.is_none()) {
        doc.blank();
        let text = match model.baseline() {
            Some(Baseline::Red(_) | Baseline::Broken(_)) => {
                "… cannot be found out, since the reference does not pass its own tests here."
            }
            _ => "… is being found out: the changes run over the tests, in the background.",
        };
        doc.prose(0, Look::Dim, text);
    }
}

fn entry(doc: &mut Doc, model: &Model, further: Further<'_>, here: bool) {
    let told = told(&model.state().attempts, model.lab(), further.mutant);
    let look = match (here, told) {
        (true, _) => Look::Cursor,
        (false, Some(_)) => Look::Dim,
        (false, None) => Look::Plain,
    };
    let word = further.ease.map_or("…", crate::worksheet::Ease::word);
    let lead = if here { '▸' } else { ' ' };
    let mark = if told.is_some() { '✔' } else { ' ' };
    let mark = doc.span(look, format!("{lead} {mark} {word:<12} "));
    let text = match told {
        Some(told) => format!("{} ({told})", further.mutant.title),
        None => format!("“{}”", further.mutant.belief.trim()),
    };
    doc.hanging(WORD, mark, look, &text);
}
