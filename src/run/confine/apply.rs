//! The helper: applies a policy to itself, then becomes the confined program.
//!
//! It has one thread and does nothing else, so that what it applies holds for all that follows.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod rights;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};

use super::policy::Policy;

/// Applies the policy in the first argument and becomes the program in the others; without a
/// program it says what it could apply. Returns why it could not.
///
/// # Errors
///
/// Fails when something of the policy cannot be applied, or the program cannot be started.
pub fn main(arguments: &[OsString]) -> io::Result<()> {
    let (Some(policy), program) = (arguments.first(), &arguments[1..]) else {
        return Err(io::Error::other("there is no policy"));
    };
    let policy: Policy = serde_json::from_str(&policy.to_string_lossy())?;
    let Some(failed) = &policy.failed else {
        return become_program(&policy, program);
    };
    // Opened before the confinement begins, which lets nobody write there; it closes with it.
    let mut failed = File::options().append(true).create(true).open(failed)?;
    let result = become_program(&policy, program);
    if let Err(error) = &result {
        let _ = failed.write_all(error.to_string().as_bytes());
    }
    result
}

#[cfg(target_os = "linux")]
fn become_program(policy: &Policy, program: &[OsString]) -> io::Result<()> {
    use std::os::unix::process::CommandExt as _;
    use std::path::Path;
    use std::process::Command;

    let Some((first, rest)) = program.split_first() else {
        return tell(policy);
    };
    rights::join(&policy.join)?;
    rights::limit(&policy.resources)?;
    let landlock = files::restrict(policy)?;
    rights::become_user(policy.uid, policy.search)?;
    calls::restrict(policy.build, landlock)?;
    let error = Command::new(first).args(rest).exec();
    if Path::new(first).is_absolute() {
        return Err(error);
    }
    // A program that the submission itself named is none of the lab's.
    eprintln!("failed to start {}: {error}", first.display());
    std::process::exit(127)
}

/// Applies everything and says what worked.
#[cfg(target_os = "linux")]
fn tell(policy: &Policy) -> io::Result<()> {
    use super::Trial;
    let rlimits = rights::limit(&policy.resources).is_ok();
    let landlock = files::restrict(policy).unwrap_or(0);
    let wanted = policy.uid.is_some();
    let search = wanted && rights::become_user(policy.uid, true).is_ok();
    let uid = search || wanted && rights::become_user(policy.uid, false).is_ok();
    let seccomp = calls::restrict(false, landlock).is_ok();
    let trial = Trial {
        landlock,
        seccomp,
        rlimits,
        uid,
        search,
    };
    io::stdout().write_all(serde_json::to_string(&trial)?.as_bytes())
}

#[cfg(not(target_os = "linux"))]
fn become_program(_: &Policy, _: &[OsString]) -> io::Result<()> {
    Err(io::Error::other("this system cannot confine a program"))
}
