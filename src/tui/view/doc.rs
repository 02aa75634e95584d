//! A page as lines of text with a selected part, before it meets a window.
//!
//! Everything here counts columns as terminals do, and cuts between characters as people see
//! them.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::tui::field::Field;
use crate::tui::style::Look;

/// The widest a line of prose gets, however wide the terminal is.
const PROSE: usize = 96;

/// A page as lines.
#[derive(Debug, Clone, Default)]
pub struct Doc {
    /// The lines.
    pub lines: Vec<Line<'static>>,
    /// The lines to keep in sight.
    pub focus: Range<usize>,
    /// Line and column of the text cursor, if a text is being written.
    pub cursor: Option<(usize, usize)>,
    /// How many lines at the start stay in sight while the others scroll.
    pub pinned: usize,
    width: usize,
    colour: bool,
}

impl Doc {
    /// Makes an empty page of a width.
    #[must_use]
    pub fn new(width: u16, colour: bool) -> Self {
        Self {
            width: usize::from(width).max(4),
            colour,
            ..Self::default()
        }
    }

    /// Returns the width of the page in columns.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the style of a look on this page.
    #[must_use]
    pub const fn style(&self, look: Look) -> Style {
        look.style(self.colour)
    }

    /// Makes a piece of text.
    #[must_use]
    pub fn span(&self, look: Look, text: impl Into<String>) -> Span<'static> {
        Span::styled(text.into(), self.style(look))
    }

    /// Adds an empty line, unless there is one already or the page is empty.
    pub fn blank(&mut self) {
        if self.lines.last().is_some_and(|line| line.width() > 0) {
            self.lines.push(Line::default());
        }
    }

    /// Adds a line as it is; what is too wide for the page is folded below its own start.
    pub fn line(&mut self, indent: usize, pieces: &[Span<'static>]) {
        for line in fold(pieces, self.width, indent) {
            self.lines.push(line);
        }
    }

    /// Adds prose: words are never cut, and every line starts below the first.
    pub fn prose(&mut self, indent: usize, look: Look, text: &str) {
        self.hanging(indent, Span::raw(" ".repeat(indent)), look, text);
    }

    /// Adds prose after a mark that stands to its left.
    pub fn hanging(&mut self, indent: usize, mark: Span<'static>, look: Look, text: &str) {
        let room = self.width.min(PROSE).saturating_sub(indent).max(8);
        let style = self.style(look);
        let mut mark = Some(mark);
        for part in text.lines() {
            for row in wrap(part, room) {
                let start = mark
                    .take()
                    .map_or_else(|| Span::raw(" ".repeat(indent)), |mark| pad(&mark, indent));
                self.lines
                    .push(Line::from(vec![start, Span::styled(row, style)]));
            }
        }
    }

    /// Adds a heading.
    pub fn title(&mut self, text: &str) {
        self.prose(0, Look::Title, text);
    }

    /// Adds a field after a prompt, with the text cursor if it is being written.
    pub fn field(&mut self, indent: usize, prompt: &str, field: &Field, writing: bool) {
        let start = indent + prompt.width();
        let room = self.width.min(PROSE).saturating_sub(start + 1).max(4);
        let (rows, at) = field_rows(field, room);
        let first = self.lines.len();
        let look = if writing { Look::Key } else { Look::Plain };
        for (number, row) in rows.iter().enumerate() {
            let lead = if number == 0 {
                self.span(look, format!("{}{prompt}", " ".repeat(indent)))
            } else {
                Span::raw(" ".repeat(start))
            };
            let rest = room.saturating_sub(row.width());
            let line = if writing {
                "_".repeat(rest)
            } else {
                String::new()
            };
            self.lines.push(Line::from(vec![
                lead,
                Span::raw(row.clone()),
                self.span(Look::Dim, line),
            ]));
        }
        if writing {
            self.cursor = Some((first + at.0, start + at.1));
            self.focus = first..self.lines.len();
        }
    }

    /// Marks the lines that `add` adds as the ones to keep in sight.
    pub fn focused(&mut self, add: impl FnOnce(&mut Self)) {
        let first = self.lines.len();
        add(self);
        self.focus = first..self.lines.len();
    }

    /// Pins everything so far, if enough of a window is left for the rest.
    pub fn pin(&mut self, window: u16, rest: usize) {
        if self.lines.len() + rest <= usize::from(window) {
            self.pinned = self.lines.len();
        }
    }
}

