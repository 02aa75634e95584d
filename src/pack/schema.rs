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
    /// `exercises/<lab>/grading.yaml`.
    Grading,
    /// `mutants/<lab>/<id>.yaml`.
    Mutant,
    /// `idemlab.yaml` of a workspace.
    Workspace,
    /// `probes.yaml` of a workspace.
    Probes,
}

impl SchemaKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Lab,
        Self::Tests,
        Self::Grading,
        Self::Mutant,
        Self::Workspace,
        Self::Probes,
    ];

    /// The kinds that a pack is made of.
    pub const OF_A_PACK: [Self; 4] = [Self::Lab, Self::Tests, Self::Grading, Self::Mutant];

    /// Returns the name of the schema's file.
    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Lab => "lab.schema.json",
            Self::Tests => "tests.schema.json",
            Self::Grading => "grading.schema.json",
            Self::Mutant => "mutant.schema.json",
            Self::Workspace => "workspace.schema.json",
            Self::Probes => "probes.schema.json",
        }
    }

    /// Tells which kind a file of a pack is, by its path there.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.strip_suffix(".yaml")?.split('/').collect();
        match parts[..] {
            ["exercises", _, "lab"] => Some(Self::Lab),
            ["exercises", _, "grading"] => Some(Self::Grading),
            ["exercises", _, "tests", _, ..] => Some(Self::Tests),
            ["mutants", _, ..] => Some(Self::Mutant),
            _ => None,
        }
    }

    /// Generates the text of the schema's file.
    #[must_use]
    pub fn text(self) -> String {
        let mut schema = match self {
            Self::Lab => shape::schema_of::<raw::Lab>(),
            Self::Tests => shape::schema_of::<Vec<raw::Test>>(),
            Self::Grading => shape::schema_of::<raw::grading::Grading>(),
            Self::Mutant => shape::schema_of::<raw::Mutant>(),
            Self::Workspace => shape::schema_of::<raw::Workspace>(),
            Self::Probes => shape::schema_of::<raw::Probes>(),
        };
        schema["title"] = Value::from(match self {
            Self::Lab => "A lab of idemlab",
            Self::Tests => "Tests of a lab of idemlab",
            Self::Grading => "The points of a lab of idemlab",
            Self::Mutant => "A mutant of a lab of idemlab",
            Self::Workspace => "A workspace or a hand-in of idemlab",
            Self::Probes => "A learner's own tests of a lab of idemlab",
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
        assert_eq!(
            kind("exercises/retention/grading.yaml"),
            Some(SchemaKind::Grading)
        );
        assert_eq!(kind("mutants/retention/a.yaml"), Some(SchemaKind::Mutant));
        assert_eq!(kind("exercises/retention/rust/reference.rs"), None);
        assert_eq!(kind("notes.yaml"), None);
    }
}
