//! A process that was started, whoever did it.

use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus};

use super::system;
#[cfg(target_os = "linux")]
use crate::run::nursery::Nursling;

/// A process of a subject.
#[derive(Debug)]
pub enum Started {
    /// The lab's own child.
    Own(Child),
    /// Started by a nursery.
    #[cfg(target_os = "linux")]
    Nursed(Nursling),
}

/// The lab's ends of a process's standard streams.
pub type Streams = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

impl Started {
    /// Returns its number in the system.
    pub fn id(&self) -> u32 {
        match self {
            Self::Own(child) => child.id(),
            #[cfg(target_os = "linux")]
            Self::Nursed(nursling) => nursling.id(),
        }
    }

    /// Takes the lab's ends of its streams.
    pub fn streams(&mut self) -> Streams {
        match self {
            Self::Own(child) => (child.stdin.take(), child.stdout.take(), child.stderr.take()),
            #[cfg(target_os = "linux")]
            Self::Nursed(nursling) => (
                nursling.stdin.take(),
                nursling.stdout.take(),
                nursling.stderr.take(),
            ),
        }
    }

    /// Ends its whole group; it is still to be waited for.
    pub fn kill_group(&mut self) {
        match self {
            Self::Own(child) => system::kill_group(child),
            #[cfg(target_os = "linux")]
            Self::Nursed(nursling) => nursling.kill_group(),
        }
    }

    /// Tells whether it has ended, and leaves it to be waited for.
    pub fn has_exited(&mut self) -> bool {
        match self {
            Self::Own(child) => system::has_exited(child),
            #[cfg(target_os = "linux")]
            Self::Nursed(nursling) => nursling.has_exited(),
        }
    }

    /// Waits until it is gone, and returns how it ended.
    pub fn wait(&mut self) -> Option<ExitStatus> {
        match self {
            Self::Own(child) => child.wait().ok(),
            #[cfg(target_os = "linux")]
            Self::Nursed(nursling) => nursling.wait(),
        }
    }
}
