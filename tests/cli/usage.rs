//! Command lines that name something that is not there: exit 2 and the nearest names.

use super::lab::Lab;

#[test]
fn an_unknown_lab_names_the_nearest() {
    Lab::new("run retentoin")
        .code(2)
        .stdout("")
        .stderr("error: there is no lab named `retentoin`; did you mean retention?\n")
        .run();
}

#[test]
fn an_unknown_lab_that_is_near_to_none_lists_what_there_is() {
    let answer = Lab::new("matrix outlet").code(2).any_stderr().run();
    let told = &answer.stderr;
    assert!(
        told.starts_with("error: there is no lab named `outlet`; there are: "),
        "{told}"
    );
    assert!(
        told.contains("retention") && told.contains("invoice"),
        "{told}"
    );
}

#[test]
fn an_unknown_test_names_the_nearest() {
    Lab::new("run retention --test new-key-is-reservd")
        .code(2)
        .stdout("")
        .stderr(
            "error: there is no test in lab retention (rust) named `new-key-is-reservd`; \
             did you mean new-key-is-reserved?\n",
        )
        .run();
}

#[test]
fn every_unknown_test_is_told_and_nothing_runs() {
    let answer = Lab::new("run retention --test nonsense --test kept-response-is-replayd")
        .code(2)
        .stdout("")
        .any_stderr()
        .run();
    assert_eq!(answer.stderr.lines().count(), 2, "{}", answer.stderr);
    assert!(
        answer
            .stderr
            .contains("did you mean kept-response-is-replayed?")
    );
}

#[test]
fn an_unknown_mutant_names_the_nearest() {
    Lab::new("run retention --mutant reserve-replace")
        .code(2)
        .stdout("")
        .stderr(
            "error: there is no mutant in lab retention named `reserve-replace`; \
             did you mean reserve-replaces?\n",
        )
        .run();
}

#[test]
fn an_unknown_track_lists_those_of_the_lab() {
    for (track, hint) in [
        ("pascal", "there are: rust, python"),
        ("shell", "there are: rust, python"),
        ("pyton", "did you mean python?"),
    ] {
        Lab::new("run retention --track")
            .argument(track)
            .code(2)
            .stdout("")
            .stderr(&format!(
                "error: there is no track in lab retention named `{track}`; {hint}\n"
            ))
            .run();
    }
}

#[test]
fn a_mutant_and_a_file_exclude_each_other() {
    let answer = Lab::new("run retention --mutant reserve-replaces --file mine.rs")
        .code(2)
        .stdout("")
        .any_stderr()
        .run();
    assert!(answer.stderr.contains("cannot be used with"));
}

#[test]
fn an_unknown_flag_or_command_names_the_nearest() {
    for (arguments, near) in [
        ("list --formt json", "--format"),
        ("list --format yaml", "text, json"),
        ("matrx retention", "matrix"),
        ("run", "<LAB>"),
    ] {
        let answer = Lab::new(arguments).code(2).stdout("").any_stderr().run();
        assert!(
            answer.stderr.contains(near),
            "{arguments}: {}",
            answer.stderr
        );
        assert!(answer.stderr.contains("--help"), "{arguments}");
    }
}

#[test]
fn one_lab_can_be_listed_alone_and_the_whole_list_ends_with_the_labs() {
    let one = Lab::new("list inbox").run();
    assert!(one.stdout.starts_with("inbox  "), "{}", one.stdout);
    assert!(!one.stdout.contains("reserve"), "{}", one.stdout);
    let all = Lab::new("list").run();
    let (_, labs) = all.stdout.split_once("idemlab list LAB").unwrap();
    assert_eq!(labs.lines().count(), 1 + 4, "{labs}");
    Lab::new("list inbx")
        .code(2)
        .stderr("error: there is no lab named `inbx`; did you mean inbox?\n")
        .run();
}
