//! Process groups where there are some: a subject is started in one, and ended with all of it.

use std::process::{Child, Command};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Puts a command into a process group of its own.
pub(in crate::run) fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

/// Ends a child's whole process group; the child is still to be waited for.
pub(in crate::run) fn kill_group(child: &mut Child) {
    kill_group_of(child.id());
}

/// Ends the whole group of a process that still has its number.
pub(in crate::run) fn kill_group_of(process: u32) {
    if let Some(group) = number(process) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Tells whether a child has ended, and leaves it to be waited for.
pub(in crate::run) fn has_exited(child: &mut Child) -> bool {
    let Some(pid) = number(child.id()) else {
        return true;
    };
    let now = WaitIdOptions::NOHANG.union(WaitIdOptions::NOWAIT);
    let look = WaitIdOptions::EXITED.union(now);
    !matches!(waitid(WaitId::Pid(pid), look), Ok(None))
}

fn number(process: u32) -> Option<Pid> {
    i32::try_from(process).ok().and_then(Pid::from_raw)
}
