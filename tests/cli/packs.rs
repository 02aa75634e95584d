//! Packs in folders: found, merged, and reported with all their problems at once.

use serde_json::Value;

use super::lab::Lab;
use super::tiny;

#[test]
fn a_folder_that_is_no_pack_is_told() {
    Lab::new("list --pack nowhere")
        .code(2)
        .stdout("")
        .stderr("error: there is no folder nowhere; name the folder of a pack\n")
        .run();
    let answer = Lab::new("list --pack empty")
        .file("empty/readme.txt", "no pack")
        .code(3)
        .stdout("")
        .any_stderr()
        .run();
    for words in [
        "error[no-pack]: this folder is not a pack: it has neither exercises/ nor mutants/",
        "name a folder that holds exercises/ (a pack of its own) or mutants/ (an extension)",
        "--> empty",
        "error: the pack has 1 problem",
    ] {
        assert!(answer.stderr.contains(words), "{words}: {}", answer.stderr);
    }
}

#[test]
fn all_problems_of_a_pack_are_told_each_with_its_place() {
    let tests = "\
- id: a
  step: 2
  title: One
  script:
    - cal: reserve
";
    let more = "\
- id: b
  step: 2
  title: Two
  script:
    - call: resrve
      with: {key: k}
      returns: true
    - rows: {keyz: []}
      returns: 1
- id: b
  step: 9
  title: ''
  script: []
";
    let mutant = "\
lab: retention
step: 2
title: A mutant without edits
origin: feld
belief: None.
caught_by: [c]
lesson: None.
";
    let answer = tiny::lab("list", tests)
        .file("pack/exercises/retention/tests/more.yaml", more)
        .file("pack/mutants/retention/bad.yaml", mutant)
        .code(3)
        .stdout("")
        .any_stderr()
        .run();
    insta::assert_snapshot!(answer.stderr);
}

#[test]
fn a_pack_with_mutants_only_extends_the_shipped_one() {
    let mutant = tiny::REPLACES.replace(
        "origin: craft",
        "origin: craft\nsurvives: [one-id-is-one-row]",
    );
    let answer = Lab::new("list --format json --pack pack")
        .file("pack/mutants/retention/mine.yaml", &mutant)
        .run();
    let list: Value = serde_json::from_str(&answer.stdout).unwrap();
    let mutants = list["labs"][0]["mutants"].as_array().unwrap();
    assert_eq!(mutants[0]["id"], "init-not-idempotent");
    let mine = mutants
        .iter()
        .find(|mutant| mutant["id"] == "mine")
        .unwrap();
    assert_eq!(mine["origin"], "craft");
    assert!(list["labs"][0]["tests"].as_array().unwrap().len() >= 50);

    // Its edit makes the source of a shipped mutant, so it runs without a compiler.
    let answer = Lab::at(
        answer.place,
        "run retention --mutant mine --pack pack --test new-key-is-reserved \
         --test existing-key-is-refused --format json",
    )
    .run();
    let run: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(run["verdict"], "caught");
    assert_eq!(
        run["caught_by"],
        serde_json::json!(["existing-key-is-refused"])
    );
}

#[test]
fn a_pack_with_exercises_replaces_the_shipped_one() {
    let answer = tiny::lab("list --format json", tiny::GREEN).run();
    let list: Value = serde_json::from_str(&answer.stdout).unwrap();
    let lab = &list["labs"][0];
    assert_eq!(lab["title"], "Two steps only");
    assert_eq!(lab["steps"].as_array().unwrap().len(), 2);
    assert_eq!(lab["tests"].as_array().unwrap().len(), 1);
    assert_eq!(lab["mutants"].as_array().unwrap().len(), 1);
    assert_eq!(lab["tracks"][0]["ready"], true);

    let answer = Lab::at(answer.place, "run retention --pack pack").run();
    assert!(
        answer.stdout.contains("1 of 1 test passed"),
        "{}",
        answer.stdout
    );
}

#[test]
fn what_one_test_sees_is_told_in_the_singular() {
    let test = format!(
        "{}    - call: reserve\n      with: {{key: k, digest: v2, expires: 20}}\n      returns: false\n",
        tiny::GREEN
    );
    let answer = tiny::lab("run retention --mutant replaces", &test).run();
    let told = &answer.stdout;
    assert!(told.contains("caught: 1 of 1 test sees it"), "{told}");
    let answer = Lab::at(answer.place, "check pack --no-cache").code(3).run();
    let told = &answer.stdout;
    assert!(told.contains("1 mutant and 1 test: "), "{told}");
}

