//! Attacks in Rust, many of them on the compiler.

use idemlab::event::SubjectReport;
use idemlab::lab::Fault;
use idemlab::model::Track;
use idemlab::run::track;
use idemlab::verdict::TestWord;

use super::place::{ONE, Place, confinement, not_passed, reference, seen, tests_folder};

/// Tells whether Rust submissions can be confined here.
fn ready() -> bool {
    if confinement().is_none() {
        return false;
    }
    match track::missing(Track::Rust, "// no such source") {
        None => true,
        Some(missing) => {
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            eprintln!("skipped: {missing}");
            false
        }
    }
}

/// Runs the reference with `text` after it.
fn run(text: &str) -> Result<SubjectReport, Fault> {
    let source = format!("{}\n{text}\n", reference(Track::Rust));
    Place::new(Track::Rust).run(source.as_bytes(), ONE)
}

/// Runs the reference with `text` at the head of `reserve`.
fn in_reserve(text: &str) -> SubjectReport {
    let head = "expires: f64) -> Result<bool, StoreError> {";
    let source = reference(Track::Rust);
    assert!(source.contains(head));
    let source = source.replacen(head, &format!("{head}\n{text}"), 1);
    let report = Place::new(Track::Rust).run(source.as_bytes(), ONE);
    report.expect("it can be run")
}

fn does_not_build(text: &str) -> String {
    match run(text) {
        Err(Fault::DoesNotBuild(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_right_solution_is_green_and_reaches_nothing() {
    if !ready() {
        return;
    }
    let place = Place::new(Track::Rust);
    let neighbour = place.neighbour();
    let results = neighbour.join("results.json");
    let report = in_reserve(&format!(
        "assert!(std::fs::read({results:?}).is_err());
         assert!(std::fs::write({results:?}, \"mine\").is_err());
         assert!(std::fs::read_dir({neighbour:?}).is_err());
         assert!(std::net::TcpListener::bind(\"127.0.0.1:0\").is_err());
         assert!(std::fs::read(\"/etc/shadow\").is_err());
         assert!(std::process::Command::new({:?}).arg(\"list\").output().is_err());",
        env!("CARGO_BIN_EXE_idemlab")
    ));
    assert!(report.is_green(), "{:?}", not_passed(&report));
}

#[test]
fn the_compiler_includes_nothing_from_outside() {
    if !ready() {
        return;
    }
    let tests = tests_folder().join("1-init_db.yaml");
    for file in [tests.to_str().unwrap(), "/etc/passwd", "/proc/self/environ"] {
        let why = does_not_build(&format!("pub const SEEN: &str = include_str!({file:?});"));
        assert!(
            why.contains("ermission denied") || why.contains("couldn't read"),
            "{why}"
        );
    }
    let home = env!("CARGO_MANIFEST_DIR");
    let why = does_not_build(&format!("#[path = \"{home}/src/lib.rs\"] mod stolen;"));
    assert!(
        why.contains("ermission denied") || why.contains("couldn't read"),
        "{why}"
    );
}

#[test]
fn an_endless_constant_is_stopped() {
    if ready() {
        let why = does_not_build(
            "#[allow(long_running_const_eval)]\npub const FOREVER: u64 = { let mut n = 0_u64; \
             while n < u64::MAX { n += 1; n -= 1; } n };\n\
             pub fn use_it() -> u64 { FOREVER }",
        );
        assert!(why.contains("stopped after"), "{why}");
    }
}

#[test]
fn a_flood_of_errors_is_cut() {
    if ready() {
        let why = does_not_build(&"fn same() -> Unknown { missing!(1) }\n".repeat(2000));
        assert!(why.len() < 200_000);
        assert!(why.contains("error"), "{why}");
    }
}

#[test]
fn an_exit_and_a_loop_have_their_verdicts() {
    if !ready() {
        return;
    }
    let (word, saw) = seen(&in_reserve("if true { std::process::exit(0); }"));
    assert_eq!(word, TestWord::Errored, "{saw}");
    let (word, _) = seen(&in_reserve("if true { loop { std::hint::spin_loop(); } }"));
    assert_eq!(word, TestWord::TimedOut);
}
