mod costs;
mod gates;

use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::model::{Callbacks, Cell, Expected, Joint, Mark, Start, TableRows};

const HELLO: &str = r#"echo '{"hello":1,"lab":"retention"}'"#;
/// Answers true to every call.
const ANSWER: &str = r#"n=0
while read -r line; do n=$((n+1)); echo "{\"id\":$n,\"returns\":true}"; done"#;

/// What a session needs around it.
struct Place {
    scratch: Scratch,
    note: TempDir,
    interrupt: Interrupt,
    launch: Launch,
}

impl Place {
    /// A subject that is a shell script; a folder for its notes is in `$0`.
    fn new(script: &str) -> Self {
        let note = TempDir::new().unwrap();
        let arguments = vec!["-c".into(), script.into(), note.path().into()];
        Self {
            scratch: Scratch::new().unwrap(),
            note,
            interrupt: Interrupt::default(),
            launch: Launch::new("retention", "sh".into(), arguments),
        }
    }

    fn subject(&self) -> Subject<'_> {
        Subject::new(&self.launch, Limits::default(), &self.interrupt)
    }

    fn open<'s, 'a>(&self, subject: &'s mut Subject<'a>) -> Session<'s, 'a> {
        Session::open(subject, &self.scratch, &[table()], &test()).unwrap()
    }

    fn notes(&self) -> usize {
        std::fs::read_dir(self.note.path()).unwrap().count()
    }
}

fn table() -> Table {
    Table {
        name: "keys".to_owned(),
        columns: vec!["id".to_owned()],
        create: "CREATE TABLE keys(id TEXT PRIMARY KEY)".to_owned(),
        order_by: "id".to_owned(),
    }
}

fn test() -> Test {
    Test {
        id: "t".to_owned(),
        step: 1,
        title: "t".to_owned(),
        clause: None,
        start: Start::Table,
        given: vec![rows(&["a"])],
        script: Vec::new(),
        tracks: Vec::new(),
        success: false,
        mark: Mark::Contract,
        guard: None,
    }
}

fn rows(ids: &[&str]) -> TableRows {
    TableRows {
        table: "keys".to_owned(),
        rows: ids
            .iter()
            .map(|id| vec![Cell::Text((*id).to_owned())])
            .collect(),
    }
}

fn call_of(process: usize) -> Call {
    Call {
        function: "f".to_owned(),
        with: Map::new(),
        inputs: Vec::new(),
        process,
        callbacks: Vec::new(),
    }
}

fn line(action: Action) -> Line {
    Line {
        number: 7,
        action,
        callbacks: Callbacks::default(),
    }
}

fn call(process: usize) -> Line {
    let expect = Vec::new();
    line(Action::Call {
        call: call_of(process),
        expect,
    })
}

fn forced(calls: usize, held: bool, meanwhile: &[&str]) -> Line {
    forced_with(0, calls, held, meanwhile)
}

fn forced_with(at_once: usize, calls: usize, held: bool, meanwhile: &[&str]) -> Line {
    line(Action::Forced(Forced {
        patient: false,
        at_once,
        calls: (1..=calls).map(call_of).collect(),
        held,
        meanwhile: meanwhile.iter().map(|sql| (*sql).to_owned()).collect(),
        expect: Joint::Unordered(vec![Expected::Truth(true); calls]),
    }))
}

/// The outcomes of a line, whether a lock was left, and why the order was not forced.
fn outcomes(seen: LineSeen) -> (Vec<Outcome>, bool, Option<String>) {
    match seen.seen {
        Seen::Outcomes {
            outcomes,
            left_locked,
            unforced,
        } => (outcomes, left_locked, unforced),
        other => panic!("{other:?}"),
    }
}

fn yes() -> Outcome {
    Outcome::Returned(json!(true))
}

#[test]
fn a_process_is_kept_until_it_cannot_be_spoken_with_and_then_replaced() {
    let place = Place::new(&format!(
        r#"{HELLO}; touch "$0/$$"
        read -r line; echo '{{"id":1,"raises":{{"kind":"No","message":"no"}}}}'
        read -r line; exit 3"#
    ));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let mut ask = || outcomes(session.run(&call(1))).0.remove(0);
    assert!(matches!(ask(), Outcome::Raised { .. }));
    assert!(matches!(ask(), Outcome::Died { .. }));
    assert!(matches!(ask(), Outcome::Raised { .. }));
    assert_eq!(place.notes(), 2);
}

