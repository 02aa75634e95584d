//! The JSON Schemas of the file formats, generated from the types that read them.

use serde_json::Value;

use super::{raw, shape};

/// A kind of file that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaKind {
    /// `exercises/<lab>/lab.yaml`.
    Lab,
    /// `exercises/<lab>/tests/*.yaml`.
    Tests,
    /// `mutants/<lab>/<id>.yaml`.
    Mutant,
}

impl SchemaKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Lab, Self::Tests, Self::Mutant];

    /// Returns the name of the schema's file.
    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Lab => "lab.schema.json",
            Self::Tests => "tests.schema.json",
            Self::Mutant => "mutant.schema.json",
        }
    }

    /// Tells which kind a file of a pack is, by its path there.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.split('/').collect();
        match parts[..] {
            ["exercises", _, "lab.yaml"] => Some(Self::Lab),
            ["exercises", _, "tests", .., last] if last.ends_with(".yaml") => Some(Self::Tests),
            ["mutants", .., last] if last.ends_with(".yaml") => Some(Self::Mutant),
            _ => None,
        }
    }

    /// Generates the text of the schema's file.
    #[must_use]
    pub fn text(self) -> String {
        let mut schema = match self {
            Self::Lab => shape::schema_of::<raw::Lab>(),
            Self::Tests => shape::schema_of::<Vec<raw::Test>>(),
            Self::Mutant => shape::schema_of::<raw::Mutant>(),
        };
        schema["title"] = Value::from(match self {
            Self::Lab => "A lab of idemlab",
            Self::Tests => "Tests of a lab of idemlab",
            Self::Mutant => "A mutant of a lab of idemlab",
        });
        format!("{schema:#}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_the_kind_of_file() {
        let kind = SchemaKind::of;
        assert_eq!(kind("exercises/retention/lab.yaml"), Some(SchemaKind::Lab));
        assert_eq!(
            kind("exercises/retention/tests/a.yaml"),
            Some(SchemaKind::Tests)
        );
        assert_eq!(kind("mutants/retention/a.yaml"), Some(SchemaKind::Mutant));
        assert_eq!(kind("exercises/retention/rust/reference.rs"), None);
        assert_eq!(kind("notes.yaml"), None);
    }
}
