//! Limits, user and capabilities of the helper.

use std::fs;
use std::io;
use std::path::PathBuf;

use rustix::process::{Gid, Resource, Rlimit, Signal, Uid, setrlimit};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, capabilities,
    configure_capability_in_ambient_set, set_capabilities, set_capabilities_secure_bits,
    set_keep_capabilities, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};

use crate::run::confine::policy::Resources;

/// Joins the control groups.
pub fn join(groups: &[PathBuf]) -> io::Result<()> {
    groups.iter().try_for_each(|group| fs::write(group, "0"))
}

/// Limits what this process and its children may use.
pub fn limit(resources: &Resources) -> io::Result<()> {
    let mut limits = vec![
        (Resource::Data, resources.data),
        (Resource::Cpu, resources.cpu),
        (Resource::Fsize, resources.file),
        (Resource::Nofile, resources.files),
        (Resource::Core, 0),
        (Resource::Memlock, 64 << 10),
        (Resource::Msgqueue, 0),
    ];
    limits.extend(resources.space.map(|bytes| (Resource::As, bytes)));
    limits.extend(resources.processes.map(|most| (Resource::Nproc, most)));
    for (resource, most) in limits {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, limit)?;
    }
    Ok(())
}

/// Becomes another user for good, and gives up every capability but the one to pass closed
/// folders, if that is asked for. The process ends with the lab.
pub fn become_user(user: Option<u32>, search: bool) -> io::Result<()> {
    let kept = if search {
        CapabilitySet::DAC_READ_SEARCH
    } else {
        CapabilitySet::empty()
    };
    if let Some(number) = user {
        let (uid, gid) = (Uid::from_raw(number), Gid::from_raw(number));
        if search {
            // Asked before anything is given up, so that one can still go without it.
            if !capabilities(None)?.permitted.contains(kept) {
                return Err(io::Error::from(io::ErrorKind::PermissionDenied));
            }
            // Without it `access` would look past the capability, and a linker is looked for so.
            set_capabilities_secure_bits(CapabilitiesSecureBits::NO_SETUID_FIXUP)?;
        }
        set_keep_capabilities(search)?;
        set_thread_groups(&[])?;
        set_thread_res_gid(gid, gid, gid)?;
        set_thread_res_uid(uid, uid, uid)?;
    }
    set_capabilities(
        None,
        CapabilitySets {
            effective: kept,
            permitted: kept,
            inheritable: kept,
        },
    )?;
    if search {
        configure_capability_in_ambient_set(CapabilitySet::DAC_READ_SEARCH, true)?;
    }
    // After the user, since a change of user forgets it.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    Ok(())
}
