//! The page of the book that shows each form: its blocks are what the program writes.
//!
//! `UPDATE_DOCS=1 cargo test --test formats book` writes them anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use idemlab::gradebook::{Confinement, Gradebook, Points, Section, Status, Submission};
use idemlab::report::grade::Format;

use crate::{class, for_student, pack, text};

/// Two submissions with two steps and a few tests of the shipped lab.
fn example() -> Gradebook {
    let mut anna = class::submission("anna", &|step, place| {
        if (step, place) == (2, 2) {
            "failed"
        } else {
            "passed"
        }
    });
    anna.steps.truncate(2);
    for step in &mut anna.steps {
        step.tests.truncate(if step.step == 1 { 1 } else { 3 });
        let known = pack().labs[0]
            .tests
            .iter()
            .filter(|test| test.step == step.step);
        for (test, known) in step.tests.iter_mut().zip(known) {
            known.id.clone_into(&mut test.id);
            known.title.clone_into(&mut test.title);
        }
    }
    let reserve = &mut anna.steps[1];
    reserve.tests[2].hidden = true;
    reserve.score = Points::whole(8).share(2, 3);
    let red = &mut reserve.tests[1];
    red.expected = Some(serde_json::json!({"returns": false}));
    red.observed = Some(serde_json::json!({"returns": true}));
    anna.probes = Section::default();
    anna.written = Section::default();
    anna.predictions = Section::default();
    anna.score = Some(Points(1333));
    anna.max_score = Points::whole(16);
    anna.confinement.lacking = Vec::new();
    let ben = Submission {
        path: "ben".to_owned(),
        status: Status::Ungraded,
        why: Some("python3 is not installed here".to_owned()),
        score: None,
        confinement: Confinement {
            applied: true,
            ..anna.confinement.clone()
        },
        steps: Vec::new(),
        millis: 3,
        ..anna.clone()
    };
    class::book(vec![anna, ben])
}

/// What stands in the block with this name.
fn block(name: &str) -> String {
    let both = example();
    let anna = class::book(vec![both.submissions[0].clone()]);
    let ben = class::book(vec![both.submissions[1].clone()]);
    match name {
        "text" => text(&both, Format::Text),
        "text-one" => text(&anna, Format::Text),
        "text-student" => for_student(&anna, Format::Text),
        "json" => {
            let mut short = anna;
            short.submissions[0].steps.remove(0);
            short.submissions[0].steps[0].tests.truncate(2);
            short.submissions[0].steps[0].tests.remove(0);
            text(&short, Format::Json)
        }
        "junit" => text(&both, Format::Junit),
        "gradescope" => text(&anna, Format::Gradescope),
        "gradescope-ungraded" => text(&ben, Format::Gradescope),
        "exercism" => text(&anna, Format::Exercism),
        "github" => text(&anna, Format::Github),
        "markdown" => text(&both, Format::Markdown),
        "csv" => text(&both, Format::Csv).replace("\r\n", "\n"),
        other => panic!("there is no example `{other}`"),
    }
}

#[test]
fn the_blocks_of_the_page_are_what_the_program_writes() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src/reports.md");
    let page = fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
    let mut fresh = String::new();
    let mut rest = page.as_str();
    let mut shown = Vec::new();
    while let Some((before, after)) = rest.split_once("<!-- form: ") {
        let (name, after) = after.split_once(" -->\n\n").unwrap();
        let (fence, after) = after.split_once('\n').unwrap();
        let (_, after) = after.split_once("\n````\n").unwrap();
        let written = block(name);
        let _ = write!(
            fresh,
            "{before}<!-- form: {name} -->\n\n{fence}\n{}\n````\n",
            written.trim_end()
        );
        shown.push(name);
        rest = after;
    }
    fresh.push_str(rest);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, &fresh).unwrap();
    }
    assert!(
        fresh == page || std::env::var_os("UPDATE_DOCS").is_some(),
        "book/src/reports.md is out of date; run this test with UPDATE_DOCS=1"
    );
    for format in Format::ALL.iter().filter(|format| **format != Format::Html) {
        assert!(
            shown.contains(&format.id()),
            "no example of {}",
            format.id()
        );
    }
    for format in Format::ALL {
        assert!(
            page.contains(&format!("| `{}` |", format.id())),
            "{}",
            format.id()
        );
    }
}