/// Fills a span with blanks to a width.
fn pad(span: &Span<'static>, width: usize) -> Span<'static> {
    let missing = width.saturating_sub(span.width());
    Span::styled(
        format!("{}{}", span.content, " ".repeat(missing)),
        span.style,
    )
}

/// Breaks a text into rows of a width, between words where it can.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let row = rows.last_mut().expect("there is always a row");
        let gap = usize::from(!row.is_empty());
        if row.width() + gap + word.width() <= width {
            if gap == 1 {
                row.push(' ');
            }
            row.push_str(word);
            continue;
        }
        if !row.is_empty() {
            rows.push(String::new());
        }
        for part in word.graphemes(true) {
            let row = rows.last_mut().expect("there is always a row");
            if !row.is_empty() && row.width() + part.width() > width {
                rows.push(part.to_owned());
            } else {
                row.push_str(part);
            }
        }
    }
    rows
}

/// Breaks styled text into lines of a width, at blanks where it can; continued lines are indented.
///
/// All blanks are kept, so that code and tables keep their columns.
#[must_use]
pub fn fold(pieces: &[Span<'static>], width: usize, indent: usize) -> Vec<Line<'static>> {
    let indent = indent.min(width.saturating_sub(4));
    let parts: Vec<(&str, Style)> = pieces
        .iter()
        .flat_map(|piece| {
            piece
                .content
                .graphemes(true)
                .map(|part| (part, piece.style))
        })
        .filter(|(part, _)| !part.contains(char::is_control))
        .collect();
    let mut lines = Vec::new();
    let mut rest = parts.as_slice();
    loop {
        let lead = if lines.is_empty() { 0 } else { indent };
        let (row, after) = rest.split_at(row_end(rest, width - lead));
        let mut spans = Vec::new();
        if lead > 0 {
            spans.push(Span::raw(" ".repeat(lead)));
        }
        for run in row.chunk_by(|a, b| a.1 == b.1) {
            let text: String = run.iter().map(|(part, _)| *part).collect();
            spans.push(Span::styled(text, run[0].1));
        }
        lines.push(Line::from(spans));
        if after.is_empty() {
            return lines;
        }
        rest = after;
    }
}

/// Finds how many characters go into a row: up to the last blank that fits, else to the last sign
/// after which code may break, or as many as fit.
fn row_end(parts: &[(&str, Style)], width: usize) -> usize {
    let mut used = 0;
    let fits = parts
        .iter()
        .take_while(|(part, _)| {
            used += part.width();
            used <= width
        })
        .count()
        .max(1);
    if fits >= parts.len() {
        return parts.len();
    }
    let text = parts.iter().take_while(|(part, _)| *part == " ").count();
    // Not so early that the row is next to empty.
    let late = |at: &usize| *at > text && at + 1 >= fits / 3;
    let last = |signs: &[&str]| {
        let is_one = |(part, _): &(&str, Style)| signs.contains(part);
        parts[..fits].iter().rposition(is_one).filter(late)
    };
    last(&[" "])
        .or_else(|| last(&[",", "(", ";", ":", "}"]))
        .map_or(fits, |at| at + 1)
}

/// Breaks a field into rows, and finds the row and column of its cursor.
fn field_rows(field: &Field, width: usize) -> (Vec<String>, (usize, usize)) {
    let mut rows = vec![String::new()];
    let (mut cursor, mut at) = ((0, 0), 0);
    for part in field.text().graphemes(true) {
        let row = rows.last_mut().expect("there is always a row");
        if !row.is_empty() && row.width() + part.width() > width {
            rows.push(String::new());
        }
        if at == field.before().len() {
            cursor = (rows.len() - 1, rows[rows.len() - 1].width());
        }
        at += part.len();
        rows.last_mut()
            .expect("there is always a row")
            .push_str(part);
    }
    if at == field.before().len() {
        cursor = (rows.len() - 1, rows[rows.len() - 1].width());
    }
    (rows, cursor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_whole_unless_they_are_wider_than_the_page() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("열쇠 열쇠", 5), ["열쇠", "열쇠"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn code_keeps_its_columns_and_nothing_is_lost() {
        let lines = fold(&[Span::raw("    SELECT id FROM keys")], 12, 6);
        let texts: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            ["    SELECT ", "      id ", "      FROM ", "      keys"]
        );
    }

    #[test]
    fn the_cursor_of_a_field_is_where_the_next_sign_goes() {
        let mut field = Field::new("열쇠ab");
        assert_eq!(field_rows(&field, 10).1, (0, 6));
        assert_eq!(field_rows(&field, 4).1, (1, 2));
        field.edit(crate::tui::field::Edit::Start);
        assert_eq!(field_rows(&field, 4).1, (0, 0));
    }
}
