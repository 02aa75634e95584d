use std::sync::Mutex;

use serde_json::Map;
use tempfile::TempDir;

use super::*;
use crate::model::{Action, Call, Callbacks, Expected, Forced, Joint, Line, Mark, Start};
use crate::verdict::TestWord::{Errored, Failed, NotRun, Passed, TimedOut};

/// Counts its calls in the folder `$0`, over all its processes, and answers as the place says:
/// `y` true, `n` false, `l` that the database is locked, `d` by its death, `s` not at all. The
/// last letter counts for all further calls.
const SUBJECT: &str = r#"
echo '{"hello":1,"lab":"small"}'
id=0
while read -r line; do
  id=$((id+1)); at=1
  while ! mkdir "$0/$at" 2>/dev/null; do at=$((at+1)); done
  word=$(printf %s "$1" | cut -c"$at"); [ -n "$word" ] || word=$(printf %s "$1" | tail -c1)
  case $word in
    y) echo "{\"id\":$id,\"returns\":true}";;
    n) echo "{\"id\":$id,\"returns\":false}";;
    l) echo "{\"id\":$id,\"raises\":{\"kind\":\"Locked\",\"message\":\"busy\"}}";;
    d) exit 1;;
    s) ;;
  esac
done"#;

/// Runs tests over a subject that answers by `letters`; returns reports and the calls it had.
struct Run {
    letters: &'static str,
    promised: &'static [&'static str],
    lanes: usize,
    limits: Limits,
    interrupt: Interrupt,
}

impl Run {
    fn new(letters: &'static str) -> Self {
        Self {
            letters,
            promised: &[],
            lanes: 1,
            limits: Limits::default(),
            interrupt: Interrupt::default(),
        }
    }

    fn over(&self, tests: &[Test]) -> (Vec<TestReport>, usize) {
        let calls = TempDir::new().unwrap();
        let arguments = vec![
            "-c".into(),
            SUBJECT.into(),
            calls.path().into(),
            self.letters.into(),
        ];
        let told = Mutex::new(Vec::new());
        let promised: Vec<String> = self.promised.iter().map(|id| (*id).to_owned()).collect();
        let lanes = Lanes {
            lab: &lab(),
            scratch: &Scratch::new().unwrap(),
            interrupt: &self.interrupt,
            limits: self.limits,
            id: &SubjectId::Reference,
            launch: &Launch::new("small", "sh".into(), arguments),
            promised: &promised,
            tell: &|event| {
                let Event::Tested { report, .. } = event else {
                    panic!("{event:?}");
                };
                told.lock().unwrap().push(report.id);
            },
        };
        let tests: Vec<&Test> = tests.iter().collect();
        let reports = lanes.run(&tests, self.lanes);
        let mut told = told.into_inner().unwrap();
        let mut ids: Vec<&str> = reports.iter().map(|report| report.id.as_str()).collect();
        told.sort();
        ids.sort_unstable();
        assert_eq!(told, ids);
        (reports, calls.path().read_dir().unwrap().count())
    }

    /// The verdict of the one test of a forced order, and how many calls it took.
    fn forced(&self) -> (TestWord, usize) {
        let (reports, calls) = self.over(&[forced("f", 1)]);
        (reports[0].word(), calls)
    }
}

fn lab() -> Lab {
    Lab {
        id: "small".to_owned(),
        title: String::new(),
        question: String::new(),
        idea: String::new(),
        tables: Vec::new(),
        steps: Vec::new(),
        tests: Vec::new(),
        mutants: Vec::new(),
        sources: Vec::new(),
        starters: Vec::new(),
        tasks: Vec::new(),
        grading: None,
        inputs: Vec::new(),
        order: 0,
        suggested: None,
        folders: Vec::new(),
    }
}

fn test(id: &str, actions: Vec<Action>) -> Test {
    let lines = actions.into_iter().enumerate();
    Test {
        id: id.to_owned(),
        step: 1,
        title: id.to_owned(),
        clause: None,
        start: Start::Table,
        given: Vec::new(),
        script: lines
            .map(|(place, action)| Line {
                number: place + 1,
                action,
                callbacks: Callbacks::default(),
            })
            .collect(),
        tracks: Vec::new(),
        success: false,
        mark: Mark::Contract,
        guard: None,
    }
}

fn call(process: usize) -> Call {
    Call {
        function: "f".to_owned(),
        with: Map::new(),
        inputs: Vec::new(),
        process,
        callbacks: Vec::new(),
    }
}

/// A test of two calls that answer true.
fn plain(id: &str) -> Test {
    let once = || Action::Call {
        call: call(1),
        expect: vec![Expected::Truth(true)],
    };
    test(id, vec![once(), once()])
}

/// A test in which so many calls in a forced order answer true.
fn forced(id: &str, calls: usize) -> Test {
    let forced = Forced {
        patient: false,
        at_once: 0,
        calls: (1..=calls).map(call).collect(),
        held: false,
        meanwhile: Vec::new(),
        expect: Joint::Unordered(vec![Expected::Truth(true); calls]),
    };
    test(id, vec![Action::Forced(forced)])
}

