use std::time::Duration;

use serde_json::{Map, json};

use super::*;
use crate::model::{Call, Callbacks, Forced, Growth, Memory};

fn call_line(expect: Vec<Expected>) -> Line {
    let call = Call {
        function: "f".to_owned(),
        with: Map::new(),
        inputs: Vec::new(),
        process: 1,
        callbacks: Vec::new(),
    };
    Line {
        number: 1,
        action: Action::Call { call, expect },
        callbacks: Callbacks::default(),
    }
}

fn seen(seen: Seen) -> LineSeen {
    LineSeen {
        line: 1,
        seen,
        before: Vec::new(),
        after: Vec::new(),
        held: Duration::ZERO,
        waiting: None,
        asked: Vec::new(),
        waited: false,
    }
}

fn outcomes(outcomes: Vec<Outcome>) -> LineSeen {
    seen(Seen::Outcomes {
        outcomes,
        left_locked: false,
        unforced: None,
    })
}

fn returned(value: Value) -> Outcome {
    Outcome::Returned(value)
}

fn raised(kind: &str) -> Outcome {
    Outcome::Raised {
        kind: kind.to_owned(),
        message: "no".to_owned(),
    }
}

fn word(expect: Vec<Expected>, outcome: Outcome) -> TestWord {
    judge(&call_line(expect), &outcomes(vec![outcome])).word
}

#[test]
fn numbers_are_compared_by_value_and_nothing_else_is() {
    let one = || vec![Expected::Returns(json!({"a": [1]}))];
    assert_eq!(word(one(), returned(json!({"a": [1.0]}))), TestWord::Passed);
    for other in [
        json!({"a": ["1"]}),
        json!({"a": [true]}),
        json!({"a": [1, 1]}),
        json!({"b": [1]}),
        json!({"a": [1], "b": 1}),
        json!(null),
    ] {
        assert_eq!(
            word(one(), returned(other.clone())),
            TestWord::Failed,
            "{other}"
        );
    }
}

#[test]
fn one_for_true_is_right_and_told_and_another_number_is_wrong() {
    let verdict = judge(
        &call_line(vec![Expected::Truth(true)]),
        &outcomes(vec![returned(json!(1))]),
    );
    assert_eq!(verdict.word, TestWord::Passed);
    assert_eq!(verdict.notes[0].mark, Mark::Strictness);
    for (want, got) in [
        (true, json!(0)),
        (false, json!(1)),
        (true, json!(2)),
        (false, json!(null)),
        (true, json!("true")),
        (true, json!(false)),
    ] {
        assert_eq!(
            word(vec![Expected::Truth(want)], returned(got.clone())),
            TestWord::Failed,
            "{want} {got}"
        );
    }
    let exact = judge(
        &call_line(vec![Expected::Truth(true)]),
        &outcomes(vec![returned(json!(true))]),
    );
    assert_eq!((exact.word, exact.notes.len()), (TestWord::Passed, 0));
}

#[test]
fn a_stored_false_is_not_zero() {
    let verdict = word(vec![Expected::Returns(json!(false))], returned(json!(0)));
    assert_eq!(verdict, TestWord::Failed);
}

#[test]
fn a_refusal_is_of_the_functions_own_making() {
    let refuses = || vec![Expected::Raises(Raises::BadArgument)];
    for kind in [
        "ValueError",
        "TypeError",
        "BadArgument",
        "limits.LimitError",
        "AssertionError",
    ] {
        assert_eq!(word(refuses(), raised(kind)), TestWord::Passed, "{kind}");
    }
    for kind in [
        "NameError",
        "AttributeError",
        "sqlite3.OperationalError",
        "sqlite3.Whatever",
        "panic",
        "Locked",
        "Sqlite",
    ] {
        assert_eq!(word(refuses(), raised(kind)), TestWord::Failed, "{kind}");
    }
    assert_eq!(word(refuses(), returned(json!(null))), TestWord::Failed);
    assert_eq!(
        word(vec![Expected::Raises(Raises::Any)], raised("NameError")),
        TestWord::Passed
    );
    assert_eq!(
        word(
            vec![Expected::Raises(Raises::Conflict)],
            raised("charge.ConflictError")
        ),
        TestWord::Passed
    );
    assert_eq!(
        word(
            vec![Expected::Raises(Raises::Conflict)],
            raised("InProgressError")
        ),
        TestWord::Failed
    );
    assert_eq!(
        word(
            vec![Expected::Raises(Raises::InProgress)],
            raised("InProgress")
        ),
        TestWord::Passed
    );
}

