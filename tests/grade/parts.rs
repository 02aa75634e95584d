//! The command line of `grade` and `merge`: what is refused, and with which code.

use std::fs;

use super::{Class, confined, python, read};

fn errors(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_the_command_line_gets_wrong_is_told_before_anything_runs() {
    let class = Class::new();
    class.add("anna", "python", "");
    class.add("bo", "python", "");
    for (arguments, code, words) in [
        (
            &["grade", "nowhere"][..],
            2,
            "there is no file or folder named nowhere",
        ),
        (&["grade"], 2, "PATH"),
        (&["grade", "class", "--shard", "5/4"], 2, "5/4 is no part"),
        (
            &["grade", "class", "--format", "junt"],
            2,
            "did you mean junit?",
        ),
        (
            &["grade", "class", "--audience", "staf"],
            2,
            "did you mean staff?",
        ),
        (&["grade", "class", "--jobs", "0"], 2, "--jobs"),
        (
            &["grade", "class", "--format", "gradescope"],
            2,
            "format gradescope holds one submission, and there are 2",
        ),
        (&["grade", "home"], 5, "no submission was found"),
        (
            &["merge", "class/anna/idemlab.yaml"],
            2,
            "it is no result of `grade`",
        ),
        (&["merge", "nowhere.json"], 2, "failed to read nowhere.json"),
    ] {
        let output = class.run(arguments);
        let told = errors(&output);
        assert!(told.contains(words), "{arguments:?}: {told}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn results_are_there_whole_or_not_at_all() {
    if !(python() && confined()) {
        return;
    }
    let class = Class::new();
    class.add(
        "anna",
        "python",
        &read("exercises/retention/python/reference.py"),
    );
    fs::write(class.place.path().join("old.json"), "old").unwrap();
    let output = class.run(&["grade", "class", "--out", "no/such/folder.json"]);
    assert_eq!(output.status.code(), Some(70));
    assert!(errors(&output).contains("failed to write no/such/folder.json"));
    let output = class.run(&["grade", "class", "--format", "json", "--out", "old.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let text = fs::read_to_string(class.place.path().join("old.json")).unwrap();
    assert!(text.starts_with("{\n  \"version\": 1,\n  \"complete\": true,"));
    let rest: Vec<_> = fs::read_dir(class.place.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().starts_with(".idemlab-"))
        .collect();
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn an_unconfined_run_says_so() {
    if !python() {
        return;
    }
    let class = Class::new();
    class.add(
        "anna",
        "python",
        &read("exercises/retention/python/reference.py"),
    );
    let (book, code) = class.grade(&["--unconfined"]);
    let confinement = &book.submissions[0].confinement;
    assert_eq!((confinement.applied, code), (false, 0));
    if confined() {
        let (book, _) = class.grade(&[]);
        let confinement = &book.submissions[0].confinement;
        assert!(confinement.applied);
        assert!(confinement.by.iter().any(|by| by.starts_with("landlock")));
    }
}

#[test]
fn what_was_handed_in_as_one_file_is_graded_like_the_folder_it_came_from() {
    if !(python() && confined()) {
        return;
    }
    let class = Class::new();
    let start = ["start", "retention", "--track", "python", "class/anna"];
    assert_eq!(class.run(&start).status.code(), Some(0));
    let anna = class.folder().join("anna");
    let right = read("exercises/retention/python/reference.py");
    fs::write(anna.join("retention.py"), right).unwrap();
    let bundle = class.folder().join("bo.zip");
    let handed = class
        .command(&["hand-in", &bundle.display().to_string()])
        .current_dir(&anna)
        .output()
        .unwrap();
    assert!(bundle.is_file(), "{}", errors(&handed));
    let (book, code) = class.grade(&[]);
    let [folder, file] = &book.submissions[..] else {
        panic!("{book:?}");
    };
    assert_eq!((&*folder.path, &*file.path), ("anna", "bo.zip"));
    assert_eq!((folder.score, code), (file.score, 0));
    assert_eq!(super::steps(file), super::FULL);
}
