//! Submissions in Python that end badly: each in its own verdict.

use std::time::{Duration, Instant};

use idemlab::event::SubjectReport;
use idemlab::model::Track;
use idemlab::run::Interrupt;
use idemlab::verdict::TestWord;

use super::place::{ONE, Place, confinement, lab, not_passed, reference, seen};

/// Runs the reference with `text` after it, on the named tests.
fn run(text: &str, tests: &[&str]) -> SubjectReport {
    let place = Place::new(Track::Python);
    let source = format!("{}\n\n{text}\n", reference(Track::Python));
    place.run(source.as_bytes(), tests).expect("it can be run")
}

/// Replaces `reserve` by `body`, and returns what the first test saw.
fn reserve(body: &str) -> (TestWord, String) {
    seen(&run(
        &format!("right = reserve\ndef reserve(path, key, digest, expires):\n    {body}\n"),
        ONE,
    ))
}

fn confined() -> bool {
    confinement().is_some()
}

#[test]
fn an_endless_loop_is_out_of_time() {
    if confined() {
        let (word, _) = reserve("while True: pass");
        assert_eq!(word, TestWord::TimedOut);
    }
}

#[test]
fn an_endless_loop_at_the_top_is_not_loaded() {
    if confined() {
        let place = Place::new(Track::Python);
        let report = place.run(
            b"import os\nos.read(0, 1)\nimport time\ntime.sleep(600)",
            ONE,
        );
        let report = report.expect("it can be run");
        assert!(report.not_loaded().is_some(), "{report:?}");
    }
}

#[test]
fn a_fork_bomb_is_bounded_and_leaves_the_neighbour_alone() {
    if !confined() {
        return;
    }
    let bomb = "import os, time
def bomb():
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)
right = reserve
def reserve(path, key, digest, expires):
    bomb()";
    std::thread::scope(|scope| {
        let bad = scope.spawn(|| seen(&run(bomb, ONE)));
        let good = run("", ONE);
        assert!(good.is_green(), "{:?}", not_passed(&good));
        let (word, saw) = bad.join().unwrap();
        assert!(
            matches!(word, TestWord::TimedOut | TestWord::Errored),
            "{word:?} {saw}"
        );
    });
}

#[test]
fn a_bomb_of_threads_is_bounded() {
    if confined() {
        let (word, saw) = reserve(
            "import threading, time
    for _ in range(500): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    return right(path, key, digest, expires)",
        );
        assert_ne!(word, TestWord::Passed);
        assert!(saw.contains("start new thread"), "{saw}");
    }
}

#[test]
fn a_memory_bomb_gets_a_memory_error() {
    if confined() {
        let (word, saw) = reserve("x = [bytes(1 << 28) for _ in range(100)]");
        assert_eq!(word, TestWord::Failed, "{saw}");
        assert!(saw.contains("MemoryError"), "{saw}");
    }
}

#[test]
fn a_gigabyte_of_output_ends_at_the_limit() {
    if !confined() {
        return;
    }
    for stream in ["stdout", "stderr"] {
        let (word, saw) = reserve(&format!(
            "import sys
    for _ in range(1000): sys.{stream}.write('x' * (1 << 20))
    return right(path, key, digest, expires)"
        ));
        assert_eq!(word, TestWord::Errored, "{saw}");
        assert!(saw.contains("wrote more than 16 MiB"), "{saw}");
    }
}

#[test]
fn a_flood_on_the_channel_itself_is_no_answer() {
    if confined() {
        let (word, saw) = reserve(
            "import os
    for number in range(3, 20):
        try: os.write(number, b'{' + b' ' * (3 << 20) + b'\\n')
        except OSError: pass
    return right(path, key, digest, expires)",
        );
        assert!(
            matches!(word, TestWord::Errored | TestWord::TimedOut),
            "{saw}"
        );
    }
}

#[test]
fn output_that_imitates_the_protocol_is_no_answer() {
    if confined() {
        let report = run(
            r#"import os
right = reserve
def reserve(path, key, digest, expires):
    lie = '{"id":1,"returns":false}\n{"hello":1,"lab":"retention"}\n'
    print(lie)
    os.write(1, lie.encode())
    os.write(2, lie.encode())
    return right(path, key, digest, expires)"#,
            ONE,
        );
        assert!(report.is_green(), "{:?}", not_passed(&report));
    }
}

#[test]
fn a_second_answer_on_the_channel_is_found_out() {
    if confined() {
        let (word, _) = reserve(
            r#"import os
    for number in range(3, 20):
        try: os.write(number, b'{"id":1,"returns":true}\n{"id":9,"returns":true}\n')
        except OSError: pass
    return 7"#,
        );
        assert_ne!(word, TestWord::Passed);
    }
}

#[test]
fn closed_descriptors_are_an_error_of_its_own() {
    if confined() {
        let (word, saw) = reserve("import os; os.closerange(0, 200); return True");
        assert_eq!(word, TestWord::Errored, "{saw}");
    }
}

#[test]
fn an_exit_in_the_middle_is_told() {
    if confined() {
        let (word, saw) = reserve("import os; os._exit(0)");
        assert_eq!(word, TestWord::Errored);
        assert!(saw.contains("exited with code 0"), "{saw}");
    }
}

#[test]
fn a_patched_sqlite_does_not_fool_the_lab() {
    if confined() {
        let (word, saw) = seen(&run(
            "class Fake:
    rowcount = 1
    def __getattr__(self, name): return lambda *a: self
    def __enter__(self): return self
    def __exit__(self, *a): pass
sqlite3.connect = lambda *a, **k: Fake()",
            ONE,
        ));
        assert_eq!(word, TestWord::Failed, "{saw}");
    }
}

