use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use tempfile::TempDir;
use zip::write::SimpleFileOptions;

use super::*;
use crate::event::Attempt;
use crate::model::{Prediction, SeenIn, Sure};

fn folder(files: &[(&str, &str)]) -> TempDir {
    let place = TempDir::new().unwrap();
    for (name, text) in files {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

fn of(manifest: &str) -> Result<Workspace, OpenError> {
    Workspace::open(folder(&[(MANIFEST, manifest)]).path())
}

/// What is wrong with a manifest: id, line and column.
fn wrong(manifest: &str) -> Vec<(&'static str, usize, usize)> {
    match of(manifest) {
        Err(OpenError::Problems(problems)) => problems.iter().map(place).collect(),
        other => panic!("{other:?}"),
    }
}

fn place(problem: &Problem) -> (&'static str, usize, usize) {
    (problem.id, problem.line, problem.column)
}

const PYTHON: &str = "format: 1\nlab: retention\ntrack: python\n";

#[test]
fn a_manifest_with_a_track_names_the_usual_source() {
    let workspace = of(PYTHON).unwrap();
    let manifest = workspace.manifest();
    assert_eq!(manifest.engine, Engine::Track(crate::model::Track::Python));
    assert_eq!(manifest.source.as_deref(), Some("retention.py"));
    assert_eq!(manifest.purpose, Purpose::Write);
    let rust = of("lab: retention\ntrack: rust\nsource: ./src/mine.rs\npurpose: break\n").unwrap();
    assert_eq!(rust.manifest().source.as_deref(), Some("src/mine.rs"));
    assert_eq!(rust.manifest().purpose, Purpose::Break);
}

#[test]
fn a_manifest_may_name_a_program_instead() {
    let text = "lab: retention\ncommand: [node, retention.js]\nbuild: [npm, ci]\nlanguage: node\n";
    let workspace = of(text).unwrap();
    let Engine::Program {
        command,
        build,
        language,
    } = &workspace.manifest().engine
    else {
        panic!("{workspace:?}");
    };
    assert_eq!(command[..], ["node", "retention.js"]);
    assert_eq!(build[..], ["npm", "ci"]);
    assert_eq!(language, "node");
    assert_eq!(workspace.source(), Ok(None));
}

#[test]
fn everything_wrong_with_a_manifest_is_told_at_its_place() {
    assert_eq!(
        wrong("format: 2\nlab: retention\ntrack: pyton\nsource: ../x.py\npurpose: fun\n"),
        [
            ("wrong-format", 1, 9),
            ("unknown-track", 3, 8),
            ("bad-path", 4, 9),
            ("unknown-word", 5, 10),
        ]
    );
    assert_eq!(
        wrong("labb: retention\n"),
        [("unknown-field", 1, 1), ("missing-field", 1, 1)]
    );
    assert_eq!(wrong("lab: retention\n"), [("two-engines", 1, 1)]);
    assert_eq!(
        wrong("lab: a\ntrack: rust\ncommand: [x]\n"),
        [("two-engines", 3, 10)]
    );
    assert_eq!(wrong("lab: a\ncommand: []\n"), [("empty-text", 2, 10)]);
    assert_eq!(wrong("lab: [\n"), [("not-yaml", 1, 6)]);
    let problems = wrong("lab: \u{2028}\n");
    assert_eq!(problems, [("odd-character", 1, 6)]);
}

#[test]
fn an_unknown_lab_is_told_at_its_place_with_the_nearest() {
    let pack = pack::shipped().unwrap();
    let workspace = of("lab: retenton\ntrack: rust\n").unwrap();
    let Err(OpenError::Problems(problems)) = workspace.lab(&pack) else {
        panic!("there is no such lab");
    };
    assert_eq!(place(&problems[0]), ("unknown-lab", 1, 6));
    assert!(problems[0].help.contains("retention"), "{problems:?}");
    let shell = of("lab: retention\ntrack: shell\n").unwrap();
    assert!(shell.lab(&pack).is_err());
    assert!(of(PYTHON).unwrap().lab(&pack).is_ok());
}

#[test]
fn a_workspace_is_found_from_any_folder_below() {
    let place = folder(&[(MANIFEST, PYTHON), ("a/b/c.txt", "")]);
    let found = Workspace::find(&place.path().join("a/b")).unwrap();
    assert_eq!(found.root(), place.path());
    let none = TempDir::new().unwrap();
    assert!(matches!(
        Workspace::find(none.path()),
        Err(OpenError::NoManifest(_))
    ));
}

#[test]
fn what_is_missing_is_a_fact() {
    let pack = pack::shipped().unwrap();
    let place = folder(&[(MANIFEST, PYTHON)]);
    let workspace = Workspace::open(place.path()).unwrap();
    let lab = workspace.lab(&pack).unwrap();
    assert_eq!(workspace.source(), Ok(None));
    assert_eq!(workspace.sources(), Ok(Vec::new()));
    assert_eq!(workspace.probes(lab), Probes::default());
    assert_eq!(workspace.journal(), Ok(None));
    let answers = workspace.answers(lab);
    assert_eq!(answers.len(), lab.tasks.len());
    assert!(answers.iter().all(|answer| answer.text.is_empty()));
}

#[test]
fn one_wrong_probe_does_not_cost_the_others() {
    let probes = "format: 1\nprobes:\n  - mutant: reserve-replaces\n    script:\n      - call: reserve\n        with: {key: k, digest: v, expires: 1}\n        returns: true\n  - mutant: reserve-replace\n    script: []\n  - step: 2\n    script:\n      - cal: reserve\n  - script:\n      - call: counts\n  - step: 7\n    script:\n      - call: counts\n";
    let place = folder(&[(MANIFEST, PYTHON), (PROBES, probes)]);
    let pack = pack::shipped().unwrap();
    let workspace = Workspace::open(place.path()).unwrap();
    let read = workspace.probes(workspace.lab(&pack).unwrap());
    assert_eq!(read.problems, []);
    let shown: Vec<String> = read
        .probes
        .iter()
        .map(|probe| match &probe.test {
            Ok(test) => format!("{} {:?} {:?}", test.id, probe.step, probe.mutant),
            Err(problems) => format!("{:?}", problems.iter().map(self::place).collect::<Vec<_>>()),
        })
        .collect();
    assert_eq!(
        shown,
        [
            "probe-1 Some(2) Some(\"reserve-replaces\")",
            "[(\"unknown-mutant\", 8, 13)]",
            "[(\"unknown-field\", 12, 9)]",
            "[(\"no-aim\", 13, 5)]",
            "probe-5 Some(7) Some(\"counts-constant-zero\")",
        ]
    );
}

#[test]
fn a_file_of_probes_with_comments_only_has_none() {
    let pack = pack::shipped().unwrap();
    for text in [
        "",
        "# later\n",
        "format: 1\nprobes:\n#  - step: 1\n",
        "probes: []\n",
    ] {
        let place = folder(&[(MANIFEST, PYTHON), (PROBES, text)]);
        let workspace = Workspace::open(place.path()).unwrap();
        let read = workspace.probes(workspace.lab(&pack).unwrap());
        assert_eq!(read, Probes::default(), "{text:?}");
    }
}

#[test]
fn a_journal_is_read_as_it_is_written() {
    let attempt = |id, mutant: &str, number| Attempt {
        id,
        mutant: mutant.to_owned(),
        step: 2,
        attempt: number,
        prediction: Prediction {
            observation: "the old row is gone".to_owned(),
            seen_in: Some(SeenIn::Rows),
            tests: vec!["a".to_owned()],
            sure: Some(Sure::Fairly),
            unknown: false,
        },
        run: None,
        sighting: None,
    };
    let journal = Journal::of("retention", &[attempt(1, "m", 1), attempt(2, "m", 2)]);
    assert_eq!(journal.predictions.len(), 1);
    assert_eq!(journal.predictions[0].attempts, 2);
    assert_eq!(
        journal.predictions[0].prediction(),
        attempt(1, "m", 1).prediction
    );
    assert_eq!(Journal::parse(journal.text().as_bytes()), Ok(journal));
    let wrong = Journal::parse(b"{\"version\": 1,\n \"lab\": 3}").unwrap_err();
    assert_eq!((wrong.id, wrong.line), ("bad-journal", 2));
    let newer = Journal::parse(b"{\"version\":2,\"lab\":\"x\",\"predictions\":[]}");
    assert!(newer.unwrap_err().title.contains("version 2"));
}

#[test]
fn sources_are_the_file_under_test_first_and_what_it_may_import() {
    let place = folder(&[
        (MANIFEST, PYTHON),
        ("retention.py", "import db.a"),
        ("db/a.py", ""),
        ("__pycache__/x.py", ""),
        (".secret.py", ""),
        ("notes.txt", "mine"),
        ("a.py", ""),
    ]);
    let names = |workspace: &Workspace| -> Vec<String> {
        let sources = workspace.sources().unwrap();
        sources.into_iter().map(|entry| entry.inside).collect()
    };
    let python = Workspace::open(place.path()).unwrap();
    assert_eq!(names(&python), ["retention.py", "a.py", "db/a.py"]);
    fs::write(
        place.path().join(MANIFEST),
        "lab: retention\ncommand: [node, x.js]\n",
    )
    .unwrap();
    let program = Workspace::open(place.path()).unwrap();
    assert_eq!(
        names(&program),
        ["a.py", "db/a.py", "notes.txt", "retention.py"]
    );
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_and_odd_files_are_refused() {
    use std::os::unix::fs::symlink;
    let outside = folder(&[("secret.py", "x")]);
    let place = folder(&[(MANIFEST, PYTHON)]);
    symlink(
        outside.path().join("secret.py"),
        place.path().join("retention.py"),
    )
    .unwrap();
    let workspace = Workspace::open(place.path()).unwrap();
    assert_eq!(workspace.source().unwrap_err().id, "file-outside");
    assert_eq!(workspace.sources().unwrap_err().id, "file-outside");
    symlink("nowhere", place.path().join(PROBES)).unwrap();
    let pack = pack::shipped().unwrap();
    let lab = workspace.lab(&pack).unwrap();
    assert_eq!(workspace.probes(lab), Probes::default());
    fs::create_dir(place.path().join(JOURNAL)).unwrap();
    assert_eq!(workspace.journal().unwrap_err().id, "file-unreadable");
    fs::create_dir(place.path().join(ANSWERS)).unwrap();
    let answer = place.path().join("answers/break-it.md");
    fs::write(&answer, b"\xff\xfeh\0i\0").unwrap();
    let problem = workspace.answers(lab)[0].problem.clone().unwrap();
    assert_eq!(problem.id, "not-utf8");
    fs::write(answer, vec![b'a'; (1 << 20) + 1]).unwrap();
    let problem = workspace.answers(lab)[0].problem.clone().unwrap();
    assert_eq!(problem.id, "file-too-large");
}

/// Writes a zip file with these entries, and opens it as a hand-in.
fn unzip(entries: &[(&str, &[u8])]) -> (TempDir, Result<Workspace, OpenError>) {
    let place = TempDir::new().unwrap();
    let path = place.path().join("hand-in.zip");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, bytes) in entries {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .unix_permissions(0o644);
        match name.strip_prefix("link:") {
            Some(name) => zip
                .add_symlink(name, String::from_utf8_lossy(bytes), options)
                .unwrap(),
            None => {
                zip.start_file(*name, options).unwrap();
                zip.write_all(bytes).unwrap();
            }
        }
    }
    zip.finish().unwrap();
    let into = place.path().join("into");
    fs::create_dir(&into).unwrap();
    let opened = unpack(&path, &into);
    (place, opened)
}

fn refused(entries: &[(&str, &[u8])]) -> String {
    match unzip(entries).1 {
        Err(OpenError::Problems(problems)) => {
            assert_eq!(problems[0].id, "bad-archive", "{problems:?}");
            problems[0].title.clone()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_zip_file_opens_as_the_folder_that_it_holds() {
    let manifest = PYTHON.as_bytes();
    for top in ["", "mine/"] {
        let names = [format!("{top}idemlab.yaml"), format!("{top}retention.py")];
        let (_place, opened) = unzip(&[(&names[0], manifest), (&names[1], b"x = 1\n")]);
        let workspace = opened.unwrap();
        let source = workspace.source().unwrap().unwrap();
        assert_eq!(fs::read(source).unwrap(), b"x = 1\n");
    }
    let (_place, opened) = unzip(&[("readme.txt", b"x")]);
    assert!(
        matches!(opened, Err(OpenError::NoManifest(_))),
        "{opened:?}"
    );
}

#[test]
fn a_zip_file_that_would_leave_its_folder_is_refused() {
    for (name, why) in [
        ("../evil.py", "leads out"),
        ("a/../../evil.py", "leads out"),
        ("/etc/evil", "absolute"),
        ("C:/evil", "absolute"),
        ("a\\b", "character"),
    ] {
        let title = refused(&[(name, b"x")]);
        assert!(title.contains(why), "{name}: {title}");
    }
    let title = refused(&[("link:retention.py", b"/etc/passwd")]);
    assert!(title.contains("a link"), "{title}");
}

#[test]
fn a_zip_file_is_refused_for_its_size_and_its_doubles() {
    let zeros = vec![0_u8; (4 << 20) + 1];
    assert!(refused(&[("a", &zeros)]).contains("bytes"));
    let names: Vec<String> = (0..9).map(|number| number.to_string()).collect();
    let large: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), &zeros[..4 << 20]))
        .collect();
    assert!(refused(&large).contains("holds more"));
    let names: Vec<String> = (0..1001).map(|number| format!("f{number}")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    assert!(refused(&many).contains("1000 files"));
    assert!(refused(&[("A.py", b""), ("a.py", b"")]).contains("twice"));
    assert!(refused(&[("a", b""), ("a/b", b"")]).contains("failed to write"));
    let place = folder(&[("x.zip", "this is no archive")]);
    let opened = unpack(&place.path().join("x.zip"), place.path());
    assert!(matches!(opened, Err(OpenError::Problems(_))), "{opened:?}");
}

#[test]
fn a_bomb_of_aliases_is_refused_and_deep_values_too() {
    let pack = pack::shipped().unwrap();
    let mut bomb = "a: &a [x, x]\n".to_owned();
    for (name, before) in ('b'..='z').zip('a'..='y') {
        let _ = writeln!(bomb, "{name}: &{name} [*{before}, *{before}, *{before}]");
    }
    bomb.push_str("probes:\n  - step: 1\n    script: *z\n");
    let deep = format!("probes: {}{}\n", "[".repeat(60), "]".repeat(60));
    for text in [bomb, deep] {
        let place = folder(&[(MANIFEST, PYTHON), (PROBES, &text)]);
        let workspace = Workspace::open(place.path()).unwrap();
        let read = workspace.probes(workspace.lab(&pack).unwrap());
        assert!(!read.problems.is_empty());
        assert_eq!(read.probes, []);
    }
}

#[test]
fn paths_stay_inside_on_every_system() {
    use super::inside::bad_path;
    for good in ["a.py", "a/b.py", "열쇠.py", "a b/c"] {
        assert_eq!(bad_path(good), None, "{good}");
    }
    for bad in [
        "", "/a", "a/", "a//b", "./a", "a/..", "..", "c:x", "a\\b", "a\nb",
    ] {
        assert!(bad_path(bad).is_some(), "{bad:?}");
    }
    assert!(Path::new("a").is_relative());
}