#[test]
fn a_source_that_is_not_compiled_in_is_ungraded_and_not_zero() {
    let reference = "pub fn reserve() {}\n";
    let answer = tiny::lab("run retention", tiny::GREEN)
        .file("pack/exercises/retention/rust/reference.rs", reference)
        .code(5)
        .stdout("")
        .any_stderr()
        .run();
    assert!(
        answer.stderr.contains("not compiled into the program"),
        "{}",
        answer.stderr
    );
}

#[test]
fn a_mutant_whose_edit_does_not_fit_is_a_verdict() {
    let mutant = tiny::REPLACES.replace("find: INSERT OR IGNORE", "find: INSERT OR FORGET");
    let answer = tiny::lab("run retention --mutant replaces --format json", tiny::GREEN)
        .file("pack/mutants/retention/replaces.yaml", &mutant)
        .code(1)
        .run();
    let run: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(run["verdict"], "does_not_apply");
    assert!(run["why"].as_str().unwrap().contains("does not occur"));
}

#[test]
fn while_the_baseline_fails_no_mutant_gets_a_verdict() {
    for command in ["run retention --mutant replaces", "matrix retention"] {
        let answer = tiny::lab(command, tiny::WRONG)
            .code(4)
            .stdout("")
            .any_stderr()
            .run();
        assert!(
            answer.stderr.contains("✘ new-key (step 2): failed"),
            "{command}"
        );
        assert!(
            answer.stderr.ends_with(
                "error: the baseline failed: the reference does not pass every test; \
                 no mutant gets a verdict until it does\n"
            ),
            "{}",
            answer.stderr
        );
    }
}

#[test]
fn a_failed_baseline_is_in_the_json_too() {
    let answer = tiny::lab("matrix retention --format json", tiny::WRONG)
        .code(4)
        .any_stderr()
        .run();
    let matrix: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(matrix["version"], 1);
    assert_eq!(matrix["baseline"], "failed");
    assert_eq!(matrix["mutants"], serde_json::json!([]));
    assert!(answer.stderr.starts_with("error: the baseline failed"));
}

#[test]
fn a_reference_that_fails_a_test_ends_with_1() {
    let answer = tiny::lab("run retention --format json", tiny::WRONG)
        .code(1)
        .run();
    let run: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(run["verdict"], "failed");
    assert_eq!(
        run["tests"][0]["expected"],
        serde_json::json!({"returns": false})
    );
    assert_eq!(
        run["tests"][0]["observed"],
        serde_json::json!({"returns": true})
    );
}

#[test]
fn of_an_extension_only_its_own_mutants_are_proved() {
    let answer = Lab::new("check pack --format json")
        .file("pack/mutants/retention/aaa.yaml", tiny::REPLACES)
        .code(3)
        .run();
    let checked: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(checked["mutants"], 1);
    let problems = checked["problems"].as_array().unwrap();
    // It is the same text as a shipped one, which has a greater name; only the own one is told.
    let told = |problem: &&Value| problem["id"] == "same-mutant";
    assert!(problems.iter().any(|problem| told(&problem)), "{checked}");
    for problem in problems {
        // Without a Python the other track is told of as not ready.
        let file = &problem["file"];
        assert!(
            file == "mutants/retention/aaa.yaml" || problem["id"] == "track-not-ready",
            "{problem}"
        );
    }
}

#[test]
fn what_breaks_no_promise_is_told_and_no_failure_of_a_matrix() {
    let only = "--mutant race-holds-the-store --test other-key-need-not-wait";
    let answer = Lab::new(&format!("run charge {only}")).code(1).run();
    let told = [
        "survived: 0 of 1 test see it",
        "1 test tells it by what is no promise",
        "failed, about reliability: no promise is broken",
    ];
    for text in told {
        assert!(answer.stdout.contains(text), "{text}: {}", answer.stdout);
    }
    let answer = Lab::new("matrix charge --step 6").run();
    let row = "survived, 0 of 71; 1 test tells it by what is no promise";
    assert!(answer.stdout.contains(row), "{}", answer.stdout);
}
