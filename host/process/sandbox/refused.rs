//! Paths that lead to what was not there when the sandbox was entered: a rule holds for a file or a folder, and not for
//! what takes its name.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rustix::fs::{Access, Mode, OFlags, access, open};
use rustix::io::Errno;

/// The path that the sandbox refuses, if there is one. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refused(Arc<Mutex<Option<PathBuf>>>);

impl Refused {
    /// The first of the paths that was refused when they were last looked at.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        self.0.lock().clone()
    }

    /// Looks at the paths, and returns the first one that is refused.
    pub(crate) fn look(&self, paths: &[PathBuf]) -> Option<PathBuf> {
        let found = paths.iter().find(|path| refuses(path)).cloned();
        self.0.lock().clone_from(&found);
        found
    }
}

/// Whether the sandbox refuses a file or a folder that this user may read.
pub(crate) fn refuses(path: &Path) -> bool {
    // Opening a pipe or a device may already do something.
    let is_plain = fs::metadata(path).is_ok_and(|found| found.is_file() || found.is_dir());
    // What the sandbox refuses, this call does not.
    is_plain
        && access(path, Access::READ_OK).is_ok()
        && open(path, OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).err()
            == Some(Errno::ACCESS)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::process::sandbox::{AllowedPaths, Enforcement, restrict};

    #[test]
    fn a_folder_that_takes_the_name_of_another_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [allowed, other, file, missing] =
            ["allowed", "other", "other/file", "missing"].map(|name| folder.path().join(name));
        for folder in [&allowed, &other] {
            fs::create_dir(folder).unwrap();
        }
        fs::write(&file, "").unwrap();
        let (seen, entered) = (Refused::default(), std::sync::Barrier::new(2));
        thread::scope(|scope| {
            let acting = scope.spawn(|| {
                let paths = AllowedPaths { readable: vec![allowed.clone()], ..AllowedPaths::default() };
                let files = restrict(&paths).files.unwrap();
                let found = seen.look(&[missing.clone(), allowed.clone()]);
                entered.wait();
                entered.wait();
                (files, found, seen.look(&[missing, allowed.clone()]))
            });
            entered.wait();
            fs::rename(&allowed, folder.path().join("old")).unwrap();
            fs::rename(&other, &allowed).unwrap();
            entered.wait();
            let (files, before, after) = acting.join().unwrap();
            if matches!(files, Enforcement::Full | Enforcement::Partial) {
                assert_eq!((before, after), (None, Some(allowed.clone())));
                assert_eq!(seen.path(), Some(allowed.clone()));
            }
        });
        assert_eq!(seen.look(&[allowed]), None);
        assert_eq!(seen.path(), None);
    }
}
