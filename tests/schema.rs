//! The JSON Schemas in the book are those of the types, and every shipped file names its own.
//!
//! `UPDATE_SCHEMA=1 cargo test --test schema` writes both anew.

use std::fs;
use std::path::{Path, PathBuf};

use idemlab::pack::{self, SchemaKind};
use serde_json::Value;

const FOLDER: &str = "book/src/schema";
const HOW: &str = "run UPDATE_SCHEMA=1 cargo test --test schema, and look at the change";

#[test]
fn the_schemas_are_those_of_the_types() {
    for kind in SchemaKind::ALL {
        let file = root().join(FOLDER).join(kind.file_name());
        if updating() {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, kind.text()).unwrap();
        }
        let there = read(&file);
        assert!(
            there == kind.text(),
            "{} is out of date: {HOW}",
            kind.file_name()
        );
    }
}

#[test]
fn every_field_is_described() {
    for kind in SchemaKind::ALL {
        let schema: Value = serde_json::from_str(&kind.text()).unwrap();
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
        // A form in which nothing is used twice has none.
        let definitions = schema["$defs"].as_object();
        let objects = definitions
            .into_iter()
            .flatten()
            .map(|(name, object)| (name.as_str(), object));
        for (name, object) in objects.chain([(kind.file_name(), &schema)]) {
            for (field, inner) in object["properties"].as_object().into_iter().flatten() {
                assert!(
                    inner["description"].is_string(),
                    "{name}.{field} has no description: write a doc comment in src/pack/raw.rs"
                );
            }
        }
    }
}

#[test]
fn every_shipped_file_names_its_schema_in_the_first_line() {
    let mut seen = 0;
    for path in pack::shipped_files().into_iter().map(|file| file.path) {
        let Some(kind) = SchemaKind::of(&path) else {
            continue;
        };
        let up = "../".repeat(path.matches('/').count());
        let line = format!(
            "# yaml-language-server: $schema={up}{FOLDER}/{}",
            kind.file_name()
        );
        let file = root().join(&path);
        let text = read(&file);
        let first = text.lines().next().unwrap_or_default();
        if updating() && first != line {
            let rest = match text.split_once('\n') {
                Some((first, rest)) if first.starts_with("# yaml-language-server") => rest,
                _ => &text,
            };
            fs::write(&file, format!("{line}\n{rest}")).unwrap();
        }
        let first = read(&file).lines().next().unwrap_or_default().to_owned();
        assert!(first == line, "{path} must begin with\n{line}\n{HOW}");
        seen += 1;
    }
    assert!(seen > 100, "only {seen} files were looked at");
}

fn updating() -> bool {
    std::env::var_os("UPDATE_SCHEMA").is_some()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &Path) -> String {
    fs::read_to_string(file)
        .unwrap_or_default()
        .replace("\r\n", "\n")
}
