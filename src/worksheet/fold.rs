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
}
