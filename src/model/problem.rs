//! Problems of a pack: each with a stable id, a place, and what to do.

/// Every kind of problem there is, by its stable name. Each has a paragraph in the book and a
/// pack in `tests/bad` that shows it.
pub const PROBLEM_IDS: [&str; 82] = [
    "baseline-red",
    "busy-guard",
    "changes-nothing",
    "clause-without-test",
    "declared-twice",
    "does-not-build",
    "duplicate-id",
    "duplicate-key",
    "empty-find",
    "empty-script",
    "empty-text",
    "equivalent-yet-caught",
    "file-outside",
    "file-too-large",
    "file-unreadable",
    "find-ambiguous",
    "find-not-found",
    "flaky",
    "folder-too-deep",
    "idle-test",
    "later-step",
    "missing-argument",
    "missing-field",
    "missing-file",
    "mutant-not-run",
    "no-edits",
    "no-expectation",
    "no-function",
    "no-pack",
    "no-promise",
    "no-report",
    "not-caught",
    "not-utf8",
    "not-yaml",
    "odd-character",
    "one-action",
    "promise-in-no-track",
    "promise-not-kept",
    "same-mutant",
    "same-row",
    "starter-broken",
    "starter-not-red",
    "step-without-points",
    "stray-word",
    "survivor-not-green",
    "too-deep",
    "track-not-ready",
    "two-expectations",
    "unknown-argument",
    "unknown-callback",
    "unknown-clause",
    "unknown-field",
    "unknown-function",
    "unknown-input",
    "unknown-kind",
    "unknown-lab",
    "unknown-origin",
    "unknown-step",
    "unknown-table",
    "unknown-task",
    "unknown-test",
    "unknown-track",
    "unknown-word",
    "wrong-argument",
    "wrong-cell",
    "wrong-count",
    "wrong-extension",
    "wrong-folder",
    "wrong-format",
    "wrong-gate",
    "wrong-growth",
    "wrong-id",
    "wrong-input",
    "wrong-points",
    "wrong-process",
    "wrong-reason",
    "wrong-row",
    "wrong-shape",
    "wrong-step",
    "wrong-storage",
    "wrong-total",
    "wrong-type",
];

/// The kinds of problem that only a learner's own folder has. Each has a paragraph in the book.
pub const WORKSPACE_PROBLEM_IDS: [&str; 6] = [
    "bad-archive",
    "bad-journal",
    "bad-path",
    "no-aim",
    "two-engines",
    "unknown-mutant",
];

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The pack cannot be used.
    Error,
    /// The pack works, and something is likely wrong.
    Warning,
}

impl Severity {
    /// Returns the name used in reports.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// Something wrong with a pack, or with a learner's own folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable name of the kind of problem, also of its page in the book.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The file, by its path inside the pack or the folder.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub title: String,
    /// What to do.
    pub help: String,
    /// The text of the line, once it is known.
    pub excerpt: Option<String>,
}

impl Problem {
    /// Makes an error at a place.
    #[must_use]
    pub fn at(
        id: &'static str,
        file: &str,
        line: usize,
        column: usize,
        title: &str,
        help: &str,
    ) -> Self {
        debug_assert!(
            PROBLEM_IDS.contains(&id) || WORKSPACE_PROBLEM_IDS.contains(&id),
            "`{id}` is in neither list of ids"
        );
        Self {
            id,
            severity: Severity::Error,
            file: file.to_owned(),
            line,
            column,
            title: title.to_owned(),
            help: help.to_owned(),
            excerpt: None,
        }
    }

    /// Makes an error about a file as a whole.
    #[must_use]
    pub fn whole_file(id: &'static str, file: &str, title: &str, help: &str) -> Self {
        Self::at(id, file, 1, 1, title, help)
    }

    /// Makes it a warning: the pack can be used.
    #[must_use]
    pub fn warning(self) -> Self {
        Self {
            severity: Severity::Warning,
            ..self
        }
    }

    /// Tells whether the pack cannot be used because of it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
