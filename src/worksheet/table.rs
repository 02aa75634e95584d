//! Rows and other values as aligned lines of text.

use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::value_text;
use crate::model::{Cell, TableRows};
use crate::verdict::Shown;

/// The widest a cell is shown, in columns of the terminal.
const WIDEST: usize = 24;
/// The most rows of a table that are shown.
const MOST: usize = 12;

/// Writes rows as lines, their cells aligned.
#[must_use]
pub fn rows_lines(rows: &[Vec<Cell>]) -> Vec<String> {
    if rows.is_empty() {
        return vec!["no rows".to_owned()];
    }
    let shown: Vec<Vec<String>> = rows
        .iter()
        .take(MOST)
        .map(|row| row.iter().map(cell_text).collect())
        .collect();
    let columns = shown.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = shown.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        })
        .collect();
    let mut lines: Vec<String> = shown.iter().map(|row| aligned(row, &widths)).collect();
    if rows.len() > MOST {
        let more = rows.len() - MOST;
        let noun = if more == 1 { "row" } else { "rows" };
        lines.push(format!("… and {more} more {noun}"));
    }
    lines
}

fn aligned(row: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (cell, width) in row.iter().zip(widths) {
        line.push_str(cell);
        line.push_str(&" ".repeat(width - cell.width() + 2));
    }
    line.trim_end().to_owned()
}

/// Writes one cell, cut to a width that a row can afford.
pub(super) fn cell_text(cell: &Cell) -> String {
    let text = match cell {
        Cell::Null => "–".to_owned(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => stored_text(text),
        Cell::Json(value) => stored_text(&value.to_string()),
        Cell::Blob(bytes) => format!("{} bytes", bytes.len()),
    };
    cut(&text, WIDEST)
}

/// Writes a stored text as it is, in quotes only where it could be taken for something else.
fn stored_text(text: &str) -> String {
    let odd = text.is_empty()
        || text == "–"
        || text.trim() != text
        || text.parse::<f64>().is_ok()
        || text.chars().any(char::is_control);
    if odd {
        Value::from(text).to_string()
    } else {
        text.to_owned()
    }
}

/// Cuts a text to a width, between characters as people see them.
#[must_use]
pub fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for part in text.graphemes(true) {
        if kept.width() + part.width() + 1 > width {
            break;
        }
        kept.push_str(part);
    }
    kept.push('…');
    kept
}

/// Writes an expectation or an observation as lines.
#[must_use]
pub fn shown_lines(shown: &Shown) -> Vec<String> {
    match shown {
        Shown::Returns(value) => vec![value_text(value)],
        Shown::Raises {
            kind,
            message: None,
        } => vec![error_words(kind)],
        Shown::Raises {
            kind,
            message: Some(message),
        } => vec![format!("{kind}: {}", one_line(message))],
        Shown::Outcomes(all) => vec![list(all, ", ")],
        Shown::OneOf(all) => vec![list(all, " or ")],
        Shown::Rows(tables) => tables
            .iter()
            .flat_map(|table| table_lines(table, tables.len()))
            .collect(),
        Shown::Answer(rows) => rows_lines(rows),
        Shown::Words(words) => words.lines().map(str::to_owned).collect(),
    }
}

/// Names the kind of error that is expected.
pub(super) fn error_words(kind: &str) -> String {
    match kind {
        "callback" => "the callback's own error".to_owned(),
        "any" => "an error".to_owned(),
        kind => format!("an error: {}", kind.replace('_', " ")),
    }
}

/// Makes one line of a message, however its program laid it out.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn table_lines(table: &TableRows, tables: usize) -> Vec<String> {
    let mut lines = rows_lines(&table.rows);
    if tables > 1 {
        lines.insert(0, format!("{}:", table.table));
    }
    lines
}

fn list(all: &[Shown], between: &str) -> String {
    /// So many of the same in a row are counted.
    const MANY: usize = 3;
    let mut texts: Vec<(String, usize)> = Vec::new();
    for shown in all {
        let text = match shown {
            Shown::Outcomes(inner) => format!("({})", list(inner, ", ")),
            other => shown_lines(other).join(" "),
        };
        match texts.last_mut().filter(|last| last.0 == text) {
            Some((_, count)) => *count += 1,
            None => texts.push((text, 1)),
        }
    }
    let texts = texts.into_iter().flat_map(|(text, count)| match count {
        1..MANY => vec![text; count],
        _ => vec![format!("{count} times {text}")],
    });
    texts.collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }

    #[test]
    fn cells_line_up_whatever_their_width() {
        let rows = [
            vec![text("k"), Cell::Null, Cell::Integer(10)],
            vec![text("열쇠"), text("v1"), Cell::Real(9.5)],
        ];
        assert_eq!(rows_lines(&rows), ["k     –   10", "열쇠  v1  9.5"]);
    }

    #[test]
    fn a_stored_text_is_quoted_only_where_it_could_mislead() {
        assert_eq!(cell_text(&text("{\"receipt\":1}")), "{\"receipt\":1}");
        assert_eq!(
            cell_text(&Cell::Json(serde_json::json!({"a": 1}))),
            "{\"a\":1}"
        );
        for odd in ["", "10", " k", "–", "a\u{0}b"] {
            assert!(cell_text(&text(odd)).starts_with('"'), "{odd:?}");
        }
    }

    #[test]
    fn many_outcomes_of_one_kind_are_counted() {
        let said = |word: &str| Shown::Words(word.to_owned());
        let mut all = vec![said("applied")];
        all.extend(vec![said("duplicate"); 9]);
        let lines = shown_lines(&Shown::Outcomes(all));
        assert_eq!(lines, ["applied, 9 times duplicate"]);
        let two = Shown::Outcomes(vec![said("true"); 2]);
        assert_eq!(shown_lines(&two), ["true, true"]);
    }

    #[test]
    fn long_cells_are_cut_between_characters() {
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("열쇠열쇠", 5), "열쇠…");
        assert_eq!(cut("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
    }

    #[test]
    fn many_rows_are_counted() {
        let rows = vec![vec![text("k")]; 20];
        let lines = rows_lines(&rows);
        assert_eq!(lines.len(), 13);
        assert_eq!(lines[12], "… and 8 more rows");
    }
}
