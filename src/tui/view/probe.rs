//! A test of the learner's own: the form, its mistakes, its verdict.

use std::fmt::Write as _;

use super::doc::Doc;
use super::script;
use crate::event::TestReport;
use crate::model::{Kind, Test};
use crate::tui::message::{Mistake, ProbeOutcome};
use crate::tui::model::{Model, ProbeItem, ProbeState};
use crate::tui::style::Look;
use crate::worksheet::{ProbeWorth, contradicted, probe_yaml};

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model, probe: &ProbeState) {
    match (&probe.outcome, &probe.source) {
        (Some(outcome), source) => verdict(doc, model, outcome, source.as_deref()),
        (None, Some(_)) if model.live.is_some() => {
            doc.title("Your test runs against the reference and the wrong change …");
        }
        _ => form(doc, model, probe),
    }
}

fn form(doc: &mut Doc, model: &Model, probe: &ProbeState) {
    let title = match model.lab().tables.first() {
        Some(_) => "A test of your own: what is there, what is called, what should be seen.",
        None => "A test of your own: what is called, and what should be seen.",
    };
    doc.title(title);
    doc.prose(0, Look::Dim, &hint(model, probe));
    doc.blank();
    for (place, item) in probe.items().into_iter().enumerate() {
        let here = place == probe.cursor;
        let start = doc.lines.len();
        one(doc, model, probe, item, here);
        if here {
            doc.focus = start..doc.lines.len();
        }
    }
    doc.blank();
    doc.prose(0, Look::Dim, "In the lab's own format:");
    for line in probe_yaml(model.lab(), &model.probe_form(probe)).lines() {
        doc.line(6, &[doc.span(Look::Dim, format!("  {line}"))]);
    }
}

/// Says how what is asked for is written.
fn hint(model: &Model, probe: &ProbeState) -> String {
    let callable = model.callable();
    let step = callable.get(probe.function.min(callable.len().saturating_sub(1)));
    let arguments = step.map_or(&[][..], |step| &step.arguments);
    let mut hint = String::new();
    if let Some(table) = model.lab().tables.first() {
        let columns = table.columns.join(", ");
        let _ = write!(
            hint,
            "A row is written {columns}. Rows are set apart by “;”. "
        );
    }
    for argument in arguments {
        let (name, parts) = (&argument.name, argument.parts.join(", "));
        let _ = match argument.kind {
            Kind::List if !parts.is_empty() => write!(hint, "{name}: ({parts}) ({parts}) … "),
            Kind::Callback => write!(hint, "{name}: the value that it gives, or “fails”. "),
            _ => Ok(()),
        };
    }
    hint.push_str("What is empty is left out: not given, or not looked at.");
    hint
}

fn one(doc: &mut Doc, model: &Model, probe: &ProbeState, item: ProbeItem, here: bool) {
    let label = |text: &str| format!("{text:<14}");
    match item {
        ProbeItem::Given => doc.field(0, &label("rows before"), &probe.given, here),
        ProbeItem::Rows => doc.field(0, &label("rows after"), &probe.rows, here),
        ProbeItem::Returns => doc.field(0, &label("  returns"), &probe.returns, here),
        ProbeItem::Argument(place) => {
            let callable = model.callable();
            let step = callable[probe.function.min(callable.len() - 1)];
            let name = step
                .arguments
                .get(place)
                .map_or("", |argument| argument.name.as_str());
            if let Some(field) = probe.arguments.get(place) {
                doc.field(0, &label(&format!("  {name}")), field, here);
            }
        }
        ProbeItem::Function => {
            let names: Vec<&str> = model
                .callable()
                .iter()
                .filter_map(|step| step.function.as_deref())
                .collect();
            choices(doc, &label("call"), &names, probe.function, here);
        }
        ProbeItem::Expect => {
            let place = usize::from(probe.raises);
            choices(doc, &label("expect"), &["a value", "an error"], place, here);
        }
    }
}

fn choices(doc: &mut Doc, label: &str, names: &[&str], chosen: usize, here: bool) {
    let look = if here { Look::Key } else { Look::Plain };
    let mut pieces = vec![doc.span(look, label.to_owned())];
    for (place, name) in names.iter().enumerate() {
        let look = if place == chosen {
            Look::Key
        } else {
            Look::Plain
        };
        let text = if place == chosen {
            format!("(•) {name}  ")
        } else {
            format!("( ) {name}  ")
        };
        pieces.push(doc.span(look, text));
    }
    if here && names.len() > 1 {
        pieces.push(doc.span(Look::Dim, "←→"));
    }
    doc.line(14, &pieces);
}

fn verdict(doc: &mut Doc, model: &Model, outcome: &ProbeOutcome, source: Option<&str>) {
    match outcome {
        ProbeOutcome::Mistakes(mistakes) => written_wrongly(doc, mistakes, source.unwrap_or("")),
        ProbeOutcome::Invalid(test, report) => invalid(doc, model, test, report),
        ProbeOutcome::Catches(test, report) => {
            doc.prose(0, Look::Good, ProbeWorth::Catches.sentence());
            doc.blank();
            doc.prose(0, Look::Plain, "What the changed code did:");
            script::with_verdict(doc, model.lab(), test, &report.verdict);
        }
        ProbeOutcome::Misses(test) => {
            doc.prose(0, Look::Title, ProbeWorth::Misses.sentence());
            doc.blank();
            script::plain(doc, model.lab(), test);
            doc.blank();
            doc.prose(
                0,
                Look::Plain,
                "Which other input or state would make the two differ?",
            );
        }
        ProbeOutcome::Failed(why) => {
            doc.prose(0, Look::Bad, &format!("It could not be run: {why}."));
        }
    }
}

fn invalid(doc: &mut Doc, model: &Model, test: &Test, report: &TestReport) {
    doc.prose(0, Look::Bad, ProbeWorth::Invalid.sentence());
    doc.blank();
    doc.prose(0, Look::Plain, "What the reference did:");
    script::with_verdict(doc, model.lab(), test, &report.verdict);
    doc.blank();
    let (likely, others) = contradicted(model.lab(), test, report);
    if let Some(clause) = likely {
        doc.prose(0, Look::Title, "It most likely contradicts this promise:");
        doc.hanging(4, doc.span(Look::Key, "  • "), Look::Plain, &clause.text);
        doc.blank();
    }
    if !others.is_empty() {
        let text = if likely.is_some() {
            "The other promises of the function:"
        } else {
            "The promises of the function:"
        };
        doc.prose(0, Look::Plain, text);
        for clause in others {
            doc.hanging(4, doc.span(Look::Dim, "  • "), Look::Plain, &clause.text);
        }
    }
}

fn written_wrongly(doc: &mut Doc, mistakes: &[Mistake], source: &str) {
    doc.title("Your test cannot be read yet:");
    for mistake in mistakes {
        doc.blank();
        let place = format!(
            "line {}, column {}: {}",
            mistake.line, mistake.column, mistake.title
        );
        doc.prose(0, Look::Bad, &place);
        if let Some(line) = source.lines().nth(mistake.line.saturating_sub(1)) {
            doc.line(6, &[doc.span(Look::Plain, format!("  {line}"))]);
            let caret = format!("  {}^", " ".repeat(mistake.column.saturating_sub(1)));
            if caret.len() < doc.width() {
                doc.line(0, &[doc.span(Look::Bad, caret)]);
            }
        }
        doc.prose(2, Look::Dim, &mistake.help);
    }
}
