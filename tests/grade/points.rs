//! What a submission is given, and what it is told.

use std::fs;

use idemlab::gradebook::Status;
use idemlab::model::Points;

use super::{Class, FULL, confined, find, python, read, steps, write};

/// A class of one right solution that is changed a little.
fn one(change: impl FnOnce(&str) -> String) -> Class {
    let class = Class::new();
    let right = read("exercises/retention/python/reference.py");
    class.add("anna", "python", &change(&right));
    class
}

#[test]
fn a_missing_function_costs_its_step_and_is_named() {
    if !(python() && confined()) {
        return;
    }
    let class = one(|right| right.replace("def counts(", "def count("));
    let (book, code) = class.grade(&[]);
    let anna = find(&book, "anna");
    assert_eq!(steps(anna), "8 10 10 9 9 12 0 6");
    assert_eq!(
        anna.steps[6].why.as_deref(),
        Some("there is no function `counts`")
    );
    assert_eq!(code, 1);
}

#[test]
fn a_function_that_only_refuses_is_worth_nothing() {
    if !(python() && confined()) {
        return;
    }
    let class = one(|right| {
        format!("{right}\n\ndef reserve(path, key, digest, expires):\n    return False\n")
    });
    let (book, _) = class.grade(&[]);
    let reserve = &find(&book, "anna").steps[1];
    assert_eq!(reserve.score, Points(0));
    assert_eq!(
        reserve.why.as_deref(),
        Some("`reserve` passes none of its plain tests")
    );
    let passed = reserve.tests.iter().filter(|test| test.verdict == "passed");
    assert!(passed.count() > 0, "refusing passes some tests");
}

#[test]
fn what_does_not_load_is_graded_and_what_is_not_there_is_not() {
    if !(python() && confined()) {
        return;
    }
    let class = one(|_| "def purge(:\n".to_owned());
    let empty = class.add("bo", "python", "");
    fs::remove_file(empty.join("retention.py")).unwrap();
    write(
        &class.folder().join("cy"),
        "idemlab.yaml",
        "lab: retension\ntrack: python\n",
    );
    fs::create_dir(class.folder().join("dee")).unwrap();
    let (book, code) = class.grade(&[]);
    let anna = find(&book, "anna");
    assert_eq!((anna.status, anna.score), (Status::Graded, Some(Points(0))));
    let why = anna.why.as_deref().unwrap();
    assert!(
        why.contains("SyntaxError") && why.contains("line 1"),
        "{why}"
    );
    for (path, reason) in [
        ("bo", "there is no file retention.py in it"),
        ("cy", "there is no lab `retension`"),
        ("dee", "there is no idemlab.yaml in it"),
    ] {
        let one = find(&book, path);
        assert_eq!((one.status, one.score), (Status::Ungraded, None), "{path}");
        let why = one.why.as_deref().unwrap();
        assert!(why.contains(reason), "{why}");
    }
    assert_eq!(code, 5);
}

/// One that catches, one that contradicts the contract, one that misses, and one that is none.
const PROBES: &str = "format: 1
probes:
  - mutant: reserve-replaces
    given: {keys: [[k, v1, done, {json: 1}, 10]]}
    script:
      - call: reserve
        with: {key: k, digest: v2, expires: 20}
        returns: false
      - rows: {keys: [[k, v1, done, {json: 1}, 10]]}
  - step: 3
    script:
      - call: finish
        with: {key: k, digest: d, response: 1}
        returns: true
  - step: 4
    script:
      - call: fetch
        with: {key: k, now: 1}
        returns: null
  - step: 5
    script: []
";

#[test]
fn probes_answers_and_predictions_are_looked_at() {
    if !(python() && confined()) {
        return;
    }
    let class = one(str::to_owned);
    let anna = class.folder().join("anna");
    write(&anna, "probes.yaml", PROBES);
    write(
        &anna,
        "answers/still-in-force.md",
        "<!-- Why? -->\nToo short.\n",
    );
    write(
        &anna,
        "answers/break-it.md",
        "I changed `expires<=?` in purge to a smaller sign; then the test of the boundary failed \
         since the row that ends just now stayed.\n",
    );
    write(
        &anna,
        "predictions.json",
        r#"{"version": 1, "lab": "retention", "predictions": [
             {"step": 2, "mutant": "reserve-replaces", "tests": ["existing-key-is-refused",
              "new-key-is-reserved"], "sure": "certain"}]}"#,
    );
    let (book, code) = class.grade(&[]);
    let anna = find(&book, "anna");
    let probes: Vec<(u32, bool, bool)> = anna
        .probes
        .items
        .iter()
        .map(|probe| (probe.step, probe.valid, probe.caught))
        .collect();
    assert_eq!(
        probes,
        [
            (2, true, true),
            (3, false, false),
            (4, true, false),
            (5, false, false)
        ]
    );
    assert_eq!(anna.probes.score, Points::whole(10).share(1, 8));
    let written: Vec<(&str, bool)> = anna
        .written
        .items
        .iter()
        .map(|answer| (&*answer.id, answer.missing.is_empty()))
        .collect();
    assert_eq!(
        written,
        [
            ("break-it", true),
            ("still-in-force", false),
            ("not-guaranteed", false)
        ]
    );
    assert_eq!(anna.written.score, Points::whole(4));
    let said = &anna.predictions.items[1];
    assert_eq!((said.made, said.found, said.wrong), (true, 1, 1));
    assert!(
        said.caught_by
            .contains(&"existing-key-is-refused".to_owned())
    );
    assert_eq!(anna.predictions.score, Points::whole(8).share(1, 8));
    assert_eq!(steps(anna), FULL);
    assert_eq!(anna.score, Some(Points(7_625)));
    assert_eq!(code, 0);
}

