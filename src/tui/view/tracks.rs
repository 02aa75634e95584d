//! The choice of the language.

use super::doc::Doc;
use crate::tui::model::Model;
use crate::tui::style::Look;

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model, cursor: usize) {
    doc.title("Which language do you want to read and break?");
    doc.prose(
        0,
        Look::Plain,
        "Contracts and tests are the same in each. You can change it later with t.",
    );
    doc.blank();
    let Some(offers) = &model.state().tracks else {
        doc.prose(0, Look::Dim, "Looking which ones work on this machine …");
        return;
    };
    for (place, offer) in offers.iter().enumerate() {
        let here = place == cursor;
        let start = doc.lines.len();
        let mark = if here { "  ▸ (•) " } else { "    ( ) " };
        let look = match (here, &offer.not_ready) {
            (true, _) => Look::Key,
            (false, None) => Look::Plain,
            (false, Some(_)) => Look::Dim,
        };
        doc.hanging(8, doc.span(look, mark), look, offer.track.id());
        let text = offer
            .not_ready
            .as_ref()
            .map_or_else(|| "ready".to_owned(), |why| format!("not ready: {why}"));
        doc.prose(8, Look::Dim, &text);
        if here {
            doc.focus = start..doc.lines.len();
        }
    }
}
