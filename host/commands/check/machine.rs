//! What the machine offers: the address to listen on, the state directory, memory and open files.

use std::io::{self, ErrorKind};
use std::net::TcpListener;
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{Access, access};
use rustix::process::{Resource, getrlimit};

use super::report::Report;
use crate::commands::healthcheck::{Proof, is_healthy, own_address};
use crate::process::listening::Address;
use crate::process::open_files::FURTHER_FILES;
use crate::process::sandbox::Sandbox;
use crate::settings::{CatalogueChoice, ServeSettings, unknown_variables};

/// Time limit for an answer of the program that listens at the storefront's address.
const HEALTHY_WITHIN: Duration = Duration::from_secs(2);

/// Names variables that look like settings but are none: the storefront ignores them.
pub(super) fn check_variables(report: &mut Report) {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let unknown = unknown_variables(names);
    if unknown.is_empty() {
        report.ok("settings", "every value makes sense");
    }
    for (name, nearest) in unknown {
        let meant = nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
        report.warn("settings", format!("the variable {name} is no setting and has no effect{meant}"));
    }
}

/// Whether the address is free, or a storefront already listens there.
pub(super) async fn check_listening(settings: &ServeSettings, report: &mut Report) {
    let address = settings.listen;
    match TcpListener::bind(address) {
        Ok(_) => report.ok("listen", format!("{address} is free")),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            let asked = own_address(address, settings.tls.tls_cert.is_some());
            match is_healthy(&asked, Proof::Address, HEALTHY_WITHIN).await {
                Ok(()) => {
                    report.ok("listen", format!("{address} is taken by what answers /healthz: a storefront"))
                }
                Err(problem) => report.error(
                    "listen",
                    format!(
                        "{address} is taken by another program ({asked} {problem}): choose another --listen"
                    ),
                ),
            }
        }
        Err(error) => report.error("listen", format!("{address} cannot be listened on: {error}")),
    }
}

/// Whether the address for operators is free. If it is taken, the running storefront may be what listens there.
pub(super) fn check_admin(settings: &ServeSettings, report: &mut Report) {
    const ABOUT: &str = "admin";
    let Some(address) = &settings.admin.admin else { return };
    let found = match address {
        Address::Tcp(address) => TcpListener::bind(address).map(|_| "is free"),
        Address::Unix(path) => place_of_socket(path),
    };
    match found {
        Ok(found) => report.ok(ABOUT, format!("{address} {found}")),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            report.warn(ABOUT, format!("{address} is taken: by the storefront that runs, or another program"))
        }
        Err(error) => report.error(ABOUT, format!("{address} cannot be listened on: {error}")),
    }
}

/// Whether a socket can be created at this path. Creates none.
fn place_of_socket(path: &Path) -> io::Result<&'static str> {
    match path.symlink_metadata() {
        Ok(found) if !found.file_type().is_socket() => Err(io::Error::other("something else is there")),
        Ok(_) => match UnixStream::connect(path) {
            Ok(_) => Err(ErrorKind::AddrInUse.into()),
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
                Ok("is free: nobody listens any more")
            }
            Err(error) => Err(error),
        },
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            access(folder.unwrap_or(Path::new(".")), Access::WRITE_OK | Access::EXEC_OK)?;
            Ok("is free")
        }
    }
}

/// Whether the state can be saved.
pub(super) fn check_state_directory(settings: &ServeSettings, report: &mut Report) {
    const ABOUT: &str = "state-dir";
    let Some(directory) = settings.state_dir.as_deref() else {
        if matches!(settings.catalogue, CatalogueChoice::Service(_)) {
            report.warn(ABOUT, "not set: a start while the catalogue service is down has nothing to sell");
        }
        return;
    };
    match can_be_written(directory) {
        Ok(()) => report.ok(ABOUT, format!("{} can be written", directory.display())),
        Err(problem) => report.warn(
            ABOUT,
            format!(
                "{}: {problem}, so the catalogue will not be saved: give the storefront's user the right to write",
                directory.display()
            ),
        ),
    }
}

/// Whether this user may write into a directory, or create it if it is missing. Creates nothing.
fn can_be_written(directory: &Path) -> Result<(), String> {
    let mut folders = directory
        .ancestors()
        .map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let Some(existing) = folders.find(|folder| folder.symlink_metadata().is_ok()) else {
        return Err("no part of it exists".into());
    };
    if !existing.is_dir() {
        return Err(format!("{} is not a directory", existing.display()));
    }
    access(existing, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| format!("{} cannot be written ({error})", existing.display()))
}

/// What happens when a path of the settings leads to another file or folder.
pub(super) fn check_replaced_paths(settings: &ServeSettings, report: &mut Report) {
    if settings.sandbox == Sandbox::Off || settings.followed_paths().is_empty() {
        return;
    }
    let who = match settings.supervise {
        true => "is read by another worker, which the supervisor starts within a minute",
        false => "is read after the next start: with --supervise the shop starts another worker by itself",
    };
    report.ok("sandbox", format!("a folder of these settings that another one takes the place of {who}"));
}

/// How memory is shared out, and whether there is enough.
pub(super) fn check_memory(settings: &ServeSettings, report: &mut Report) {
    const ABOUT: &str = "memory";
    let shares = settings.shares();
    if shares.limit.is_none() {
        report.warn(
            ABOUT,
            format!(
                "neither the control group nor --memory-limit limits it: a storefront that takes too much is ended by the \
                 kernel; {shares}"
            ),
        );
    } else if shares.fit() {
        report.ok(ABOUT, shares);
    } else {
        report.warn(
            ABOUT,
            format!(
                "{shares}, which leaves less than a tenth: lower --isolates, --isolate-heap or --page-memory"
            ),
        );
    }
}

/// Whether the limit of open files is enough for every connection.
pub(super) fn check_open_files(settings: &ServeSettings, report: &mut Report) {
    let needed = u64::from(settings.max_connections) + FURTHER_FILES;
    match getrlimit(Resource::Nofile).maximum {
        Some(most) if most < needed => report.warn(
            "open files",
            format!("{needed} are needed and {most} allowed: raise the limit, or lower --max-connections"),
        ),
        _ => report.ok("open files", format!("as many as needed are allowed ({needed})")),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_directory_that_is_missing_is_judged_by_the_one_above_it_and_not_created() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("a/b");
        assert_eq!(can_be_written(&missing), Ok(()));
        assert!(!folder.path().join("a").exists());
        assert_eq!(can_be_written(folder.path()), Ok(()));
        assert_eq!(can_be_written(Path::new("somewhere")), Ok(()));
    }

    #[test]
    fn what_is_no_directory_or_read_only_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(can_be_written(&file).unwrap_err().contains("is not a directory"));
        assert!(can_be_written(&file.join("below")).unwrap_err().contains("is not a directory"));
        let locked = folder.path().join("locked");
        fs::create_dir(&locked).unwrap();
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
        // Root may write everywhere.
        let is_root = rustix::process::geteuid().is_root();
        assert_eq!(can_be_written(&locked.join("below")).is_ok(), is_root);
    }
}
