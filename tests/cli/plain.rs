//! The worksheet as lines, through the program: what is asked, and how it ends.

use super::lab::Lab;
use super::tiny;

#[test]
fn without_a_terminal_the_worksheet_comes_as_plain_lines() {
    for arguments in ["--progress mine.db", "--plain --progress mine.db"] {
        let answer = Lab::new(arguments).run();
        assert!(
            answer
                .stdout
                .starts_with("idemlab · lab retention · rust track\n")
        );
        assert!(
            answer
                .stdout
                .ends_with("You can go on later: the lab opens where you stopped.\n")
        );
    }
}

#[test]
fn quitting_at_any_question_is_no_error() {
    for input in ["q\n", "\n:q\n", "\nx\nq\n", "\nx\n3\n\nq\n"] {
        let answer = Lab::new("--plain --progress mine.db").input(input).run();
        assert!(!answer.stdout.contains("RUN"), "{input:?}");
    }
}

#[test]
fn no_verdict_is_shown_while_the_reference_is_not_green() {
    let mutant = tiny::REPLACES.replace("origin: craft", "origin: worksheet");
    let answer = tiny::lab("--plain --progress mine.db", tiny::WRONG)
        .file("pack/mutants/retention/replaces.yaml", &mutant)
        .input("\nx\n2\n\na\n1\n\n")
        .run();
    assert!(
        answer
            .stdout
            .contains("The reference does not pass its own tests here"),
        "{}",
        answer.stdout
    );
    assert!(!answer.stdout.contains("RESULT"));
}
