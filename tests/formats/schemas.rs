//! Each form against its published schema; where there is only a page of words, against our
//! own schema made from it. `tests/formats/README.md` says which is which.

use idemlab::gradebook::Gradebook;
use idemlab::report::grade::{Audience, Format, write};
use serde_json::Value;

use crate::{class, pack, text};

/// Holds a JSON text against a schema.
pub fn holds(schema: &str, text: &str) {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

fn each_alone() -> impl Iterator<Item = Gradebook> {
    class::class()
        .submissions
        .into_iter()
        .map(|one| class::book(vec![one]))
}

#[test]
fn gradescope_takes_every_submission() {
    let schema = include_str!("gradescope.schema.json");
    for book in each_alone() {
        for audience in Audience::ALL {
            let text = write(&book, Format::Gradescope, audience, pack()).unwrap();
            holds(schema, &text);
        }
    }
}

#[test]
fn exercism_takes_every_submission() {
    let schema = include_str!("exercism.schema.json");
    for book in each_alone() {
        holds(schema, &text(&book, Format::Exercism));
    }
}

#[test]
fn the_schemas_refuse_what_the_documentation_refuses() {
    for (schema, wrong) in [
        (
            include_str!("gradescope.schema.json"),
            r#"{"score": 1, "visibility": "sometimes"}"#,
        ),
        (
            include_str!("exercism.schema.json"),
            r#"{"version": 3, "status": "error", "message": null, "tests": []}"#,
        ),
    ] {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let wrong: Value = serde_json::from_str(wrong).unwrap();
        assert!(!jsonschema::is_valid(&schema, &wrong));
    }
}

#[test]
fn json_is_read_again_as_it_was() {
    let book = class::class();
    let text = text(&book, Format::Json);
    assert_eq!(serde_json::from_str::<Gradebook>(&text).unwrap(), book);
    holds(
        include_str!("../../book/src/schema/grade.schema.json"),
        &text,
    );
    let seen = crate::for_student(&book, Format::Json);
    holds(
        include_str!("../../book/src/schema/grade.schema.json"),
        &seen,
    );
}
