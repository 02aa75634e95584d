//! A test's script on a page: by its calls alone, or with what a run saw.

use ratatui::text::{Line as TextLine, Span};
use unicode_width::UnicodeWidthStr;

use super::doc::Doc;
use crate::model::{Lab, Test};
use crate::tui::style::Look;
use crate::verdict::{Shown, TestVerdict};
use crate::worksheet::{LineState, Pieces, ScriptLine, marked, rows_around, script_lines};

/// Column at which a line's text starts.
const TEXT: usize = 8;
/// Column at which what belongs to a line starts.
const BELOW: usize = 11;
/// Columns for the words before an expectation.
const LABEL: usize = 10;

/// Adds the script without what it expects.
pub fn plain(doc: &mut Doc, lab: &Lab, test: &Test) {
    for line in script_lines(lab, test, None) {
        head(doc, &line);
    }
}

/// Adds the script with what it expects and what was seen.
pub fn with_verdict(doc: &mut Doc, lab: &Lab, test: &Test, verdict: &TestVerdict) {
    for line in script_lines(lab, test, Some(verdict)) {
        head(doc, &line);
        match line.state {
            LineState::Broken => broken(doc, &line, verdict),
            LineState::Passed => {
                labelled(
                    doc,
                    "expected",
                    &whole(&line.expected),
                    Look::Dim,
                    Look::Dim,
                );
            }
            LineState::Plain | LineState::NotReached => {}
        }
    }
    for note in &verdict.notes {
        doc.prose(TEXT, Look::Dim, &format!("note: {}", note.text));
    }
}

fn head(doc: &mut Doc, line: &ScriptLine) {
    let number = line
        .number
        .map_or(String::new(), |number| number.to_string());
    let (sign, look) = match line.state {
        LineState::Plain => (' ', Look::Plain),
        LineState::Passed => ('✔', Look::Plain),
        LineState::Broken => ('✘', Look::Bad),
        LineState::NotReached => ('–', Look::Dim),
    };
    let mut text = line.text.clone();
    if line.state == LineState::NotReached {
        text.push_str("  (not reached)");
    }
    let start = format!("  {sign} {number:>2}  ");
    let pieces = vec![doc.span(look, start), doc.span(look, text)];
    doc.line(BELOW, &pieces);
    for more in &line.more {
        let pieces = vec![
            Span::raw(" ".repeat(BELOW)),
            doc.span(Look::Dim, more.clone()),
        ];
        doc.line(BELOW + 2, &pieces);
    }
}

fn broken(doc: &mut Doc, line: &ScriptLine, verdict: &TestVerdict) {
    let (want, got) = if alike(verdict) {
        marked(&line.expected, &line.saw)
    } else {
        (whole(&line.expected), whole(&line.saw))
    };
    labelled(doc, "expected", &want, Look::Plain, Look::GoodMark);
    labelled(doc, "saw", &got, Look::Plain, Look::BadMark);
    underline(doc, &got);
    before_and_after(doc, verdict);
}

/// Tells whether both sides are of one kind, so that it says something which parts differ.
fn alike(verdict: &TestVerdict) -> bool {
    matches!(
        (&verdict.expected, &verdict.observed),
        (Some(Shown::Returns(_)), Some(Shown::Returns(_)))
            | (Some(Shown::Rows(_)), Some(Shown::Rows(_)))
            | (Some(Shown::Answer(_)), Some(Shown::Answer(_)))
    )
}

fn whole(lines: &[String]) -> Vec<Pieces> {
    lines
        .iter()
        .map(|line| vec![(false, line.clone())])
        .collect()
}

/// Adds lines after a word, with the marked pieces in another look.
fn labelled(doc: &mut Doc, label: &str, lines: &[Pieces], look: Look, differs: Look) {
    for (place, pieces) in lines.iter().enumerate() {
        let label = if place == 0 { label } else { "" };
        let lead = format!("{}{label:<LABEL$}", " ".repeat(BELOW));
        let mut spans = vec![doc.span(Look::Dim, lead)];
        for (is_other, text) in pieces {
            spans.push(doc.span(if *is_other { differs } else { look }, text.clone()));
        }
        doc.line(BELOW + LABEL + 2, &spans);
    }
}

/// Points at what differs in the last line with signs, where only a part of it does.
fn underline(doc: &mut Doc, lines: &[Pieces]) {
    let Some(pieces) = lines.last().filter(|_| lines.len() == 1) else {
        return;
    };
    let wide: usize = pieces.iter().map(|(_, text)| text.width()).sum();
    if pieces.len() < 2 || BELOW + LABEL + wide > doc.width() {
        return;
    }
    let mut text = " ".repeat(BELOW + LABEL);
    for (is_other, piece) in pieces {
        text.push_str(&if *is_other { "~" } else { " " }.repeat(piece.width()));
    }
    let line = doc.span(Look::Bad, text.trim_end().to_owned());
    doc.lines.push(TextLine::from(line));
}

/// Shows the rows around the call that matters: that of the line, or the last one before it.
fn before_and_after(doc: &mut Doc, verdict: &TestVerdict) {
    let Some(around) = rows_around(verdict) else {
        return;
    };
    if around.before == around.after {
        if around.is_broken {
            doc.prose(BELOW, Look::Dim, "the call changed no row");
        }
        return;
    }
    let (left, right) = marked(&around.before, &around.after);
    let text = format!("rows before and after line {}:", around.line);
    doc.prose(BELOW, Look::Dim, &text);
    labelled(doc, "before", &left, Look::Plain, Look::GoodMark);
    labelled(doc, "after", &right, Look::Plain, Look::BadMark);
}
