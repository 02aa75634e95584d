//! Finds where a pasted fragment stands in a reference, and makes an edit of it that fits once.
//!
//! A paste has seldom the blanks of the reference. So what does not occur as it is, is looked
//! for without its blanks, then across the seams of string literals; the edit always has the
//! reference's own text.

use std::ops::Range;

use crate::model::Edit;
use crate::mutate::{line_of, occurrences, unique_lines};

/// How a fragment had to be read to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// As it is.
    Exact,
    /// Without regard to blanks and ends of lines.
    Blanks,
    /// And across the quotes and backslashes at which a literal goes on in the next line.
    Literals,
}

/// A place at which a fragment occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// How it had to be read.
    pub fit: Fit,
    /// Its bytes in the reference.
    pub range: Range<usize>,
    /// The line at which it starts, counted from 1.
    pub line: usize,
}

/// Finds the places of a fragment: those inside `function`, if there are any, else all.
#[must_use]
pub fn spots(text: &str, fragment: &str, function: &str) -> Vec<Spot> {
    let (fit, ranges) = find(text, fragment);
    let spot = |range: Range<usize>| Spot {
        fit,
        line: line_of(text, range.start),
        range,
    };
    let all: Vec<Spot> = ranges.into_iter().map(spot).collect();
    let body = body_of(text, function);
    let inside: Vec<Spot> = all
        .iter()
        .filter(|spot| body.contains(&spot.range.start))
        .cloned()
        .collect();
    if inside.is_empty() { all } else { inside }
}

fn find(text: &str, fragment: &str) -> (Fit, Vec<Range<usize>>) {
    let exact = occurrences(text, fragment);
    if fragment.is_empty() || !exact.is_empty() {
        let ranges = exact.into_iter().map(|at| at..at + fragment.len());
        return (Fit::Exact, ranges.collect());
    }
    let tight = squeezed(text, fragment, char::is_whitespace);
    if !tight.is_empty() || fragment.contains(['"', '\\']) {
        return (Fit::Blanks, tight);
    }
    let mut across = squeezed(text, fragment, |c| c.is_whitespace() || "\"\\".contains(c));
    // Half a literal would leave the other half open.
    across.retain(|range| text[range.clone()].matches('"').count().is_multiple_of(2));
    (Fit::Literals, across)
}

/// Finds a fragment where only the characters count that are not to be skipped.
fn squeezed(text: &str, fragment: &str, skip: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let (mut kept, mut bytes) = (String::new(), Vec::new());
    for (at, sign) in text.char_indices().filter(|(_, sign)| !skip(*sign)) {
        kept.push(sign);
        bytes.extend(at..at + sign.len_utf8());
    }
    let wanted: String = fragment.chars().filter(|sign| !skip(*sign)).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    occurrences(&kept, &wanted)
        .into_iter()
        .map(|at| bytes[at]..bytes[at + wanted.len() - 1] + 1)
        .collect()
}

/// Finds the bytes of a top-level function, from its declaration to the next one.
fn body_of(text: &str, function: &str) -> Range<usize> {
    let declares = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let line = line.strip_prefix("async ").unwrap_or(line);
        let line = ["fn ", "def ", "function "]
            .iter()
            .find_map(|word| line.strip_prefix(word))
            .unwrap_or(line);
        let name = line.split(['(', '<']).next().unwrap_or_default();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && line.len() > name.len()).then(|| name.to_owned())
    };
    let (mut at, mut start) = (0, None);
    for line in text.split_inclusive('\n') {
        if let Some(name) = declares(line) {
            match start {
                Some(start) => return start..at,
                None if name == function => start = Some(at),
                None => {}
            }
        }
        at += line.len();
    }
    start.map_or(0..0, |start| start..text.len())
}

/// Makes the edit that puts `replace` where `find` was found: the reference's own text, with
/// whole lines around it if it occurs more than once.
#[must_use]
pub fn edit(text: &str, spot: &Spot, find: &str, replace: &str) -> Option<Edit> {
    let found = &text[spot.range.clone()];
    let replace = match spot.fit {
        Fit::Exact => replace.to_owned(),
        Fit::Blanks | Fit::Literals => set_in(text, spot, find, replace),
    };
    if occurrences(text, found).len() == 1 {
        return Some(Edit {
            find: found.to_owned(),
            replace,
        });
    }
    let lines = unique_lines(text, spot.range.clone())?;
    let before = text[lines.start..spot.range.start].trim_start();
    let after = &text[spot.range.end..lines.end];
    let around = |middle: &str| format!("{before}{middle}{after}");
    // The blanks before the first line are left out where they make no difference.
    if occurrences(text, &around(found)).len() == 1 {
        return Some(Edit {
            find: around(found),
            replace: around(&replace),
        });
    }
    let before = &text[lines.start..spot.range.start];
    Some(Edit {
        find: text[lines].to_owned(),
        replace: format!("{before}{replace}{after}"),
    })
}

