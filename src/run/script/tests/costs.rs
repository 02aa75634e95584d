//! What calls cost, and calls that are made once for each file.

use super::*;
use crate::model::{Each, Growth, Input, Memory};

fn input(events: u64) -> (String, Input) {
    let input = Input {
        id: "i".to_owned(),
        title: "i".to_owned(),
        new: events,
        again: 0,
        over: 60,
        within: 1,
        scatter: 0,
        seed: 1,
    };
    ("events".to_owned(), input)
}

fn growth(times: &[u64]) -> Line {
    line(Action::Growth(Growth {
        call: Call {
            inputs: vec![input(10)],
            ..call_of(1)
        },
        times: times.to_vec(),
        at_most: 30.0,
    }))
}

/// The pairs of a line, and how it ended if not as it should.
fn grown(seen: LineSeen) -> (Vec<cost::Pair>, Option<Outcome>) {
    match seen.seen {
        Seen::Grown { pairs, ended } => (pairs, ended),
        other => panic!("{other:?}"),
    }
}

#[test]
fn growth_is_measured_size_by_size() {
    let place = Place::new(&format!("{HELLO}; {ANSWER}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let (pairs, ended) = grown(session.run(&growth(&[1, 2, 4])));
    assert_eq!(ended, None);
    let sizes: Vec<(u64, u64)> = pairs.iter().map(|pair| (pair.from, pair.to)).collect();
    assert_eq!(sizes, [(10, 20), (20, 40)]);
    assert!(session.subject.processes[0].is_some());
    let (pairs, ended) = grown(session.run(&growth(&[])));
    assert_eq!((pairs, ended), (Vec::new(), None));
}

#[test]
fn growth_that_is_too_dear_is_settled_at_once() {
    // A long line is a large input, and makes much work.
    let work = r#"n=0
    while read -r line; do
      n=$((n+1)); i=0
      [ ${#line} -lt 2000 ] || while [ $i -lt 60000 ]; do i=$((i+1)); done
      echo "{\"id\":$n,\"returns\":true}"
    done"#;
    let place = Place::new(&format!("{HELLO}; {work}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let (pairs, ended) = grown(session.run(&growth(&[1, 100, 1000])));
    assert_eq!(ended, None);
    assert_eq!(pairs.len(), 1);
    assert!(pairs[0].is_over(30.0), "{pairs:?}");
}

#[test]
fn a_measured_call_that_does_not_return_is_told() {
    let dies = "n=0; while read -r line; do exit 3; done";
    let place = Place::new(&format!("{HELLO}; {dies}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let (pairs, ended) = grown(session.run(&growth(&[1, 10])));
    assert_eq!(pairs, []);
    assert!(matches!(ended, Some(Outcome::Died { .. })), "{ended:?}");
    assert!(session.subject.processes[0].is_none());
    let raises =
        r#"read -r line; echo '{"id":1,"raises":{"kind":"No","message":"no"}}'; read -r l"#;
    let place = Place::new(&format!("{HELLO}; {raises}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let (_, ended) = grown(session.run(&growth(&[1, 10])));
    assert!(matches!(ended, Some(Outcome::Raised { .. })), "{ended:?}");
    assert!(session.subject.processes[0].is_some());
}

/// Answers to calls of `little` and `much` with what they needed, as `$0` counts them.
const NEEDS: &str = r#"read -r line; : > "$0/$$"
case $line in
  *little*) echo '{"id":1,"returns":true,"memory":1000}';;
  *much*) echo '{"id":1,"returns":true,"memory":5000}';;
  *untold*) echo '{"id":1,"returns":true}';;
esac"#;

/// What two calls needed, each of 1000 events; how that ended; and how many processes it took.
fn needed(call: &str, against: &str, at_least: u64) -> (Vec<(u64, u64)>, Option<Outcome>, usize) {
    let place = Place::new(&format!("{HELLO}; {NEEDS}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let named = |function: &str| Call {
        function: function.to_owned(),
        inputs: vec![input(1000)],
        ..call_of(1)
    };
    let seen = session.run(&line(Action::Memory(Memory {
        call: named(call),
        against: named(against),
        at_least,
    })));
    match seen.seen {
        Seen::Needed { tries, ended } => (tries, ended, place.notes()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn memory_is_looked_at_until_a_call_needs_so_much_less() {
    let both = (1000, 5000);
    assert_eq!(needed("little", "much", 4), (vec![both], None, 2));
    assert_eq!(needed("little", "much", 5), (vec![both; 3], None, 6));
    // Nothing is compared where it is not told.
    assert_eq!(needed("untold", "much", 4), (Vec::new(), None, 2));
    let (tries, ended, processes) = needed("dies", "much", 4);
    assert_eq!((tries, processes), (Vec::new(), 1));
    assert!(matches!(ended, Some(Outcome::Died { .. })), "{ended:?}");
}

#[test]
fn after_a_file_that_breaks_the_subject_no_other_is_tried() {
    let breaks = r#"read -r line; echo '{"id":1,"returns":true}'; read -r line; exit 3"#;
    let place = Place::new(&format!("{HELLO}; {breaks}"));
    let mut subject = place.subject();
    let mut session = place.open(&mut subject);
    let call = || ("f".to_owned(), call_of(1), Expected::Truth(true));
    let (all, _, _) = outcomes(session.run(&line(Action::Each(Each {
        folder: "files".to_owned(),
        argument: "text".to_owned(),
        calls: vec![call(), call(), call()],
    }))));
    assert_eq!(all.len(), 2);
    assert_eq!(all[0], yes());
    assert!(matches!(all[1], Outcome::Died { .. }), "{all:?}");
}
