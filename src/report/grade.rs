//! The results of grading in every form that others read: one value in, one text out.
//!
//! No form runs anything, reads a file or a clock, or gives points. What students may see is
//! decided once, in `view`; the forms below it never meet what is hidden.

mod csv;
mod exercism;
mod github;
mod gradescope;
mod html;
mod junit;
mod lines;
mod text;
mod view;
mod words;

use std::fmt;

use crate::gradebook::{Gradebook, Submission};
use crate::model::Pack;

pub use view::for_students;

/// Who reads a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// A student: hidden tests are counted, and nothing else is said of them.
    Student,
    /// A teacher: everything.
    Staff,
}

impl Audience {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Student, Self::Staff];

    /// Reads a name as [`Audience::id`] writes it.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|audience| audience.id() == name)
    }

    /// Returns the name used on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Staff => "staff",
        }
    }
}

/// A form in which results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Lines for people.
    Text,
    /// The project's own form, which is read and merged again.
    Json,
    /// `JUnit` XML, for CI servers.
    Junit,
    /// Gradescope's `results.json`, for one submission.
    Gradescope,
    /// Exercism's `results.json`, version 3, for one submission.
    Exercism,
    /// Annotations of GitHub Actions.
    Github,
    /// A job summary of GitHub Actions.
    Markdown,
    /// A line a submission, for spreadsheets.
    Csv,
    /// A page for a whole class.
    Html,
}

impl Format {
    /// Every form there is.
    pub const ALL: [Self; 9] = [
        Self::Text,
        Self::Json,
        Self::Junit,
        Self::Gradescope,
        Self::Exercism,
        Self::Github,
        Self::Markdown,
        Self::Csv,
        Self::Html,
    ];

    /// Reads a name as [`Format::id`] writes it.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.id() == name)
    }

    /// Returns the name used on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Junit => "junit",
            Self::Gradescope => "gradescope",
            Self::Exercism => "exercism",
            Self::Github => "github",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Html => "html",
        }
    }

    /// Returns who reads it if nobody says otherwise.
    ///
    /// Exercism shows all of it to the student. Gradescope hides from students what is marked as
    /// hidden, so the teacher may have all of it there.
    #[must_use]
    pub const fn audience(self) -> Audience {
        match self {
            Self::Exercism => Audience::Student,
            _ => Audience::Staff,
        }
    }

    /// Tells whether it can hold one submission only.
    #[must_use]
    pub const fn holds_one(self) -> bool {
        matches!(self, Self::Gradescope | Self::Exercism)
    }
}

/// A form that holds one submission was asked to hold another number of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotOne {
    /// The form.
    pub format: Format,
    /// How many there are.
    pub submissions: usize,
}

impl fmt::Display for NotOne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "format {} holds one submission, and there are {}",
            self.format.id(),
            self.submissions
        )
    }
}

impl std::error::Error for NotOne {}

/// Writes results in a form. The pack gives the scripts of tests, where a form shows them.
///
/// # Errors
///
/// Fails if the form holds one submission and there are none or several.
pub fn write(
    book: &Gradebook,
    format: Format,
    audience: Audience,
    pack: &Pack,
) -> Result<String, NotOne> {
    let redacted;
    let seen = match audience {
        Audience::Staff => book,
        Audience::Student => {
            redacted = for_students(book);
            &redacted
        }
    };
    Ok(match format {
        Format::Text => text::write(seen),
        Format::Json => json(seen),
        Format::Junit => junit::write(seen),
        Format::Gradescope => gradescope::write(only(seen, format)?),
        Format::Exercism => {
            // Whether a hidden test fails is told, so the whole of it is needed; see there.
            let whole = only(book, format)?;
            exercism::write(whole, pack.lab(&whole.lab))
        }
        Format::Github => github::annotations(seen),
        Format::Markdown => github::summary(seen),
        Format::Csv => csv::write(seen),
        Format::Html => html::write(seen),
    })
}

fn only(book: &Gradebook, format: Format) -> Result<&Submission, NotOne> {
    match &*book.submissions {
        [one] => Ok(one),
        several => Err(NotOne {
            format,
            submissions: several.len(),
        }),
    }
}

/// Writes a value as JSON, two blanks a level, with a line end.
fn json(value: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
