//! The changed fragment as a diff, with a few lines around it.

use similar::{ChangeTag, TextDiff};

/// How many unchanged lines are shown around a change.
const AROUND: usize = 3;

/// What happened to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is the same in both texts.
    Same,
    /// It is only in the reference.
    Removed,
    /// It is only in the mutant.
    Added,
    /// Lines are left out here.
    Gap,
}

/// One line of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// What happened to it.
    pub change: Change,
    /// Its number in the reference, if it is there.
    pub old: Option<usize>,
    /// Its number in the mutant, if it is there.
    pub new: Option<usize>,
    /// The line in pieces; `true` marks what differs from its counterpart.
    pub pieces: Vec<(bool, String)>,
}

impl DiffLine {
    /// Returns the whole line.
    #[must_use]
    pub fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// Shows where `mutated` differs from `reference`.
#[must_use]
pub fn fragment(reference: &str, mutated: &str) -> Vec<DiffLine> {
    let diff = TextDiff::from_lines(reference, mutated);
    let mut lines = Vec::new();
    for (place, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if place > 0 {
            lines.push(DiffLine {
                change: Change::Gap,
                old: None,
                new: None,
                pieces: Vec::new(),
            });
        }
        for op in group {
            for change in diff.iter_inline_changes(op) {
                let pieces = change
                    .iter_strings_lossy()
                    .map(|(differs, text)| (differs, text.trim_end_matches('\n').to_owned()))
                    .filter(|(_, text)| !text.is_empty());
                lines.push(DiffLine {
                    change: match change.tag() {
                        ChangeTag::Equal => Change::Same,
                        ChangeTag::Delete => Change::Removed,
                        ChangeTag::Insert => Change::Added,
                    },
                    old: change.old_index().map(|index| index + 1),
                    new: change.new_index().map(|index| index + 1),
                    pieces: pieces.collect(),
                });
            }
        }
    }
    // What is left of a line that was taken out is no line that was put in.
    lines.retain(|line| line.change != Change::Added || !is_blank(&line.text()));
    lines
}

/// Tells whether a line is made of blanks; an empty one is not.
fn is_blank(text: &str) -> bool {
    !text.is_empty() && text.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_change_and_a_few_lines_around_it() {
        let reference = "1\n2\n3\n4\nINSERT OR IGNORE INTO keys\n6\n7\n8\n9\n";
        let lines = fragment(reference, &reference.replace("IGNORE", "REPLACE"));
        let texts: Vec<(Change, String)> = lines
            .iter()
            .map(|line| (line.change, line.text()))
            .collect();
        assert_eq!(texts[0], (Change::Same, "2".to_owned()));
        assert_eq!(
            texts[3],
            (Change::Removed, "INSERT OR IGNORE INTO keys".to_owned())
        );
        assert_eq!(
            texts[4],
            (Change::Added, "INSERT OR REPLACE INTO keys".to_owned())
        );
        assert_eq!(texts.len(), 8);
        assert!(lines[4].pieces.contains(&(true, "REPLACE".to_owned())));
        assert_eq!((lines[3].old, lines[3].new), (Some(5), None));
    }

    #[test]
    fn a_line_that_is_taken_out_leaves_no_blank_one() {
        let lines = fragment("fn f() {\n    g();\n}\n", "fn f() {\n    \n}\n");
        let changes: Vec<Change> = lines.iter().map(|line| line.change).collect();
        assert_eq!(changes, [Change::Same, Change::Removed, Change::Same]);
    }
}
