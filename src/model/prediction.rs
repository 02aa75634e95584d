//! What a learner says before a run.

/// A prediction about one mutant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prediction {
    /// Which input, exception or state would show the difference, in one line.
    pub observation: String,
    /// What kind of observation that is.
    pub seen_in: Option<SeenIn>,
    /// Ids of the tests that are said to catch it.
    pub tests: Vec<String>,
    /// How sure the learner is.
    pub sure: Option<Sure>,
    /// Whether the answer is "I don't know".
    pub unknown: bool,
}

/// What kind of observation shows a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SeenIn {
    /// A returned value.
    Returned,
    /// The rows of a table.
    Rows,
    /// An error.
    Error,
    /// Something that only a second process can bring about.
    TwoProcesses,
    /// The time that a call takes, or the memory that it needs.
    Cost,
}

impl SeenIn {
    /// All kinds, in the order in which they are offered; a lab offers those that it can show.
    pub const ALL: [Self; 5] = [
        Self::Returned,
        Self::Rows,
        Self::Error,
        Self::TwoProcesses,
        Self::Cost,
    ];

    /// Returns the name used in files.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Returned => "returned",
            Self::Rows => "rows",
            Self::Error => "error",
            Self::TwoProcesses => "two_processes",
            Self::Cost => "cost",
        }
    }

    /// Returns the words shown to a learner.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Returned => "returned value",
            Self::Rows => "rows",
            Self::Error => "error",
            Self::TwoProcesses => "two processes",
            Self::Cost => "time or memory",
        }
    }

    /// Returns the words of the choice that is offered.
    #[must_use]
    pub const fn choice(self) -> &'static str {
        match self {
            Self::TwoProcesses => "only with two processes",
            other => other.words(),
        }
    }

    /// Reads a name as [`SeenIn::id`] writes it.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }
}

/// How sure a learner is of a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sure {
    /// A guess.
    Guess,
    /// Fairly sure.
    Fairly,
    /// Certain.
    Certain,
}

impl Sure {
    /// All degrees, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Guess, Self::Fairly, Self::Certain];

    /// Returns the name used in files and on the screen.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Guess => "guess",
            Self::Fairly => "fairly",
            Self::Certain => "certain",
        }
    }

    /// Returns the words that follow "you were".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Guess => "a guess",
            Self::Fairly => "fairly sure",
            Self::Certain => "certain",
        }
    }

    /// Reads a name as [`Sure::id`] writes it.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sure| sure.id() == id)
    }
}
