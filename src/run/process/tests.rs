use std::io::{self, Read};

use super::streams::KEEP;
use super::*;

#[test]
fn the_tail_keeps_both_ends_and_counts_the_rest() {
    let mut tail = Tail::default();
    tail.push(b"first ");
    for _ in 0..1000 {
        tail.push(&[b'x'; 100]);
    }
    tail.push(b" last");
    let text = tail.text();
    assert!(text.starts_with("first ") && text.ends_with(" last"));
    assert!(text.contains(" bytes …"));
    assert!(text.len() < 4 * KEEP);
}

#[test]
fn a_short_stream_is_kept_whole() {
    let mut tail = Tail::default();
    tail.push(b"one\n");
    tail.push(b"two\n");
    assert_eq!(tail.text(), "one\ntwo\n");
}

#[test]
fn a_stream_is_cut_only_once_it_is_long_and_what_is_left_out_is_counted() {
    let many = |letter: &str, count| letter.repeat(count);
    let mut tail = Tail::default();
    tail.push(many("a", KEEP).as_bytes());
    tail.push(many("b", 2 * KEEP).as_bytes());
    assert_eq!(tail.text(), many("a", KEEP) + &many("b", 2 * KEEP));
    tail.push(b"c");
    let rest = many("b", KEEP - 1) + "c";
    let left_out = format!("\n… {} bytes …\n", KEEP + 1);
    assert_eq!(tail.text(), many("a", KEEP) + &left_out + &rest);
    tail.push(many("d", KEEP + 1).as_bytes());
    let left_out = format!("\n… {} bytes …\n", 2 * KEEP + 2);
    assert_eq!(tail.text(), many("a", KEEP) + &left_out + &many("d", KEEP));
}

/// What is heard of an output, line by line.
fn heard(output: &[u8], limit: u64) -> Vec<Heard> {
    let (send, heard) = mpsc::sync_channel(BACKLOG);
    read_lines(output, limit, &Meter::new(u64::MAX), &send);
    drop(send);
    heard.iter().collect()
}

#[test]
fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
    let line = |text: &str| Heard::Line(text.to_owned());
    assert_eq!(heard(b"abc\nd\n", 4), [line("abc"), line("d")]);
    assert_eq!(heard(b"ab\r\ncd", 4), [line("ab"), line("cd")]);
    // Nothing is read after a line that is cut.
    let cut = Heard::TooLong("abcd".to_owned());
    assert_eq!(heard(b"abcd\nef\n", 4), [cut]);
    assert_eq!(heard(b"", 4), []);
}

/// Gives its parts one by one, then fails for good.
struct Parts(Vec<io::Result<&'static [u8]>>);

impl Read for Parts {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let part = self.0.remove(0)?;
        buffer[..part.len()].copy_from_slice(part);
        Ok(part.len())
    }
}

#[test]
fn what_comes_after_too_much_output_is_not_read() {
    let (send, heard) = mpsc::sync_channel(BACKLOG);
    read_lines(&b"abc\nd\ne\n"[..], 100, &Meter::new(5), &send);
    drop(send);
    assert_eq!(heard.iter().count(), 2);
    let tail = Mutex::new(Tail::default());
    let parts = vec![Ok(&b"one"[..]), Ok(b"two"), Ok(b"three")];
    drain(Parts(parts), &tail, &Meter::new(5));
    assert_eq!(tail.into_inner().unwrap().text(), "onetwo");
}

#[test]
fn nothing_is_read_that_nobody_hears() {
    let (send, heard) = mpsc::sync_channel(BACKLOG);
    drop(heard);
    read_lines(io::repeat(b'\n'), 4, &Meter::new(u64::MAX), &send);
}

#[test]
fn as_much_as_may_be_written_is_not_too_much() {
    let meter = Meter::new(5);
    assert!(!meter.is_over());
    meter.add(2);
    meter.add(3);
    assert!(!meter.is_over());
    meter.add(1);
    assert!(meter.is_over());
}

#[test]
fn standard_error_is_read_past_an_interruption_and_up_to_a_failure() {
    let tail = Mutex::new(Tail::default());
    let interrupted = || Err(io::ErrorKind::Interrupted.into());
    let parts = vec![interrupted(), Ok(&b"one"[..]), interrupted(), Ok(b"two")];
    drain(Parts(parts), &tail, &Meter::new(u64::MAX));
    assert_eq!(tail.into_inner().unwrap().text(), "onetwo");
}

#[cfg(unix)]
mod with_a_shell {
    use super::*;
    use crate::run::Launch;

    const FOREVER: Duration = Duration::from_hours(1);

    fn start(script: &str, start: Duration, interrupt: &Interrupt) -> Result<Process, Outcome> {
        let limits = Limits {
            start,
            ..Limits::default()
        };
        start_within(limits, script, interrupt)
    }

    fn start_within(
        limits: Limits,
        script: &str,
        interrupt: &Interrupt,
    ) -> Result<Process, Outcome> {
        let arguments = vec!["-c".into(), script.into()];
        let command = Launch::new("retention", "sh".into(), arguments)
            .command()
            .unwrap();
        Process::start(command, "retention", limits, interrupt)
    }

    fn not_loaded(script: &str, limit: Duration) -> String {
        match start(script, limit, &Interrupt::default()) {
            Err(Outcome::NotLoaded { why }) => why,
            other => panic!("{other:?}"),
        }
    }

    fn ready(script: &str) -> Process {
        ready_within(Limits::default(), script)
    }

