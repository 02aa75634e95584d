//! Expected and observed lines side by side, with the parts that differ marked.

use similar::{ChangeTag, TextDiff};

/// A line in pieces; `true` marks what differs from its counterpart.
pub type Pieces = Vec<(bool, String)>;

/// Marks where the lines of an expectation and of an observation differ.
///
/// Lines that are the same, or have nothing in common, come back in one piece.
#[must_use]
pub fn marked(expected: &[String], saw: &[String]) -> (Vec<Pieces>, Vec<Pieces>) {
    let whole = |line: &String| vec![(false, line.clone())];
    let mut left: Vec<Pieces> = expected.iter().map(whole).collect();
    let mut right: Vec<Pieces> = saw.iter().map(whole).collect();
    for (place, (want, got)) in expected.iter().zip(saw).enumerate() {
        if want != got {
            (left[place], right[place]) = pair(want, got);
        }
    }
    for extra in left.iter_mut().skip(saw.len()) {
        mark_all(extra);
    }
    for extra in right.iter_mut().skip(expected.len()) {
        mark_all(extra);
    }
    (left, right)
}

fn mark_all(pieces: &mut Pieces) {
    for (differs, _) in pieces {
        *differs = true;
    }
}

fn pair(want: &str, got: &str) -> (Pieces, Pieces) {
    let one_word = !want.contains(' ') && !got.contains(' ');
    let diff = if one_word {
        TextDiff::from_chars(want, got)
    } else {
        TextDiff::from_words(want, got)
    };
    if diff.ratio() < 0.3 {
        return (vec![(true, want.to_owned())], vec![(true, got.to_owned())]);
    }
    let side = |leave_out: ChangeTag| {
        let mut pieces: Pieces = Vec::new();
        for change in diff.iter_all_changes() {
            if change.tag() == leave_out {
                continue;
            }
            // Blanks that only make up for another width are no difference to show.
            let differs = change.tag() != ChangeTag::Equal && !change.value().trim().is_empty();
            match pieces.last_mut() {
                Some((last, text)) if *last == differs => text.push_str(change.value()),
                _ => pieces.push((differs, change.value().to_owned())),
            }
        }
        pieces
    };
    (side(ChangeTag::Insert), side(ChangeTag::Delete))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn marks_the_cells_that_differ() {
        let (left, right) = marked(
            &lines(&["k  v1  pending  –  10"]),
            &lines(&["k  v2  pending  –  99"]),
        );
        let marked_in = |pieces: &Pieces| -> Vec<String> {
            let marked = pieces.iter().filter(|(differs, _)| *differs);
            marked.map(|(_, text)| text.clone()).collect()
        };
        assert_eq!(marked_in(&left[0]), ["v1", "10"]);
        assert_eq!(marked_in(&right[0]), ["v2", "99"]);
    }

    #[test]
    fn lines_without_a_counterpart_are_marked_whole() {
        let (left, right) = marked(&lines(&["a"]), &lines(&["a", "b"]));
        assert_eq!(left, [vec![(false, "a".to_owned())]]);
        assert_eq!(right[1], vec![(true, "b".to_owned())]);
    }
}
