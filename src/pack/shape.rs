//! The shape of a file, held against the JSON Schema of its type: every wrong field at once.
//!
//! The schema is generated from the types in `raw`, so what editors complete, what is checked
//! here and what is read cannot differ.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};

use super::PackFile;
use super::place::{Node, NodeKind, Place};
use super::resolve::nearest;
use crate::model::Problem;

/// Generates the JSON Schema of a file type, definitions and all.
#[must_use]
pub fn schema_of<T: JsonSchema>() -> Value {
    SchemaGenerator::new(SchemaSettings::draft2020_12())
        .into_root_schema_for::<T>()
        .to_value()
}

/// Returns the schema of a file type, made once: a pack has many files of one type.
pub fn known_schema<T: JsonSchema>() -> Arc<Value> {
    static KNOWN: Mutex<BTreeMap<String, Arc<Value>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let schema = known
        .entry(T::schema_id().into_owned())
        .or_insert_with(|| Arc::new(schema_of::<T>()));
    Arc::clone(schema)
}

/// Reports everything in `node` that the schema does not allow.
pub fn check(schema: &Value, node: &Node, file: &PackFile, problems: &mut Vec<Problem>) {
    let nothing = Map::new();
    let definitions = schema["$defs"].as_object().unwrap_or(&nothing);
    Checker {
        definitions,
        file,
        problems,
    }
    .value(schema, node, "the file");
}

struct Checker<'a> {
    definitions: &'a Map<String, Value>,
    file: &'a PackFile,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Checker<'a> {
    fn report(&mut self, id: &'static str, (line, column): Place, title: &str, help: &str) {
        self.problems
            .push(Problem::at(id, &self.file.path, line, column, title, help));
    }

    /// Follows a reference, and leaves out the null of an optional value.
    fn resolve(&self, schema: &'a Value) -> &'a Value {
        if let Some(name) = schema["$ref"]
            .as_str()
            .and_then(|path| path.rsplit('/').next())
        {
            return self
                .definitions
                .get(name)
                .map_or(schema, |found| self.resolve(found));
        }
        let choices = schema["anyOf"].as_array();
        let real = choices.and_then(|all| all.iter().find(|choice| choice["type"] != "null"));
        real.map_or(schema, |choice| self.resolve(choice))
    }

    fn value(&mut self, schema: &'a Value, node: &Node, what: &str) {
        let schema = self.resolve(schema);
        let wanted = types(schema);
        let found = type_of(&node.kind);
        if !wanted.is_empty() && found != "alias" && !wanted.iter().any(|want| fits(want, found)) {
            let title = format!("{what} takes {}, not {}", words(wanted[0]), words(found));
            self.report("wrong-type", node.place, &title, hint(wanted[0], found));
            return;
        }
        match &node.kind {
            NodeKind::Map(entries) => self.map(schema, entries, node.place),
            NodeKind::List(items) => {
                for item in items {
                    self.value(&schema["items"], item, "an item");
                }
            }
            NodeKind::Scalar { .. } | NodeKind::Alias => {}
        }
    }

    fn map(&mut self, schema: &'a Value, entries: &[(String, Place, Node)], place: Place) {
        let properties = schema["properties"].as_object();
        let closed = schema["additionalProperties"] == Value::Bool(false);
        let mut seen: Vec<&str> = Vec::new();
        for (key, at, value) in entries {
            if seen.contains(&key.as_str()) {
                let title = format!("the key `{key}` is there already");
                self.report("duplicate-key", *at, &title, "keep one of the two");
                continue;
            }
            seen.push(key);
            match properties.and_then(|known| known.get(key)) {
                Some(inner) => self.value(inner, value, &format!("`{key}`")),
                None if closed => self.unknown(key, *at, properties),
                None => self.value(&schema["additionalProperties"], value, &format!("`{key}`")),
            }
        }
        let required = schema["required"].as_array().into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            if !seen.contains(&name) {
                let title = format!("the field `{name}` is missing");
                let help = properties
                    .and_then(|known| known.get(name)?["description"].as_str())
                    .map_or_else(
                        || format!("add `{name}:`"),
                        |text| format!("add `{name}:` ({text})"),
                    );
                self.report("missing-field", place, &title, &help.replace('\n', " "));
            }
        }
    }

    fn unknown(&mut self, key: &str, place: Place, properties: Option<&Map<String, Value>>) {
        let known: Vec<&str> = properties
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str)
            .collect();
        let help = match nearest(key, &known, 1)[..] {
            [near, ..] => format!("did you mean `{near}`?"),
            [] => format!("there are: {}", known.join(", ")),
        };
        self.report(
            "unknown-field",
            place,
            &format!("there is no field `{key}` here"),
            &help,
        );
    }
}

