use serde_json::Map;

use super::*;
use crate::run::{Launch, Limits, Outcome};

/// Longer than any test may wait.
const FOREVER: Duration = Duration::from_hours(1);

/// Starts a subject that says hello, reads one line, and goes on as `script` says.
fn asked(script: &str) -> Process {
    let hello = r#"echo '{"hello":1,"lab":"retention"}'; read -r line"#;
    let arguments = vec!["-c".into(), format!("{hello}\n{script}").into()];
    let launch = Launch::new("retention", "sh".into(), arguments);
    let interrupt = Interrupt::default();
    let mut process = Process::start(
        launch.command().unwrap(),
        "retention",
        Limits::default(),
        &interrupt,
    )
    .unwrap();
    process.send("counts", &Map::new());
    process
}

const SILENT: &str = "read -r more";
const ANSWER: &str = r#"i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; echo '{"id":1,"returns":true}'; read -r line"#;

fn all_looked<const N: usize>(
    mut processes: [&mut Process; N],
    patience: Duration,
    interrupt: &Interrupt,
) {
    let processes = processes.iter_mut().map(|process| &mut **process);
    wait_until_all_looked(processes, patience, interrupt);
}

#[test]
fn an_answer_is_waited_for() {
    let mut process = asked(ANSWER);
    all_looked([&mut process], FOREVER, &Interrupt::default());
    assert!(process.has_answered());
}

#[test]
fn one_that_sleeps_at_the_lock_has_looked_and_one_that_answered_too() {
    let mut sleeper = asked("exec sleep 1000");
    let mut other = asked(ANSWER);
    all_looked(
        [&mut sleeper, &mut other],
        Duration::from_secs(20),
        &Interrupt::default(),
    );
    assert!(sleeps_at_lock(sleeper.id()));
    assert!(!sleeper.has_answered());
    assert!(other.has_answered());
}

#[test]
fn one_whose_child_sleeps_has_looked() {
    let mut process = asked("sleep 1000 & wait");
    let own = format!("/proc/{0}/task/{0}/children", process.id());
    // There are kernels that do not tell the children.
    if std::fs::exists(own).unwrap() {
        all_looked([&mut process], FOREVER, &Interrupt::default());
        assert!(sleeps_at_lock(process.id()));
        assert!(!process.has_answered());
    }
}

#[test]
fn those_who_sleep_at_one_moment_are_counted_until_they_are_enough() {
    let interrupt = Interrupt::default();
    let mut first = asked("exec sleep 1000");
    let mut second = asked("exec sleep 1000");
    let mut both = [&mut first, &mut second];
    assert_eq!(most_at_once(&mut both, 2, FOREVER, &interrupt), Some(2));
    assert_eq!(
        most_at_once(&mut both[..1], 1, FOREVER, &interrupt),
        Some(1)
    );
    // More than there are: patience or an interrupt ends it.
    assert_eq!(
        most_at_once(&mut both, 3, Duration::ZERO, &interrupt),
        Some(2)
    );
    interrupt.raise();
    assert_eq!(most_at_once(&mut both, 3, FOREVER, &interrupt), Some(2));
}

#[test]
fn nobody_comes_to_the_lock_once_all_have_answered() {
    let mut process = asked(ANSWER);
    let most = most_at_once(&mut [&mut process], 2, FOREVER, &Interrupt::default());
    assert!(process.has_answered());
    assert_eq!(most, Some(0));
}

#[test]
fn one_that_waits_for_something_else_does_not_sleep_at_the_lock() {
    assert!(!sleeps_at_lock(asked(SILENT).id()));
    assert!(!sleeps_at_lock(u32::MAX));
}

#[test]
fn the_patience_ends_a_wait_and_so_does_an_interrupt() {
    let interrupt = Interrupt::default();
    let mut process = asked(SILENT);
    all_looked([&mut process], Duration::ZERO, &interrupt);
    assert!(!wait_until(
        &mut process,
        Duration::ZERO,
        &interrupt,
        || false
    ));
    interrupt.raise();
    all_looked([&mut process], FOREVER, &interrupt);
    assert!(!wait_until(&mut process, FOREVER, &interrupt, || false));
}

#[test]
fn what_is_waited_for_is_told_from_an_answer_that_came_before_it() {
    let interrupt = Interrupt::default();
    let mut process = asked(SILENT);
    let mut looks = 0;
    let third = || {
        looks += 1;
        looks == 3
    };
    assert!(wait_until(&mut process, FOREVER, &interrupt, third));
    assert_eq!(looks, 3);
    let mut process = asked(ANSWER);
    assert!(!wait_until(&mut process, FOREVER, &interrupt, || false));
    assert_eq!(
        process.receive(&interrupt),
        Outcome::Returned(serde_json::Value::Bool(true))
    );
}

#[test]
fn reads_the_number_of_the_system_call() {
    let sleeping = if cfg!(target_arch = "x86_64") {
        "230 0x0 0x0"
    } else {
        "115 0x0"
    };
    assert!(is_nanosleep(sleeping));
    assert!(!is_nanosleep("running"));
    assert!(!is_nanosleep("0 0x3 0x7f"));
    assert!(!is_nanosleep(""));
}
