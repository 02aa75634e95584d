//! The lines between the lab and a subject: one JSON object a line.
//!
//! Written down for people in `book/src/protocol.md`.

use serde_json::{Map, Value, json};

use super::{Asked, Outcome};
use crate::model::CallbackAnswer;

/// The protocol's version, the number in a subject's `hello`.
pub const VERSION: u64 = 1;

/// Writes a call as one line. The callbacks that the function is given are there only if there
/// are any, each with the names of its arguments.
#[must_use]
pub fn call(
    id: u64,
    function: &str,
    with: &Map<String, Value>,
    callbacks: &[(String, Vec<String>)],
) -> String {
    let mut message = json!({"id": id, "call": function, "with": with});
    if !callbacks.is_empty() {
        let named = callbacks.iter().cloned();
        message["callbacks"] = named.map(|(name, parts)| (name, json!(parts))).collect();
    }
    format!("{message}\n")
}

/// The kind of the error that a callback raises.
pub const CALLBACK_ERROR: &str = "CallbackError";

/// Writes the answer to a callback as one line.
#[must_use]
pub fn answer(id: u64, answer: &CallbackAnswer) -> String {
    let message = match answer {
        CallbackAnswer::Gives(value) => json!({"id": id, "gives": value}),
        CallbackAnswer::Raises(text) => {
            json!({"id": id, "raises": {"kind": CALLBACK_ERROR, "message": text}})
        }
    };
    format!("{message}\n")
}

/// What a subject says in the middle of a call or at its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// It calls back.
    Asked(Asked),
    /// The call is over.
    Reply(Outcome),
}

/// Reads a line about call number `id`.
#[must_use]
pub fn message(line: &str, id: u64) -> Message {
    // A reply can be long; it is parsed once.
    let asked = line.contains("\"callback\"").then(|| asked(line, id));
    match asked.flatten() {
        Some(asked) => Message::Asked(asked),
        None => Message::Reply(reply(line, id)),
    }
}

fn asked(line: &str, id: u64) -> Option<Asked> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message.get("id").and_then(Value::as_u64) != Some(id) {
        return None;
    }
    Some(Asked {
        name: message.get("callback")?.as_str()?.to_owned(),
        with: message
            .get("with")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default(),
    })
}

/// Writes a call whose answer is to say what memory it needed.
#[must_use]
pub fn measured_call(id: u64, function: &str, with: &Map<String, Value>) -> String {
    let call = json!({"id": id, "call": function, "with": with, "measure": "memory"});
    format!("{call}\n")
}

/// Reads how many bytes a measured call needed, if its answer says so.
#[must_use]
pub fn memory(line: &str) -> Option<u64> {
    let message: Value = serde_json::from_str(line).ok()?;
    message.get("memory")?.as_u64()
}

/// What a subject says of itself when it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hello {
    /// It takes calls.
    Ready,
    /// It could not load what it was to run, and says why.
    Failed(String),
}

/// Reads the line with which a subject opens.
///
/// # Errors
///
/// Returns what is wrong with the line.
pub fn hello(line: &str, lab: &str) -> Result<Hello, String> {
    let message: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    match message["hello"].as_u64() {
        Some(VERSION) => {}
        Some(other) => return Err(format!("it speaks version {other}, not {VERSION}")),
        None => return Err("it does not open with `hello`".to_owned()),
    }
    match message["lab"].as_str() {
        Some(named) if named == lab => {}
        _ => return Err(format!("its `hello` does not name lab {lab}")),
    }
    match &message["failed"] {
        Value::Null => Ok(Hello::Ready),
        failed => {
            let (kind, text) = error(failed)
                .ok_or_else(|| "its `failed` has no `kind` and `message`".to_owned())?;
            Ok(Hello::Failed(format!("{kind}: {text}")))
        }
    }
}

/// Reads the answer to call number `id`.
#[must_use]
pub fn reply(line: &str, id: u64) -> Outcome {
    match parse(line, id) {
        Ok(outcome) => outcome,
        Err(why) => Outcome::Garbled {
            sent: shorten(line),
            why,
        },
    }
}

fn parse(line: &str, id: u64) -> Result<Outcome, String> {
    let message: Value = serde_json::from_str(line).map_err(|_| "it is not JSON".to_owned())?;
    let Value::Object(mut message) = message else {
        return Err("it is not a JSON object".to_owned());
    };
    if message.get("id").and_then(Value::as_u64) != Some(id) {
        return Err(format!("it is not the answer to call {id}"));
    }
    if let Some(value) = message.remove("returns") {
        return Ok(Outcome::Returned(value));
    }
    let Some(raises) = message.get("raises") else {
        return Err("it has neither `returns` nor `raises`".to_owned());
    };
    match error(raises) {
        Some((kind, message)) => Ok(Outcome::Raised { kind, message }),
        None => Err("its `raises` has no `kind` and `message`".to_owned()),
    }
}

/// Reads the kind and the text of an error, both shortened.
fn error(value: &Value) -> Option<(String, String)> {
    let read = |name| value[name].as_str().map(shorten);
    Some((read("kind")?, read("message")?))
}