#[test]
fn a_table_of_known_tests_does_not_fool_the_lab() {
    if confined() {
        let (word, saw) = reserve("return {'k1': True}.get(key, True)");
        assert_eq!(word, TestWord::Failed, "{saw}");
    }
}

#[test]
fn deep_recursion_is_its_own_loss() {
    if !confined() {
        return;
    }
    let (word, saw) = reserve("return reserve(path, key, digest, expires)");
    assert_eq!(word, TestWord::Failed);
    assert!(saw.contains("RecursionError"), "{saw}");
    let (word, saw) = reserve(
        "import sys; sys.setrecursionlimit(10**9)
    def deep(n): return [deep(m) for m in [n]]
    deep(0)",
    );
    assert_ne!(word, TestWord::Passed, "{saw}");
}

#[test]
fn odd_values_are_no_answers() {
    if !confined() {
        return;
    }
    let values = ["10 ** 400", "float('nan')", "'\\ud800'", "object()"];
    for value in values {
        let (word, saw) = reserve(&format!("return {value}"));
        assert_eq!(word, TestWord::Failed, "{value}: {saw}");
    }
    for value in ["10 ** 10 ** 9", "[[]] * 10_000_000"] {
        let (word, _) = reserve(&format!("return {value}"));
        assert!(matches!(word, TestWord::TimedOut | TestWord::Failed));
    }
}

#[test]
fn a_file_that_is_not_utf8_is_not_loaded() {
    if confined() {
        let place = Place::new(Track::Python);
        let report = place.run(b"x = '\xff\xfe'\n", ONE).expect("it can be run");
        let why = report.not_loaded().unwrap_or_default();
        assert!(why.contains("SyntaxError"), "{why}");
    }
}

#[test]
fn a_file_that_is_a_link_or_a_device_is_not_read() {
    if !confined() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("retention.py");
    std::os::unix::fs::symlink("/etc/passwd", &link).unwrap();
    for file in [link.as_path(), std::path::Path::new("/dev/zero")] {
        let bench = idemlab::lab::Bench::new(lab(), Track::Python, Interrupt::default())
            .unwrap()
            .confined(confinement().unwrap());
        let fault = bench.submission(file, &[], &|_| {}).unwrap_err();
        assert!(fault.to_string().contains("failed to copy"), "{fault}");
    }
}

const GIVEN: &str = "pending-key-is-finished-once";

/// A test whose table has rows before the first call.
fn with_rows() -> &'static str {
    let tests = lab().tests_in(Track::Python);
    let mut known = tests.filter(|test| !test.given.is_empty() && !test.is_forced());
    known.next().map_or(GIVEN, |test| &test.id)
}

/// Runs `text` before each function of the reference, on a test with rows.
fn before_each(text: &str) -> SubjectReport {
    let all = "import os
def before(path):
    try:
        attack(path)
    except sqlite3.Error:
        pass
for _name in ['init_db', 'reserve', 'finish', 'fetch', 'expired', 'purge', 'counts', 'retention_cycle']:
    def _wrap(right):
        def function(path, *rest, **more):
            result = right(path, *rest, **more)
            before(path)
            return result
        return function
    globals()[_name] = _wrap(globals()[_name])
";
    run(&format!("{text}\n{all}"), &[with_rows()])
}

#[test]
fn a_database_that_is_deleted_or_replaced_is_a_failure() {
    if !confined() {
        return;
    }
    for attack in [
        "os.remove(path)",
        "os.remove(path); sqlite3.connect(path).close()",
        "open(path, 'wb').write(b'no database' * 1000)",
        "os.remove(path); os.mkdir(path)",
        "os.truncate(path, 100)",
    ] {
        let report = before_each(&format!("def attack(path):\n    {attack}"));
        assert!(!report.is_green(), "{attack}");
        assert_ne!(seen(&report).0, TestWord::NotRun, "{attack}");
    }
}

#[test]
fn tricks_with_pragmas_and_schemas_neither_hang_nor_fool_the_lab() {
    if !confined() {
        return;
    }
    let start = Instant::now();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n";
    for attack in [
        format!(
            "ALTER TABLE keys RENAME TO hidden; CREATE VIEW keys AS SELECT i AS id, i AS \
             fingerprint, i AS status, i AS response, i AS expires FROM ({endless})"
        ),
        "ALTER TABLE keys RENAME TO hidden; CREATE VIEW keys AS SELECT hex(zeroblob(400000000)) \
         AS id, '' AS fingerprint, '' AS status, '' AS response, 0 AS expires"
            .to_owned(),
        "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql='CREATE TABLE keys(x)'; \
         PRAGMA schema_version=98"
            .to_owned(),
        "PRAGMA writable_schema=ON; DELETE FROM sqlite_schema; PRAGMA schema_version=99".to_owned(),
        "DROP TABLE keys".to_owned(),
    ] {
        let report = before_each(&format!(
            "def attack(path):\n    sqlite3.connect(path).executescript({attack:?})"
        ));
        assert!(!report.is_green(), "{attack}");
    }
    assert!(start.elapsed() < Duration::from_mins(2), "it took too long");
}

#[test]
fn a_lock_that_is_left_is_a_failure() {
    if confined() {
        let report = run(
            "right = reserve
held = []
def reserve(path, key, digest, expires):
    result = right(path, key, digest, expires)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute('BEGIN IMMEDIATE')
    held.append(db)
    return result",
            ONE,
        );
        assert!(!report.is_green());
    }
}
