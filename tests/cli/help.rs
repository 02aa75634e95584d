//! Help texts, whole.

use super::lab::Lab;

/// Takes a snapshot of a help text; the version is the one thing that may change by itself.
macro_rules! shows {
    ($name:ident, $arguments:literal) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), Lab::new($arguments).run().stdout);
        }
    };
}

shows!(help, "--help");
shows!(help_in_short, "-h");
shows!(help_of_list, "list --help");
shows!(help_of_run, "run --help");
shows!(help_of_matrix, "matrix --help");
shows!(help_of_start, "start --help");
shows!(help_of_test, "test --help");
shows!(help_of_hand_in, "hand-in --help");
shows!(help_of_check, "check --help");
shows!(help_of_new_mutant, "new mutant --help");
shows!(help_of_new_test, "new test --help");
shows!(help_of_doctor, "doctor --help");

#[test]
fn the_version_is_that_of_the_package() {
    let version = concat!("idemlab ", env!("CARGO_PKG_VERSION"), "\n");
    Lab::new("--version").stdout(version).run();
}

#[test]
fn a_shell_can_complete_the_commands_and_no_helper() {
    let script = Lab::new("completions bash").run().stdout;
    for name in ["hand-in", "--pack", "matrix"] {
        assert!(script.contains(name), "{name}");
    }
    assert!(!script.contains("__subject") && !script.contains("__confined"));
}

#[test]
fn each_command_has_its_page_of_the_manual() {
    let page = Lab::new("man").run().stdout;
    assert!(
        page.contains(".TH idemlab 1") && page.contains("idemlab\\-grade(1)"),
        "{page}"
    );
    let answer = Lab::new("man pages").run();
    for name in ["idemlab.1", "idemlab-check.1", "idemlab-new-mutant.1"] {
        assert!(
            answer.place.here().join("pages").join(name).is_file(),
            "{name}"
        );
    }
}
