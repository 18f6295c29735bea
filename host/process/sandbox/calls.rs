//! The system calls that the kernel refuses (seccomp), because Landlock has no rules for what they do.

use nix::libc;
use seccompiler::{BpfProgram, Error, SeccompAction, SeccompFilter, TargetArch, apply_filter};

use super::enforcement::Enforcement;

/// The calls that execute a program. Landlock refuses to execute files, but not programs that were written into memory
/// (`memfd_create`).
const EXECUTE: &[i64] = &[libc::SYS_execve, libc::SYS_execveat];

/// The calls that change who may use a file: its mode, its owner, its access control list.
const GIVE_ACCESS: &[i64] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
];

/// The calls of io_uring, through which the kernel does work that this filter does not see.
const BY_PROXY: &[i64] = &[libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// Calls that are new in Linux 6.6 and 6.13. Their numbers are the same on all architectures.
const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;

/// The x32 ABI of x86-64 adds this to the numbers of system calls.
const X32: i64 = 0x4000_0000;
/// The x32 ABI has numbers of its own for calls that take pointers to pointers.
const X32_EXECUTE: [i64; 2] = [X32 + 520, X32 + 545];

/// Refuses [`EXECUTE`], [`GIVE_ACCESS`] and [`BY_PROXY`], with EPERM, to this thread and those that it starts later.
///
/// # Errors
/// Fails when the kernel has no filters, or refuses this one.
pub(super) fn refuse() -> Result<Enforcement, Error> {
    let Ok(architecture) = TargetArch::try_from(std::env::consts::ARCH) else {
        return Ok(Enforcement::Unsupported);
    };
    let mut calls = [EXECUTE, GIVE_ACCESS, BY_PROXY].concat();
    if matches!(architecture, TargetArch::x86_64) {
        let x32: Vec<i64> = calls.iter().map(|call| call + X32).chain(X32_EXECUTE).collect();
        calls.extend(x32);
    }
    // A call without conditions is refused whatever its arguments are.
    let rules = calls.into_iter().map(|call| (call, Vec::new())).collect();
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, architecture)?;
    apply_filter(&BpfProgram::try_from(filter)?)?;
    Ok(Enforcement::Full)
}
