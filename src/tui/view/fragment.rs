//! The changed fragment as a diff, and the belief behind it.

use ratatui::text::Span;

use super::doc::Doc;
use super::last;
use crate::model::Mutant;
use crate::mutate;
use crate::tui::model::Model;
use crate::tui::style::Look;
use crate::worksheet::{Change, DiffLine, fragment};

/// Columns of a line number.
const NUMBER: usize = 4;

/// Builds the page.
pub fn build(doc: &mut Doc, model: &Model) {
    if let Some(task) = model.written() {
        last::answer(doc, model, task);
        return;
    }
    let Some(mutant) = model.mutant() else {
        let text = "This step has no wrong change to look for.";
        doc.prose(0, Look::Plain, text);
        return;
    };
    doc.title("Somebody made one change, with this in mind:");
    doc.prose(2, Look::Plain, &format!("“{}”", mutant.belief.trim()));
    doc.blank();
    diff(doc, model, mutant, true);
    doc.blank();
    let has_run = model.attempts().any(|attempt| attempt.run.is_some());
    let text = if has_run {
        "You have seen it run."
    } else {
        "Nothing has run yet. What would have to happen for anyone to notice?"
    };
    doc.prose(0, Look::Plain, text);
}

/// Adds the diff: all of it, or only the changed lines.
pub fn diff(doc: &mut Doc, model: &Model, mutant: &Mutant, all: bool) {
    let mut lines = lines(model, mutant);
    if !all {
        lines.retain(|line| matches!(line.change, Change::Removed | Change::Added));
        outdent(&mut lines);
    }
    for line in &lines {
        add(doc, line, all);
    }
}

/// Takes away the blanks that all lines start with.
fn outdent(lines: &mut [DiffLine]) {
    let starts = lines.iter().map(|line| blanks(&line.text()));
    let common = starts.min().unwrap_or(0);
    for line in lines {
        let mut left = common;
        for (_, text) in &mut line.pieces {
            let cut = left.min(blanks(text));
            text.drain(..cut);
            left -= cut;
        }
    }
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// Lists the lines of the diff; an edit that does not fit is one line that says so.
fn lines(model: &Model, mutant: &Mutant) -> Vec<DiffLine> {
    let Some(source) = model.lab().source(model.track) else {
        return Vec::new();
    };
    let edits = mutant
        .edits_for(model.track)
        .iter()
        .map(|edit| (edit.find.as_str(), edit.replace.as_str()));
    match mutate::apply(&source.text, edits) {
        Ok(mutated) => fragment(&source.text, &mutated),
        Err(error) => vec![DiffLine {
            change: Change::Gap,
            old: None,
            new: None,
            pieces: vec![(
                false,
                format!("the change does not fit the reference: {error}"),
            )],
        }],
    }
}

fn add(doc: &mut Doc, line: &DiffLine, numbered: bool) {
    let (mark, look, differs) = match line.change {
        Change::Same => (' ', Look::Dim, Look::Dim),
        Change::Removed => ('-', Look::Bad, Look::BadMark),
        Change::Added => ('+', Look::Good, Look::GoodMark),
        Change::Gap => ('…', Look::Dim, Look::Dim),
    };
    let number = line.old.or(line.new).filter(|_| numbered);
    let number = number.map_or(String::new(), |number| number.to_string());
    let start = if numbered {
        format!("{number:>NUMBER$} {mark} ")
    } else {
        format!("  {mark} ")
    };
    // What is common to all lines of a function is indented; the fold goes a little further.
    let indent = start.chars().count() + blanks(&line.text()) + 2;
    let mut pieces: Vec<Span<'static>> = vec![doc.span(look, start)];
    for (is_other, text) in &line.pieces {
        pieces.push(doc.span(if *is_other { differs } else { look }, text.clone()));
    }
    doc.line(indent.min(doc.width() / 2), &pieces);
}
