//! Prose folded to a width: words are never parted, in whatever script they are.

use textwrap::{Options, WordSeparator, WordSplitter};

/// Folds a text to `width` columns; `first` begins the first line and `rest` the others.
///
/// Only blanks part words: a Korean word, `inv-1` or a path stays in one piece.
#[must_use]
pub fn folded(text: &str, width: usize, first: &str, rest: &str) -> Vec<String> {
    let options = Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .initial_indent(first)
        .subsequent_indent(rest);
    let lines = textwrap::wrap(text, options).into_iter();
    lines.map(|line| line.trim_end().to_owned()).collect()
}

/// Divides a text into its paragraphs, each in one line, and what is set in, line by line; an
/// empty line stands between them where there is one in the text.
///
/// So prose can be folded for any width, and drawings stay as they are.
#[must_use]
pub fn paragraphs(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        match all.last_mut().filter(|_| is_prose && goes_on) {
            Some(last) => {
                last.push(' ');
                last.push_str(line);
            }
            None => all.push(line.to_owned()),
        }
        goes_on = is_prose;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_any_script_stay_in_one_piece() {
        assert_eq!(
            folded("retention (보관) of inv-1", 14, "", ""),
            ["retention", "(보관) of", "inv-1"]
        );
        assert_eq!(folded("a b", 4, "- ", "  "), ["- a", "  b"]);
    }

    #[test]
    fn prose_is_joined_and_drawings_stay() {
        assert_eq!(
            paragraphs("one\ntwo\n\n  a\n  b\nthree"),
            ["one two", "", "  a", "  b", "three"]
        );
    }
}
