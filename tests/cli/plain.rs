//! The worksheet as lines, through the program: what is asked, and how it ends.

use super::lab::Lab;
use super::tiny;

#[test]
fn without_a_terminal_the_worksheet_comes_as_plain_lines() {
    for arguments in ["--progress mine.db", "--plain --progress mine.db"] {
        let answer = Lab::new(arguments).run();
        assert!(answer.stdout.starts_with("Each lab stands alone."));
        assert!(
            answer
                .stdout
                .contains("\nidemlab · lab retention · rust track\n")
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

/// A newcomer has the program and nothing else: no Python, no cargo, an empty folder.
#[test]
fn a_newcomer_with_the_program_alone_walks_all_eight_steps() {
    let step = "something else than before\n2\n\na b\n2\nI saw it\n\n";
    let answer = Lab::new("")
        .env("PATH", "")
        .input(&format!("\n{}one\ntwo\nthree\n", step.repeat(8)))
        .run();
    for number in 1..=8 {
        assert!(answer.stdout.contains(&format!("Step {number} of 8: ")));
    }
    assert_eq!(answer.stdout.matches("\nRESULT\n").count(), 8);
    assert!(answer.stdout.ends_with("That is the end of the lab.\n"));
    let again = Lab::at(answer.place, "").env("PATH", "").run();
    assert!(
        again
            .stdout
            .contains("You have walked all steps; the last page comes now."),
        "{}",
        again.stdout
    );
}

#[test]
fn a_language_that_was_chosen_is_remembered_and_a_missing_one_says_what_to_do() {
    let answer = Lab::new("--plain --track rust --progress mine.db").run();
    assert!(
        answer
            .stdout
            .contains("(`idemlab --track python` works it in python)")
    );
    let answer = Lab::at(answer.place, "--plain --track python --progress mine.db").run();
    assert!(
        answer
            .stdout
            .contains("\nidemlab · lab retention · python track\n")
    );
    let step = "\nx\n2\n\na\n1\n";
    let answer = Lab::at(answer.place, "--plain --progress mine.db")
        .env("IDEMLAB_PYTHON", "/no/such/python")
        .input(step)
        .code(5)
        .any_stderr()
        .run();
    assert!(
        answer
            .stdout
            .contains("\nidemlab · lab retention · python track\n")
    );
    assert!(
        answer
            .stderr
            .contains("`idemlab --track rust` works without it")
    );
    Lab::at(answer.place, "--plain --track cobol --progress mine.db")
        .code(2)
        .any_stderr()
        .run();
}

/// The answers to step 1, up to the question what is next.
const STEP_1: &str = "\nx\n3\n\nd\n2\nseen\n";

#[test]
fn ones_own_code_is_run_again_and_again_from_the_plain_lines() {
    // This text is compiled into the program, so that nothing has to be built.
    let reference = include_str!("../../exercises/retention/rust/reference.rs");
    let answer = Lab::new("--plain --progress mine.db")
        .file("retention/idemlab.yaml", "lab: retention\ntrack: rust\n")
        .file("retention/retention.rs", reference)
        .input(&format!("{STEP_1}y\nr\n\nq\n"))
        .run();
    let shown = &answer.stdout;
    assert_eq!(shown.matches("Green up to step 1.").count(), 2, "{shown}");
}

#[test]
fn a_folder_for_ones_own_code_is_made_only_when_that_is_said() {
    let no = Lab::new("--plain --progress mine.db")
        .input(&format!("{STEP_1}y\n\nq\n"))
        .run();
    assert!(no.stdout.contains("m makes a folder for it in rust"));
    let yes = Lab::at(no.place, "--plain --progress yes.db")
        .env("PATH", "")
        .input(&format!("{STEP_1}y\nm\n\nq\n"))
        .run();
    assert!(yes.stdout.contains("YOUR CODE in "), "{}", yes.stdout);
    assert!(yes.stdout.contains("not written yet"), "{}", yes.stdout);
}

#[test]
fn each_lab_is_walked_to_its_end_with_the_binary_alone() {
    for (lab, steps) in [
        ("retention", 8),
        ("invoice", 7),
        ("inbox", 8),
        ("charge", 12),
    ] {
        let answer = Lab::new("--plain --lab")
            .argument(lab)
            .env("PATH", "")
            .input(&"\n?\n".repeat(200))
            .run();
        let end = answer.stdout.contains("That is the end of the lab.");
        assert!(end, "{lab}:\n{}", answer.stdout);
        let last = format!("Step {steps} of {steps}");
        assert!(answer.stdout.contains(&last), "{lab}:\n{}", answer.stdout);
    }
}