#[test]
fn a_probe_cannot_write_a_file_of_the_graders() {
    if !(python() && confined()) {
        return;
    }
    let class = one(str::to_owned);
    let loot = class.folder().join("loot.db");
    let probe = format!(
        "format: 1\nprobes:\n  - step: 2\n    script:\n      - sql: \"ATTACH '{0}' AS x; CREATE TABLE x.t(a)\"\n  - step: 2\n    script:\n      - sql: \"VACUUM INTO '{0}'\"\n",
        loot.display()
    );
    write(&class.folder().join("anna"), "probes.yaml", &probe);
    let (book, _) = class.grade(&[]);
    let probes = &find(&book, "anna").probes.items;
    assert_eq!(probes.len(), 2);
    assert!(probes.iter().all(|probe| !probe.valid), "{probes:?}");
    assert!(probes.iter().all(|probe| !probe.caught), "{probes:?}");
    assert!(!loot.exists());
}

#[test]
fn a_hidden_test_counts_and_a_student_learns_nothing_of_it() {
    if !(python() && confined()) {
        return;
    }
    let class = one(|right| right.replace("INSERT OR IGNORE", "INSERT OR REPLACE"));
    let pack = class.place.path().join("pack");
    copy(
        &std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("exercises"),
        &pack.join("exercises"),
    );
    let grading = pack.join("exercises/retention/grading.yaml");
    let text = fs::read_to_string(&grading).unwrap();
    fs::write(
        &grading,
        format!("{text}hidden: [existing-key-is-refused]\n"),
    )
    .unwrap();
    let (book, _) = class.grade(&["--pack", "pack"]);
    let tests = &find(&book, "anna").steps[1].tests;
    let hidden: Vec<&str> = tests
        .iter()
        .filter(|test| test.hidden)
        .map(|test| &*test.id)
        .collect();
    assert_eq!(hidden, ["existing-key-is-refused"]);
    let told = class.run(&[
        "grade",
        "class",
        "--pack",
        "pack",
        "--format",
        "json",
        "--audience",
        "student",
    ]);
    let told = String::from_utf8_lossy(&told.stdout);
    assert!(!told.contains("existing-key-is-refused"), "{told}");
    assert!(!told.contains(&tests.iter().find(|test| test.hidden).unwrap().title));
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn right_solutions_in_unusual_styles_get_every_point_of_every_step() {
    if !(python() && confined()) {
        return;
    }
    let class = Class::new();
    let mut count = 0;
    for track in ["python", "rust"] {
        let folder = format!("{}/tests/fair/{track}", env!("CARGO_MANIFEST_DIR"));
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if matches!(extension, Some("py" | "rs")) {
                let name = format!("{track}-{}", path.file_stem().unwrap().display());
                class.add(&name, track, &fs::read_to_string(&path).unwrap());
                count += 1;
            }
        }
    }
    assert!(count >= 24, "{count} solutions");
    let (book, code) = class.grade(&[]);
    for one in &book.submissions {
        assert_eq!(steps(one), FULL, "{}: {:?}", one.path, one.why);
    }
    assert_eq!((book.submissions.len(), code), (count, 0));
}

#[test]
fn a_store_in_rust_that_never_forgets_is_seen_in_a_cell() {
    use idemlab::model::Track;
    if !confined() {
        return;
    }
    let pack = idemlab::pack::shipped().unwrap();
    let lab = pack.labs.iter().find(|lab| lab.id == "invoice").unwrap();
    let reference = &lab.source(Track::Rust).unwrap().text;
    let keeps = lab.mutant("order-keeps-what-it-does-not-read").unwrap();
    let edits = keeps.edits_for(Track::Rust).iter();
    let edits = edits.map(|edit| (edit.find.as_str(), edit.replace.as_str()));
    let keeps = idemlab::mutate::apply(reference, edits).unwrap();
    let class = Class::new();
    for (name, text) in [("forgets", reference), ("keeps", &keeps)] {
        let folder = class.folder().join(name);
        fs::create_dir_all(&folder).unwrap();
        let manifest = "format: 1\nlab: invoice\ntrack: rust\n";
        fs::write(folder.join("idemlab.yaml"), manifest).unwrap();
        fs::write(folder.join("invoice.rs"), text).unwrap();
    }
    let (book, _) = class.grade(&[]);
    let verdict = |name: &str| {
        let steps = find(&book, name).steps.iter();
        let mut tests = steps.flat_map(|step| &step.tests);
        let test = tests.find(|test| test.id == "what-has-expired-is-forgotten");
        test.unwrap().verdict.clone()
    };
    assert_eq!(
        (verdict("forgets"), verdict("keeps")),
        ("passed".into(), "failed".into())
    );
}

#[test]
fn a_submission_in_a_language_without_a_track_is_graded_by_the_same_tests() {
    if !(python() && confined()) {
        return;
    }
    let there = |program: &str| {
        std::process::Command::new(program)
            .arg("--version")
            .output()
            .is_ok()
    };
    if !(there("node") && there("sqlite3")) {
        assert!(std::env::var_os("CI").is_none(), "CI has no Node.js");
        return;
    }
    let class = Class::new();
    let folder = class.folder().join("niko");
    for file in ["idemlab.yaml", "retention.js"] {
        write(&folder, file, &read(&format!("tests/grade/node/{file}")));
    }
    let (book, code) = class.grade(&[]);
    let niko = find(&book, "niko");
    assert_eq!(steps(niko), FULL, "{:?}", niko.why);
    assert_eq!((&*niko.track, code), ("node", 0));
    let tests: usize = niko.steps.iter().map(|step| step.tests.len()).sum();
    assert!(tests > 80, "{tests} tests");
}
