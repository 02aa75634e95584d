//! Calls that meet in the middle of a callback.

use super::*;
use crate::model::{Callback, CallbackAnswer, Gate};
use crate::run::script::gate;

/// Longer than any test may wait.
const FOREVER: Duration = Duration::from_hours(1);

/// Called `asks`: asks `look` and leaves `$0/looked`, asks `pay` and leaves `$0/go`, and says how
/// that was answered. Called `waits`: sleeps until `go` is there. Called `sees`: says whether
/// `looked` is there. Else answers true.
const MEETS: &str = r#"
while read -r line; do
  case $line in
    *'"asks"'*)
      echo '{"id":1,"callback":"look","with":{}}'; read -r answer; : > "$0/looked"
      echo '{"id":1,"callback":"pay","with":{"amount":5}}'; read -r answer
      case $answer in
        *'"gives":7'*) said='"returns":true';;
        *) said='"raises":{"kind":"CallbackError","message":"no"}';;
      esac
      : > "$0/go"
      echo "{\"id\":1,$said}";;
    *'"waits"'*)
      while [ ! -e "$0/go" ]; do sleep 0.01; done
      echo '{"id":1,"returns":true}';;
    *'"sees"'*)
      said=false; [ ! -e "$0/looked" ] || said=true
      echo "{\"id\":1,\"returns\":$said}";;
    *'"rests"'*) sleep 0.2; echo '{"id":1,"returns":true}';;
    *'"sleeps"'*) exec sleep 1000;;
    *'"gives up"'*) echo '{"id":1,"raises":{"kind":"Locked","message":"busy"}}';;
    *) echo '{"id":1,"returns":true}';;
  esac
done"#;

fn place() -> Place {
    Place::new(&format!("{HELLO}; {MEETS}"))
}

fn named(function: &str, process: usize) -> Call {
    Call {
        function: function.to_owned(),
        callbacks: vec![("pay".to_owned(), vec!["amount".to_owned()])],
        ..call_of(process)
    }
}

fn calls(functions: &[&str]) -> Vec<Call> {
    let numbered = functions.iter().zip(1..);
    numbered.map(|(name, place)| named(name, place)).collect()
}

/// A line whose callbacks give 7.
fn paid(action: Action) -> Line {
    let pay = |name: &str| Callback {
        name: name.to_owned(),
        with: None,
        answer: CallbackAnswer::Gives(json!(7)),
    };
    Line {
        callbacks: Callbacks {
            answers: vec![pay("look"), pay("pay")],
            called: Vec::new(),
        },
        ..line(action)
    }
}

fn gate_of(functions: &[&str], at_once: bool) -> Line {
    paid(Action::Gate(Gate {
        calls: calls(functions),
        held: "pay".to_owned(),
        at_once,
        expect: Vec::new(),
    }))
}

fn with_patience(place: &Place, reply: Duration) -> Subject<'_> {
    let limits = Limits {
        reply,
        ..Limits::default()
    };
    Subject::new(&place.launch, limits, &place.interrupt)
}

#[test]
fn a_call_is_held_in_its_callback_while_the_others_answer() {
    let place = place();
    let mut subject = with_patience(&place, FOREVER);
    let mut session = place.open(&mut subject);
    for at_once in [false, true] {
        let seen = session.run(&gate_of(&["asks", "sees", "f"], at_once));
        assert!(!seen.waited);
        assert!(seen.held > Duration::ZERO);
        let asked: Vec<&str> = seen.asked.iter().map(|asked| asked.name.as_str()).collect();
        assert_eq!(asked, ["look", "pay"]);
        assert_eq!(outcomes(seen), (vec![yes(); 3], false, None));
        session.subject.processes.clear();
    }
}

#[test]
fn one_that_rests_until_the_first_is_let_go_has_waited() {
    for functions in [&["asks", "waits"][..], &["asks", "waits", "waits"]] {
        let place = place();
        let mut subject = with_patience(&place, FOREVER);
        let mut session = place.open(&mut subject);
        let seen = session.run(&gate_of(functions, false));
        assert!(seen.waited, "{functions:?}");
        assert_eq!(outcomes(seen).0, vec![yes(); functions.len()]);
    }
}

#[test]
fn nobody_waits_for_a_call_that_was_not_held() {
    let place = place();
    let mut subject = with_patience(&place, FOREVER);
    let mut session = place.open(&mut subject);
    let seen = session.run(&gate_of(&["f", "rests"], false));
    assert!(!seen.waited);
    assert_eq!(outcomes(seen).0, vec![yes(); 2]);
}