/// Keeps the head and the tail of a long text.
#[must_use]
pub fn shorten(text: &str) -> String {
    const KEEP: usize = 400;
    let count = text.chars().count();
    if count <= 2 * KEEP {
        return text.to_owned();
    }
    let head: String = text.chars().take(KEEP).collect();
    let tail: String = text.chars().skip(count - KEEP).collect();
    format!("{head} … {} characters … {tail}", count - 2 * KEEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_value_and_an_error() {
        assert_eq!(
            reply(r#"{"id":1,"returns":null}"#, 1),
            Outcome::Returned(Value::Null)
        );
        assert_eq!(
            reply(
                r#"{"id":2,"raises":{"kind":"ValueError","message":"no"}}"#,
                2
            ),
            Outcome::Raised {
                kind: "ValueError".into(),
                message: "no".into()
            }
        );
    }

    #[test]
    fn says_what_is_wrong_with_anything_else() {
        for (line, why) in [
            ("applied", "it is not JSON"),
            ("[1]", "it is not a JSON object"),
            (r#"{"id":7,"returns":1}"#, "it is not the answer to call 1"),
            (r#"{"id":1}"#, "it has neither `returns` nor `raises`"),
            (
                r#"{"id":1,"raises":"x"}"#,
                "its `raises` has no `kind` and `message`",
            ),
        ] {
            assert_eq!(
                reply(line, 1),
                Outcome::Garbled {
                    sent: line.to_owned(),
                    why: why.to_owned()
                }
            );
        }
    }

    #[test]
    fn an_answer_may_say_what_memory_it_needed() {
        assert_eq!(memory(r#"{"id":1,"returns":[],"memory":4096}"#), Some(4096));
        assert_eq!(memory(r#"{"id":1,"returns":[]}"#), None);
        let asked = measured_call(1, "solve", &Map::new());
        assert!(asked.contains(r#""measure":"memory""#), "{asked}");
    }

    #[test]
    fn a_hello_names_the_version_and_the_lab() {
        assert_eq!(
            hello(r#"{"hello":1,"lab":"retention"}"#, "retention"),
            Ok(Hello::Ready)
        );
        assert!(hello(r#"{"hello":2,"lab":"retention"}"#, "retention").is_err());
        assert!(hello(r#"{"hello":1,"lab":"charge"}"#, "retention").is_err());
        assert!(hello("hello", "retention").is_err());
    }

    #[test]
    fn a_hello_may_say_that_nothing_could_be_loaded() {
        let failed = |words: &str| {
            let line = format!(r#"{{"hello":1,"lab":"retention","failed":{words}}}"#);
            hello(&line, "retention")
        };
        assert_eq!(
            failed(r#"{"kind":"SyntaxError","message":"invalid syntax (a.py, line 3)"}"#),
            Ok(Hello::Failed(
                "SyntaxError: invalid syntax (a.py, line 3)".to_owned()
            ))
        );
        assert!(failed("true").is_err());
    }

    #[test]
    fn a_callback_is_told_from_a_reply() {
        let asked = |name: &str| Asked {
            name: name.to_owned(),
            with: Map::from_iter([("amount".to_owned(), json!(500))]),
        };
        let line = r#"{"id":3,"callback":"process_charge","with":{"amount":500}}"#;
        assert_eq!(message(line, 3), Message::Asked(asked("process_charge")));
        assert!(matches!(
            message(line, 4),
            Message::Reply(Outcome::Garbled { .. })
        ));
        let reply = r#"{"id":3,"returns":{"callback":"no"}}"#;
        assert_eq!(
            message(reply, 3),
            Message::Reply(Outcome::Returned(json!({"callback": "no"})))
        );
    }

    #[test]
    fn callbacks_are_offered_and_answered() {
        let with = Map::new();
        assert!(!call(1, "f", &with, &[]).contains("callbacks"));
        let offered = call(
            1,
            "f",
            &with,
            &[("p".to_owned(), vec!["amount".to_owned()])],
        );
        let offered: Value = serde_json::from_str(&offered).unwrap();
        assert_eq!(offered["callbacks"], json!({"p": ["amount"]}));
        let gives: Value =
            serde_json::from_str(&answer(2, &CallbackAnswer::Gives(Value::Null))).unwrap();
        assert_eq!(gives, json!({"id": 2, "gives": null}));
        let raises: Value =
            serde_json::from_str(&answer(2, &CallbackAnswer::Raises("no".to_owned()))).unwrap();
        assert_eq!(
            raises,
            json!({"id": 2, "raises": {"kind": "CallbackError", "message": "no"}})
        );
    }

    #[test]
    fn keeps_both_ends_of_a_flood() {
        let text = format!("a{}z", "x".repeat(5000));
        let short = shorten(&text);
        assert!(short.starts_with('a') && short.ends_with('z') && short.len() < 1000);
    }

    /// Any JSON, but for fractions, which JSON does not keep to the last bit.
    fn json() -> impl proptest::strategy::Strategy<Value = Value> {
        use proptest::prelude::*;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-e]{1,2}|id|returns|raises|callback", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest::proptest! {
        #[test]
        fn no_line_makes_the_reader_panic(line in "\\PC{0,80}", id in 0u64..3) {
            let _ = (hello(&line, "retention"), message(&line, id), memory(&line));
        }

        #[test]
        fn no_json_makes_the_reader_panic(value in json(), id in 0u64..3) {
            let line = value.to_string();
            let _ = (hello(&line, "retention"), message(&line, id), memory(&line));
        }

        #[test]
        fn what_a_subject_returns_is_what_is_read(value in json(), id in 0u64..1000) {
            let line = serde_json::json!({"id": id, "returns": value}).to_string();
            proptest::prop_assert_eq!(reply(&line, id), Outcome::Returned(value));
            let is_garbled = matches!(reply(&line, id + 1), Outcome::Garbled { .. });
            proptest::prop_assert!(is_garbled);
        }
    }
}
