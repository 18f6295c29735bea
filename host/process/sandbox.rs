//! What this process may do with files, enforced by the kernel (Landlock). It holds for code that an attacker
//! brings into the process as well: neither root nor a capability of the process takes it back.
//!
//! The rules hold for opening and executing: sockets and files that are open already stay usable. The network is
//! not restricted. [Decision 0032](../../../docs/decisions/0032-sandbox.md) says why the paths are as wide as they are.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use landlock::{
    ABI, Access as _, AccessFs, BitFlags, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};

/// Whether the kernel restricts what the worker may do with files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sandbox {
    #[default]
    On,
    Off,
}

/// The newest rules that are asked for; a kernel without them enforces those that it has. Version 6 is of
/// Linux 6.12.
const RULES: ABI = ABI::V6;

/// What the libraries in the process read, wherever they run. Whole directories, because a file that is
/// replaced by another one of the same name would be out of reach from then on.
const SYSTEM: [&str; 9] = [
    // Name resolution (resolv.conf, hosts, nsswitch.conf) and certificates of authorities.
    "/etc",
    // Shared libraries that name resolution loads late, and certificates of authorities.
    "/usr",
    "/lib",
    "/lib64",
    // The process's own memory, descriptors and control group; cpuinfo and meminfo; the boot's identifier.
    "/proc",
    // The control group's limit and use of memory and processors.
    "/sys/fs/cgroup",
    "/sys/devices/system/cpu",
    "/dev/urandom",
    "/dev/null",
];

/// Files outside of [`SYSTEM`] that name resolution may lead to, through symbolic links.
const RESOLUTION: [&str; 2] = ["/etc/resolv.conf", "/etc/hosts"];

/// Variables of OpenSSL that say where certificates of authorities are.
const CERTIFICATE_VARIABLES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// The paths that stay usable, each with everything below it. What is missing is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedPaths {
    /// Read, and listed if it is a directory.
    pub readable: Vec<PathBuf>,
    /// Read, written, created and removed.
    pub writable: Vec<PathBuf>,
    /// Directories in which Unix sockets are created and removed.
    pub sockets: Vec<PathBuf>,
}

impl AllowedPaths {
    /// What the libraries in the process read. `variable` looks up an environment variable.
    pub(crate) fn of_the_system(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Self {
        let mut readable: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        for name in CERTIFICATE_VARIABLES {
            readable.extend(variable(name).iter().flat_map(std::env::split_paths));
        }
        for file in RESOLUTION {
            // Of a link the target's directory, because whoever maintains the file replaces it.
            let target = Path::new(file).canonicalize().ok();
            let outside = target.filter(|target| !SYSTEM.iter().any(|known| target.starts_with(known)));
            readable.extend(outside.as_deref().and_then(Path::parent).map(Path::to_owned));
        }
        Self { readable, ..Self::default() }
    }
}

/// How far the kernel enforces the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enforcement {
    Full,
    /// The kernel is older than some of the rules.
    Partial,
    /// The kernel has no Landlock, or it is not switched on.
    Unsupported,
    /// The settings say so.
    Off,
}

impl Enforcement {
    /// A few words for people.
    pub fn text(self) -> &'static str {
        match self {
            Self::Full => "fully enforced",
            Self::Partial => "partly enforced by this kernel",
            Self::Unsupported => "not supported by this kernel",
            Self::Off => "off",
        }
    }
}

impl fmt::Display for Enforcement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}

/// Takes everything but `allowed` from this thread and those that it starts from now on: reading and writing
/// files, executing programs, and signals to other processes. A kernel that cannot enforce it is no error.
///
/// # Errors
/// Fails when the kernel refuses rules that it knows.
pub fn restrict(allowed: &AllowedPaths) -> Result<Enforcement, RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let write = read
        | (AccessFs::from_write(RULES) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev));
    let sockets = AccessFs::MakeSock | AccessFs::RemoveFile;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(RULES))?
        .scope(Scope::Signal)?
        .create()?;
    for (paths, access) in
        [(&allowed.readable, read), (&allowed.writable, write), (&allowed.sockets, sockets)]
    {
        for path in paths {
            rules = allow(rules, path, access)?;
        }
    }
    Ok(match rules.restrict_self()?.ruleset {
        RulesetStatus::FullyEnforced => Enforcement::Full,
        RulesetStatus::PartiallyEnforced => Enforcement::Partial,
        RulesetStatus::NotEnforced => Enforcement::Unsupported,
    })
}

fn allow(
    rules: landlock::RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<landlock::RulesetCreated, RulesetError> {
    // Whoever needs a path that cannot be opened fails where it is needed, with a message of its own.
    let Ok(beneath) = PathFd::new(path) else { return Ok(rules) };
    // The kernel refuses rights of directories in a rule for a file.
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(RULES) };
    rules.add_rule(PathBeneath::new(beneath, access))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::fs;
    use std::io::ErrorKind;
    use std::process::Command;
    use std::thread;

    use super::*;

    #[test]
    fn the_system_s_paths_include_certificates_that_the_environment_names() {
        let variable = |name: &str| (name == "SSL_CERT_DIR").then(|| OsString::from("/srv/one:/srv/two"));
        let paths = AllowedPaths::of_the_system(variable);
        assert!(paths.writable.is_empty() && paths.sockets.is_empty());
        let named: Vec<_> = paths.readable[SYSTEM.len()..].iter().take(2).collect();
        assert_eq!(named, [Path::new("/srv/one"), Path::new("/srv/two")]);
        for file in RESOLUTION {
            if let Ok(target) = fs::canonicalize(file) {
                assert!(paths.readable.iter().any(|known| target.starts_with(known)), "{}", target.display());
            }
        }
    }

    /// What happens on a thread of its own that may use only these paths; `None`, with the reason printed, where
    /// the kernel does not enforce it.
    fn restricted<T: Send>(paths: &AllowedPaths, act: impl FnOnce() -> T + Send) -> Option<T> {
        thread::scope(|scope| {
            let acting = scope.spawn(|| match restrict(paths).unwrap() {
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
            sockets: vec![],
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
    fn no_program_is_executed_even_where_everything_is_readable() {
        let paths = AllowedPaths { readable: vec!["/".into()], ..AllowedPaths::default() };
        restricted(&paths, || {
            let started = Command::new("/bin/true").status();
            assert_eq!(started.unwrap_err().kind(), ErrorKind::PermissionDenied);
        });
    }

    #[test]
    fn a_socket_is_created_and_removed_where_this_is_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("admin.sock");
        let paths = AllowedPaths { sockets: vec![folder.path().into()], ..AllowedPaths::default() };
        restricted(&paths, || {
            drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
            fs::remove_file(&path).unwrap();
            assert_eq!(fs::write(&path, "").unwrap_err().kind(), ErrorKind::PermissionDenied);
        });
    }
}
