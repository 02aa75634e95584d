//! Waits until a subject has had its look, by watching it sleep in SQLite's busy handler.
//!
//! A subject that finds the write lock taken sleeps between its tries. On Linux that sleep can
//! be seen from outside, so the lab need not wait longer than it takes to get there. It errs
//! one way only: seen too early, a wrong subject may slip through; a right one never fails.

use std::thread;
use std::time::{Duration, Instant};

use super::{Interrupt, Process};

/// The longest time a subject is given to look.
pub const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_micros(300);

/// Waits until each process has answered, has called back or sleeps at the lock, at most
/// `patience`.
pub fn wait_until_all_looked<'p>(
    processes: impl Iterator<Item = &'p mut Process>,
    patience: Duration,
    interrupt: &Interrupt,
) {
    let start = Instant::now();
    let mut waiting: Vec<&mut Process> = processes.collect();
    loop {
        waiting.retain_mut(|process| !process.has_spoken() && !sleeps_at_lock(process.id()));
        if waiting.is_empty() || start.elapsed() >= patience || interrupt.is_raised() {
            return;
        }
        thread::sleep(PAUSE);
    }
}

/// Waits until `is_so`, the process has answered, or `patience` is over; tells whether it is so.
pub fn wait_until(
    process: &mut Process,
    patience: Duration,
    interrupt: &Interrupt,
    mut is_so: impl FnMut() -> bool,
) -> bool {
    let start = Instant::now();
    loop {
        if is_so() {
            return true;
        }
        if process.has_answered() || start.elapsed() >= patience || interrupt.is_raised() {
            return false;
        }
        thread::sleep(PAUSE);
    }
}

/// The longest time that several are given to come to the lock.
pub const MANY: Duration = Duration::from_secs(3);

/// Returns how many threads and processes of the subjects waited at one moment, once that is
/// `enough`, nothing more can be expected or `patience` is over; nothing where it cannot be seen.
pub fn most_at_once(
    processes: &mut [&mut Process],
    enough: usize,
    patience: Duration,
    interrupt: &Interrupt,
) -> Option<usize> {
    let start = Instant::now();
    let mut most = 0;
    if !cfg!(target_os = "linux") {
        return None;
    }
    loop {
        let sleeping = processes.iter().map(|process| sleepers(process.id()));
        most = most.max(sleeping.sum());
        let over = processes.iter_mut().all(|process| process.has_answered());
        if most >= enough || over || start.elapsed() >= patience || interrupt.is_raised() {
            return Some(most);
        }
        thread::sleep(PAUSE);
    }
}

/// Tells whether a process, or one that it started, sleeps at the lock.
pub fn sleeps_at_lock(process: u32) -> bool {
    sleepers(process) > 0
}

/// Counts the threads of the process, and of those that it started, which sleep for a set time, as
/// SQLite's busy handler does. Nothing says so but on Linux.
fn sleepers(process: u32) -> usize {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return 0;
    };
    let counts = threads.flatten().map(|thread| {
        let read = |name| std::fs::read_to_string(thread.path().join(name)).unwrap_or_default();
        let sleeps = match read("wchan").trim() {
            // Some kernels hide the name and still tell the number of the system call.
            "" | "0" => is_nanosleep(&read("syscall")),
            name => name.contains("nanosleep"),
        };
        let children = read("children");
        let children = children.split_whitespace().filter_map(|id| id.parse().ok());
        usize::from(sleeps) + children.map(sleepers).sum::<usize>()
    });
    counts.sum()
}

fn is_nanosleep(syscall: &str) -> bool {
    let numbers: &[&str] = if cfg!(target_arch = "x86_64") {
        &["35", "230"]
    } else if cfg!(target_arch = "aarch64") {
        &["101", "115"]
    } else {
        &[]
    };
    syscall
        .split_whitespace()
        .next()
        .is_some_and(|number| numbers.contains(&number))
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
