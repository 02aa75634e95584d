//! Puts a wrong fragment into a text, and names the result by its hash.
//!
//! `build.rs` includes this very file, so that what is compiled into the program and what the
//! program computes at run time cannot differ. It reads no file and imports nothing of the
//! program.

use std::ops::Range;

use sha2::{Digest, Sha256};

/// Why an edit cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApplyError {
    /// The fragment is empty, so it would match everywhere.
    Empty {
        /// Place of the edit in its list, from 0.
        edit: usize,
    },
    /// The fragment does not occur.
    NotFound {
        /// Place of the edit in its list, from 0.
        edit: usize,
    },
    /// The fragment occurs more than once.
    Ambiguous {
        /// Place of the edit in its list, from 0.
        edit: usize,
        /// The lines at which it starts, counted from 1.
        lines: Vec<usize>,
    },
}

impl std::fmt::Display for ApplyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty { edit } => write!(f, "edit {}: `find` is empty", edit + 1),
            Self::NotFound { edit } => {
                write!(
                    f,
                    "edit {}: `find` does not occur in the reference",
                    edit + 1
                )
            }
            Self::Ambiguous { edit, lines } => {
                let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "edit {}: `find` occurs {} times in the reference, at lines {}",
                    edit + 1,
                    lines.len(),
                    lines.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for ApplyError {}

/// Applies `(find, replace)` pairs one after the other, each to the result of the one before.
///
/// # Errors
///
/// Fails on the first pair whose `find` is empty or does not occur exactly once.
pub fn apply<'a>(
    source: &str,
    edits: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<String, ApplyError> {
    let mut text = source.to_owned();
    for (edit, (find, replace)) in edits.into_iter().enumerate() {
        let at = locate(&text, find, edit)?;
        text.replace_range(at..at + find.len(), replace);
    }
    Ok(text)
}

/// Finds the byte offset at which `find` occurs, given that it does so exactly once.
fn locate(text: &str, find: &str, edit: usize) -> Result<usize, ApplyError> {
    if find.is_empty() {
        return Err(ApplyError::Empty { edit });
    }
    let places = occurrences(text, find);
    match places[..] {
        [] => Err(ApplyError::NotFound { edit }),
        [at] => Ok(at),
        _ => Err(ApplyError::Ambiguous {
            edit,
            lines: places.iter().map(|at| line_of(text, *at)).collect(),
        }),
    }
}

/// Lists the byte offsets at which `find` occurs, overlapping ones included.
#[must_use]
pub fn occurrences(text: &str, find: &str) -> Vec<usize> {
    text.char_indices()
        .map(|(at, _)| at)
        .filter(|at| text[*at..].starts_with(find))
        .collect()
}

/// Finds the shortest stretch of whole lines around an occurrence of `find` that occurs once.
#[must_use]
pub fn unique_around(text: &str, find: &str) -> Option<String> {
    occurrences(text, find)
        .into_iter()
        .filter_map(|at| unique_lines(text, at..at + find.len()))
        .map(|lines| &text[lines])
        .min_by_key(|lines| lines.len())
        .map(str::to_owned)
}

/// Finds the fewest whole lines around the bytes `span` whose text occurs once; their bytes.
#[must_use]
pub fn unique_lines(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let starts: Vec<usize> = text
        .split_inclusive('\n')
        .scan(0, |next, line| {
            let start = *next;
            *next += line.len();
            Some(start)
        })
        .collect();
    let first = line_of(text, span.start) - 1;
    let last = line_of(text, span.end.saturating_sub(1).max(span.start)) - 1;
    (0..8)
        .flat_map(|size| (0..=size).map(move |up| (up, size - up)))
        .filter_map(|(before, after)| {
            let start = *starts.get(first.checked_sub(before)?)?;
            let end = *starts.get(last + after)?;
            let end = text[end..]
                .find('\n')
                .map_or(text.len(), |length| end + length);
            Some(start..end)
        })
        .find(|lines| occurrences(text, &text[lines.clone()]).len() == 1)
}

/// Counts the lines up to the byte `at`, from 1.
#[must_use]
pub fn line_of(text: &str, at: usize) -> usize {
    // In bytes: the last one of a fragment may stand in the middle of a character.
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// Names a source by its content: 64 hexadecimal digits of SHA-256, line ends made `\n` first.
#[must_use]
pub fn hash(source: &str) -> String {
    let digest = Sha256::digest(source.replace("\r\n", "\n").as_bytes());
    digest.iter().fold(String::new(), |mut text, byte| {
        use std::fmt::Write as _;
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_the_only_occurrence() {
        assert_eq!(apply("a b c", [("b", "x")]).unwrap(), "a x c");
    }

    #[test]
    fn later_edits_see_the_result_of_earlier_ones() {
        assert_eq!(
            apply("one", [("one", "two"), ("two", "three")]).unwrap(),
            "three"
        );
    }

    #[test]
    fn names_every_line_of_an_ambiguous_fragment() {
        assert_eq!(
            apply("x\ny\nx\n", [("x", "z")]),
            Err(ApplyError::Ambiguous {
                edit: 0,
                lines: vec![1, 3]
            })
        );
    }

    #[test]
    fn overlapping_occurrences_are_ambiguous() {
        assert_eq!(
            apply("aaa", [("aa", "b")]),
            Err(ApplyError::Ambiguous {
                edit: 0,
                lines: vec![1, 1]
            })
        );
    }

    #[test]
    fn finds_the_shortest_longer_text_that_is_unique() {
        let text = "one\n  same\ntwo\nthree\n  same\nfour\n";
        assert_eq!(unique_around(text, "same").as_deref(), Some("  same\ntwo"));
        assert_eq!(unique_around("a\na\na", "a").as_deref(), Some("a\na\na"));
        assert_eq!(unique_around("a", "b"), None);
    }

    #[test]
    fn the_fewest_lines_are_found_wherever_the_others_stand() {
        let found = |text, find| unique_around(text, find);
        // The line before tells them apart, at the end of the text and in its middle.
        assert_eq!(
            found("x\n\na\nz\ny\n\na\nz", "a").as_deref(),
            Some("y\n\na")
        );
        assert_eq!(found("a\nb\na\nc\nc\na\n", "a").as_deref(), Some("a\nb"));
        // A fragment of several lines is kept whole.
        let twice = "p\na\nb\nq\na\nb\n";
        assert_eq!(found(twice, "a\nb").as_deref(), Some("a\nb\nq"));
        assert_eq!(found("ä\nö\n", "ö").as_deref(), Some("ö"));
        // Its last line end belongs to the line that it ends.
        let text = "one\ntwo\nthree\n";
        assert_eq!(unique_lines(text, 4..8), Some(4..7));
        assert_eq!(unique_lines(text, 5..5), Some(4..7));
        assert_eq!(unique_lines("", 0..0), None);
    }

    #[test]
    fn a_fragment_with_twins_all_around_has_no_longer_text() {
        let text = "a\n".repeat(40);
        assert_eq!(unique_lines(&text, 40..41), None);
    }

    #[test]
    fn occurrences_are_counted_in_bytes_and_overlap() {
        assert_eq!(occurrences("aäaäa", "äa"), [1, 4]);
        assert_eq!(occurrences("aaa", "aa"), [0, 1]);
        assert_eq!(occurrences("abc", "d"), Vec::<usize>::new());
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!([0, 1, 2, 4].map(|at| line_of("a\nb\nc", at)), [1, 1, 2, 3]);
    }

    #[test]
    fn a_missing_or_empty_fragment_is_refused() {
        assert_eq!(
            apply("a", [("a", "b"), ("c", "d")]),
            Err(ApplyError::NotFound { edit: 1 })
        );
        assert_eq!(apply("a", [("", "b")]), Err(ApplyError::Empty { edit: 0 }));
    }

    #[test]
    fn a_refusal_names_the_edit_as_people_count_and_the_lines() {
        let told = |error: ApplyError| error.to_string();
        assert_eq!(
            told(ApplyError::Empty { edit: 0 }),
            "edit 1: `find` is empty"
        );
        assert_eq!(
            told(ApplyError::NotFound { edit: 1 }),
            "edit 2: `find` does not occur in the reference"
        );
        assert_eq!(
            told(ApplyError::Ambiguous {
                edit: 2,
                lines: vec![4, 9]
            }),
            "edit 3: `find` occurs 2 times in the reference, at lines 4, 9"
        );
    }

    #[test]
    fn the_hash_does_not_depend_on_line_ends() {
        assert_eq!(hash("a\r\nb"), hash("a\nb"));
        assert_ne!(hash("a\nb"), hash("a b"));
        assert_eq!(hash("").len(), 64);
    }

    proptest::proptest! {
        #[test]
        fn an_edit_applies_where_its_text_is_once_and_nowhere_else(
            text in "[abé\n]{0,12}",
            find in "[abé\n]{0,3}",
            replace in "[xy\n]{0,3}",
        ) {
            let times = (0..text.len())
                .filter(|at| text.as_bytes()[*at..].starts_with(find.as_bytes()))
                .count();
            let applied = apply(&text, [(find.as_str(), replace.as_str())]);
            if times == 1 && !find.is_empty() {
                proptest::prop_assert_eq!(applied.unwrap(), text.replacen(&find, &replace, 1));
            } else {
                proptest::prop_assert!(applied.is_err());
            }
        }

        #[test]
        fn lines_around_a_fragment_occur_once_and_hold_it(
            text in "[abé\n]{0,30}",
            find in "[abé\n]{1,3}",
        ) {
            if let Some(lines) = unique_around(&text, &find) {
                // Lines are told without the end of the last one.
                let held = find.strip_suffix('\n').unwrap_or(&find);
                proptest::prop_assert!(lines.contains(held));
                proptest::prop_assert_eq!(occurrences(&text, &lines).len(), 1);
            }
        }
    }
}