#[test]
fn a_call_that_gives_up_at_a_gate_says_so() {
    let place = place();
    let mut subject = with_patience(&place, FOREVER);
    let mut session = place.open(&mut subject);
    let (all, _, unforced) = outcomes(session.run(&gate_of(&["asks", "gives up"], false)));
    assert_eq!(all[0], yes());
    assert_eq!(unforced.as_deref(), Some("a call gave up on the lock"));
}

#[test]
fn callbacks_of_calls_side_by_side_are_answered() {
    let place = place();
    let mut subject = with_patience(&place, FOREVER);
    let mut session = place.open(&mut subject);
    let forced = Forced {
        patient: false,
        at_once: 0,
        calls: calls(&["asks", "asks"]),
        held: false,
        meanwhile: Vec::new(),
        expect: Joint::Unordered(Vec::new()),
    };
    let seen = session.run(&paid(Action::Forced(forced)));
    assert_eq!(seen.asked.len(), 4);
    assert_eq!(outcomes(seen), (vec![yes(); 2], false, None));
}

/// The outcomes of two calls side by side, of which the second does not answer.
fn half_answered(reply: Duration, interrupt: &Interrupt) -> Vec<Outcome> {
    let place = place();
    let mut subject = with_patience(&place, reply);
    subject.ready(2).unwrap();
    let mut processes: Vec<&mut Process> = subject.processes.iter_mut().flatten().collect();
    processes[0].send_call(&named("f", 1), &Map::new());
    while !processes[0].has_answered() {
        std::thread::yield_now();
    }
    processes[1].send_call(&named("waits", 2), &Map::new());
    gate::all_answers(&mut processes, &mut Desk::closed(), interrupt)
}

#[test]
fn an_answer_that_does_not_come_is_not_waited_for_without_end() {
    let late = half_answered(Duration::ZERO, &Interrupt::default());
    assert_eq!(late[0], yes());
    assert!(matches!(late[1], Outcome::Silent { .. }), "{late:?}");
    let interrupt = Interrupt::default();
    interrupt.raise();
    let interrupted = half_answered(FOREVER, &interrupt);
    assert_eq!(interrupted[0], yes());
    assert!(matches!(interrupted[1], Outcome::Silent { .. }));
}

#[test]
fn a_call_is_killed_in_its_callback() {
    let place = place();
    let mut subject = with_patience(&place, FOREVER);
    let mut session = place.open(&mut subject);
    let during = |function: &str| {
        paid(Action::KillDuring {
            call: named(function, 1),
            callback: "pay".to_owned(),
        })
    };
    let seen = session.run(&during("asks"));
    assert_eq!(outcomes(seen), (vec![Outcome::Killed], false, None));
    assert!(session.subject.processes[0].is_none());
    assert!(place.note.path().join("looked").exists());
    assert!(!place.note.path().join("go").exists());
    let over = "the call was over without calling `pay`".to_owned();
    let seen = session.run(&during("f"));
    assert_eq!(outcomes(seen), (vec![yes()], false, Some(over)));
    assert!(session.subject.processes[0].is_none());
}

/// Looks at a call until it answers, rests, or is given up.
fn looked(function: &str, at_once: bool, patience: Duration, raised: bool) -> Option<Outcome> {
    let place = place();
    let mut subject = with_patience(&place, FOREVER);
    subject.ready(1).unwrap();
    let process = subject.processes[0].as_mut().unwrap();
    process.send_call(&named(function, 1), &Map::new());
    if function == "rests" {
        while !schedule::sleeps_at_lock(process.id()) && !process.has_answered() {
            std::thread::yield_now();
        }
    }
    if raised {
        place.interrupt.raise();
    }
    let (desk, interrupt) = (&mut Desk::closed(), &place.interrupt);
    gate::look(process, desk, at_once, patience, interrupt)
}

#[test]
fn a_look_at_a_call_ends_when_it_has_answered_or_nothing_more_is_to_be_seen() {
    for at_once in [false, true] {
        assert_eq!(looked("f", at_once, FOREVER, false), Some(yes()));
        assert_eq!(looked("waits", at_once, Duration::ZERO, false), None);
        assert_eq!(looked("waits", at_once, FOREVER, true), None);
    }
    if cfg!(target_os = "linux") {
        assert_eq!(looked("sleeps", false, FOREVER, false), None);
    }
    // One that must answer at once is not left alone where it rests.
    assert_eq!(looked("rests", true, FOREVER, false), Some(yes()));
}