#[test]
fn a_refusal_that_can_be_switched_off_is_right_and_told() {
    let notes = |kind| {
        let line = call_line(vec![Expected::Raises(Raises::BadArgument)]);
        let verdict = judge(&line, &outcomes(vec![raised(kind)]));
        assert_eq!(verdict.word, TestWord::Passed, "{kind}");
        verdict.notes
    };
    let told = notes("AssertionError");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].mark, Mark::Strictness);
    assert!(told[0].text.contains("assert"));
    assert_eq!(notes("ValueError"), []);
}

#[test]
fn an_answer_that_json_cannot_say_is_no_refusal() {
    for raises in [Raises::Any, Raises::BadArgument] {
        let verdict = word(vec![Expected::Raises(raises)], raised("NotJson"));
        assert_eq!(verdict, TestWord::Failed, "{raises:?}");
    }
}

#[test]
fn a_slip_of_the_pen_is_known_by_the_last_part_of_its_name() {
    for name in ["NameError", "builtins.NameError", "kit::BadCall"] {
        assert!(is_slip(name), "{name}");
    }
    for name in ["ValueError", "NameError.Other", ""] {
        assert!(!is_slip(name), "{name}");
    }
}

#[test]
fn a_call_that_expects_nothing_must_still_answer() {
    assert_eq!(word(Vec::new(), returned(json!(7))), TestWord::Passed);
    assert_eq!(word(Vec::new(), raised("ValueError")), TestWord::Failed);
}

#[test]
fn any_of_several_outcomes_is_right() {
    let either = || vec![Expected::Raises(Raises::Any), Expected::Returns(json!([]))];
    assert_eq!(word(either(), returned(json!([]))), TestWord::Passed);
    assert_eq!(word(either(), raised("x")), TestWord::Passed);
    assert_eq!(word(either(), returned(json!(["a"]))), TestWord::Failed);
}

#[test]
fn what_is_no_answer_has_its_own_word() {
    let silent = Outcome::Silent {
        waited: Duration::from_secs(1),
    };
    let died = Outcome::Died {
        how: "x".to_owned(),
        stderr: String::new(),
    };
    let garbled = Outcome::Garbled {
        sent: "x".to_owned(),
        why: "y".to_owned(),
    };
    let any = || vec![Expected::Raises(Raises::Any)];
    assert_eq!(word(any(), silent), TestWord::TimedOut);
    assert_eq!(word(any(), died), TestWord::Errored);
    assert_eq!(word(any(), garbled), TestWord::Errored);
}

#[test]
fn a_lock_left_behind_turns_a_right_answer_red() {
    let line = call_line(vec![Expected::Returns(json!(1))]);
    let locked = seen(Seen::Outcomes {
        outcomes: vec![returned(json!(1))],
        left_locked: true,
        unforced: None,
    });
    assert_eq!(judge(&line, &locked).word, TestWord::Failed);
}

fn table(rows: Vec<Vec<Cell>>) -> TableRows {
    TableRows {
        table: "keys".to_owned(),
        rows,
    }
}

#[test]
fn rows_are_compared_whole_and_in_order() {
    let a = || vec![Cell::Text("a".to_owned()), Cell::Integer(1)];
    let b = || vec![Cell::Text("b".to_owned()), Cell::Null];
    let line = |rows| Line {
        number: 1,
        action: Action::Rows(vec![table(rows)]),
        callbacks: Callbacks::default(),
    };
    let judge_rows = |want, got| judge(&line(want), &seen(Seen::Rows(vec![table(got)]))).word;
    assert_eq!(judge_rows(vec![a(), b()], vec![a(), b()]), TestWord::Passed);
    let real = vec![Cell::Text("a".to_owned()), Cell::Real(1.0)];
    assert_eq!(judge_rows(vec![a()], vec![real]), TestWord::Passed);
    for got in [
        vec![b(), a()],
        vec![a()],
        vec![a(), b(), b()],
        vec![a(), a()],
        vec![],
    ] {
        assert_eq!(judge_rows(vec![a(), b()], got), TestWord::Failed);
    }
    let short = vec![Cell::Text("a".to_owned())];
    assert_eq!(judge_rows(vec![a()], vec![short]), TestWord::Failed);
    assert_eq!(
        judge(&line(vec![]), &seen(Seen::Rows(vec![]))).word,
        TestWord::Failed
    );
}

