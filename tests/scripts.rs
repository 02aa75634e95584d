//! Scripts that nobody wrote: whatever the loader lets through runs to a verdict.

use idemlab::lab::{Bench, Fault};
use idemlab::model::Track;
use idemlab::pack;
use idemlab::run::{Interrupt, track};
use proptest::prelude::*;

/// A value of an argument, as YAML.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|value| value.to_string()),
        any::<i64>().prop_map(|value| value.to_string()),
        any::<f32>()
            .prop_filter("JSON has no such number", |value| value.is_finite())
            .prop_map(|value| format!("{value:?}")),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
        Just("[]".to_owned()),
        Just("{a: [1, null]}".to_owned()),
    ]
}

/// A statement or question, right or wrong.
fn sql() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "SELECT",
        "DELETE FROM",
        "INSERT INTO",
        "UPDATE",
        "DROP TABLE",
        "keys",
        "id",
        "*",
        "FROM",
        "WHERE",
        "expires",
        "=",
        "1",
        "'k'",
        "VALUES",
        "(",
        ")",
        ",",
        ";",
        "BEGIN",
        "COMMIT",
        "PRAGMA",
        "user_version",
        "ATTACH",
        "VACUUM",
        "--",
        "NULL",
        "ORDER BY",
        "LIMIT",
        "-1",
    ]);
    prop::collection::vec(word, 1..10).prop_map(|words| words.join(" "))
}

/// A line of a script, most of them understood.
fn line() -> impl Strategy<Value = String> {
    let call = prop::sample::select(vec![
        ("init_db", vec![]),
        ("reserve", vec!["key", "digest", "expires"]),
        ("finish", vec!["key", "digest", "response"]),
        ("fetch", vec!["key", "now"]),
        ("expired", vec!["now", "limit"]),
        ("purge", vec!["now", "limit"]),
        ("counts", vec![]),
    ]);
    let expected = prop::sample::select(vec!["", "returns: null", "returns: []", "raises: any"]);
    prop_oneof![
        (call, prop::collection::vec(value(), 4), expected).prop_map(
            |((name, parts), values, expected)| {
                let with: Vec<String> = parts
                    .iter()
                    .zip(values)
                    .map(|(part, value)| format!("{part}: {value}"))
                    .collect();
                format!(
                    "- call: {name}\n  with: {{{}}}\n  {expected}\n",
                    with.join(", ")
                )
            }
        ),
        sql().prop_map(|sql| format!("  - sql: {}\n", serde_json::to_string(&sql).unwrap())),
        sql().prop_map(|sql| {
            format!(
                "- query: {}\n  gives: [[1]]\n",
                serde_json::to_string(&sql).unwrap()
            )
        }),
        sql().prop_map(|sql| format!("  - refused: {}\n", serde_json::to_string(&sql).unwrap())),
        Just("  - rows: {keys: []}\n".to_owned()),
    ]
}

#[test]
fn any_script_that_loads_comes_to_a_verdict() {
    track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    let lab = &pack::shipped().unwrap().labs[0];
    let bench = Bench::new(lab, Track::Rust, Interrupt::default()).unwrap();
    let mutant = &lab.mutants[0];
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(150));
    let loaded = std::cell::Cell::new(0);
    let scripts = prop::collection::vec(line(), 1..6);
    let ran = runner.run(&scripts, |lines| {
        let text = format!("script:\n{}", lines.concat());
        if let Ok(test) = pack::read_probe(lab, 8, &text) {
            loaded.set(loaded.get() + 1);
            match bench.probe(&test, mutant) {
                Ok(_) => {}
                Err(Fault::Interrupted) => prop_assert!(false, "interrupted"),
                Err(fault) => prop_assert!(false, "{fault}\n{text}"),
            }
        }
        Ok(())
    });
    ran.unwrap();
    // Else it would say nothing.
    assert!(
        loaded.get() > 30,
        "{} of 150 scripts were loaded",
        loaded.get()
    );
}
