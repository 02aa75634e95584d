//! Files that print, exit, loop, leave locks or answer nonsense.

use std::path::PathBuf;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use idemlab::event::TestReport;
use idemlab::verdict::TestWord;

use super::{Submission, bench, not_passed, python, run, short};

const RESERVE: &[&str] = &["new-key-is-reserved", "same-request-again-is-refused"];

/// Runs the tests of `reserve` on the reference with `text` after it: all of them pass.
fn passes(text: &str) {
    let report = Submission::reference_and(text).run(RESERVE);
    assert_eq!(not_passed(&report), [""; 0], "{text}");
}

/// Replaces `reserve` by `body` after the reference, and tells what the first test saw.
fn reserve_sees(body: &str) -> (TestWord, Option<usize>, String) {
    let text = format!("def reserve(path, key, digest, expires):\n    {body}\n");
    let submission = Submission::reference_and(&text).within(short());
    submission.seen("new-key-is-reserved")
}

#[test]
fn prints_are_no_answers_however_they_are_made() {
    if !python() {
        return;
    }
    passes(
        r#"
import os, subprocess, sys
right = reserve
LIE = '{"id":1,"returns":"a lie"}\n'
print(LIE, end="")

def reserve(path, key, digest, expires):
    print(LIE)
    os.write(1, LIE.encode())
    sys.__stdout__.write(LIE)
    subprocess.run(["echo", LIE])
    sys.stdout.buffer.write(b"\xff\xfe not UTF-8 \n")
    print("\udc80 half a sign")
    return right(path, key, digest, expires)
"#,
    );
}

#[test]
fn a_closed_output_is_the_files_own_loss() {
    if !python() {
        return;
    }
    passes("import sys\nsys.stdout.close()\nsys.stderr = None\nsys.stdin.close()");
}

#[test]
fn standard_input_is_empty() {
    if !python() {
        return;
    }
    passes("import sys\nassert sys.stdin.read() == ''");
}

#[test]
fn fifty_megabytes_of_output_are_let_pass() {
    if !python() {
        return;
    }
    passes(
        r#"
import sys
right = reserve

def reserve(path, key, digest, expires):
    for stream in (sys.stdout, sys.stderr):
        for _ in range(200):
            stream.write("x" * 125_000 + "\n")
    return right(path, key, digest, expires)
"#,
    );
}