#[test]
fn a_json_cell_is_compared_by_value_and_must_be_text() {
    let want = Cell::Json(json!({"a": 1, "b": [2]}));
    assert!(want.accepts(&Cell::Text("{ \"b\":[2.0], \"a\":1 }".to_owned())));
    for other in [
        Cell::Text("{'a':1}".to_owned()),
        Cell::Null,
        Cell::Integer(1),
        Cell::Text("{\"a\":1}".to_owned()),
    ] {
        assert!(!want.accepts(&other), "{other:?}");
    }
}

#[test]
fn a_query_and_a_refusal_are_judged() {
    let ask = Line {
        number: 1,
        action: Action::Query {
            sql: "q".to_owned(),
            gives: vec![vec![Cell::Integer(2)]],
        },
        callbacks: Callbacks::default(),
    };
    assert_eq!(
        judge(&ask, &seen(Seen::Answer(vec![vec![Cell::Integer(2)]]))).word,
        TestWord::Passed
    );
    assert_eq!(
        judge(&ask, &seen(Seen::Answer(vec![vec![Cell::Integer(3)]]))).word,
        TestWord::Failed
    );
    assert_eq!(
        judge(&ask, &seen(Seen::Refused("no such table".to_owned()))).word,
        TestWord::Failed
    );
    let refused = Line {
        number: 1,
        action: Action::Refused("INSERT".to_owned()),
        callbacks: Callbacks::default(),
    };
    assert_eq!(
        judge(&refused, &seen(Seen::Refused("UNIQUE".to_owned()))).word,
        TestWord::Passed
    );
    assert_eq!(judge(&refused, &seen(Seen::Ran)).word, TestWord::Failed);
    let sql = Line {
        number: 1,
        action: Action::Sql("x".to_owned()),
        callbacks: Callbacks::default(),
    };
    assert_eq!(judge(&sql, &seen(Seen::Ran)).word, TestWord::Passed);
    assert_eq!(
        judge(&sql, &seen(Seen::Refused("locked".to_owned()))).word,
        TestWord::Failed
    );
}

fn forced(expect: Joint) -> Line {
    let call = Call {
        function: "f".to_owned(),
        with: Map::new(),
        inputs: Vec::new(),
        process: 1,
        callbacks: Vec::new(),
    };
    let forced = Forced {
        patient: false,
        at_once: 0,
        calls: vec![call.clone(), call],
        held: true,
        meanwhile: Vec::new(),
        expect,
    };
    Line {
        number: 1,
        action: Action::Forced(forced),
        callbacks: Callbacks::default(),
    }
}

#[test]
fn outcomes_fit_in_any_order_and_each_only_once() {
    let line = forced(Joint::Unordered(vec![
        Expected::Truth(true),
        Expected::Truth(false),
    ]));
    let word = |a: bool, b: bool| {
        judge(
            &line,
            &outcomes(vec![returned(json!(a)), returned(json!(b))]),
        )
        .word
    };
    assert_eq!(word(true, false), TestWord::Passed);
    assert_eq!(word(false, true), TestWord::Passed);
    assert_eq!(word(true, true), TestWord::Failed);
    assert_eq!(word(false, false), TestWord::Failed);
    let both = forced(Joint::Unordered(vec![Expected::Truth(true); 2]));
    let alike = |a: bool, b: bool| {
        let seen = outcomes(vec![returned(json!(a)), returned(json!(b))]);
        judge(&both, &seen).word
    };
    assert_eq!(alike(true, true), TestWord::Passed);
    assert_eq!(alike(true, false), TestWord::Failed);
    assert_eq!(alike(false, false), TestWord::Failed);
}

#[test]
fn a_case_needs_its_outcomes_and_its_rows() {
    let row = |value: &str| table(vec![vec![Cell::Text(value.to_owned())]]);
    let case = |first: bool, value: &str| Case {
        outcomes: vec![Expected::Truth(first), Expected::Truth(!first)],
        rows: vec![row(value)],
    };
    let line = forced(Joint::OneOf(vec![case(true, "v1"), case(false, "v2")]));
    let word = |first: bool, second: bool, value: &str| {
        let mut line_seen = outcomes(vec![returned(json!(first)), returned(json!(second))]);
        line_seen.after = vec![row(value)];
        judge(&line, &line_seen).word
    };
    assert_eq!(word(true, false, "v1"), TestWord::Passed);
    assert_eq!(word(false, true, "v2"), TestWord::Passed);
    assert_eq!(word(true, false, "v2"), TestWord::Failed);
    assert_eq!(word(true, true, "v1"), TestWord::Failed);
}

