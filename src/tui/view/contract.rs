//! The contract of a step: what its function promises, and what to judge it by.

use super::doc::Doc;
use crate::model::Storage;
use crate::tui::model::Model;
use crate::tui::style::Look;
use crate::worksheet::{chart_lines, storage_lines};

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model) {
    let step = model.step();
    doc.title(&step.title);
    if let Some(signature) = step.signature(model.track) {
        doc.line(6, &[doc.span(Look::Key, format!("  {signature}"))]);
    }
    doc.blank();
    let head = match model.written() {
        Some(_) => "This step is answered in writing. What the answer has to have in it:",
        None => "It promises:",
    };
    doc.prose(0, Look::Plain, head);
    for clause in &step.promises {
        doc.hanging(4, doc.span(Look::Key, "  • "), Look::Plain, &clause.text);
    }
    doc.blank();
    let judge = doc.span(Look::Title, "Judge it by: ");
    doc.hanging(13, judge, Look::Plain, &step.judge_by);
    if let Some(chart) = &step.chart {
        doc.blank();
        for line in chart_lines(model.lab(), chart, doc.width().saturating_sub(2)) {
            doc.line(4, &[doc.span(Look::Plain, format!("  {line}"))]);
        }
    }
    if let Some(storage) = &step.storage {
        doc.blank();
        table(doc, storage);
    }
    if let Some(aside) = step.aside(model.track) {
        doc.blank();
        let mark = doc.span(Look::Dim, format!("In {}: ", model.track));
        doc.hanging(13, mark, Look::Plain, aside);
    }
}

/// Shows what a window costs.
pub fn table(doc: &mut Doc, storage: &Storage) {
    for line in storage_lines(storage, doc.width().saturating_sub(2)) {
        doc.line(2, &[doc.span(Look::Plain, format!("  {line}"))]);
    }
}
