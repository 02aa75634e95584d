//! What students must not see, and texts that no form may stumble over.

use idemlab::gradebook::Gradebook;
use idemlab::report::grade::{Audience, Format, for_students, write};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::class::{self, SECRET};
use crate::{for_student, pack, text};

/// Writes a book in a form, or each of its submissions where a form holds one.
fn all(book: &Gradebook, format: Format, audience: Audience) -> String {
    if !format.holds_one() {
        return write(book, format, audience, pack()).unwrap();
    }
    let alone = book.submissions.iter().map(|one| {
        let book = Gradebook {
            submissions: vec![one.clone()],
            ..book.clone()
        };
        write(&book, format, audience, pack()).unwrap()
    });
    alone.collect()
}

#[test]
fn no_form_for_students_holds_anything_of_a_hidden_test() {
    let book = class::class();
    for format in Format::ALL {
        let seen = all(&book, format, Audience::Student);
        assert!(!seen.contains(SECRET), "{}", format.id());
    }
    // Of one submission the forms say more, so they could give away more.
    for submission in book.submissions {
        let book = class::book(vec![submission]);
        for format in Format::ALL {
            assert!(
                !for_student(&book, format).contains(SECRET),
                "{}",
                format.id()
            );
        }
    }
    assert!(text(&class::class(), Format::Json).contains(SECRET));
    assert!(text(&class::class(), Format::Html).contains(SECRET));
}

#[test]
fn gradescope_marks_what_only_staff_may_see() {
    for submission in class::class().submissions {
        let book = class::book(vec![submission]);
        let mut results: Value = serde_json::from_str(&text(&book, Format::Gradescope)).unwrap();
        if let Some(tests) = results.get_mut("tests").and_then(Value::as_array_mut) {
            let all = tests.len();
            tests.retain(|test| test["visibility"] == "visible");
            assert!(tests.len() < all, "no hidden test is told to staff");
        }
        assert_eq!(results["stdout_visibility"], "hidden");
        assert!(!results.to_string().contains(SECRET));
    }
}

#[test]
fn a_student_hears_that_hidden_tests_exist() {
    let book = class::book(vec![class::only_hidden_red("gus")]);
    for format in [
        Format::Text,
        Format::Markdown,
        Format::Html,
        Format::Gradescope,
    ] {
        let seen = for_student(&book, format);
        assert!(
            seen.contains("all visible tests passed (2 hidden)"),
            "{}:\n{seen}",
            format.id()
        );
    }
    let exercism: Value = serde_json::from_str(&text(&book, Format::Exercism)).unwrap();
    assert_eq!(exercism["status"], "fail");
    let red: Vec<&Value> = exercism["tests"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|test| test["status"] != "pass")
        .collect();
    assert_eq!(
        red,
        [&json!({
            "name": "2 hidden tests",
            "status": "fail",
            "message": "Not all hidden tests of this step pass.",
            "task_id": 3,
        })]
    );
}

#[test]
fn what_students_see_is_seen_twice_the_same() {
    let once = for_students(&class::class());
    assert_eq!(for_students(&once), once);
}

#[test]
fn what_is_ungraded_is_zero_in_no_form() {
    let book = class::book(vec![class::ungraded("cem", "node is not installed here")]);
    let json: Value = serde_json::from_str(&text(&book, Format::Json)).unwrap();
    assert_eq!(json["submissions"][0]["score"], Value::Null);
    let gradescope: Value = serde_json::from_str(&text(&book, Format::Gradescope)).unwrap();
    assert_eq!(
        (gradescope.get("score"), gradescope.get("tests")),
        (None, None)
    );
    let exercism: Value = serde_json::from_str(&text(&book, Format::Exercism)).unwrap();
    assert_eq!(exercism["status"], "error");
    for format in Format::ALL {
        let said = text(&book, format);
        assert!(
            said.contains("node is not installed here"),
            "{}:\n{said}",
            format.id()
        );
        assert!(
            !said.contains("0 / 84") && !said.contains("0/84"),
            "{}:\n{said}",
            format.id()
        );
    }
}

#[test]
fn a_form_for_one_refuses_a_class() {
    for format in Format::ALL {
        let result = write(&class::class(), format, format.audience(), pack());
        assert_eq!(result.is_err(), format.holds_one(), "{}", format.id());
        let none = write(&class::book(Vec::new()), format, format.audience(), pack());
        assert_eq!(none.is_err(), format.holds_one(), "{}", format.id());
    }
    let refused = write(&class::class(), Format::Exercism, Audience::Staff, pack()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "format exercism holds one submission, and there are 12"
    );
}

#[test]
fn names_of_forms_are_read_as_they_are_written() {
    for format in Format::ALL {
        assert_eq!(Format::parse(format.id()), Some(format));
    }
    for audience in Audience::ALL {
        assert_eq!(Audience::parse(audience.id()), Some(audience));
    }
    assert_eq!(Format::parse("pdf"), None);
}

/// Puts a text into every place of a book that takes one.
fn filled(odd: &str) -> Gradebook {
    let put = |text: &mut String| odd.clone_into(text);
    let mut one = class::mixed(odd);
    one.steps.iter_mut().for_each(|step| step.tests.truncate(5));
    for text in [&mut one.lab, &mut one.track] {
        put(text);
    }
    for step in &mut one.steps {
        put(&mut step.function);
        put(&mut step.title);
        step.why = step.why.as_ref().map(|_| odd.to_owned());
        for test in step.tests.iter_mut().filter(|test| !test.hidden) {
            put(&mut test.id);
            put(&mut test.title);
            test.says = Some(odd.to_owned());
            test.expected = Some(json!({"returns": {odd: [odd, 1]}}));
            test.observed = Some(json!({"raises": {"kind": odd, "message": odd}}));
            test.notes = vec![odd.to_owned()];
        }
    }
    for answer in &mut one.written.items {
        put(&mut answer.title);
        put(&mut answer.text);
        answer.missing = vec![odd.to_owned()];
    }
    for probe in &mut one.probes.items {
        put(&mut probe.mutant);
        probe.why = Some(odd.to_owned());
    }
    for item in &mut one.predictions.items {
        put(&mut item.mutant);
        item.said.push(odd.to_owned());
    }
    let mut ungraded = class::ungraded(odd, odd);
    ungraded.lab = String::new();
    class::book(vec![one, ungraded])
}

/// Tells whether a text holds a character that a terminal or a page would obey.
fn obeys(text: &str) -> bool {
    text.contains(|sign: char| {
        sign.is_control() && !matches!(sign, '\n' | '\t' | '\r')
            || matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_text_breaks_a_form(odd in "(?s)(.|[<>&\"'`|,\\\\\n\r\u{1b}\u{202e}=-]|]]>|::|</style>){0,40}") {
        let book = filled(&odd);
        for format in Format::ALL {
            let said = all(&book, format, format.audience());
            // In JSON these are escapes, which a program reads; all else is read as it is.
            if format != Format::Json {
                prop_assert!(!obeys(&said), "{}", format.id());
            }
        }
        let junit = text(&book, Format::Junit);
        prop_assert!(roxmltree::Document::parse(&junit).is_ok(), "{junit}");
        let page = text(&book, Format::Html);
        prop_assert!(!page.contains("<script"));
        prop_assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
        let csv = text(&book, Format::Csv);
        let read: Vec<_> = csv::Reader::from_reader(csv.as_bytes()).records().collect();
        prop_assert!(read.len() == 2 && read.iter().all(Result::is_ok));
        for line in text(&book, Format::Github).lines() {
            prop_assert!(line.starts_with("::"), "{line}");
        }
    }
}
