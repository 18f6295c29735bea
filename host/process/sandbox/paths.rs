//! What stays usable.

use std::collections::BTreeSet;
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::fs::{Mode, OFlags};

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

/// Where systems have certificates of authorities. Some have links here, to what is outside of [`SYSTEM`]:
/// openSUSE to `/var/lib/ca-certificates`, NixOS to `/nix/store`, Guix to `/gnu/store`.
const CERTIFICATES: [&str; 6] = [
    "/etc/ssl/certs",
    "/etc/ssl/cert.pem",
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
];

/// Most entries of a directory of certificates that are looked at. Systems have about 300.
const MOST_CERTIFICATES: usize = 2_048;

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
}

impl AllowedPaths {
    /// What the libraries in the process read. `variable` looks up an environment variable.
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

/// What a path leads to, through symbolic links, if that is outside of [`SYSTEM`].
fn outside(path: &Path) -> Option<PathBuf> {
    let target = target_of(path).ok()?;
    let is_known = SYSTEM.iter().any(|known| target.starts_with(known));
    (!is_known && target != path).then_some(target)
}

/// Where a path leads to. The kernel names what it has opened, in three calls. [`Path::canonicalize`] makes up to
/// twenty. With the certificates of a Debian system these took a twentieth of the time until the first page.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    name_of_open(path).map_or_else(|| path.canonicalize(), Ok)
}

/// The kernel's name of what `path` leads to; `None` where it cannot be found by that name, because it has been removed
/// or is in no file system.
fn name_of_open(path: &Path) -> Option<PathBuf> {
    let file = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let name = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
    let is_removed = name.as_os_str().as_encoded_bytes().ends_with(b" (deleted)");
    (name.is_absolute() && !is_removed).then_some(name)
}

/// What a file or directory leads to outside of [`SYSTEM`], and what the entries of that directory lead to.
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
        // The kernel has no name of a file that was removed.
        let removed = fs::File::open(at("store/one/authority.pem")).unwrap();
        fs::remove_file(at("store/one/authority.pem")).unwrap();
        assert!(linked(Path::new(&format!("/proc/self/fd/{}", removed.as_raw_fd()))).is_empty());
    }
}