#[test]
fn an_order_that_was_not_forced_is_never_red() {
    let line = forced(Joint::Unordered(vec![
        Expected::Truth(true),
        Expected::Truth(false),
    ]));
    let unforced = seen(Seen::Outcomes {
        outcomes: vec![raised("Locked"), returned(json!(true))],
        left_locked: false,
        unforced: Some("the call gave up on the lock".to_owned()),
    });
    assert_eq!(judge(&line, &unforced).word, TestWord::Inconclusive);
}

#[test]
fn every_kind_of_line_has_a_verdict_of_its_own() {
    let call = || Call {
        function: "f".to_owned(),
        with: Map::new(),
        inputs: Vec::new(),
        process: 1,
        callbacks: Vec::new(),
    };
    let word = |action, of: LineSeen| {
        let line = Line {
            number: 1,
            action,
            callbacks: Callbacks::default(),
        };
        judge(&line, &of).word
    };
    let during = || Action::KillDuring {
        call: call(),
        callback: "charge".to_owned(),
    };
    let killed = || outcomes(vec![Outcome::Killed]);
    assert_eq!(word(during(), killed()), TestWord::Passed);
    let growth = Action::Growth(Growth {
        call: call(),
        times: vec![1, 10],
        at_most: 30.0,
    });
    let (pairs, ended) = (Vec::new(), None);
    let grown = seen(Seen::Grown { pairs, ended });
    assert_eq!(word(growth, grown), TestWord::Passed);
    let memory = Action::Memory(Memory {
        call: call(),
        against: call(),
        at_least: 1,
    });
    let (tries, ended) = (vec![(1, 1)], None);
    let needed = seen(Seen::Needed { tries, ended });
    assert_eq!(word(memory, needed), TestWord::Passed);
    // What one line saw says nothing of another.
    assert_eq!(word(during(), seen(Seen::Ran)), TestWord::Errored);
}

#[test]
fn each_kind_of_refusal_has_a_name() {
    for (raises, kinds) in [
        (Raises::Conflict, ["Conflict", "m.ConflictError"]),
        (Raises::InProgress, ["InProgress", "m.InProgressError"]),
        (Raises::Callback, ["CallbackError", "m.CallbackError"]),
    ] {
        let word = |kind: &str| word(vec![Expected::Raises(raises)], raised(kind));
        for kind in kinds {
            assert_eq!(word(kind), TestWord::Passed, "{kind}");
        }
        for kind in ["Error", "ValueError", "Busy"] {
            assert_eq!(word(kind), TestWord::Failed, "{kind}");
        }
    }
}

#[test]
fn a_kill_is_judged_by_whether_it_came_in_time() {
    let call = Call {
        function: "f".to_owned(),
        with: Map::new(),
        inputs: Vec::new(),
        process: 1,
        callbacks: Vec::new(),
    };
    let line = Line {
        number: 1,
        action: Action::Kill(call),
        callbacks: Callbacks::default(),
    };
    let killed = |unforced: Option<&str>| {
        let outcomes = vec![Outcome::Killed];
        let unforced = unforced.map(str::to_owned);
        judge(
            &line,
            &seen(Seen::Outcomes {
                outcomes,
                left_locked: false,
                unforced,
            }),
        )
        .word
    };
    assert_eq!(killed(None), TestWord::Passed);
    assert_eq!(killed(Some("too late")), TestWord::Inconclusive);
    let answered = |outcome: Outcome| {
        let outcomes = vec![outcome];
        let unforced = Some("too late".to_owned());
        let left_locked = false;
        judge(
            &line,
            &seen(Seen::Outcomes {
                outcomes,
                left_locked,
                unforced,
            }),
        )
        .word
    };
    assert_eq!(answered(raised("ValueError")), TestWord::Failed);
    assert_eq!(answered(raised("Locked")), TestWord::Inconclusive);
    assert_eq!(answered(returned(json!([]))), TestWord::Inconclusive);
    let died = Outcome::Died {
        how: "x".to_owned(),
        stderr: String::new(),
    };
    assert_eq!(judge(&line, &outcomes(vec![died])).word, TestWord::Errored);
}
