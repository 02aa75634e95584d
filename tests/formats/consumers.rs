//! Each form read by somebody else's reader: XML, CSV, GitHub's commands, and the page.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use idemlab::gradebook::Status;
use idemlab::report::grade::{Audience, Format, write};

use crate::{class, for_student, pack, text};

/// Writes every form of a class where `consumers.py` and the browser look for it.
#[test]
fn the_forms_are_written_for_other_programs() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats");
    fs::create_dir_all(&folder).unwrap();
    let book = class::class();
    for format in Format::ALL.into_iter().filter(|format| !format.holds_one()) {
        fs::write(folder.join(format.id()), text(&book, format)).unwrap();
    }
    for (name, audience) in [
        ("class.html", Audience::Staff),
        ("student.html", Audience::Student),
    ] {
        let page = write(&book, Format::Html, audience, pack()).unwrap();
        fs::write(folder.join(name), page).unwrap();
    }
}

#[test]
fn junit_counts_are_those_of_its_cases() {
    let book = class::class();
    let text = text(&book, Format::Junit);
    let document = roxmltree::Document::parse(&text).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let mut sums: BTreeMap<&str, usize> = BTreeMap::new();
    let suites: Vec<_> = root
        .children()
        .filter(roxmltree::Node::is_element)
        .collect();
    assert_eq!(suites.len(), book.submissions.len());
    for (suite, submission) in suites.iter().zip(&book.submissions) {
        let inside = |tag: &str| {
            suite
                .descendants()
                .filter(|node| node.has_tag_name(tag))
                .count()
        };
        for (attribute, tag) in [
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ] {
            let said: usize = suite.attribute(attribute).unwrap().parse().unwrap();
            assert_eq!(said, inside(tag), "{attribute} of {}", submission.path);
            *sums.entry(attribute).or_default() += said;
        }
        let ungraded = submission.status == Status::Ungraded;
        assert_eq!(inside("error") > 0, ungraded, "{}", submission.path);
        if ungraded {
            assert_eq!((inside("testcase"), inside("failure")), (1, 0));
        } else {
            let lost = submission
                .steps
                .iter()
                .any(|step| step.score < step.max_score);
            assert_eq!(inside("failure") > 0, lost, "{}", submission.path);
        }
    }
    for attribute in ["tests", "failures", "errors"] {
        let said: usize = root.attribute(attribute).unwrap().parse().unwrap();
        assert_eq!(said, sums[attribute], "{attribute}");
    }
}

#[test]
fn csv_is_read_by_a_csv_reader_and_no_cell_is_a_formula() {
    let book = class::class();
    let text = text(&book, Format::Csv);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|column| column == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), book.submissions.len());
    for (row, submission) in rows.iter().zip(&book.submissions) {
        for cell in row {
            assert!(
                !cell.starts_with(['=', '+', '-', '@', '\t', '\r']),
                "{cell:?}"
            );
        }
        let graded = submission.status == Status::Graded;
        assert_eq!(
            &row[at("status")],
            if graded { "graded" } else { "ungraded" }
        );
        for name in ["score", "step_1", "step_8", "probes", "tests_passed"] {
            assert_eq!(
                row[at(name)].is_empty(),
                !graded,
                "{name} of {}",
                submission.path
            );
        }
    }
    assert_eq!(&rows[9][0], "'=HYPERLINK(\"x\")");
    assert_eq!(&rows[11][0], "김철수");
}

#[test]
fn github_gets_one_command_a_line() {
    for book in [class::class(), class::book(vec![class::hostile()])] {
        for line in text(&book, Format::Github).lines() {
            let (command, _) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
            let (level, properties) = command.split_once(' ').unwrap();
            assert!(matches!(level, "error" | "warning" | "notice"), "{line}");
            let names: Vec<&str> = properties
                .split(',')
                .map(|property| property.split_once('=').unwrap().0)
                .collect();
            assert_eq!(names, ["file", "title"], "{line}");
        }
    }
}

#[test]
fn the_page_loads_nothing_and_runs_nothing() {
    for page in [
        text(&class::class(), Format::Html),
        for_student(&class::class(), Format::Html),
    ] {
        for forbidden in [
            "<script",
            "<link",
            "<img",
            "<iframe",
            "<object",
            "<base",
            "<form",
            "src=",
            "url(",
            "@import",
            "javascript:",
            "http://",
            "https://",
        ] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
        assert!(page.contains("default-src 'none'"));
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    }
}

#[test]
fn every_element_of_the_page_is_closed() {
    const ALONE: [&str; 2] = ["meta", "br"];
    let page = text(&class::class(), Format::Html);
    let body = page.split_once("</style>").unwrap().1;
    let mut open: Vec<&str> = Vec::new();
    for tag in body
        .split('<')
        .skip(1)
        .map(|rest| rest.split_once('>').unwrap().0)
    {
        let name = tag.split(' ').next().unwrap();
        if let Some(name) = name.strip_prefix('/') {
            // The end of a cell may be left out before the next one and before the row's.
            while open.last() == Some(&"td") && name != "td" {
                open.pop();
            }
            if name != "head" && name != "html" {
                assert_eq!(open.pop(), Some(name), "</{name}>");
            }
        } else if !ALONE.contains(&name) {
            if matches!(name, "td") && open.last() == Some(&"td") {
                open.pop();
            }
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_page_of_a_large_class_stays_small() {
    let mut book = class::class();
    let twelve = text(&book, Format::Html).len();
    let once = book.submissions.clone();
    for _ in 1..20 {
        book.submissions.extend(once.iter().cloned());
    }
    let page = text(&book, Format::Html).len();
    assert!(page < twelve * 20, "{page} bytes");
    assert!(page / book.submissions.len() < 20_000, "{page} bytes");
}
