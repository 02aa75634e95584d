//! Standard output kept for the protocol, so that a subject's own prints cannot break it.

use std::io;

/// Keeps standard output for the protocol and sends everybody else's prints to standard error.
///
/// Asks the kernel as well to end this process when the lab is killed, where it can be asked.
///
/// # Errors
///
/// Fails when the system has no descriptor left.
#[cfg(unix)]
pub fn private_output() -> io::Result<impl io::Write> {
    let output = rustix::io::dup(io::stdout())?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    die_with_the_lab();
    Ok(std::fs::File::from(output))
}

/// Returns standard output; here prints of a subject do reach the lab.
///
/// # Errors
///
/// Never.
#[cfg(not(unix))]
pub fn private_output() -> io::Result<impl io::Write> {
    Ok(io::stdout())
}

#[cfg(target_os = "linux")]
fn die_with_the_lab() {
    use rustix::process::{Signal, set_parent_process_death_signal};
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

#[cfg(all(unix, not(target_os = "linux")))]
fn die_with_the_lab() {}
