//! Every form as it is, in snapshots, and the shape that each keeps to.

use idemlab::gradebook::Gradebook;
use idemlab::report::grade::Format;
use unicode_width::UnicodeWidthStr as _;

use crate::{class, for_student, text};

/// A class small enough to be looked at as a whole.
fn small() -> Gradebook {
    let mut book = class::class();
    book.submissions.truncate(3);
    book
}

fn alone() -> Gradebook {
    class::book(vec![class::mixed("ben")])
}

/// Leaves the many tests that simply passed out of a book.
fn short(mut book: Gradebook) -> Gradebook {
    for step in book.submissions.iter_mut().flat_map(|one| &mut one.steps) {
        step.tests.retain(|test| {
            test.verdict != "passed" || test.unstable || !test.notes.is_empty() || test.hidden
        });
        step.tests.truncate(3);
    }
    book
}

#[test]
fn text_of_a_class() {
    insta::assert_snapshot!(text(&class::class(), Format::Text));
}

#[test]
fn text_of_one() {
    insta::assert_snapshot!(text(&alone(), Format::Text));
}

#[test]
fn text_of_one_for_its_student() {
    insta::assert_snapshot!(for_student(&alone(), Format::Text));
}

#[test]
fn text_of_nobody() {
    insta::assert_snapshot!(text(&class::book(Vec::new()), Format::Text), @"0 submissions: 0 graded");
}

#[test]
fn json() {
    let mut book = short(alone());
    book.submissions[0].steps.truncate(2);
    insta::assert_snapshot!(text(&book, Format::Json));
}

#[test]
fn junit() {
    insta::assert_snapshot!(text(&short(small()), Format::Junit));
}

#[test]
fn gradescope() {
    insta::assert_snapshot!(text(&short(alone()), Format::Gradescope));
}

#[test]
fn gradescope_of_what_is_ungraded() {
    let book = class::book(vec![class::ungraded("cem", "node is not installed here")]);
    insta::assert_snapshot!(text(&book, Format::Gradescope));
}

#[test]
fn exercism() {
    insta::assert_snapshot!(text(&short(alone()), Format::Exercism));
}

#[test]
fn github() {
    insta::assert_snapshot!(text(&alone(), Format::Github));
}

#[test]
fn github_of_a_class() {
    insta::assert_snapshot!(text(&class::class(), Format::Github));
}

#[test]
fn markdown() {
    insta::assert_snapshot!(text(&alone(), Format::Markdown));
}

#[test]
fn markdown_of_a_class() {
    insta::assert_snapshot!(text(&class::class(), Format::Markdown));
}

#[test]
fn csv() {
    insta::assert_snapshot!(text(&class::class(), Format::Csv));
}

#[test]
fn html() {
    let page = text(&short(small()), Format::Html);
    let (before, after) = page.split_once("<style>").unwrap();
    let (_, after) = after.split_once("</style>").unwrap();
    insta::assert_snapshot!(format!("{before}<style>…</style>{after}"));
}

#[test]
fn text_is_at_most_eighty_columns_wide() {
    let class = class::class();
    let books = class
        .submissions
        .iter()
        .map(|one| class::book(vec![one.clone()]));
    for book in books.chain([class.clone()]) {
        for line in text(&book, Format::Text).lines() {
            // What a compiler or interpreter says stays as it is.
            if !line.starts_with("    def") && !line.starts_with("  File") {
                assert!(line.width() <= 80, "{}: {line}", line.width());
            }
        }
    }
}

#[test]
fn every_form_is_the_same_twice() {
    for format in Format::ALL.into_iter().filter(|format| !format.holds_one()) {
        assert_eq!(text(&class::class(), format), text(&class::class(), format));
    }
}

#[test]
fn a_summary_stays_below_what_github_takes() {
    let mut one = class::submission("x", &|_, _| "passed");
    one.steps.iter_mut().for_each(|step| step.tests.clear());
    let mut book = class::book(vec![one; 4_000]);
    for submission in &mut book.submissions {
        submission.path = "x".repeat(400);
    }
    let summary = text(&book, Format::Markdown);
    assert!(summary.len() < 1_048_576, "{}", summary.len());
    assert!(summary.contains("left out here"));
}
