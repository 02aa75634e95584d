//! Subjects that misbehave: each ends in the right verdict, and nothing is left running.
//!
//! The subject is a small shell script that speaks as much of the protocol as it likes.

#![cfg(unix)]

use std::time::{Duration, Instant};

use idemlab::event::TestReport;
use idemlab::lab::Bench;
use idemlab::model::{Lab, Test, Track};
use idemlab::pack;
use idemlab::run::{Interrupt, Launch, Limits, Outcome, Process, track};
use idemlab::verdict::TestWord;

const HELLO: &str = r#"echo '{"hello":1,"lab":"retention"}'"#;

fn launch(script: &str) -> Launch {
    let arguments = vec!["-c".into(), format!("{HELLO}\n{script}").into()];
    Launch::new("retention", "sh".into(), arguments)
}

fn limits() -> Limits {
    Limits {
        reply: Duration::from_millis(600),
        ..Limits::default()
    }
}

fn start(script: &str, interrupt: &Interrupt) -> Result<Process, Outcome> {
    Process::start(
        launch(script).command().unwrap(),
        "retention",
        limits(),
        interrupt,
    )
}

/// What the first call of a subject meets.
fn first_call(script: &str) -> Outcome {
    let interrupt = Interrupt::default();
    match start(script, &interrupt) {
        Ok(mut process) => process.call("counts", &serde_json::Map::new(), &interrupt),
        Err(outcome) => outcome,
    }
}

#[test]
fn a_hang_is_silence() {
    let outcome = first_call("read line; while :; do :; done");
    assert!(matches!(outcome, Outcome::Silent { .. }), "{outcome:?}");
}

#[test]
fn a_crash_is_told_with_what_was_written() {
    let outcome = first_call("read line; echo 'out of cheese' >&2; exit 7");
    let Outcome::Died { how, stderr } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(how, "it exited with code 7");
    assert_eq!(stderr, "out of cheese\n");
}

#[test]
fn an_end_by_a_signal_is_named() {
    let outcome = first_call("read line; kill -SEGV $$");
    assert!(
        matches!(&outcome, Outcome::Died { how, .. } if how == "it was ended by signal 11"),
        "{outcome:?}"
    );
}

#[test]
fn a_closed_output_is_told_from_an_end() {
    let outcome = first_call("read line; exec >&-; sleep 100");
    assert!(
        matches!(&outcome, Outcome::Died { how, .. } if how == "it closed its output and went on"),
        "{outcome:?}"
    );
}

#[test]
fn a_line_that_is_not_the_protocol_is_shown() {
    let outcome = first_call("read line; echo applied");
    assert!(
        matches!(&outcome, Outcome::Garbled { sent, .. } if sent == "applied"),
        "{outcome:?}"
    );
}

