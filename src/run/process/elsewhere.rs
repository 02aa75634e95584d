//! Where there are no process groups: the subject itself is ended, and nothing that it started.

use std::process::{Child, Command};

/// Does nothing here.
pub(in crate::run) fn own_group(_: &mut Command) {}

/// Ends a child; it is still to be waited for.
pub(in crate::run) fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

/// Tells whether a child has ended.
pub(in crate::run) fn has_exited(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}
