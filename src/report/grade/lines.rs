//! Lines that fit into so many columns.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Cuts a text to so many columns, with `…` where something is left out.
pub fn fit(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 0;
    for sign in text.graphemes(true) {
        if used + sign.width() + 1 > columns {
            break;
        }
        used += sign.width();
        kept.push_str(sign);
    }
    kept.push('…');
    kept
}

/// Fits a text, and fills it with blanks up to so many columns.
pub fn pad(text: &str, columns: usize) -> String {
    let mut text = fit(text, columns);
    let missing = columns.saturating_sub(text.width());
    text.extend(std::iter::repeat_n(' ', missing));
    text
}

/// Wraps a text at blanks, and a word that is too long anywhere; at most so many lines.
pub fn wrap(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = textwrap::wrap(text, columns)
        .into_iter()
        .map(std::borrow::Cow::into_owned)
        .collect();
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = format!("{}…", fit(last, columns.saturating_sub(1)));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_are_counted_as_two_columns() {
        assert_eq!(fit("김철수", 5), "김철…");
        assert_eq!(pad("김철수", 8), "김철수  ");
        assert_eq!(fit("anna", 4), "anna");
    }

    #[test]
    fn a_text_that_is_too_long_ends_with_a_sign_of_it() {
        let lines = wrap(&"long ".repeat(100), 20, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…'));
        assert!(lines.iter().all(|line| line.width() <= 20));
    }
}
