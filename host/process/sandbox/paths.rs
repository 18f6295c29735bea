//! The paths that stay usable.

use std::collections::BTreeSet;
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::fs::{Mode, OFlags};

/// The paths that libraries in the process read on every system. Whole directories, because a rule for a
/// file does not cover the file that later replaces it under the same name.
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

/// Where systems have certificates of authorities. On some these are links to paths outside of [`SYSTEM`]:
/// openSUSE to `/var/lib/ca-certificates`, NixOS to `/nix/store`, Guix to `/gnu/store`.
const CERTIFICATES: [&str; 6] = [
    "/etc/ssl/certs",
    "/etc/ssl/cert.pem",
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
];

/// The largest number of entries that are read in a directory of certificates. Systems have about 300.
const MOST_CERTIFICATES: usize = 2_048;

/// Files of name resolution that may be symbolic links to files outside of [`SYSTEM`].
const RESOLUTION: [&str; 2] = ["/etc/resolv.conf", "/etc/hosts"];

/// Variables of OpenSSL that say where certificates of authorities are.
const CERTIFICATE_VARIABLES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// The paths that stay usable, each with everything below it. A path that does not exist has no effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedPaths {
    /// Paths that may be read, and listed if they are directories.
    pub readable: Vec<PathBuf>,
    /// Paths that may be read, written, created and removed.
    pub writable: Vec<PathBuf>,
}

impl AllowedPaths {
    /// The paths that libraries in the process read. `variable` looks up an environment variable.
    pub(crate) fn of_the_system(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Self {
        let mut readable: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        let named: Vec<PathBuf> = CERTIFICATE_VARIABLES
            .iter()
            .filter_map(|name| variable(name))
            .flat_map(|paths| std::env::split_paths(&paths).collect::<Vec<_>>())
            .collect();
        readable.extend(named.iter().cloned());
        let certificates = CERTIFICATES.iter().map(Path::new).chain(named.iter().map(PathBuf::as_path));
        readable.extend(certificates.flat_map(linked).collect::<BTreeSet<_>>());
        for file in RESOLUTION {
            // For a link, the directory of its target, because the target is replaced when it changes.
            readable.extend(outside(Path::new(file)).as_deref().and_then(Path::parent).map(Path::to_owned));
        }
        Self { readable, ..Self::default() }
    }
}

/// The target of a path, through symbolic links, if that is outside of [`SYSTEM`].
fn outside(path: &Path) -> Option<PathBuf> {
    let target = target_of(path).ok()?;
    let is_known = SYSTEM.iter().any(|known| target.starts_with(known));
    (!is_known && target != path).then_some(target)
}

/// The target of a path. Letting the kernel name what it has opened takes three calls; [`Path::canonicalize`] makes up
/// to twenty, which for the certificates of a Debian system took a twentieth of the time until the first page.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    name_of_open(path).map_or_else(|| path.canonicalize(), Ok)
}

/// The kernel's name of the target of `path`; `None` if the target cannot be found by that name, because it has been
/// removed or is in no file system.
fn name_of_open(path: &Path) -> Option<PathBuf> {
    let file = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let name = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
    let is_removed = name.as_os_str().as_encoded_bytes().ends_with(b" (deleted)");
    (name.is_absolute() && !is_removed).then_some(name)
}

/// The targets outside of [`SYSTEM`] of a file or directory, and of the links in that directory.
fn linked(path: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().take(MOST_CERTIFICATES).flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    let paths = links.map(|entry| entry.path()).chain([path.to_owned()]);
    paths.filter_map(|path| outside(&path)).collect()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_system_s_paths_include_certificates_that_the_environment_names() {
        let variable = |name: &str| (name == "SSL_CERT_DIR").then(|| OsString::from("/srv/one:/srv/two"));
        let paths = AllowedPaths::of_the_system(variable);
        assert!(paths.writable.is_empty());
        let named: Vec<_> = paths.readable[SYSTEM.len()..].iter().take(2).collect();
        assert_eq!(named, [Path::new("/srv/one"), Path::new("/srv/two")]);
        for file in RESOLUTION {
            if let Ok(target) = fs::canonicalize(file) {
                assert!(paths.readable.iter().any(|known| target.starts_with(known)), "{}", target.display());
            }
        }
    }

    #[test]
    fn certificates_stay_readable_where_their_links_lead() {
        let folder = tempfile::tempdir().unwrap();
        // The folder may itself be reached through a link.
        let folder = folder.path().canonicalize().unwrap();
        let at = |name: &str| folder.join(name);
        for name in ["store", "store/one", "etc", "real"] {
            fs::create_dir(at(name)).unwrap();
        }
        for file in ["store/one/authority.pem", "etc/local.pem", "real/bundle.pem"] {
            fs::write(at(file), "").unwrap();
        }
        symlink(at("store/one/authority.pem"), at("etc/authority.pem")).unwrap();
        symlink(at("missing"), at("etc/missing.pem")).unwrap();
        symlink("/etc", at("etc/known.pem")).unwrap();
        symlink(at("real"), at("link")).unwrap();
        assert_eq!(linked(&at("etc")), BTreeSet::from([at("store/one/authority.pem")]));
        assert_eq!(linked(&at("link")), BTreeSet::from([at("real")]));
        assert_eq!(linked(&at("link/bundle.pem")), BTreeSet::from([at("real/bundle.pem")]));
        assert!(linked(&at("missing")).is_empty());
        // The kernel's name of a removed file leads nowhere.
        let removed = fs::File::open(at("store/one/authority.pem")).unwrap();
        fs::remove_file(at("store/one/authority.pem")).unwrap();
        assert!(linked(Path::new(&format!("/proc/self/fd/{}", removed.as_raw_fd()))).is_empty());
    }
}
