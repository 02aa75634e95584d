//! Exit codes.

use std::process::ExitCode;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All right.
    Right,
    /// Something failed: a test, or a mutant that survived.
    Failed,
    /// The command line is wrong.
    Usage,
    /// A pack has problems.
    Pack,
    /// The baseline failed.
    Baseline,
    /// Nothing was run.
    Ungraded,
    /// Interrupted.
    Interrupted,
    /// A fault of the program's own.
    Fault,
}

impl Exit {
    /// Returns the code.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Right => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Pack => 3,
            Self::Baseline => 4,
            Self::Ungraded => 5,
            Self::Interrupted => 6,
            Self::Fault => 70,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