#[test]
fn each_call_goes_to_the_process_that_it_names_with_the_path_of_the_database() {
    let place = Place::new(&format!(
        r#"{HELLO}; read -r line; printf '%s\n' "$line" > "$0/$$"
        echo "{{\"id\":1,\"returns\":$$}}"; read -r line
        echo "{{\"id\":2,\"returns\":$$}}"; read -r line"#
    ));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let mut with = Map::new();
    with.insert("key".to_owned(), json!("k"));
    let named = line(Action::Call {
        call: Call { with, ..call_of(1) },
        expect: Vec::new(),
    });
    let path = session.store.path().to_string_lossy().into_owned();
    let mut ask = |line: &Line| match outcomes(session.run(line)).0.remove(0) {
        Outcome::Returned(value) => value,
        other => panic!("{other:?}"),
    };
    let first = ask(&named);
    let second = ask(&call(2));
    assert_ne!(first, second);
    assert_eq!(ask(&call(2)), second);
    assert_eq!(ask(&call(1)), first);
    let sent = std::fs::read_to_string(place.note.path().join(first.to_string())).unwrap();
    let sent: Value = serde_json::from_str(&sent).unwrap();
    assert_eq!(
        sent,
        json!({"id": 1, "call": "f", "with": {"path": path, "key": "k"}})
    );
}

#[test]
fn what_cannot_be_loaded_is_not_tried_again() {
    let place = Place::new(
        r#"touch "$0/$$"
        echo '{"hello":1,"lab":"retention","failed":{"kind":"No","message":"no"}}'"#,
    );
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    for line in [
        call(1),
        call(2),
        forced(2, false, &[]),
        line(Action::Kill(call_of(1))),
    ] {
        let (all, _, _) = outcomes(session.run(&line));
        let why = "No: no".to_owned();
        assert_eq!(all.last(), Some(&Outcome::NotLoaded { why }));
    }
    assert_eq!(place.notes(), 1);
}

