//! Calls that meet in the middle of a callback: one is held there, the others come upon it.
//!
//! The callback is the synchronisation: no time is waited out to get a call where it should be.
//! Only to let the others have their look is a bounded wait, and a right subject never fails by it.

use std::time::{Duration, Instant};

use super::{Path, Seen, Session, arguments, gave_up, path, schedule};
use crate::model::{Call, Gate};
use crate::run::callback::Desk;
use crate::run::{Interrupt, Outcome, Process};

/// How long another call is given where it must answer while the first is held: longer than a right
/// one needs on a busy machine, shorter than it would wait for a lock.
const LONGER: Duration = Duration::from_secs(3);

/// How often several processes are looked at.
const PAUSE: Duration = Duration::from_micros(300);

impl Session<'_, '_> {
    /// Holds the first call in its callback, makes the others, and lets it go.
    ///
    /// Also tells whether one of the others had to wait until the first was let go.
    pub(super) fn gate(
        &mut self,
        gate: &Gate,
        desk: &mut Desk<'_>,
        held: &mut Duration,
    ) -> (Seen, bool) {
        let count = gate.calls.len();
        if let Err(outcome) = self.subject.ready(count) {
            return (self.answered(vec![outcome; count], None), false);
        }
        let interrupt = self.subject.interrupt;
        let path = path(self.has_store, &self.store).map(Path::to_owned);
        let processes = self.subject.processes.iter_mut().take(count).flatten();
        let mut processes: Vec<&mut Process> = processes.collect();
        let Some(((first, others), (call, calls))) =
            processes.split_first_mut().zip(gate.calls.split_first())
        else {
            return (self.answered(Vec::new(), None), false);
        };
        first.send_call(call, &arguments(call, path.as_deref()));
        let is_held = first.wait_until_asked(&gate.held, desk, interrupt);
        let start = Instant::now();
        let patience = if gate.at_once {
            LONGER
        } else {
            schedule::PATIENCE
        };
        let mut waited = false;
        let mut early: Vec<Option<Outcome>> = Vec::new();
        for (other, call) in others.iter_mut().zip(calls) {
            other.send_call(call, &arguments(call, path.as_deref()));
            let outcome = look(other, desk, gate.at_once, patience, interrupt);
            waited |= is_held && outcome.is_none();
            early.push(outcome);
        }
        *held = start.elapsed();
        let mut outcomes = vec![first.receive_at(desk, interrupt)];
        for (other, outcome) in others.iter_mut().zip(early) {
            outcomes.push(outcome.unwrap_or_else(|| other.receive_at(desk, interrupt)));
        }
        let unforced = gave_up(&outcomes, None, &self.store.dump())
            .then(|| "a call gave up on the lock".to_owned());
        self.subject.drop_spoilt(&outcomes);
        (self.answered(outcomes, unforced), waited)
    }

    /// Kills the subject while it waits for the answer to a callback.
    pub(super) fn kill_during(&mut self, call: &Call, name: &str, desk: &mut Desk<'_>) -> Seen {
        if let Err(outcome) = self.subject.ready(1) {
            return self.answered(vec![outcome], None);
        }
        let interrupt = self.subject.interrupt;
        let path = path(self.has_store, &self.store);
        let mut outcome = Outcome::Killed;
        let mut unforced = None;
        if let Some(process) = &mut self.subject.processes[0] {
            process.send_call(call, &arguments(call, path));
            if !process.wait_until_asked(name, desk, interrupt) {
                unforced = Some(format!("the call was over without calling `{name}`"));
                outcome = process.receive_at(desk, interrupt);
            }
        }
        self.subject.processes[0] = None;
        self.answered(vec![outcome], unforced)
    }
}

/// Gives a call `patience` to answer, and answers its callbacks. One that need not answer at once is
/// also left alone when it has come to rest at a lock.
pub(super) fn look(
    process: &mut Process,
    desk: &mut Desk<'_>,
    at_once: bool,
    patience: Duration,
    interrupt: &Interrupt,
) -> Option<Outcome> {
    let start = Instant::now();
    loop {
        process.answer_asked(desk);
        if process.has_answered() {
            return Some(process.receive_at(desk, interrupt));
        }
        let rests = !at_once && schedule::sleeps_at_lock(process.id());
        if rests || start.elapsed() >= patience || interrupt.is_raised() {
            return None;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Waits for the answers of all processes, and answers the callbacks of each as they come: one may
/// hold a lock that another waits for.
pub(super) fn all_answers(
    processes: &mut [&mut Process],
    desk: &mut Desk<'_>,
    interrupt: &Interrupt,
) -> Vec<Outcome> {
    let start = Instant::now();
    loop {
        let mut is_done = true;
        for process in processes.iter_mut() {
            process.answer_asked(desk);
            is_done &= process.has_answered();
        }
        let late = processes
            .iter()
            .any(|process| start.elapsed() >= process.patience());
        if is_done || late || interrupt.is_raised() {
            let all = processes.iter_mut();
            return all
                .map(|process| process.receive_now(start.elapsed()))
                .collect();
        }
        std::thread::sleep(PAUSE);
    }
}