    fn ready_within(limits: Limits, script: &str) -> Process {
        let hello = r#"echo '{"hello":1,"lab":"retention"}'"#;
        let script = format!("{hello}; {script}");
        let limits = Limits {
            start: FOREVER,
            ..limits
        };
        start_within(limits, &script, &Interrupt::default()).unwrap()
    }

    #[test]
    fn a_subject_that_does_not_come_to_its_hello_is_not_loaded_and_says_why() {
        assert_eq!(
            not_loaded("exit 3", FOREVER),
            "its process died while it was loaded: it exited with code 3"
        );
        assert_eq!(
            not_loaded("echo ' no cheese ' >&2; exit 3", FOREVER),
            "its process died while it was loaded: it exited with code 3; it wrote: no cheese"
        );
        assert_eq!(
            not_loaded("exec sleep 1000", Duration::ZERO),
            "it was not loaded within 0.0 s"
        );
    }

    #[test]
    fn an_interrupt_before_the_hello_is_no_fault_of_the_subject() {
        let interrupt = Interrupt::default();
        interrupt.raise();
        let outcome = start("exec sleep 1000", FOREVER, &interrupt).unwrap_err();
        assert!(matches!(outcome, Outcome::Silent { .. }), "{outcome:?}");
    }

    #[test]
    fn a_process_that_ends_is_waited_for_and_one_that_goes_on_is_not() {
        let mut ending = ready("sleep 0.02");
        assert!(ending.gone_within(FOREVER));
        let mut staying = ready("exec sleep 1000");
        assert!(!staying.gone_within(Duration::ZERO));
        assert!(!staying.gone_within(Duration::from_millis(5)));
    }

    #[test]
    fn a_process_that_writes_too_much_is_ended() {
        let limits = Limits {
            output: 1 << 20,
            ..Limits::default()
        };
        for to in ["", ">&2"] {
            let flooding = || {
                let flood = format!(r"read -r line; tr '\0' x < /dev/zero {to}");
                let mut process = ready_within(limits, &flood);
                process.send("f", &Map::new());
                while !process.meter.is_over() {
                    thread::yield_now();
                }
                process
            };
            let mut early = flooding();
            assert!(early.has_answered());
            for mut process in [early, flooding()] {
                let Outcome::Died { how, .. } = process.receive(&Interrupt::default()) else {
                    panic!("it is not told");
                };
                assert_eq!(how, "it was ended, since it wrote more than 1 MiB");
            }
        }
    }

    #[test]
    fn a_process_is_ended_once() {
        let mut process = ready("exec sleep 1000");
        assert!(process.end().is_some_and(|status| !status.success()));
        assert_eq!(process.end(), None);
    }

    #[test]
    fn a_process_that_is_ended_does_not_see_its_input_end() {
        use std::os::unix::process::ExitStatusExt as _;
        for _ in 0..50 {
            let mut process = ready("read line; exit 5");
            assert_eq!(process.end().and_then(|status| status.signal()), Some(9));
        }
    }

    #[test]
    fn an_answer_that_came_early_is_the_answer() {
        let interrupt = Interrupt::default();
        let mut process = ready(
            r#"read -r line; echo '{"id":1,"returns":1}'; read -r line; echo '{"id":2,"returns":2}'
            read -r line"#,
        );
        let early = |process: &mut Process| {
            process.send("f", &Map::new());
            while !process.has_answered() {
                thread::yield_now();
            }
            assert!(process.has_answered());
            process.receive(&interrupt)
        };
        assert_eq!(early(&mut process), Outcome::Returned(1.into()));
        assert_eq!(early(&mut process), Outcome::Returned(2.into()));
        assert!(!process.has_answered());
    }

    #[test]
    fn one_that_calls_back_has_spoken_and_not_answered() {
        let mut process = ready(
            r#"read -r line; echo '{"id":1,"callback":"pay","with":{}}'; read -r answer
            echo '{"id":1,"returns":1}'; read -r line"#,
        );
        process.send("f", &Map::new());
        while !process.has_spoken() {
            thread::yield_now();
        }
        assert!(!process.has_answered());
        process.answer_asked(&mut Desk::closed());
        while !process.has_answered() {
            thread::yield_now();
        }
        let answer = process.receive_now(Duration::ZERO);
        assert_eq!(answer, Outcome::Returned(1.into()));
        let waited = Duration::from_secs(7);
        assert_eq!(process.receive_now(waited), Outcome::Silent { waited });
    }

    #[test]
    fn a_call_that_calls_back_without_end_is_given_up() {
        let mut process = ready(
            r#"read -r line
            while echo '{"id":1,"callback":"pay","with":{}}'; do read -r answer; done"#,
        );
        let outcome = process.call("f", &Map::new(), &Interrupt::default());
        let why = "it calls back again and again".to_owned();
        let sent = "pay".to_owned();
        assert_eq!(outcome, Outcome::Garbled { sent, why });
    }

    #[test]
    fn an_early_look_sees_an_end_and_a_line_that_is_too_long() {
        let looked = |script: &str| {
            let mut process = ready(script);
            process.send("f", &Map::new());
            while !process.has_answered() {
                thread::yield_now();
            }
            process.receive(&Interrupt::default())
        };
        let died = looked("read -r line; exit 4");
        assert!(
            matches!(&died, Outcome::Died { how, .. } if how == "it exited with code 4"),
            "{died:?}"
        );
        let long = looked("read -r line; tr '\\0' x < /dev/zero");
        assert!(
            matches!(&long, Outcome::Garbled { why, .. } if why.contains("longer")),
            "{long:?}"
        );
    }
}
