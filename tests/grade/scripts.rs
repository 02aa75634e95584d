//! Submissions of scripts, graded in a cell: fair to odd styles, and not taken in by what only
//! looks right.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use idemlab::gradebook::Submission;
use idemlab::run::track::shell;

use super::{Class, confined, find, read, write};

/// Tells whether there are bash and sqlite3; where CI runs, they must be there.
fn tools() -> bool {
    let found = shell::find();
    assert!(
        found.is_ok() || std::env::var_os("CI").is_none(),
        "CI has no bash or no sqlite3: {found:?}"
    );
    found.is_ok()
}

/// Writes the scripts of a source into a folder of the class; what the source does not have comes
/// from the reference.
fn add(class: &Class, name: &str, source: &str) -> PathBuf {
    let folder = class.folder().join(name);
    let mut scripts: BTreeMap<String, String> =
        shell::scripts(&read("exercises/inbox/shell/reference.sh"))
            .into_iter()
            .collect();
    scripts.extend(shell::scripts(source));
    for (file, text) in &scripts {
        write(&folder, file, text);
    }
    write(
        &folder,
        "idemlab.yaml",
        "format: 1\nlab: inbox\ntrack: shell\n",
    );
    folder
}

fn sources(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap();
    let sources = entries.map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    sources.collect()
}

fn red(submission: &Submission) -> Vec<&str> {
    let tests = submission.steps.iter().flat_map(|step| &step.tests);
    let red = tests.filter(|test| !matches!(&*test.verdict, "passed" | "inconclusive"));
    red.map(|test| &*test.id).collect()
}

#[test]
fn right_scripts_in_unusual_styles_get_every_point_of_every_step() {
    if !(tools() && confined()) {
        return;
    }
    let class = Class::new();
    let sources = sources("tests/fair/inbox/shell");
    assert!(sources.len() >= 12);
    for (name, source) in &sources {
        add(&class, name, source);
    }
    let (book, code) = class.grade(&[]);
    for one in &book.submissions {
        assert_eq!(red(one), [""; 0], "{}: {:?}", one.path, one.why);
        for step in &one.steps {
            assert_eq!(step.score, step.max_score, "{}: {}", one.path, step.title);
        }
    }
    assert_eq!((book.submissions.len(), code), (sources.len(), 0));
}

#[test]
fn scripts_that_only_look_right_do_not_get_every_point() {
    if !(tools() && confined()) {
        return;
    }
    let class = Class::new();
    let seen_by = BTreeMap::from([
        ("by_the_day", "twenty-seconds-decide"),
        ("counts_ids", "race-tells-the-truth"),
        ("lock_folder", "same-message-comes-in-between"),
        ("looks_in_a_transaction", "one-of-ten-is-applied"),
        ("reads_json_by_sed", "ids-with-signs"),
        ("replaces_and_keeps", "row-of-a-duplicate-stays"),
        ("takes_any_id", "no-message-is-an-error"),
    ]);
    let sources = sources("tests/fair/inbox/shell_wrong");
    assert_eq!(sources.len(), seen_by.len());
    for (name, source) in &sources {
        add(&class, name, source);
    }
    let (book, _) = class.grade(&[]);
    for (name, test) in seen_by {
        let one = find(&book, name);
        assert!(red(one).contains(&test), "{name}: {:?}", red(one));
        // It looks right: what every acceptance test tries, it can do.
        let plain = ["new-message-is-applied", "same-message-is-a-duplicate"];
        assert!(
            red(one).iter().all(|id| !plain.contains(id)),
            "{name}: {:?}",
            red(one)
        );
        assert!(
            one.steps.iter().any(|step| step.score < step.max_score),
            "{name}"
        );
    }
}

#[test]
fn a_script_that_is_not_there_costs_its_step_and_is_named() {
    if !(tools() && confined()) {
        return;
    }
    let class = Class::new();
    let folder = add(&class, "it's \"받은 편지함\"", "");
    fs::remove_file(folder.join("purge.sh")).unwrap();
    let (book, code) = class.grade(&[]);
    let one = &book.submissions[0];
    for step in &one.steps {
        if step.function == "retention" {
            assert_eq!(step.score.0, 0);
            assert_eq!(
                step.why.as_deref(),
                Some("there is no function `purge`"),
                "{step:?}"
            );
        } else {
            assert_eq!(step.score, step.max_score, "{}", step.function);
        }
    }
    assert_eq!(code, 1);
}

#[test]
fn files_that_were_kept_count_with_their_step() {
    if !(tools() && confined()) {
        return;
    }
    let class = Class::new();
    let folder = add(&class, "kim", "");
    for (file, text) in [
        ("dup.txt", "20260701-0003\n20260701-0005\n"),
        ("race.txt", "applied\nduplicate\nrows=1\n"),
        (
            "key.md",
            "The idempotency key is the id of the message (멱등키). The order number alone is not \
             enough, since a modification (수정) has the number of its order. Retention (보관) is \
             thirty days, since the sender tries again for two weeks at most.\n",
        ),
    ] {
        write(&folder, file, text);
    }
    let (book, _) = class.grade(&[]);
    let kim = find(&book, "kim");
    let steps: Vec<u32> = kim.steps.iter().map(|step| step.max_score.0).collect();
    assert_eq!(steps, [1000, 0, 1500, 800, 1200, 1400, 1100, 0]);
    let written: Vec<(&str, &[String])> = kim
        .written
        .items
        .iter()
        .map(|item| (&*item.id, &*item.missing))
        .collect();
    assert_eq!(
        written,
        [
            ("key", &[][..]),
            ("report", &["there is no answer".to_owned()]),
            ("not-guaranteed", &["there is no answer".to_owned()]),
            ("dup.txt", &["it has 2 of 7 different lines".to_owned()]),
            ("race.txt", &[]),
            (
                "replay.txt",
                &["there is no such file, or nothing in it".to_owned()]
            ),
        ]
    );
    assert_eq!((kim.written.score.0, kim.written.max_score.0), (700, 1800));
    assert_eq!(kim.max_score.0, 10_000);
}
