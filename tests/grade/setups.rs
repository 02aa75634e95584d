//! The set-ups of the book, tried as far as they can be without the engine they are for.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use idemlab::gradebook::Gradebook;
use serde_json::Value;

use super::{Class, confined, python, read};

const RIGHT: &str = "exercises/retention/python/reference.py";

fn setup(name: &str) -> String {
    format!("{}/book/src/ci/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn class() -> Class {
    let class = Class::new();
    let right = read(RIGHT);
    for name in ["anna", "bo", "it's cy"] {
        class.add(name, "python", &format!("{right}\n# {name}\n"));
    }
    class
}

/// Runs a script of the book, with this program first on the path.
fn script(class: &Class, name: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_idemlab"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let output = Command::new("bash")
        .arg(setup(name))
        .args(arguments)
        .current_dir(class.place.path())
        .env("PATH", path)
        .env("XDG_CACHE_HOME", super::cache())
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{name}: {errors}");
    output
}

fn paths(json: &[u8]) -> Vec<String> {
    let book: Gradebook = serde_json::from_slice(json).unwrap();
    book.submissions.into_iter().map(|one| one.path).collect()
}

#[test]
fn parts_in_parallel_make_the_class() {
    if !(python() && confined()) {
        return;
    }
    let output = script(&class(), "parallel.sh", &["class", "3"], &[]);
    assert_eq!(paths(&output.stdout), ["anna", "bo", "it's cy"]);
}

#[test]
fn the_tasks_of_an_array_make_the_class() {
    if !(python() && confined()) {
        return;
    }
    let class = class();
    for task in ["1", "2"] {
        script(
            &class,
            "slurm.sh",
            &["class", "results"],
            &[
                ("SLURM_ARRAY_TASK_ID", task),
                ("SLURM_ARRAY_TASK_COUNT", "2"),
            ],
        );
    }
    let merged = class.run(&[
        "merge",
        "--format",
        "json",
        "results/1.json",
        "results/2.json",
    ]);
    assert_eq!(paths(&merged.stdout), ["anna", "bo", "it's cy"]);
}

#[test]
fn an_autograder_writes_the_result_where_it_is_looked_for() {
    if !(python() && confined()) {
        return;
    }
    let class = Class::new();
    let top = class.place.path().join("autograder");
    fs::create_dir_all(&top).unwrap();
    let submission = class.add("anna", "python", &read(RIGHT));
    fs::rename(submission, top.join("submission")).unwrap();
    let top = top.display().to_string();
    script(
        &class,
        "gradescope/run_autograder",
        &[],
        &[("AUTOGRADER", &top)],
    );
    let text = fs::read_to_string(format!("{top}/results/results.json")).unwrap();
    let result: Value = serde_json::from_str(&text).unwrap();
    assert!(result["tests"].as_array().unwrap().len() >= 8, "{text}");

    let source = class.place.path().join("source");
    let bin = class.place.path().join("bin");
    fs::create_dir_all(&source).unwrap();
    fs::create_dir_all(&bin).unwrap();
    fs::write(source.join("idemlab"), "#!/bin/sh\n").unwrap();
    let (source, bin) = (source.display().to_string(), bin.display().to_string());
    let variables = [("IDEMLAB_SOURCE", source.as_str()), ("IDEMLAB_BIN", &bin)];
    script(&class, "gradescope/setup.sh", &[], &variables);
    assert!(Path::new(&bin).join("idemlab").is_file());
}

#[test]
fn the_other_set_ups_are_yaml_and_name_options_that_there_are() {
    let help = Class::new().run(&["grade", "--help"]);
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    for name in ["github-class.yml", "kubernetes.yml"] {
        let text = fs::read_to_string(setup(name)).unwrap();
        serde_yaml::from_str::<Value>(&text).unwrap();
        let grade = text.split("idemlab grade").nth(1).unwrap();
        let options = grade.split("||").next().unwrap().split_whitespace();
        for option in options.filter(|word| word.starts_with("--")) {
            assert!(help.contains(option), "{name}: {option}");
        }
    }
}
