//! Landlock: what the program may read, write and execute, and whom it may signal.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, LandlockStatus,
    PathBeneath, PathFd, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetStatus, Scope,
};

use crate::run::confine::policy::Policy;

/// The newest interface whose rights are asked for; an older kernel gives what it has.
const NEWEST: ABI = ABI::V7;

/// What belongs to the system and to nobody.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/nsswitch.conf",
    "/etc/locale.alias",
    "/etc/mime.types",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs",
    "/etc/alternatives",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/sys/vm/overcommit_memory",
    // Of the process that is confined here, and not of those that it starts: what it needs.
    "/proc/self/smaps_rollup",
    "/sys/kernel/mm/transparent_hugepage",
    "/sys/devices/system/cpu",
];
/// Devices that can be read.
const SOURCES: &[&str] = &["/dev/zero", "/dev/random", "/dev/urandom"];
/// The device that can be written.
const NOTHING: &str = "/dev/null";

/// Restricts this process, and returns the version of the interface that holds.
pub fn restrict(policy: &Policy) -> io::Result<u32> {
    let read = AccessFs::from_read(NEWEST);
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .map_err(io::Error::other)?;
    let system = SYSTEM.iter().map(|path| (Path::new(path), read));
    let sources = SOURCES
        .iter()
        .map(|path| (Path::new(path), AccessFs::ReadFile.into()));
    let nothing = (
        Path::new(NOTHING),
        AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate,
    );
    let own = paths(&policy.read).map(|path| (path, read));
    let scratch = paths(&policy.write).map(|path| (path, writing(policy.build)));
    let rules = system
        .chain(sources)
        .chain([nothing])
        .chain(own)
        .chain(scratch);
    for (path, access) in rules {
        // What is not there cannot be opened, and so needs no rule.
        let Ok(descriptor) = PathFd::new(path) else {
            continue;
        };
        let access = if path.is_dir() {
            access
        } else {
            access & AccessFs::from_file(NEWEST)
        };
        ruleset = ruleset
            .add_rule(PathBeneath::new(descriptor, access))
            .map_err(io::Error::other)?;
    }
    let status = ruleset.restrict_self().map_err(io::Error::other)?;
    match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => Err(io::Error::other("the kernel has no landlock")),
        (_, LandlockStatus::Available { effective_abi, .. }) => Ok(effective_abi as u32),
        _ => Err(io::Error::other("the kernel has no landlock")),
    }
}

fn paths(list: &[PathBuf]) -> impl Iterator<Item = &Path> {
    list.iter().map(PathBuf::as_path)
}

/// Plain files and folders, and nothing that could lead the lab astray.
fn writing(build: bool) -> BitFlags<AccessFs> {
    let plain = AccessFs::from_read(NEWEST)
        | AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::RemoveFile
        | AccessFs::RemoveDir;
    if build {
        plain | AccessFs::Refer
    } else {
        plain
    }
}
