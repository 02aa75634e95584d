//! The tests of one subject, shared by several processes of it.
//!
//! Tests that force an order run beside the others, so that their waits cost no time of theirs;
//! and with them the few that need a second process, so that only one lane starts one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use super::Listener;
use crate::event::{Event, SubjectId, TestReport};
use crate::model::{Lab, Test};
use crate::run::{Interrupt, Launch, Limits, Scratch, Session, Subject};
use crate::verdict::{TestVerdict, TestWord, judge};

/// How often a test whose order could not be forced is tried.
const TRIES: usize = 5;
/// How many calls of one subject may stay unanswered before the rest is left alone.
const SILENCES: usize = 3;

/// A subject about to be run, and what it takes.
pub struct Lanes<'a> {
    pub lab: &'a Lab,
    pub scratch: &'a Scratch,
    pub interrupt: &'a Interrupt,
    pub limits: Limits,
    pub id: &'a SubjectId,
    pub launch: &'a Launch,
    /// Tests promised to be red: a forced one gets every try before it counts as green.
    pub promised: &'a [String],
    pub tell: Listener<'a>,
}

/// What the processes of one subject share: the tests that are left, and the silences so far.
struct Queue<'t> {
    tests: Vec<&'t Test>,
    next: AtomicUsize,
    silences: AtomicUsize,
}

impl<'t> Queue<'t> {
    fn new(tests: Vec<&'t Test>) -> Self {
        Self {
            tests,
            next: AtomicUsize::new(0),
            silences: AtomicUsize::new(0),
        }
    }

    fn take(&self) -> Option<&'t Test> {
        let place = self.next.fetch_add(1, Ordering::Relaxed);
        self.tests.get(place).copied()
    }
}

/// Tells whether a test runs beside the others: it waits on purpose or needs a second process.
fn runs_aside(test: &Test) -> bool {
    test.may_be_tried_again() || test.processes() > 1
}

impl Lanes<'_> {
    /// Runs all tests, and returns their reports in the order in which they ended.
    pub fn run(&self, tests: &[&Test], lanes: usize) -> Vec<TestReport> {
        let (aside, plain): (Vec<&Test>, Vec<&Test>) =
            tests.iter().partition(|test| runs_aside(test));
        let lanes = lanes.clamp(1, plain.len().max(1));
        let (aside, plain) = (Queue::new(aside), Queue::new(plain));
        thread::scope(|scope| {
            // Half of what waits, waits on purpose: where there is room, two wait at a time.
            let beside = (0..lanes.min(2)).map(|_| &aside);
            let others = (1..lanes).map(|_| &plain);
            let started: Vec<_> = beside
                .chain(others)
                .map(|queue| scope.spawn(|| self.lane(queue)))
                .collect();
            let mut reports = self.lane(&plain);
            for lane in started {
                reports.extend(lane.join().unwrap_or_default());
            }
            reports
        })
    }

    /// Runs tests one after the other in one subject, until none is left.
    fn lane(&self, queue: &Queue<'_>) -> Vec<TestReport> {
        let mut subject = Subject::new(self.launch, self.limits, self.interrupt);
        let mut reports = Vec::new();
        while let Some(test) = queue.take()
            && !self.interrupt.is_raised()
        {
            let start = Instant::now();
            let verdict = if queue.silences.load(Ordering::Relaxed) < SILENCES {
                self.test(&mut subject, test)
            } else {
                TestVerdict::not_run("earlier tests were not answered, so this one was left out")
            };
            if verdict.word == TestWord::TimedOut {
                queue.silences.fetch_add(1, Ordering::Relaxed);
            }
            let report = TestReport::new(test, verdict, start.elapsed());
            (self.tell)(Event::Tested {
                subject: self.id.clone(),
                report: report.clone(),
            });
            reports.push(report);
        }
        reports
    }

    /// Runs a test, again if its order could not be forced or a promised red did not show.
    fn test(&self, subject: &mut Subject<'_>, test: &Test) -> TestVerdict {
        let mut best = self.once(subject, test);
        if !test.may_be_tried_again() {
            return best;
        }
        let promised = self.promised.contains(&test.id);
        for _ in 1..TRIES {
            let settled = match best.word {
                TestWord::Inconclusive => false,
                TestWord::Passed => !promised,
                _ => true,
            };
            if settled || self.interrupt.is_raised() {
                break;
            }
            let again = self.once(subject, test);
            if best.word == TestWord::Inconclusive || again.word.is_red() {
                best = again;
            }
        }
        best
    }

    fn once(&self, subject: &mut Subject<'_>, test: &Test) -> TestVerdict {
        let mut session = match Session::open(subject, self.scratch, &self.lab.tables, test) {
            Ok(session) => session,
            Err(why) => {
                return TestVerdict::not_run(&format!("the lab's own set-up failed: {why}"));
            }
        };
        let (mut seen, mut notes) = (Vec::new(), Vec::new());
        for line in &test.script {
            let observation = session.run(line);
            let mut verdict = judge(line, &observation);
            seen.push(observation);
            notes.append(&mut verdict.notes);
            if verdict.word != TestWord::Passed {
                return TestVerdict::ended_at(line.number, verdict, notes, seen);
            }
        }
        TestVerdict::passed(notes, seen)
    }
}

#[cfg(all(test, unix))]
mod tests;
