//! Three mutants from public bug reports, each made with one command and proven by `check`.
//!
//! No network: the reports are told here in our own words. Where there is cargo, both tracks are
//! proven; the crate it builds is kept in the target folder, so only the first run is slow.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A report, and the flags that make its mutant.
struct Case {
    id: &'static str,
    report: &'static str,
    flags: &'static [&'static str],
    /// A test that is promised to catch it.
    caught_by: &'static str,
}

const CASES: [Case; 3] = [
    // A deduplicator with a time to live threw old entries away only once it held more than its
    // greatest number; below that, they stayed for ever.
    Case {
        id: "purge-only-when-full",
        report: "https://github.com/NousResearch/hermes-agent/pull/10494",
        flags: &[
            "--step",
            "purge",
            "--title",
            "Purge does nothing while the table is small",
            "--belief",
            "Cleaning up costs time. As long as there are few rows nobody minds them.",
            "--lesson",
            "A time to live is a promise about time. A cleanup that waits for a number of rows keeps \
             it on busy days only, and a key that was to be free again stays taken.",
            "--find",
            "WHERE status='done' AND expires<=?",
            "--replace",
            "WHERE status='done' AND expires<=? AND (SELECT COUNT(*) FROM keys)>1",
        ],
        caught_by: "one-expired-key-is-purged",
    },
    // An index of expiries looked at its head only; once the head was renewed, what lay behind it
    // did not expire any more.
    Case {
        id: "expired-waits-for-the-first",
        report: "https://github.com/ideawu/ssdb/issues/628",
        flags: &[
            "--step",
            "5",
            "--title",
            "Nothing is listed while the first key is not due",
            "--belief",
            "The rows are in order. If the first one lives, the others can wait.",
            "--lesson",
            "The order of the ids is not the order of the expiries. A short cut that asks the first \
             row for all others needs a test in which the first row lives and a later one does not.",
            "--find",
            "WHERE status='done' AND expires<=?",
            "--replace",
            "WHERE status='done' AND expires<=?1 AND (SELECT expires FROM keys ORDER BY id LIMIT 1)<=?1",
        ],
        caught_by: "fractions-count-in-the-list",
    },
    // A store wrote the time of the lock, which had passed, as the expiry of the finished record,
    // so the next cleanup could take it at once.
    Case {
        id: "finish-expires-at-once",
        report: "https://github.com/josipmusa/idempotency4j/issues/45",
        flags: &[
            "--step",
            "3",
            "--title",
            "A finished row is due for cleanup at once",
            "--belief",
            "The time in the row is that of the lock, and the lock has been given back.",
            "--lesson",
            "Two times were kept in one column: how long a worker may take, and how long the response \
             is kept. When one is reset, the other promise is gone, and the retry runs again.",
            "--find",
            "SET status='done',response=?",
            "--replace",
            "SET status='done',response=?,expires=0",
        ],
        caught_by: "same-response-again-is-refused",
    },
];

#[test]
fn three_reports_become_three_proven_mutants() {
    let pack = TempDir::new().unwrap();
    for case in &CASES {
        let mut flags = vec!["new", "mutant", "--lab", "retention", "--id", case.id];
        flags.extend(["--origin", "field"]);
        flags.extend(["--report", case.report]);
        flags.extend(case.flags);
        let output = idemlab(pack.path(), &flags);
        let said = text(&output.stdout);
        assert!(output.status.success(), "{said}{}", text(&output.stderr));
        for track in ["rust: found at line", "python: found at line"] {
            assert!(said.contains(track), "{said}");
        }
        let path = format!("mutants/retention/{}.yaml", case.id);
        assert!(said.contains(&format!("wrote {path}\n")), "{said}");
        let yaml = fs::read_to_string(pack.path().join(&path)).unwrap();
        let first = "# yaml-language-server: $schema=../../schema/mutant.schema.json\n";
        assert!(yaml.starts_with(first), "{yaml}");
        assert!(yaml.contains(&format!("origin: field\nreport: {}\n", case.report)));
        let caught_by = yaml.split("caught_by:").nth(1).unwrap();
        let caught_by = caught_by.split("lesson:").next().unwrap();
        assert!(caught_by.contains(case.caught_by), "{yaml}");
    }
    assert!(pack.path().join("schema/mutant.schema.json").is_file());
    check_is_green(pack.path());
}

#[test]
fn the_sessions_of_the_book_can_be_typed() {
    let page = fs::read_to_string(root().join("book/src/instructors.md")).unwrap();
    for name in ["new", "test"] {
        let (_, after) = page
            .split_once(&format!("<!-- session: {name} -->"))
            .unwrap();
        let block = after
            .split("```")
            .nth(1)
            .unwrap()
            .trim_start_matches("text\n");
        let place = TempDir::new().unwrap();
        for command in block.replace("\\\n", "").split("$ ").skip(1) {
            let (line, expected) = command.split_once('\n').unwrap();
            let words = words(line);
            if let [cat, file] = &words[..]
                && cat == "cat"
            {
                fs::write(place.path().join(file), expected).unwrap();
                continue;
            }
            let arguments: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
            let output = idemlab(place.path(), &arguments);
            let said = text(&output.stdout);
            assert!(output.status.success(), "{said}{}", text(&output.stderr));
            assert!(
                fits(expected, &said),
                "{line}\nis in the book:\n{expected}\nand says:\n{said}"
            );
        }
    }
}

/// Tells whether a text is as expected, `...` standing for lines and `[..]` for what is in one.
fn fits(expected: &str, said: &str) -> bool {
    let mut rest = said;
    for part in expected.split("...\n").flat_map(|part| part.split("[..]")) {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    expected.ends_with("...\n") || rest.is_empty()
}

/// Splits a command line at its blanks, but for those in quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for sign in line.chars() {
        match (sign, quote) {
            ('"' | '\'', None) => quote = Some(sign),
            (sign, Some(end)) if sign == end => quote = None,
            (' ', None) => words.push(std::mem::take(&mut word)),
            _ => word.push(sign),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Checks the mutants over the shipped lab, without its own 148, which have a check of their own.
fn check_is_green(pack: &Path) {
    for file in idemlab::pack::shipped_files() {
        if file.path.starts_with("exercises/") {
            let path = pack.join(&file.path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file.text).unwrap();
        }
    }
    let output = idemlab(pack, &["check", ".", "--format", "json"]);
    let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(checked["mutants"], 3);
    // Without the others most tests have nothing to do, which is told of their own files.
    let about_mutants: Vec<&Value> = checked["problems"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|problem| problem["id"] != "idle-test")
        .collect();
    assert!(about_mutants.is_empty(), "{about_mutants:#?}");
}

/// Runs the program in a folder, with its caches in the target folder.
fn idemlab(folder: &Path, arguments: &[&str]) -> Output {
    let caches = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    Command::new(env!("CARGO_BIN_EXE_idemlab"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", &caches)
        .env("LOCALAPPDATA", &caches)
        .envs(offline())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn offline() -> [(&'static str, OsString); 1] {
    [("CARGO_NET_OFFLINE", "true".into())]
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
