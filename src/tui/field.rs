//! A line of text that the learner types, edited by characters as people see them.
//!
//! Plain data and pure functions. Signs that a terminal would act upon never get in.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// The most bytes a field takes; what is pasted beyond that is left out.
const MOST: usize = 4000;

/// A line of text with a cursor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    text: String,
    /// Byte offset of the cursor, between two characters.
    at: usize,
}

/// A change of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// Puts a sign in.
    Insert(char),
    /// Takes the character before the cursor away.
    Backspace,
    /// Takes the character under the cursor away.
    Delete,
    /// Takes the word before the cursor away.
    DeleteWord,
    /// Takes everything before the cursor away.
    DeleteToStart,
    /// Takes everything from the cursor on away.
    DeleteToEnd,
    /// Moves one character back.
    Left,
    /// Moves one character on.
    Right,
    /// Moves one word back.
    WordLeft,
    /// Moves one word on.
    WordRight,
    /// Moves to the start.
    Start,
    /// Moves to the end.
    End,
}

impl Field {
    /// Makes a field with a text, the cursor at its end.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut field = Self::default();
        field.paste(text);
        field
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text before the cursor.
    #[must_use]
    pub fn before(&self) -> &str {
        &self.text[..self.at]
    }

    /// Tells whether there is nothing but blanks.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Puts a text in at the cursor; line ends become blanks.
    pub fn paste(&mut self, text: &str) {
        for sign in text.replace("\r\n", "\n").chars() {
            self.insert(if matches!(sign, '\n' | '\r' | '\t') {
                ' '
            } else {
                sign
            });
        }
    }

    /// Applies a change.
    pub fn edit(&mut self, edit: Edit) {
        match edit {
            Edit::Insert(sign) => self.insert(sign),
            Edit::Backspace => self.delete(self.previous(), self.at),
            Edit::Delete => self.delete(self.at, self.next()),
            Edit::DeleteWord => self.delete(self.previous_word(), self.at),
            Edit::DeleteToStart => self.delete(0, self.at),
            Edit::DeleteToEnd => self.delete(self.at, self.text.len()),
            Edit::Left => self.at = self.previous(),
            Edit::Right => self.at = self.next(),
            Edit::WordLeft => self.at = self.previous_word(),
            Edit::WordRight => self.at = self.next_word(),
            Edit::Start => self.at = 0,
            Edit::End => self.at = self.text.len(),
        }
    }

    fn insert(&mut self, sign: char) {
        if sign.is_control() || is_unseen(sign) || self.text.len() + sign.len_utf8() > MOST {
            return;
        }
        self.text.insert(self.at, sign);
        self.at += sign.len_utf8();
        self.snap();
    }

    fn delete(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.at = from;
        self.snap();
    }

    /// Moves the cursor on to the next place between two characters.
    fn snap(&mut self) {
        let mut cursor = GraphemeCursor::new(self.at, self.text.len(), true);
        if !cursor.is_boundary(&self.text, 0).unwrap_or(true) {
            self.at = cursor
                .next_boundary(&self.text, 0)
                .ok()
                .flatten()
                .unwrap_or(self.text.len());
        }
    }

    fn previous(&self) -> usize {
        let last = self.before().graphemes(true).next_back();
        self.at - last.map_or(0, str::len)
    }

    fn next(&self) -> usize {
        let next = self.text[self.at..].graphemes(true).next();
        self.at + next.map_or(0, str::len)
    }

    fn previous_word(&self) -> usize {
        let before = self.before().trim_end();
        before.rfind(' ').map_or(0, |at| at + 1)
    }

    fn next_word(&self) -> usize {
        let rest = &self.text[self.at..];
        let word = rest.len() - rest.trim_start().len();
        rest[word..]
            .find(' ')
            .map_or(self.text.len(), |at| self.at + word + at)
    }
}

/// Tells whether a sign turns the direction of writing or breaks lines without being seen.
const fn is_unseen(sign: char) -> bool {
    matches!(sign, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deletes_what_people_see_as_one_character() {
        let mut field = Field::new("열e\u{301}👩‍👩‍👧");
        field.edit(Edit::Backspace);
        assert_eq!(field.text(), "열e\u{301}");
        field.edit(Edit::Backspace);
        assert_eq!(field.text(), "열");
        field.edit(Edit::Left);
        field.edit(Edit::Delete);
        assert_eq!(field.text(), "");
    }

    #[test]
    fn the_cursor_never_stands_inside_a_character() {
        let mut field = Field::new("a\u{301}b");
        field.edit(Edit::Start);
        field.edit(Edit::Right);
        assert_eq!(field.before(), "a\u{301}");
        field.edit(Edit::Start);
        field.edit(Edit::Insert('x'));
        field.edit(Edit::Delete);
        assert_eq!(field.text(), "xb");
    }

    #[test]
    fn a_paste_is_one_line_without_control_signs() {
        let field = Field::new("one\r\ntwo\tthree\u{1b}[31m\0");
        assert_eq!(field.text(), "one two three[31m");
        assert!(Field::new(&"x".repeat(10_000)).text().len() <= MOST);
    }

    #[test]
    fn words_are_crossed_and_deleted() {
        let mut field = Field::new("one two three");
        field.edit(Edit::WordLeft);
        assert_eq!(field.before(), "one two ");
        field.edit(Edit::DeleteWord);
        assert_eq!(field.text(), "one three");
        field.edit(Edit::WordRight);
        assert_eq!(field.before(), "one three");
    }
}
