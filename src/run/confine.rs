//! Confinement of other people's programs: what this machine can do, and a cell for each of them.
//!
//! A confined program reads the system, its interpreter and its own copy, writes its scratch
//! folder and nothing else. The program that applies this is idemlab itself, started again as a
//! helper that confines itself and then becomes the confined program. Nothing here judges.

mod apply;
mod cell;
mod group;
mod policy;
mod reach;
mod uid;
mod watch;

use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use self::group::Parents;
use self::policy::{Policy, Resources};
use super::track::rust::program;

pub use apply::main as helper;
pub use cell::{Cell, Purpose, Unmade};
pub(super) use reach::prefix_of;

/// The hidden command with which the program starts itself as the helper.
pub const COMMAND: &str = "__confined";

/// What a confined program may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Memory of one process, in bytes.
    pub memory: u64,
    /// Processor time of one process, in seconds.
    pub seconds: u64,
    /// Size of one file, in bytes.
    pub file: u64,
    /// Open files of one process.
    pub files: u64,
    /// Processes and threads of one submission at once.
    pub processes: u64,
    /// What one process may write to standard output and standard error, in bytes.
    pub output: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            seconds: 60,
            file: 64 << 20,
            files: 128,
            processes: 64,
            output: 16 << 20,
        }
    }
}

/// What a helper that tried everything could apply.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, as the kernel tells it"
)]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Trial {
    /// Version of Landlock's interface; 0 where there is none.
    landlock: u32,
    seccomp: bool,
    rlimits: bool,
    uid: bool,
    /// Whether another user can be let through closed folders.
    search: bool,
}

/// What confines here: one for the whole run, shared by all its cells.
#[derive(Debug, Clone)]
pub struct Confinement {
    trial: Trial,
    parents: Parents,
    allowance: Allowance,
    notes: Vec<String>,
}

impl Confinement {
    /// Tries once what this machine can do.
    #[must_use]
    pub fn detect() -> Self {
        static TRIED: OnceLock<Confinement> = OnceLock::new();
        TRIED
            .get_or_init(|| {
                let root = uid::is_root();
                Self {
                    trial: tried(root).unwrap_or_default(),
                    parents: Parents::here().clone(),
                    allowance: Allowance::default(),
                    notes: Vec::new(),
                }
            })
            .clone()
    }

    /// Changes what a confined program may use.
    #[must_use]
    pub const fn with_allowance(mut self, allowance: Allowance) -> Self {
        self.allowance = allowance;
        self
    }

    /// Returns what a confined program may use.
    #[must_use]
    pub const fn allowance(&self) -> &Allowance {
        &self.allowance
    }

    /// Tells whether the kernel can keep a program from files, network and lab at all.
    ///
    /// Landlock and seccomp must be there, and either a uid of its own or Landlock's scopes to
    /// keep it from signalling the lab.
    #[must_use]
    pub const fn is_enough(&self) -> bool {
        self.trial.landlock > 0 && self.trial.seccomp && self.trial.rlimits
    }

    /// Returns what is applied here.
    #[must_use]
    pub fn applied(&self) -> Vec<String> {
        let mut applied = Vec::new();
        if self.trial.landlock > 0 {
            applied.push(format!("landlock {}", self.trial.landlock));
        }
        let words = [
            ("seccomp", self.trial.seccomp),
            ("rlimits", self.trial.rlimits),
            ("uid", self.trial.uid),
            ("pids", self.parents.pids()),
            ("memory", self.parents.memory()),
        ];
        applied.extend(
            words
                .iter()
                .filter(|word| word.1)
                .map(|word| word.0.to_owned()),
        );
        applied
    }

    /// Returns what the kernel or the user's rights lack here, each with what stands in for it.
    #[must_use]
    pub fn lacking(&self) -> Vec<String> {
        let mut lacking = self.notes.clone();
        let mut lack = |missing: bool, words: &str| {
            if missing {
                lacking.push(words.to_owned());
            }
        };
        let abi = self.trial.landlock;
        lack(abi == 0, "landlock");
        lack(abi == 1, "landlock 2: no file can be moved between folders");
        lack(
            (1..3).contains(&abi),
            "landlock 3: a file that can be read can be cut short where its rights allow that",
        );
        lack(
            (1..4).contains(&abi),
            "landlock 4: seccomp alone keeps programs from the network",
        );
        lack(
            (1..6).contains(&abi),
            "landlock 6: signals are kept in by uid and seccomp",
        );
        lack(!self.trial.seccomp, "seccomp");
        lack(!self.trial.rlimits, "rlimits");
        lack(!self.trial.uid, "uid: programs run as the user of the lab");
        lack(
            !self.parents.pids(),
            "pids: no cgroup counts processes, the tree is watched",
        );
        lack(
            !self.parents.memory(),
            "memory: no cgroup bounds it as a whole, each process is",
        );
        lacking
    }

    /// Adds what depends on the interpreter or toolchain: how far it can be reached.
    #[must_use]
    pub(crate) fn with_reach(mut self, folders: &[std::path::PathBuf]) -> Self {
        if self.trial.uid && folders.iter().any(|folder| reach::needs_search(folder)) {
            if !self.trial.search {
                // Nobody but root comes to the interpreter: then root runs it, without its powers.
                self.trial.uid = false;
                return self;
            }
            self.notes.push(
                "uid: CAP_DAC_READ_SEARCH is kept, since the interpreter lies in a closed folder; \
                 landlock bounds what it can read"
                    .to_owned(),
            );
        }
        self
    }
}

/// Ends what a run that was killed left in its control groups.
pub(super) fn sweep(run: &str) {
    Parents::here().sweep(run);
}

/// Asks a helper to apply everything and to say what it could.
fn tried(root: bool) -> Option<Trial> {
    let policy = Policy {
        uid: root.then_some(uid::FIRST),
        resources: Resources::of(&Allowance::default(), Purpose::Run),
        ..Policy::default()
    };
    let answer = Command::new(program().ok()?)
        .args([COMMAND, &policy.to_argument()])
        .env_clear()
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    serde_json::from_slice(&answer.stdout).ok()
}

/// A cell that a launch shares with whoever made it.
pub type SharedCell = Arc<Cell>;