#[test]
fn an_answer_to_another_call_is_not_taken() {
    let outcome = first_call(r#"read line; echo '{"id":99,"returns":true}'"#);
    assert!(matches!(outcome, Outcome::Garbled { .. }), "{outcome:?}");
}

#[test]
fn a_flood_is_cut_off() {
    let outcome = first_call("read line; tr '\\0' x < /dev/zero");
    assert!(
        matches!(&outcome, Outcome::Garbled { why, .. } if why.contains("longer")),
        "{outcome:?}"
    );
    let outcome = first_call("read line; tr '\\0' x < /dev/zero >&2");
    assert!(matches!(outcome, Outcome::Silent { .. }), "{outcome:?}");
}

#[test]
fn a_wrong_hello_is_told() {
    let launch = Launch::new("retention", "echo".into(), vec!["hello there".into()]);
    let interrupt = Interrupt::default();
    let outcome =
        Process::start(launch.command().unwrap(), "retention", limits(), &interrupt).unwrap_err();
    assert!(matches!(outcome, Outcome::Garbled { .. }), "{outcome:?}");
}

#[test]
fn a_program_that_is_not_there_is_told() {
    let launch = Launch::new("retention", "/no/such/program".into(), Vec::new());
    let interrupt = Interrupt::default();
    let outcome =
        Process::start(launch.command().unwrap(), "retention", limits(), &interrupt).unwrap_err();
    assert!(
        matches!(&outcome, Outcome::Died { how, .. } if how.starts_with("it could not be started")),
        "{outcome:?}"
    );
}

#[test]
fn an_interrupt_ends_a_wait_long_before_its_limit() {
    let interrupt = Interrupt::default();
    let launch = launch("read line; sleep 1000");
    let patient = Limits {
        reply: Duration::from_mins(10),
        ..Limits::default()
    };
    let mut process =
        Process::start(launch.command().unwrap(), "retention", patient, &interrupt).unwrap();
    process.send("counts", &serde_json::Map::new());
    let other = interrupt.clone();
    let raised = std::thread::spawn(move || other.raise());
    let outcome = process.receive(&interrupt);
    raised.join().unwrap();
    // How soon is a figure, and measured by `cargo bench --bench embedded`.
    assert!(
        matches!(outcome, Outcome::Silent { waited } if waited < Duration::from_mins(1)),
        "{outcome:?}"
    );
}

/// Tells whether a process is there and not only waiting to be collected.
#[cfg(target_os = "linux")]
fn is_running(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "))
}

#[test]
#[cfg(target_os = "linux")]
fn the_whole_tree_of_a_subject_is_ended() {
    let interrupt = Interrupt::default();
    let script = r#"
        sleep 1000 & a=$!
        (sleep 1000 & echo $! > "$0"; wait) & b=$!
        while [ ! -s "$0" ]; do :; done
        read line
        echo "{\"id\":1,\"returns\":\"$a $b $(cat "$0")\"}"
        read line"#;
    let note = tempfile::NamedTempFile::new().unwrap();
    let arguments = vec![
        "-c".into(),
        format!("{HELLO}\n{script}").into(),
        note.path().into(),
    ];
    let launch = Launch::new("retention", "sh".into(), arguments);
    let patient = Limits::default();
    let mut process =
        Process::start(launch.command().unwrap(), "retention", patient, &interrupt).unwrap();
    let outcome = process.call("counts", &serde_json::Map::new(), &interrupt);
    let Outcome::Returned(pids) = outcome else {
        panic!("{outcome:?}");
    };
    let pids: Vec<String> = pids
        .as_str()
        .unwrap()
        .split(' ')
        .map(str::to_owned)
        .collect();
    assert!(pids.iter().all(|pid| is_running(pid)), "{pids:?}");
    drop(process);
    let deadline = Instant::now() + Duration::from_secs(5);
    while pids.iter().any(|pid| is_running(pid)) {
        assert!(Instant::now() < deadline, "{pids:?} live on");
        std::thread::yield_now();
    }
}

fn shipped() -> Lab {
    track::rust::use_program(env!("CARGO_BIN_EXE_idemlab"));
    pack::shipped().unwrap().labs.remove(0)
}

/// Runs a subject over the tests of step 2 and returns its reports.
fn over_step_two(script: &str) -> Vec<TestReport> {
    let lab = shipped();
    let tests: Vec<&Test> = lab.tests.iter().filter(|test| test.step == 2).collect();
    let bench = Bench::new(&lab, Track::Rust, Interrupt::default())
        .unwrap()
        .with_limits(limits());
    bench
        .launched(&launch(script), &tests, &|_| {})
        .unwrap()
        .tests
}

#[test]
fn a_subject_that_dies_is_started_again_for_the_next_test() {
    let reports = over_step_two("read line; exit 1");
    assert!(reports.len() > 10);
    assert!(
        reports
            .iter()
            .all(|report| report.word() == TestWord::Errored)
    );
}

#[test]
fn after_three_silences_the_rest_is_left_out() {
    let reports = over_step_two("while read line; do :; done");
    let count = |word| {
        reports
            .iter()
            .filter(|report| report.word() == word)
            .count()
    };
    assert!(count(TestWord::TimedOut) >= 3);
    // Three in each of the two queues, and what the other lanes (three at most) had begun.
    assert!(count(TestWord::TimedOut) <= 9);
    assert_eq!(
        count(TestWord::TimedOut) + count(TestWord::NotRun),
        reports.len()
    );
}
