//! seccomp: system calls that a submission has no use for.
//!
//! A list of what is refused, not of what is allowed: interpreters differ, and Landlock holds
//! the files whatever is called. Refused calls fail as if the user had no right to them.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare,
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Refused to everybody.
const REFUSED: &[libc::c_long] = &[
    // Network, and other ways to speak with somebody outside.
    libc::SYS_socket,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_inotify_init1,
    libc::SYS_fanotify_init,
    // Other processes, and the way out of the group.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Names of files that no rule of Landlock sees.
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    // The kernel itself.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_vhangup,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setgroups,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_capset,
    libc::SYS_mknodat,
];

#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[libc::c_long] = &[
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
    libc::SYS_inotify_init,
    libc::SYS_kexec_file_load,
    libc::SYS_mknod,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[libc::c_long] = &[];

/// Modes, owners, times and attributes: Landlock does not hold them. A compiler sets modes.
const ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    452, // fchmodat2
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

#[cfg(target_arch = "x86_64")]
const ATTRIBUTES_HERE: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const ATTRIBUTES_HERE: &[libc::c_long] = &[];

/// The number that marks calls of the x32 interface, and the range of numbers of its own.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;

/// Refuses what a submission has no use for, for good.
pub fn restrict(build: bool, landlock: u32) -> io::Result<()> {
    let mut rules = Rules::new();
    refuse(&mut rules, REFUSED);
    refuse(&mut rules, REFUSED_HERE);
    if !build {
        refuse(&mut rules, ATTRIBUTES);
        refuse(&mut rules, ATTRIBUTES_HERE);
    }
    refuse_new_namespaces(&mut rules)?;
    refuse_to_outlive_the_lab(&mut rules)?;
    refuse_others(&mut rules, landlock)?;
    refuse_x32(&mut rules);
    apply(rules, libc::EPERM)?;
    // The C library goes back to the older call, whose flags can be looked at.
    let mut rules = Rules::new();
    refuse(&mut rules, &[libc::SYS_clone3]);
    apply(rules, libc::ENOSYS)
}

fn refuse(rules: &mut Rules, calls: &[libc::c_long]) {
    rules.extend(calls.iter().map(|call| (*call, Vec::new())));
}

#[cfg(target_arch = "x86_64")]
fn refuse_x32(rules: &mut Rules) {
    let numbers: Vec<i64> = rules.keys().copied().collect();
    let own = 512..548;
    rules.extend(
        numbers
            .into_iter()
            .chain(own)
            .chain([libc::SYS_clone3, libc::SYS_clone])
            .map(|number| (X32 | number, Vec::new())),
    );
}

#[cfg(not(target_arch = "x86_64"))]
fn refuse_x32(_: &mut Rules) {}

fn refuse_new_namespaces(rules: &mut Rules) -> io::Result<()> {
    let kinds = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
    ];
    let kinds = kinds
        .into_iter()
        .map(|kind| u64::from(kind.unsigned_abs()))
        .map(|bit| rule(&[(0, Compare::MaskedEq(bit), bit)]))
        .collect::<io::Result<_>>()?;
    rules.insert(libc::SYS_clone, kinds);
    Ok(())
}

/// Keeps the wish to be ended with the lab, and allows to wish it again.
fn refuse_to_outlive_the_lab(rules: &mut Rules) -> io::Result<()> {
    let wish = u64::from(libc::PR_SET_PDEATHSIG.unsigned_abs());
    let kill = u64::from(libc::SIGKILL.unsigned_abs());
    let other = rule(&[(0, Compare::Eq, wish), (1, Compare::Ne, kill)])?;
    rules.insert(libc::SYS_prctl, vec![other]);
    Ok(())
}

/// Where Landlock does not hold signals, a process may send them to itself only.
fn refuse_others(rules: &mut Rules, landlock: u32) -> io::Result<()> {
    let own = u64::from(std::process::id());
    let somebody_else = || rule(&[(0, Compare::Ne, 0), (0, Compare::Ne, own)]);
    for call in [libc::SYS_prlimit64, libc::SYS_sched_setaffinity] {
        rules.insert(call, vec![somebody_else()?]);
    }
    if landlock < 6 {
        for call in [libc::SYS_kill, libc::SYS_tgkill] {
            rules.insert(call, vec![somebody_else()?]);
        }
        refuse(
            rules,
            &[
                libc::SYS_tkill,
                libc::SYS_rt_sigqueueinfo,
                libc::SYS_rt_tgsigqueueinfo,
                libc::SYS_pidfd_send_signal,
            ],
        );
    }
    Ok(())
}

fn rule(conditions: &[(u8, Compare, u64)]) -> io::Result<SeccompRule> {
    let conditions = conditions
        .iter()
        .map(|(place, compare, value)| {
            SeccompCondition::new(*place, Length::Dword, compare.clone(), *value)
        })
        .collect::<Result<_, _>>()
        .map_err(io::Error::other)?;
    SeccompRule::new(conditions).map_err(io::Error::other)
}

fn apply(rules: Rules, error: i32) -> io::Result<()> {
    let machine = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let refusal = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, machine);
    let program: BpfProgram = filter
        .and_then(TryInto::try_into)
        .map_err(io::Error::other)?;
    apply_filter(&program).map_err(io::Error::other)
}
