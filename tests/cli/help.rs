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