#[test]
fn an_exit_in_a_function_is_its_outcome() {
    if !python() {
        return;
    }
    let (word, line, seen) = reserve_sees("import sys; sys.exit('enough')");
    assert_eq!((word, line), (TestWord::Failed, Some(1)));
    assert!(
        seen.contains(r#""kind":"SystemExit","message":"exit('enough') (retention.py, line "#),
        "{seen}"
    );
    let (word, _, seen) = reserve_sees("exit()");
    assert_eq!(word, TestWord::Failed);
    assert!(seen.contains("SystemExit"), "{seen}");
    let (word, _, seen) = reserve_sees("raise KeyboardInterrupt");
    assert_eq!(word, TestWord::Failed);
    assert!(seen.contains("KeyboardInterrupt"), "{seen}");
}

#[test]
fn a_death_is_told_with_its_last_words() {
    if !python() {
        return;
    }
    let (word, line, seen) = reserve_sees("print('goodbye'); import os; os._exit(0)");
    assert_eq!((word, line), (TestWord::Errored, Some(1)));
    assert_eq!(
        seen,
        "the subject's process died: it exited with code 0; it wrote: goodbye"
    );
    let (word, _, seen) = reserve_sees("import os, signal; os.kill(os.getpid(), signal.SIGKILL)");
    assert_eq!(word, TestWord::Errored);
    assert_eq!(seen, "the subject's process died: it was ended by signal 9");
}

#[test]
fn after_a_death_the_next_test_has_a_new_process() {
    if !python() {
        return;
    }
    let report = Submission::reference_and("def reserve(*a, **k):\n    import os; os._exit(1)")
        .run(&["new-key-is-reserved", "empty-table-counts-zero"]);
    let words: Vec<TestWord> = report.tests.iter().map(TestReport::word).collect();
    assert_eq!(words, [TestWord::Errored, TestWord::Passed]);
}

#[test]
fn an_endless_loop_is_timed_out() {
    if !python() {
        return;
    }
    for body in ["while True: pass", "import time; time.sleep(1000)"] {
        let (word, line, seen) = reserve_sees(body);
        assert_eq!((word, line), (TestWord::TimedOut, Some(1)), "{seen}");
    }
}

#[test]
fn what_json_cannot_say_is_a_wrong_answer() {
    if !python() {
        return;
    }
    for (value, told) in [
        ("{1}", "returned set: {1} (set is no JSON type)"),
        ("b'a'", "returned bytes: b'a' (bytes is no JSON type)"),
        ("float('nan')", "returned float: nan (no JSON number)"),
        ("-float('inf')", "returned float: -inf (no JSON number)"),
        ("{1: 2}", "returned dict: {1: 2} (a key that is no string)"),
        (
            "[object]",
            "returned list: [<class 'object'>] (type is no JSON type)",
        ),
        ("10**400", "(too large for a JSON number)"),
        ("'\\ud800'", "half a surrogate pair"),
        ("'x' * 5_000_000", "more than a reply may have"),
        ("(each for each in ())", "returned generator: "),
        (
            "(lambda a: (a.append(a), a)[1])([])",
            "nested more than 100 levels deep",
        ),
        (
            "type('R', (), {'__repr__': lambda s: 1 / 0})()",
            "returned R: ",
        ),
    ] {
        let (word, line, seen) = reserve_sees(&format!("return {value}"));
        assert_eq!((word, line), (TestWord::Failed, Some(1)), "{value}: {seen}");
        assert!(seen.contains(r#""kind":"NotJson""#), "{value}: {seen}");
        assert!(seen.contains(told), "{value}: {seen}");
    }
}

#[test]
fn what_json_can_say_is_compared_as_it_is() {
    if !python() {
        return;
    }
    for (value, told) in [
        ("2**70", r#"{"returns":1.1805916207174113e+21}"#),
        (
            "(1, [2.5, None], {'a': ()})",
            r#"{"returns":[1,[2.5,null],{"a":[]}]}"#,
        ),
        ("'키 \\x00'", r#"{"returns":"키 \u0000"}"#),
    ] {
        let (word, _, seen) = reserve_sees(&format!("return {value}"));
        assert_eq!((word, seen.as_str()), (TestWord::Failed, told), "{value}");
    }
}

#[test]
fn an_answer_that_is_no_json_is_no_refusal_either() {
    if !python() {
        return;
    }
    let text = "def expired(path, now, limit=10):\n    return {limit}";
    let (word, line, _) = Submission::reference_and(text).seen("limit-true-is-refused");
    assert_eq!((word, line), (TestWord::Failed, Some(1)));
}

#[test]
fn a_function_that_takes_other_arguments_refuses_nothing() {
    if !python() {
        return;
    }
    for text in [
        "def expired(path, now): return []",
        "del expired",
        "expired = 7",
    ] {
        let submission = Submission::reference_and(text);
        let (word, line, seen) = submission.seen("limit-out-of-range-is-refused");
        assert_eq!((word, line), (TestWord::Failed, Some(1)), "{text}: {seen}");
    }
}

#[test]
fn errors_of_any_size_and_kind_are_outcomes() {
    if !python() {
        return;
    }
    for (body, kind) in [
        ("raise ValueError('x' * 1_000_000)", "ValueError"),
        ("raise ValueError('\\udc80')", "ValueError"),
        (
            "return reserve(path, key, digest, expires)",
            "RecursionError",
        ),
        ("return 'x' * 10**18", "MemoryError"),
        (
            "raise type('E', (Exception,), {'__str__': lambda s: 1 / 0})",
            "retention.E",
        ),
        (
            "import sqlite3; raise sqlite3.OperationalError('no')",
            "sqlite3.OperationalError",
        ),
    ] {
        let (word, _, seen) = reserve_sees(body);
        assert_eq!(word, TestWord::Failed, "{body}: {seen}");
        assert!(
            seen.contains(&format!(r#""kind":"{kind}""#)),
            "{body}: {seen}"
        );
        assert!(seen.len() < 2000, "{} characters", seen.len());
    }
}

#[test]
fn siblings_data_classes_and_the_own_name_work() {
    if !python() {
        return;
    }
    let text = r#"from __future__ import annotations
from dataclasses import dataclass
from typing import ClassVar
import os, pickle, sys
import solution

@dataclass(order=True)
class Row:
    key: str
    table: ClassVar[str] = "keys"

assert __name__ == "retention" and sys.modules["retention"].Row is Row
assert pickle.loads(pickle.dumps(Row("k"))) == Row("k")
assert os.path.samefile(os.getcwd(), os.path.dirname(__file__))
assert solution.name() == "retention"
from solution import *
"#;
    let reference = super::lab().source(super::Track::Python).unwrap();
    let helper = format!(
        "{}\n\ndef name():\n    import retention\n    return retention.__name__\n",
        reference.text
    );
    let submission = Submission::new(text).beside("solution.py", &helper);
    assert_eq!(not_passed(&submission.run(RESERVE)), [""; 0]);
}

#[test]
fn a_file_of_any_name_is_run_where_it_lies() {
    if !python() {
        return;
    }
    let reference = &super::lab().source(super::Track::Python).unwrap().text;
    for name in ["my_retention.py", "my retention-2.py", "json.py", "키.py"] {
        let submission =
            Submission::new("raise SystemError('not this one')").beside(name, reference);
        let file: PathBuf = submission.folder.path().join(name);
        let report = run(&bench(), &file, RESERVE).unwrap();
        assert_eq!(not_passed(&report), [""; 0], "{name}");
        let left: Vec<_> = std::fs::read_dir(submission.folder.path())
            .unwrap()
            .collect();
        assert_eq!(left.len(), 2, "nothing is written beside {name}");
    }
}

#[test]
fn a_lock_left_behind_is_told_at_the_call_that_left_it() {
    if !python() {
        return;
    }
    let cached = "
kept = {}
def reserve(path, key, digest, expires):
    db = kept.setdefault(path, sqlite3.connect(path))
    return db.execute('INSERT OR IGNORE INTO keys VALUES(?,?,?,NULL,?)',
                      (key, digest, 'pending', expires)).rowcount == 1
";
    let (word, line, seen) = Submission::reference_and(cached).seen("new-key-is-reserved");
    assert_eq!((word, line), (TestWord::Failed, Some(1)));
    assert_eq!(seen, "the call answered and still holds the write lock");
}

#[test]
fn a_forgotten_commit_is_a_row_that_is_missing() {
    if !python() {
        return;
    }
    // A cycle keeps the connection alive until the collector comes: the lab must not meet it.
    let forgetful = "
class Holder: pass
def reserve(path, key, digest, expires):
    holder = Holder()
    holder.me, holder.db = holder, sqlite3.connect(path)
    return holder.db.execute('INSERT OR IGNORE INTO keys VALUES(?,?,?,NULL,?)',
                             (key, digest, 'pending', expires)).rowcount == 1
";
    let (word, line, seen) = Submission::reference_and(forgetful).seen("new-key-is-reserved");
    assert_eq!(
        (word, line, seen.as_str()),
        (TestWord::Failed, Some(2), r#"{"rows":{"keys":[]}}"#)
    );
}

#[test]
fn an_error_lets_go_of_the_connection_in_its_frames() {
    if !python() {
        return;
    }
    let text = "
def expired(path, now, limit=10):
    db = sqlite3.connect(path)
    db.execute('DELETE FROM keys')
    raise ValueError('refused, with an open transaction in this frame')
";
    let report = Submission::reference_and(text).run(&["limit-out-of-range-is-refused"]);
    assert_eq!(not_passed(&report), [""; 0]);
}

#[test]
fn threads_and_exit_handlers_left_running_hold_nobody_up() {
    if !python() {
        return;
    }
    passes(
        r"
import atexit, threading, time
threading.Thread(target=time.sleep, args=(1000,), daemon=False).start()
atexit.register(time.sleep, 1000)
",
    );
}

#[test]
fn a_child_process_does_not_speak_for_its_parent() {
    if !python() {
        return;
    }
    passes(
        r#"
import os
right = reserve

def reserve(path, key, digest, expires):
    if os.fork() == 0:
        return "an answer of the child"
    if os.fork() == 0:
        raise SystemExit
    assert os.wait()[1] == os.wait()[1] == 0
    return right(path, key, digest, expires)
"#,
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_loop_dies_with_a_lab_that_is_killed() {
    if !python() {
        return;
    }
    let text = "
import os
def reserve(path, key, digest, expires):
    with open('pid.new', 'w') as file:
        file.write(str(os.getpid()))
    os.rename('pid.new', 'pid')
    while True: pass
";
    let submission = Submission::reference_and(text);
    let mut program = Command::new(env!("CARGO_BIN_EXE_idemlab"))
        .args(["run", "retention", "--track", "python", "--file"])
        .arg(submission.path())
        .args(["--test", "new-key-is-reserved"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pid_file = submission.folder.path().join("pid");
    until(|| pid_file.exists());
    let pid = std::fs::read_to_string(pid_file).unwrap();
    program.kill().unwrap();
    program.wait().unwrap();
    until(|| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        status.is_empty() || status.contains(") Z ")
    });
}

/// Waits until `is_so`, and fails after ten seconds.
#[cfg(target_os = "linux")]
fn until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(10), "in vain");
        std::thread::yield_now();
    }
}
