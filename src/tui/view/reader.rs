//! One test by its calls alone: neither its title nor what it expects.

use super::doc::Doc;
use super::script;
use crate::tui::model::Model;
use crate::tui::style::Look;
use crate::worksheet::letter;

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model, id: &str) {
    let Some(test) = model.lab().test(id) else {
        return;
    };
    let place = model.offered().iter().position(|test| test.id == id);
    let name = place.map_or_else(String::new, letter);
    doc.title(&format!("Test {name}, of step {}", test.step));
    doc.prose(
        0,
        Look::Dim,
        "What it does. What it expects is not shown before the run.",
    );
    doc.blank();
    script::plain(doc, model.lab(), test);
}
