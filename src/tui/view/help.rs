//! The keys of a place, from the key table.

use super::doc::Doc;
use crate::tui::keys::{self, Place};
use crate::tui::style::Look;

/// Columns for the keys.
const KEYS: usize = 14;

/// Builds the page.
pub fn build(doc: &mut Doc, place: Place) {
    doc.title(&format!("Keys at: {}", place.title()));
    doc.prose(0, Look::Dim, "Enter is always the obvious next thing.");
    doc.blank();
    for (keys, what) in keys::help(place) {
        doc.hanging(
            KEYS,
            doc.span(Look::Key, format!("  {keys}  ")),
            Look::Plain,
            what,
        );
    }
    if place.is_text() {
        doc.blank();
        doc.prose(
            0,
            Look::Plain,
            "In a text every letter is text. Arrows, ctrl-a, ctrl-e move; ctrl-w, ctrl-u, ctrl-k delete.",
        );
    }
}
