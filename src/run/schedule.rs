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

/// Tells whether a thread of the process sleeps for a set time, as SQLite's busy handler does.
/// Nothing says so but on Linux.
pub fn sleeps_at_lock(process: u32) -> bool {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return false;
    };
    threads.flatten().any(|thread| {
        let read = |name| std::fs::read_to_string(thread.path().join(name)).unwrap_or_default();
        match read("wchan").trim() {
            // Some kernels hide the name and still tell the number of the system call.
            "" | "0" => is_nanosleep(&read("syscall")),
            name => name.contains("nanosleep"),
        }
    })
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