/// Gives the lines of a replacement the indentation of the reference instead of the paste's.
fn set_in(text: &str, spot: &Spot, find: &str, replace: &str) -> String {
    let start = text[..spot.range.start].rfind('\n').map_or(0, |at| at + 1);
    let own = indentation(&text[start..]);
    let first = find.lines().find(|line| !line.trim().is_empty());
    let pasted = first.map_or("", indentation);
    let lines = replace.trim_end().trim_start_matches('\n').lines();
    let lines = lines.enumerate().map(|(place, line)| {
        if place == 0 {
            return line.trim_start().to_owned();
        }
        match line.strip_prefix(pasted) {
            _ if line.trim().is_empty() => String::new(),
            Some(rest) => format!("{own}{rest}"),
            None => format!("{own}{}", line.trim_start()),
        }
    });
    lines.collect::<Vec<String>>().join("\n")
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Takes off the signs of a diff that was pasted whole; none if it is not one.
#[must_use]
pub fn without_marks(find: &str, replace: &str) -> Option<(String, String)> {
    let strip = |text: &str, mark: char| -> Option<String> {
        let lines: Option<Vec<&str>> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| line.strip_prefix(mark))
            .collect();
        Some(lines?.join("\n"))
    };
    let find = strip(find, '-')?;
    Some((
        find,
        strip(replace, '+').unwrap_or_else(|| replace.to_owned()),
    ))
}

/// Finds the line of a reference that has most of the first line of a fragment in it.
#[must_use]
pub fn nearest_line<'t>(text: &'t str, fragment: &str) -> Option<(usize, &'t str)> {
    let wanted = fragment
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())?;
    let pairs: Vec<String> = wanted
        .chars()
        .zip(wanted.chars().skip(1))
        .map(|(first, second)| format!("{first}{second}"))
        .collect();
    let shared = |line: &str| {
        let shared = pairs.iter().filter(|pair| line.contains(pair.as_str()));
        shared.count()
    };
    text.lines()
        .enumerate()
        .map(|(place, line)| (shared(line), place + 1, line.trim()))
        .filter(|(shared, _, _)| *shared > 0 && shared * 10 >= pairs.len() * 7)
        .max_by_key(|(shared, line, _)| (*shared, usize::MAX - line))
        .map(|(_, line, text)| (line, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
pub fn expired(x: u8) {
    let a = sql(
        \"SELECT id \\
         FROM keys\",
    );
    done(a);
}

pub fn purge(x: u8) {
    let b = 1;
    done(a);
}
";

    fn only(fragment: &str, function: &str) -> Spot {
        let spots = spots(TEXT, fragment, function);
        assert_eq!(spots.len(), 1, "{spots:?}");
        spots[0].clone()
    }

    #[test]
    fn the_function_of_the_step_decides_between_two_places() {
        assert_eq!(only("done(a);", "purge").line, 11);
        assert_eq!(only("done(a);", "expired").line, 6);
        assert_eq!(spots(TEXT, "done(a);", "fetch").len(), 2);
        assert_eq!(only("let b = 1;", "expired").line, 10);
    }

    #[test]
    fn blanks_need_not_be_those_of_the_reference() {
        let spot = only("let  b=1 ;\n\n   done( a );  ", "purge");
        assert_eq!(spot.fit, Fit::Blanks);
        let edit = edit(
            TEXT,
            &spot,
            "let  b=1 ;\ndone( a );",
            "done(b);\n  more();\n",
        )
        .unwrap();
        assert_eq!(edit.find, "let b = 1;\n    done(a);");
        assert_eq!(edit.replace, "done(b);\n      more();");
    }

    #[test]
    fn a_literal_is_found_across_its_seams() {
        let spot = only("SELECT id FROM keys", "expired");
        assert_eq!(spot.fit, Fit::Literals);
        assert_eq!(&TEXT[spot.range], "SELECT id \\\n         FROM keys");
        let python = "f(\"SELECT id \"\n  \"FROM keys\")\n";
        let found = spots(python, "SELECT id FROM keys", "f");
        assert_eq!(
            &python[found[0].range.clone()],
            "SELECT id \"\n  \"FROM keys"
        );
        // It would end behind an open quote.
        assert_eq!(spots("(\"a\", b)", "a, b", "f"), []);
    }

    #[test]
    fn what_occurs_twice_gets_whole_lines_around_it() {
        let spot = only("done(a);", "purge");
        let edit = edit(TEXT, &spot, "done(a);", "done(b);").unwrap();
        assert_eq!(edit.find, "let b = 1;\n    done(a);");
        assert_eq!(edit.replace, "let b = 1;\n    done(b);");
    }

    #[test]
    fn the_signs_of_a_diff_are_taken_off() {
        assert_eq!(
            without_marks("-a\n-b", "+ c"),
            Some(("a\nb".to_owned(), " c".to_owned()))
        );
        assert_eq!(without_marks("-a\nb", "+c"), None);
    }

    #[test]
    fn the_nearest_line_helps_with_a_typing_error() {
        assert_eq!(nearest_line(TEXT, "let b = 2;"), Some((10, "let b = 1;")));
        assert_eq!(
            nearest_line(TEXT, "SELECT idd"),
            Some((3, "\"SELECT id \\"))
        );
        assert_eq!(nearest_line(TEXT, "nothing alike"), None);
        assert_eq!(nearest_line(TEXT, " \n"), None);
    }
}