fn words(reports: &[TestReport]) -> Vec<TestWord> {
    reports.iter().map(TestReport::word).collect()
}

#[test]
fn a_test_ends_at_the_first_line_that_is_not_passed() {
    let tests = [plain("a"), plain("b"), plain("c"), plain("d")];
    let (reports, calls) = Run::new("yynydy").over(&tests);
    assert_eq!(words(&reports), [Passed, Failed, Errored, Passed]);
    let lines: Vec<Option<usize>> = reports.iter().map(|test| test.verdict.line).collect();
    assert_eq!(lines, [None, Some(1), Some(2), None]);
    let seen: Vec<usize> = reports.iter().map(|test| test.verdict.seen.len()).collect();
    assert_eq!(seen, [2, 1, 2, 2]);
    assert_eq!(calls, 7);
}

#[test]
fn every_test_is_run_once_however_many_processes_share_them() {
    let ids = ["a", "b", "c", "d", "e", "f", "g"];
    let tests: Vec<Test> = ids
        .into_iter()
        .map(|id| if id < "d" { forced(id, 2) } else { plain(id) })
        .collect();
    for lanes in [0, 1, 2, 4, 9] {
        let run = Run {
            lanes,
            ..Run::new("y")
        };
        let (reports, calls) = run.over(&tests);
        let mut seen: Vec<&str> = reports.iter().map(|report| report.id.as_str()).collect();
        seen.sort_unstable();
        assert_eq!(seen, ids, "{lanes}");
        assert!(reports.iter().all(|report| report.word() == Passed));
        assert_eq!(calls, 14, "{lanes}");
    }
}

#[test]
fn what_waits_on_purpose_or_needs_a_second_process_runs_beside_the_others() {
    let second = Action::Call {
        call: call(2),
        expect: Vec::new(),
    };
    assert!(runs_aside(&forced("a", 1)));
    assert!(runs_aside(&test("b", vec![second])));
    assert!(!runs_aside(&plain("c")));
}

#[test]
fn after_three_calls_without_an_answer_the_rest_is_left_out() {
    let tests = ["a", "b", "c", "d", "e"].map(plain);
    let mut run = Run::new("s");
    run.limits.reply = std::time::Duration::from_millis(50);
    let (reports, _) = run.over(&tests);
    assert_eq!(
        words(&reports),
        [TimedOut, TimedOut, TimedOut, NotRun, NotRun]
    );
}

#[test]
fn an_interrupt_leaves_the_rest_alone() {
    let run = Run::new("y");
    run.interrupt.raise();
    let (reports, calls) = run.over(&[plain("a"), forced("b", 1)]);
    assert_eq!((reports.len(), calls), (0, 0));
}

#[test]
fn a_forced_test_is_settled_by_its_first_verdict() {
    assert_eq!(Run::new("y").forced(), (Passed, 1));
    assert_eq!(Run::new("ny").forced(), (Failed, 1));
    assert_eq!(Run::new("dy").forced(), (Errored, 1));
}

#[test]
fn an_order_that_could_not_be_forced_is_tried_again_up_to_five_times() {
    assert_eq!(Run::new("l").forced(), (TestWord::Inconclusive, 5));
    assert_eq!(Run::new("lly").forced(), (Passed, 3));
    assert_eq!(Run::new("lln").forced(), (Failed, 3));
}

#[test]
fn a_promised_red_gets_every_try() {
    let promised = |letters| Run {
        promised: &["f"],
        ..Run::new(letters)
    };
    assert_eq!(promised("y").forced(), (Passed, 5));
    assert_eq!(promised("yyny").forced(), (Failed, 3));
    // What was seen counts more than what was not.
    assert_eq!(promised("yl").forced(), (Passed, 5));
    let other = Run {
        promised: &["g"],
        ..Run::new("y")
    };
    assert_eq!(other.forced(), (Passed, 1));
}

#[test]
fn a_plain_test_is_never_tried_again() {
    let run = Run {
        promised: &["a"],
        ..Run::new("y")
    };
    let (_, calls) = run.over(&[plain("a")]);
    assert_eq!(calls, 2);
    // A second process may be locked out; nothing was forced, so it is not tried again.
    let (reports, calls) = Run::new("l").over(&[plain("a")]);
    assert_eq!((words(&reports), calls), (vec![Failed], 1));
}

#[test]
fn a_set_up_that_is_refused_is_not_the_subjects_fault() {
    let mut broken = plain("a");
    broken.given = vec![crate::model::TableRows {
        table: "nowhere".to_owned(),
        rows: vec![vec![crate::model::Cell::Null]],
    }];
    let (reports, calls) = Run::new("y").over(&[broken]);
    assert_eq!((words(&reports), calls), (vec![NotRun], 0));
}
