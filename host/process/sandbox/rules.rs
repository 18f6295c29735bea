//! The rules that the kernel is given.

use std::error::Error;
use std::io;
use std::path::Path;

use landlock::{
    ABI, Access as _, AccessFs, BitFlags, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};
use rustix::io::Errno;
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

use super::calls;
use super::enforcement::Enforcement;
use super::paths::AllowedPaths;

/// The newest rules that are asked for; an older kernel enforces those that it knows. Version 6 came with
/// Linux 6.12.
const RULES: ABI = ABI::V6;

/// Takes everything but `allowed` from this thread and those that it starts later: reading and writing
/// files, executing programs, changing who may use a file, connections to abstract Unix sockets, and signals to other
/// processes. It is no error if the kernel cannot enforce a rule. It is one if the kernel refuses rules that it knows.
pub fn restrict(allowed: &AllowedPaths) -> Restricted {
    give_up_looking_into_others();
    Restricted { files: restrict_files(allowed), calls: calls::refuse() }
}

/// Gives up the capabilities with which root reads the environment and the memory map of any process, whatever
/// Landlock says (Linux 6.13).
fn give_up_looking_into_others() {
    let looking = CapabilitySet::PERFMON | CapabilitySet::SYS_ADMIN;
    if let Ok(CapabilitySets { effective, permitted, inheritable }) = capabilities(None) {
        let [effective, permitted, inheritable] =
            [effective, permitted, inheritable].map(|set| set - looking);
        // Giving up a capability is never refused.
        let _ = set_capabilities(None, CapabilitySets { effective, permitted, inheritable });
    }
}

/// How far each kind of rules is enforced, or why it is not.
#[derive(Debug)]
pub struct Restricted {
    /// What may be done with files, sockets and other processes (Landlock).
    pub files: Result<Enforcement, RulesetError>,
    /// Which system calls are refused (seccomp).
    pub calls: Result<Enforcement, seccompiler::Error>,
}

fn restrict_files(allowed: &AllowedPaths) -> Result<Enforcement, RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let write = read
        | (AccessFs::from_write(RULES) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev));
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(RULES))?
        .scope(Scope::AbstractUnixSocket | Scope::Signal)?
        .create()?;
    for (paths, access) in [(&allowed.readable, read), (&allowed.writable, write)] {
        for path in paths {
            allow(&mut rules, path, access)?;
        }
    }
    Ok(match rules.restrict_self()?.ruleset {
        RulesetStatus::FullyEnforced => Enforcement::Full,
        RulesetStatus::PartiallyEnforced => Enforcement::Partial,
        RulesetStatus::NotEnforced => Enforcement::Unsupported,
    })
}

/// Adds a rule for a path, unless there can be none.
fn allow(rules: &mut RulesetCreated, path: &Path, access: BitFlags<AccessFs>) -> Result<(), RulesetError> {
    // Where the path is used, opening it fails with a clearer message than is possible here.
    let Ok(beneath) = PathFd::new(path) else { return Ok(()) };
    // The kernel refuses rights of directories in a rule for a file.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(RULES) };
    match rules.add_rule(PathBeneath::new(beneath, access)) {
        // A pipe, or a file in memory. The kernel restricts neither, so there is nothing to allow.
        Err(error) if is_outside_of_file_systems(&error) => Ok(()),
        added => added.map(drop),
    }
}

/// Whether the kernel refuses a rule because its path is in no file system that can be mounted.
fn is_outside_of_file_systems(error: &RulesetError) -> bool {
    let mut causes = std::iter::successors(Some(error as &dyn Error), |&error| error.source());
    causes.any(|cause| {
        let error = cause.downcast_ref::<io::Error>();
        error.and_then(Errno::from_io_error) == Some(Errno::BADFD)
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::ErrorKind;
    use std::os::fd::AsRawFd as _;
    use std::thread;

    use super::*;
    use std::path::PathBuf;

    /// The outcome of `act` on a thread of its own that may use only these paths; `None`, with the reason printed, if
    /// the kernel does not enforce that.
    fn restricted<T: Send>(paths: &AllowedPaths, act: impl FnOnce() -> T + Send) -> Option<T> {
        thread::scope(|scope| {
            let acting = scope.spawn(|| match restrict(paths).files.unwrap() {
                Enforcement::Full | Enforcement::Partial => Some(act()),
                other => {
                    eprintln!("skipped: {other}");
                    None
                }
            });
            acting.join().unwrap()
        })
    }

    #[test]
    fn only_what_is_allowed_is_read_and_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["state", "shown", "private"] {
            fs::create_dir(at(name)).unwrap();
            fs::write(at(name).join("file"), name).unwrap();
        }
        fs::write(at("robots.txt"), "robots").unwrap();
        let paths = AllowedPaths {
            readable: vec![at("shown"), at("robots.txt"), at("missing")],
            writable: vec![at("state")],
        };
        let denied = |result: std::io::Result<()>| result.unwrap_err().kind() == ErrorKind::PermissionDenied;
        restricted(&paths, || {
            assert_eq!(fs::read_to_string(at("robots.txt")).unwrap(), "robots");
            assert_eq!(fs::read_to_string(at("shown").join("file")).unwrap(), "shown");
            assert!(denied(fs::write(at("shown").join("file"), "changed")));
            assert!(denied(fs::read(at("private").join("file")).map(drop)));
            assert!(denied(fs::read_dir(at("private")).map(drop)));
            let (part, file) = (at("state").join("part"), at("state").join("file"));
            fs::write(&part, "new").unwrap();
            fs::rename(&part, &file).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), "new");
            fs::remove_file(&file).unwrap();
        });
    }

    #[test]
    fn a_pipe_is_no_reason_to_allow_everything() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let (reader, writer) = io::pipe().unwrap();
        drop(writer);
        // The path that a shell passes for `--robots <(...)`.
        let pipe = PathBuf::from(format!("/dev/fd/{}", reader.as_raw_fd()));
        let paths = AllowedPaths { readable: vec![pipe.clone(), "/proc".into()], ..AllowedPaths::default() };
        restricted(&paths, || {
            assert_eq!(fs::read(&file).unwrap_err().kind(), ErrorKind::PermissionDenied);
            assert_eq!(fs::read(&pipe).unwrap(), b"");
        });
    }
}