/// Lists the types that a schema allows; none if it allows any.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all
            .iter()
            .filter_map(Value::as_str)
            .filter(|name| *name != "null")
            .collect(),
        _ => Vec::new(),
    }
}

fn fits(wanted: &str, found: &str) -> bool {
    wanted == found || (wanted == "number" && found == "integer")
}

fn type_of(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Map(_) => "object",
        NodeKind::List(_) => "array",
        NodeKind::Alias => "alias",
        NodeKind::Scalar { plain: false, .. } => "string",
        NodeKind::Scalar { text, plain: true } => match text.as_str() {
            "" | "~" | "null" | "Null" | "NULL" => "null",
            "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => "boolean",
            number if number.parse::<i64>().is_ok() => "integer",
            number
                if number.parse::<f64>().is_ok()
                    && number.contains(|c: char| c.is_ascii_digit()) =>
            {
                "number"
            }
            _ => "string",
        },
    }
}

fn words(name: &str) -> &'static str {
    match name {
        "object" => "fields",
        "array" => "a list",
        "string" => "a text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "null" => "nothing",
        _ => "another value",
    }
}

fn hint(wanted: &str, found: &str) -> &'static str {
    match (wanted, found) {
        ("string", "integer" | "number" | "boolean" | "null") => {
            "put it in quotes to make it a text"
        }
        ("array", _) => "begin each item with `- `, or use [ ]",
        ("object", _) => "write fields as `name: value`",
        ("boolean", _) => "write true or false, without quotes",
        _ => "the book's page on file formats shows every field by example",
    }
}

#[cfg(test)]
mod tests {
    use super::super::place::Places;
    use super::super::raw;
    use super::*;

    fn problems(text: &str) -> Vec<(&'static str, usize, usize)> {
        let file = PackFile::new("m.yaml".to_owned(), text.to_owned());
        let mut problems = Vec::new();
        let places = Places::of(text).unwrap();
        check(
            &schema_of::<raw::Mutant>(),
            places.top(),
            &file,
            &mut problems,
        );
        problems
            .iter()
            .map(|problem| (problem.id, problem.line, problem.column))
            .collect()
    }

    const RIGHT: &str = "lab: retention\nstep: 2\ntitle: t\norigin: craft\nbelief: b\nlesson: l\nedits:\n  - find: a\n    replace: b\n";

    #[test]
    fn a_right_file_has_no_problem() {
        assert_eq!(problems(RIGHT), []);
    }

    #[test]
    fn every_wrong_field_is_reported_at_its_place() {
        let text = RIGHT
            .replace("title: t", "titel: t")
            .replace("step: 2", "step: two")
            .replace("    replace: b", "    replace: 7\n    with: b");
        assert_eq!(
            problems(&text),
            [
                ("wrong-type", 2, 7),
                ("unknown-field", 3, 1),
                ("wrong-type", 9, 14),
                ("unknown-field", 10, 5),
                ("missing-field", 1, 1),
            ]
        );
    }

    #[test]
    fn a_key_given_twice_is_reported() {
        assert_eq!(
            problems(&format!("{RIGHT}lesson: again\n")),
            [("duplicate-key", 10, 1)]
        );
    }
}
