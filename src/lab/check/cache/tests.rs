use tempfile::TempDir;

use super::*;
use crate::model::{Action, Callbacks, Line, Mark, Source, Start, Table, Track};
use crate::run::Interrupt;

fn test(id: &str, sql: &str) -> Test {
    Test {
        id: id.to_owned(),
        step: 1,
        title: id.to_owned(),
        clause: None,
        start: Start::Table,
        given: Vec::new(),
        script: vec![Line {
            number: 1,
            action: Action::Sql(sql.to_owned()),
            callbacks: Callbacks::default(),
        }],
        tracks: Vec::new(),
        success: false,
        mark: Mark::Contract,
        guard: None,
    }
}

fn lab() -> Lab {
    let words = [
        "passed",
        "failed",
        "errored",
        "timed_out",
        "not_run",
        "inconclusive",
    ];
    let source = |track, file: &str| Source {
        track,
        file: file.to_owned(),
        text: String::new(),
    };
    Lab {
        id: "small".to_owned(),
        title: String::new(),
        question: String::new(),
        idea: String::new(),
        tables: Vec::new(),
        steps: Vec::new(),
        tests: words.map(|word| test(word, word)).into(),
        mutants: Vec::new(),
        sources: vec![source(Track::Rust, "a.rs"), source(Track::Python, "a.py")],
        starters: Vec::new(),
        tasks: Vec::new(),
        grading: None,
        inputs: Vec::new(),
        order: 0,
        suggested: None,
        folders: Vec::new(),
    }
}

fn cell(word: &str) -> Cell {
    Cell {
        word: TestWord::parse(word).unwrap(),
        steady: word != "failed",
        slip: word == "errored",
    }
}

/// One cell for each test of the lab, each another.
fn cells(lab: &Lab) -> Cells {
    let cells = lab.tests.iter();
    cells
        .map(|test| (test.id.clone(), cell(&test.id)))
        .collect()
}

fn tests<'l>(lab: &'l Lab, ids: &[&str]) -> Vec<&'l Test> {
    ids.iter().map(|id| lab.test(id).unwrap()).collect()
}

fn all(lab: &Lab) -> Vec<&Test> {
    lab.tests.iter().collect()
}

#[test]
fn what_was_kept_is_found_as_it_was_also_by_the_next_run() {
    let (folder, lab) = (TempDir::new().unwrap(), lab());
    let mut cache = Cache::open(folder.path(), "p");
    cache.keep("s", &lab, &cells(&lab));
    assert_eq!(cache.find("s", &lab, &all(&lab)), Some(cells(&lab)));
    drop(cache);
    let cache = Cache::open(folder.path(), "p");
    assert_eq!(cache.find("s", &lab, &all(&lab)), Some(cells(&lab)));
    let some = tests(&lab, &["failed", "errored"]);
    assert_eq!(cache.find("s", &lab, &some).unwrap().len(), 2);
    assert_eq!(cache.find("other", &lab, &some), None);
}

#[test]
fn a_later_result_takes_the_place_of_an_earlier_one() {
    let (folder, lab) = (TempDir::new().unwrap(), lab());
    let mut cache = Cache::open(folder.path(), "p");
    cache.keep("s", &lab, &cells(&lab));
    let turned = Cells::from([("failed".to_owned(), cell("passed"))]);
    cache.keep("s", &lab, &turned);
    let failed = tests(&lab, &["failed"]);
    assert_eq!(cache.find("s", &lab, &failed), Some(turned));
}

#[test]
fn a_subject_is_known_only_with_all_its_tests_as_they_are_now() {
    let (folder, mut lab) = (TempDir::new().unwrap(), lab());
    let mut cache = Cache::open(folder.path(), "p");
    let kept = Cells::from([("passed".to_owned(), cell("passed"))]);
    cache.keep("s", &lab, &kept);
    let found = |lab: &Lab, ids: &[&str]| cache.find("s", lab, &tests(lab, ids));
    assert_eq!(found(&lab, &["passed"]), Some(kept));
    assert_eq!(found(&lab, &["passed", "failed"]), None);
    let original = lab.tests[0].clone();
    // What is only shown does not count; all else does.
    lab.tests[0].title = "another title".to_owned();
    assert!(found(&lab, &["passed"]).is_some());
    let changes: [fn(&mut Test); 4] = [
        |test| test.script[0].action = Action::Sql("other".to_owned()),
        |test| test.start = Start::Nothing,
        |test| test.mark = Mark::Strictness,
        |test| {
            test.given.push(crate::model::TableRows {
                table: "t".to_owned(),
                rows: Vec::new(),
            });
        },
    ];
    for change in changes {
        lab.tests[0] = original.clone();
        change(&mut lab.tests[0]);
        assert_eq!(found(&lab, &["passed"]), None, "{:?}", lab.tests[0]);
    }
    lab.tests[0] = original;
    lab.id = "other".to_owned();
    assert_eq!(found(&lab, &["passed"]), None);
}

