//! Reads a pasted diff as fragments and what is to stand in their place.

use crate::model::Track;

/// One change of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The track, if the diff names a file and its ending tells.
    pub track: Option<Track>,
    /// The removed lines; where there are none, the line above.
    pub find: String,
    /// The added lines.
    pub replace: String,
}

/// Reads the changes of a unified diff, or of bare lines that begin with `-` and `+`.
#[must_use]
pub fn changes(text: &str) -> Vec<Change> {
    let mut reader = Reader::default();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let names_file =
            line.starts_with("--- ") && lines.peek().is_some_and(|next| next.starts_with("+++ "));
        if names_file {
            reader.end();
            reader.track = lines.next().and_then(track_of);
            reader.above.clear();
        } else if is_header(line) {
            reader.end();
            reader.above.clear();
        } else {
            reader.line(line);
        }
    }
    reader.end();
    reader.changes
}

fn is_header(line: &str) -> bool {
    [
        "diff ",
        "index ",
        "@@",
        "new file",
        "deleted file",
        "similarity ",
        "rename ",
    ]
    .iter()
    .any(|start| line.starts_with(start))
}

/// Tells the track by the ending of a file's name.
fn track_of(line: &str) -> Option<Track> {
    let name = line.trim_start_matches("+++ ").split('\t').next()?.trim();
    match name.rsplit('.').next()? {
        "rs" => Some(Track::Rust),
        "py" => Some(Track::Python),
        "sh" | "bash" => Some(Track::Shell),
        _ => None,
    }
}

#[derive(Default)]
struct Reader<'t> {
    track: Option<Track>,
    above: String,
    removed: Vec<&'t str>,
    added: Vec<&'t str>,
    changes: Vec<Change>,
}

impl<'t> Reader<'t> {
    fn line(&mut self, line: &'t str) {
        if let Some(removed) = line.strip_prefix('-') {
            if !self.added.is_empty() {
                self.end();
            }
            self.removed.push(removed);
        } else if let Some(added) = line.strip_prefix('+') {
            self.added.push(added);
        } else if !line.starts_with('\\') {
            self.end();
            let line = line.strip_prefix(' ').unwrap_or(line);
            if !line.trim().is_empty() {
                line.clone_into(&mut self.above);
            }
        }
    }

    /// Ends a run of removed and added lines.
    fn end(&mut self) {
        let (removed, added) = (self.removed.join("\n"), self.added.join("\n"));
        let is_change = !self.removed.is_empty() || !self.added.is_empty();
        let (find, replace) = if self.removed.is_empty() {
            (self.above.clone(), format!("{}\n{added}", self.above))
        } else {
            (removed, added)
        };
        if is_change && !find.is_empty() {
            self.changes.push(Change {
                track: self.track,
                find,
                replace,
            });
        }
        self.removed.clear();
        self.added.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(track: Option<Track>, find: &str, replace: &str) -> Change {
        Change {
            track,
            find: find.to_owned(),
            replace: replace.to_owned(),
        }
    }

    #[test]
    fn bare_lines_are_a_change() {
        assert_eq!(changes("-a\n-b\n+c\n"), [change(None, "a\nb", "c")]);
        assert_eq!(changes("- a\n"), [change(None, " a", "")]);
        assert_eq!(changes("nothing\n"), []);
    }

    #[test]
    fn a_unified_diff_has_a_change_for_each_run_and_tells_the_track() {
        let text = "diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\n\
                    @@ -1,3 +1,3 @@ def f():\n a\n-b\n+c\n d\n+e\n\
                    --- a/y.rs\t2024\n+++ b/y.rs\t2024\n@@ -1 +1 @@\n-f\n\\ No newline at end of file\n+g\n";
        assert_eq!(
            changes(text),
            [
                change(Some(Track::Python), "b", "c"),
                change(Some(Track::Python), "d", "d\ne"),
                change(Some(Track::Rust), "f", "g"),
            ]
        );
    }

    #[test]
    fn a_removed_line_may_itself_begin_with_two_dashes() {
        assert_eq!(changes("--- x\n+y\n"), [change(None, "-- x", "y")]);
    }
}
