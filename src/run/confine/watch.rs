//! Looks at the processes of the machine: whose they are, which group they are in.
//!
//! It stands in for cgroups where there are none: a tree that grows too large is ended.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often the tree is counted.
const TICK: Duration = Duration::from_millis(25);
/// How long killed processes may take to be gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ends one process.
#[cfg(unix)]
pub fn kill(process: i32) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(pid) = Pid::from_raw(process) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
pub fn kill(_: i32) {}

/// Whom a process belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    process: i32,
    group: i32,
    threads: u64,
}

/// Tells whether a user runs any process.
#[cfg(unix)]
pub fn runs_anything(uid: u32) -> bool {
    !processes(|owner, _| owner == uid).is_empty()
}

/// Lists the living processes for which `wanted` holds, by owner and process group.
#[cfg(target_os = "linux")]
fn processes(wanted: impl Fn(u32, i32) -> bool) -> Vec<Seen> {
    use std::os::unix::fs::MetadataExt as _;
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let seen = entries.filter_map(|entry| {
        let process: i32 = entry.file_name().to_str()?.parse().ok()?;
        let owner = entry.metadata().ok()?.uid();
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        let (state, group, threads) = read_stat(&stat)?;
        let lives = !matches!(state, 'Z' | 'X');
        (lives && wanted(owner, group)).then_some(Seen {
            process,
            group,
            threads,
        })
    });
    seen.collect()
}

#[cfg(not(target_os = "linux"))]
fn processes(_: impl Fn(u32, i32) -> bool) -> Vec<Seen> {
    Vec::new()
}

/// Reads state, process group and number of threads; the name before them may hold anything.
#[cfg(any(target_os = "linux", test))]
fn read_stat(stat: &str) -> Option<(char, i32, u64)> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let group = fields.nth(1)?.parse().ok()?;
    let threads = fields.nth(14)?.parse().ok()?;
    Some((state, group, threads))
}

/// What the watcher and the cell share.
#[derive(Debug, Default)]
struct Tree {
    /// The process groups that the cell has started.
    groups: Mutex<BTreeSet<i32>>,
    over: AtomicBool,
}

/// Watches the processes of one cell and ends all of them when there are too many.
#[derive(Debug)]
pub struct Watch {
    tree: Arc<Tree>,
    uid: Option<u32>,
    watcher: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to watch; without a limit it only knows what is to be ended at the end.
    pub fn new(uid: Option<u32>, most: Option<u64>) -> Self {
        let tree = Arc::new(Tree::default());
        let watcher = most.map(|most| {
            let tree = Arc::clone(&tree);
            thread::spawn(move || {
                while !tree.over.load(Ordering::Relaxed) {
                    let seen = tree.members(uid);
                    if seen.iter().map(|seen| seen.threads).sum::<u64>() > most {
                        tree.end(uid);
                    }
                    thread::park_timeout(TICK);
                }
            })
        });
        Self { tree, uid, watcher }
    }

    /// Remembers a process group that was started.
    pub fn started(&self, group: u32) {
        if let Ok(group) = i32::try_from(group) {
            let mut groups = self
                .tree
                .groups
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            groups.insert(group);
        }
    }

    /// Ends every process of the cell, and waits until all are gone.
    pub fn kill(&self) {
        self.tree.end(self.uid);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.tree.over.store(true, Ordering::Relaxed);
        if let Some(watcher) = self.watcher.take() {
            watcher.thread().unpark();
            let _ = watcher.join();
        }
    }
}

impl Tree {
    fn members(&self, uid: Option<u32>) -> Vec<Seen> {
        let groups = self
            .groups
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        match uid {
            Some(uid) => processes(|owner, _| owner == uid),
            None => processes(|_, group| groups.contains(&group)),
        }
    }

    fn end(&self, uid: Option<u32>) {
        let start = Instant::now();
        loop {
            let seen = self.members(uid);
            if seen.is_empty() || start.elapsed() > PATIENCE {
                return;
            }
            for seen in seen {
                kill(seen.process);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_does_not_confuse_the_reading() {
        let stat = "7 (a) b (c) S 1 42 42 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 3 0 99";
        assert_eq!(read_stat(stat), Some(('S', 42, 3)));
    }
}
