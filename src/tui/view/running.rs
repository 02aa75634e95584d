//! A run while it goes on: the tests that were named first, then all others.

use ratatui::text::Span;

use super::doc::Doc;
use crate::tui::message::Baseline;
use crate::tui::model::Model;
use crate::tui::style::Look;
use crate::verdict::TestWord;
use crate::worksheet::{counted, letter};

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model) {
    let Some(live) = model.running() else { return };
    let done = live.tests.iter().filter(|(_, word)| word.is_some()).count();
    let red = live
        .tests
        .iter()
        .filter(|(_, word)| word.is_some_and(TestWord::is_red))
        .count();
    if done == 0
        && let Some(Baseline::Running { done, of }) = model.baseline()
    {
        doc.title("The reference comes first: it has to pass every test.");
        doc.prose(
            0,
            Look::Plain,
            &format!("{done} of {}", counted(*of, "test")),
        );
        doc.blank();
    }
    doc.title("The changed code runs over the tests.");
    let counts = format!(
        "{done} of {} · {red} of them {} it · {} ms",
        counted(live.tests.len(), "test"),
        if red == 1 { "sees" } else { "see" },
        live.elapsed
    );
    doc.prose(0, Look::Plain, &counts);
    doc.blank();
    let (named, others) = live.tests.split_at(live.named.min(live.tests.len()));
    if !named.is_empty() {
        doc.prose(0, Look::Plain, "You named");
        row(doc, model, named);
        doc.blank();
        doc.prose(0, Look::Plain, "The others");
    }
    row(doc, model, others);
    doc.blank();
    doc.prose(
        0,
        Look::Dim,
        "✘ sees the change, ✔ cannot tell, · not run yet",
    );
}

fn row(doc: &mut Doc, model: &Model, tests: &[(String, Option<TestWord>)]) {
    let offered = model.offered();
    let mut pieces: Vec<Span<'static>> = vec![Span::raw("  ")];
    let mut used = 2;
    for (id, word) in tests {
        let place = offered.iter().position(|test| test.id == *id);
        let name = place.map_or_else(|| "?".to_owned(), letter);
        let (mark, look) = mark(*word);
        if used + 6 > doc.width() {
            doc.line(2, &pieces);
            pieces = vec![Span::raw("  ")];
            used = 2;
        }
        pieces.push(doc.span(look, format!("{mark} {name:<4}")));
        used += 6;
    }
    doc.line(2, &pieces);
}

/// Returns the mark of a verdict, never told by its colour alone.
#[must_use]
pub const fn mark(word: Option<TestWord>) -> (char, Look) {
    match word {
        None => ('·', Look::Dim),
        Some(TestWord::Passed) => ('✔', Look::Good),
        Some(word) if word.is_red() => ('✘', Look::Bad),
        Some(TestWord::Inconclusive) => ('?', Look::Warning),
        Some(_) => ('–', Look::Dim),
    }
}