/// Nurseries of the machine's Python; in CI there must be one.
#[cfg(target_os = "linux")]
fn nurseries() -> Option<std::sync::Arc<crate::run::track::Nurseries>> {
    use crate::run::track::{Nurseries, python};
    match python::find() {
        Ok(python) => Some(std::sync::Arc::new(Nurseries::new(python::nursery(python)))),
        Err(missing) => {
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            None
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_two_processes_that_a_test_meets_share_a_seed() {
    let Some(nurseries) = nurseries() else {
        return;
    };
    let mut place = Place::new(&format!("{HELLO}; {ANSWER}"));
    let file = place.scratch.path().join("retention.py");
    // Of a process: whether it was forked, and its seed.
    let source = "import os\ndef f(*_, **__):\n    \
                  return [os.getppid() != LAB, hash('seed')]\n";
    let source = source.replace("LAB", &std::process::id().to_string());
    std::fs::write(&file, source).unwrap();
    let launch = Launch::new("retention", "false".into(), Vec::new());
    let launch = launch.in_folder(place.scratch.path());
    place.launch = launch.nursed_by(&nurseries, &file);
    let seed = |session: &mut Session<'_, '_>, process: usize| {
        let seen = outcomes(session.run(&call(process))).0;
        let [Outcome::Returned(value)] = seen.as_slice() else {
            panic!("{seen:?}");
        };
        assert_eq!(value[0], true, "it was not forked");
        value[1].as_i64().unwrap()
    };
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let first = seed(&mut session, 1);
    drop(session);
    // The first still runs, so the second has a seed of its own.
    let mut session = place.open(&mut subject);
    let second = seed(&mut session, 2);
    assert_ne!(first, second);
    // One that takes the place of another has neither's.
    session.run(&line(Action::Kill(call_of(1))));
    let third = seed(&mut session, 1);
    assert!(third != first && third != second);
    drop(session);
    // In another test the first seed is free again.
    let mut session = place.open(&mut subject);
    assert_eq!(seed(&mut session, 1), third);
    session.run(&line(Action::Kill(call_of(1))));
    assert_eq!(seed(&mut session, 1), first);
    // There is no fourth; such a process is started as any other, and here none can be.
    session.run(&line(Action::Kill(call_of(1))));
    let seen = outcomes(session.run(&call(1))).0;
    assert!(
        matches!(seen.as_slice(), [Outcome::NotLoaded { .. }]),
        "{seen:?}"
    );
}

#[test]
fn those_who_wait_are_counted_only_where_the_script_asks_for_it() {
    let place = Place::new(&format!("{HELLO}; {ANSWER}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    assert_eq!(session.run(&forced(2, true, &[])).waiting, None);
    let counted = session.run(&forced_with(1, 2, true, &[])).waiting;
    assert_eq!(counted.is_some(), cfg!(target_os = "linux"));
}

#[test]
fn a_process_that_dies_in_a_forced_order_is_replaced() {
    let place = Place::new(&format!(
        r#"if mkdir "$0/first" 2>/dev/null; then {HELLO}; read -r line; exit 1; fi
        {HELLO}; {ANSWER}"#
    ));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let (all, _, _) = outcomes(session.run(&forced(2, false, &[])));
    assert!(matches!(all[0], Outcome::Died { .. }), "{all:?}");
    assert_eq!(all[1], yes());
    let (all, _, unforced) = outcomes(session.run(&forced(2, false, &[])));
    assert_eq!((all, unforced), (vec![yes(), yes()], None));
}

#[test]
fn what_the_lab_changes_under_its_lock_is_there_afterwards_and_the_lock_is_not() {
    let place = Place::new(&format!("{HELLO}; {ANSWER}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let change = ["INSERT INTO keys VALUES('b')"];
    let seen = session.run(&forced(2, true, &change));
    assert_eq!(seen.line, 7);
    assert_eq!(seen.before, [rows(&["a"])]);
    assert_eq!(seen.after, [rows(&["a", "b"])]);
    assert!(seen.held > Duration::ZERO);
    assert_eq!(outcomes(seen), (vec![yes(), yes()], false, None));
    // Without the lock there is nothing to change under it.
    let seen = session.run(&forced(2, false, &["INSERT INTO keys VALUES('c')"]));
    assert_eq!(seen.after, [rows(&["a", "b"])]);
    assert_eq!(seen.held, Duration::ZERO);
    assert_eq!(outcomes(seen), (vec![yes(), yes()], false, None));
}

#[test]
fn a_change_that_is_refused_leaves_no_lock() {
    let place = Place::new(&format!("{HELLO}; {ANSWER}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let seen = session.run(&forced(1, true, &["INSERT INTO keys VALUES('a')"]));
    assert!(matches!(&seen.seen, Seen::Refused(words) if words.contains("UNIQUE")));
    assert!(!session.store.is_locked());
    assert_eq!(outcomes(session.run(&call(1))), (vec![yes()], false, None));
}

#[test]
fn a_call_that_gives_up_on_the_lock_is_a_right_answer_if_it_changed_nothing() {
    let locked = || Outcome::Raised {
        kind: "Locked".to_owned(),
        message: "busy".to_owned(),
    };
    let (before, after) = (vec![rows(&["a"])], vec![rows(&["b"])]);
    assert!(gave_up(&[locked()], Some(&before), &before));
    assert!(gave_up(&[locked()], None, &after));
    assert!(!gave_up(&[locked()], Some(&before), &after));
    assert!(gave_up(&[yes(), locked()], Some(&before), &after));
    assert!(!gave_up(&[yes()], Some(&before), &before));
    assert!(!gave_up(&[yes(), yes()], Some(&before), &after));
}

#[test]
fn a_call_that_gave_up_says_so() {
    let place = Place::new(&format!(
        r#"{HELLO}; read -r line
        echo '{{"id":1,"raises":{{"kind":"Locked","message":"busy"}}}}'; read -r line"#
    ));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let (_, _, unforced) = outcomes(session.run(&forced(1, true, &[])));
    assert_eq!(unforced.as_deref(), Some("the call gave up on the lock"));
}

#[test]
fn a_kill_comes_once_the_lock_was_held_for_a_while() {
    let place = Place::new(&format!("{HELLO}; read -r line; read -r more"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    // The lock is taken in the subject's stead.
    let other = Connection::open(session.store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let seen = session.run(&line(Action::Kill(call_of(1))));
    assert!(seen.held >= SETTLED, "{:?}", seen.held);
    assert_eq!(outcomes(seen), (vec![Outcome::Killed], true, None));
    assert!(session.subject.processes[0].is_none());
}

#[test]
fn a_call_that_is_over_cannot_be_killed() {
    let place = Place::new(&format!("{HELLO}; {ANSWER}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let seen = session.run(&line(Action::Kill(call_of(1))));
    let (all, locked, unforced) = outcomes(seen);
    assert_eq!((all, locked), (vec![yes()], false));
    assert!(unforced.is_some_and(|why| why.contains("over before")));
}

#[test]
fn a_lock_that_is_left_is_told() {
    let place = Place::new(&format!("{HELLO}; {ANSWER}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let other = Connection::open(session.store.path()).unwrap();
    assert_eq!(outcomes(session.run(&call(1))), (vec![yes()], false, None));
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(outcomes(session.run(&call(1))), (vec![yes()], true, None));
}

#[test]
fn the_labs_own_lines_see_what_is_there() {
    let place = Place::new("exit 1");
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let sql = |sql: &str| line(Action::Sql(sql.to_owned()));
    let seen = session.run(&sql("INSERT INTO keys VALUES('b')"));
    assert_eq!(seen.seen, Seen::Ran);
    assert_eq!(
        (seen.before, seen.after),
        (vec![rows(&["a"])], vec![rows(&["a", "b"])])
    );
    let again = line(Action::Refused("INSERT INTO keys VALUES('b')".to_owned()));
    assert!(matches!(session.run(&again).seen, Seen::Refused(_)));
    let looked = session.run(&line(Action::Rows(vec![rows(&[])])));
    assert_eq!(looked.seen, Seen::Rows(vec![rows(&["a", "b"])]));
    let other = TableRows {
        table: "others".to_owned(),
        rows: Vec::new(),
    };
    let looked = session.run(&line(Action::Rows(vec![other])));
    assert!(matches!(looked.seen, Seen::Refused(_)));
    let ask = |sql: &str| {
        line(Action::Query {
            sql: sql.to_owned(),
            gives: Vec::new(),
        })
    };
    let counted = session.run(&ask("SELECT COUNT(*) FROM keys"));
    assert_eq!(counted.seen, Seen::Answer(vec![vec![Cell::Integer(2)]]));
    assert!(matches!(
        session.run(&ask("SELECT nothing")).seen,
        Seen::Refused(_)
    ));
}

#[test]
fn nothing_of_a_test_is_left_behind() {
    let place = Place::new("exit 1");
    for more in [None, Some("more")] {
        let mut subject = place.subject();
        let session = place.open(&mut subject);
        let folder = session.folder.clone();
        if let Some(name) = more {
            std::fs::write(folder.join(name), "").unwrap();
        }
        assert!(session.store.path().is_file());
        drop(session);
        assert!(!folder.exists());
    }
}

#[test]
fn what_fails_is_tried_again_until_the_limit() {
    let tries = |limit, fails: usize| {
        let mut count = 0;
        let result = try_for(limit, || {
            count += 1;
            if count > fails {
                Ok(())
            } else {
                Err(count.to_string())
            }
        });
        (result, count)
    };
    let long = Duration::from_hours(1);
    assert_eq!(tries(long, 0), (Ok(()), 1));
    assert_eq!(tries(long, 2), (Ok(()), 3));
    assert_eq!(tries(Duration::ZERO, 9), (Err("1".to_owned()), 1));
}

#[test]
fn a_commit_that_a_reader_prevents_gives_the_lock_up() {
    let place = Place::new("exit 1");
    let mut subject = place.subject();
    let session = place.open(&mut subject);
    let store = &session.store;
    let reader = Connection::open(store.path()).unwrap();
    reader.execute_batch("BEGIN").unwrap();
    let count = |db: &Connection| -> i64 {
        db.query_row("SELECT COUNT(*) FROM keys", [], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(count(&reader), 1);
    store.lock().unwrap();
    store.run("INSERT INTO keys VALUES('b')").unwrap();
    assert!(commit(store).is_err());
    reader.execute_batch("COMMIT").unwrap();
    assert!(!store.is_locked());
    assert_eq!(count(&reader), 1);
    store.lock().unwrap();
    store.run("INSERT INTO keys VALUES('c')").unwrap();
    assert_eq!(commit(store), Ok(()));
    assert_eq!(count(&reader), 2);
}