#[test]
fn a_subject_is_named_by_everything_that_its_results_depend_on() {
    let (folder, lab) = (TempDir::new().unwrap(), lab());
    let mut other_tables = lab.clone();
    other_tables.tables.push(Table {
        name: "t".to_owned(),
        columns: Vec::new(),
        create: String::new(),
        order_by: String::new(),
    });
    let bench = |lab, track| Bench::new(lab, track, Interrupt::default()).unwrap();
    let rust = bench(&lab, Track::Rust);
    let cache = Cache::open(folder.path(), "p");
    let (a, b) = (["a".to_owned()], ["b".to_owned()]);
    let names = [
        cache.subject(&rust, "x", [&[], &[]]),
        cache.subject(&rust, "y", [&[], &[]]),
        cache.subject(&rust, "x", [&a, &[]]),
        cache.subject(&rust, "x", [&b, &[]]),
        cache.subject(&rust, "x", [&[], &a]),
        cache.subject(&bench(&lab, Track::Python), "x", [&[], &[]]),
        cache.subject(&bench(&other_tables, Track::Rust), "x", [&[], &[]]),
        Cache::open(folder.path(), "q").subject(&rust, "x", [&[], &[]]),
    ];
    for (place, name) in names.iter().enumerate() {
        assert!(!names[..place].contains(name), "{place}");
    }
    assert_eq!(cache.subject(&rust, "x", [&[], &[]]), names[0]);
}

#[test]
fn only_what_passed_or_could_not_be_forced_is_green() {
    let (folder, lab) = (TempDir::new().unwrap(), lab());
    let mut cache = Cache::open(folder.path(), "p");
    cache.keep("s", &lab, &cells(&lab));
    for (word, green) in [
        ("passed", true),
        ("inconclusive", true),
        ("failed", false),
        ("errored", false),
        ("timed_out", false),
        ("not_run", false),
    ] {
        let two = tests(&lab, &["passed", word]);
        assert_eq!(cache.all_green("s", &lab, &two), green, "{word}");
        assert!(!cache.all_green("other", &lab, &two));
    }
}

#[test]
fn a_damaged_store_is_begun_anew() {
    let (folder, lab) = (TempDir::new().unwrap(), lab());
    let passed = tests(&lab, &["passed"]);
    let kept = Cells::from([("passed".to_owned(), cell("passed"))]);
    for damage in [b"no database at all".repeat(99), Vec::new()] {
        let mut cache = Cache::open(folder.path(), "p");
        cache.keep("s", &lab, &kept);
        assert!(cache.find("s", &lab, &passed).is_some());
        drop(cache);
        std::fs::write(folder.path().join("check-1.db"), damage).unwrap();
        let mut cache = Cache::open(folder.path(), "p");
        assert_eq!(cache.find("s", &lab, &passed), None);
        cache.keep("s", &lab, &kept);
        assert_eq!(cache.find("s", &lab, &passed), Some(kept.clone()));
    }
}

#[test]
fn without_a_store_nothing_is_known() {
    let lab = lab();
    let mut cache = Cache::none();
    cache.keep("s", &lab, &cells(&lab));
    assert_eq!(cache.find("s", &lab, &all(&lab)), None);
    assert!(!cache.all_green("s", &lab, &all(&lab)));
    // Nor where there is no place for one.
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut cache = Cache::open(&file.path().join("under"), "p");
    cache.keep("s", &lab, &cells(&lab));
    assert_eq!(cache.find("s", &lab, &all(&lab)), None);
}
