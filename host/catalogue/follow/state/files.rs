//! The state directory: one file for each service, which is replaced atomically.
//!
//! Symbolic links, pipes, devices and files of other users in the directory are refused; they are not
//! followed or waited for.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, DirEntry, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufWriter, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{Mode, OFlags};
use rustix::rand::{GetRandomFlags, getrandom};

use super::error::StateError;
use crate::catalogue::store::Bytes;

/// The name of a service's file is this, a hash of its address, and [`SUFFIX`].
const PREFIX: &str = "catalogue-";
const SUFFIX: &str = ".state";
/// The extension of a file that former versions wrote beside a state file.
const PAGES: &str = "pages";
/// The number of hexadecimal digits of the hash.
const HASH: usize = 16;
/// The prefix of a temporary file, which is written first; random digits follow.
const PART: &str = "catalogue.part-";
/// The largest number of files that are kept. Each may be as large as a catalogue.
const MOST_FILES: usize = 4;
/// Where files cannot be locked, a temporary file of this age is abandoned.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);
/// Largest file that is read, in bytes. A million products take less than a tenth of this.
const LARGEST: u64 = 16 << 30;

/// Only the owner may read, write and search the directory, or read and write a file.
const DIRECTORY_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;
/// The rights of all other users.
const OTHERS: u32 = 0o077;
/// All users can have files in a directory with this bit, such as `/tmp`.
const STICKY: u32 = 0o1000;

/// The file of a service in a directory.
pub(in crate::catalogue) fn file_of(directory: &Path, service: &str) -> PathBuf {
    let hash = blake3::hash(service.as_bytes()).to_hex();
    directory.join(format!("{PREFIX}{}{SUFFIX}", &hash[..HASH]))
}

/// Creates the directory if it is missing, removes what killed processes left, and takes the rights to the directory
/// and the files from other users. In the sandbox no rights can be changed, so this is called before it.
///
/// # Errors
/// When it cannot be created.
pub(super) fn prepare(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(DIRECTORY_MODE).create(directory)?;
    // The service's file may be usable even if none of this can be done.
    let _ = tidy(directory);
    Ok(())
}

fn tidy(directory: &Path) -> io::Result<()> {
    let mut is_ours_alone = true;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_pages = is_pages(&name);
        is_ours_alone &= is_part(&name) || is_state(&name) || is_pages;
        if is_state(&name) {
            // The file may be usable all the same.
            let _ = close_to_others(&entry.path());
        }
        if is_pages || (is_part(&name) && is_abandoned(&entry)) {
            // A file that cannot be removed only takes up disk space.
            let _ = fs::remove_file(entry.path());
        }
    }
    let mode = fs::metadata(directory)?.mode();
    // The rights to a directory with files of others are not for the shop to decide.
    if is_ours_alone && mode & STICKY == 0 && mode & OTHERS != 0 {
        fs::set_permissions(directory, Permissions::from_mode(mode & DIRECTORY_MODE))?;
    }
    Ok(())
}

fn is_part(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(PART))
}

fn is_pages(name: &OsStr) -> bool {
    let path = Path::new(name);
    path.extension().is_some_and(|extension| extension == PAGES)
        && path.with_extension("state").file_name().is_some_and(is_state)
}

fn is_older_than(entry: &DirEntry, age: Duration) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|elapsed| elapsed > age))
}

fn is_state(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let hash = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    // A copy under another name is the operator's and stays.
    let is_hash = |hash: &str| hash.len() == HASH && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    hash.is_some_and(is_hash)
}

/// Whether no process is still writing this temporary file: the writer holds a lock on it.
fn is_abandoned(entry: &DirEntry) -> bool {
    if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
        return true;
    }
    let Ok(file) = open(&entry.path()) else { return false };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => is_older_than(entry, ABANDONED_AFTER),
    }
}

/// Opens a file for reading. A symbolic link is an error, and a pipe without a writer does not block.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// The content of a file, which stays open for as long as it is used.
///
/// # Errors
/// When it cannot be read, or is not a regular file of this user and of a bearable size.
pub(in crate::catalogue) fn read(path: &Path) -> Result<Bytes, StateError> {
    // The file is looked at before it is opened, because opening a device may already do something.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(StateError::NotAFile);
    }
    let file = open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(StateError::NotAFile);
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() && metadata.uid() != 0 {
        return Err(StateError::ForeignOwner);
    }
    if metadata.len() > LARGEST {
        return Err(StateError::TooLarge);
    }
    Ok(Bytes::of_file(file)?)
}

/// Notes that a file is in use, for [`remove_oldest`].
pub(super) fn mark_used(path: &Path) {
    // On a read-only disk no file is removed either.
    let _ = open(path).and_then(|file| file.set_modified(SystemTime::now()));
}

/// Takes the rights to a file of this user from other users.
fn close_to_others(path: &Path) -> io::Result<()> {
    let file = open(path)?;
    let metadata = file.metadata()?;
    let is_own = metadata.is_file() && metadata.uid() == rustix::process::geteuid().as_raw();
    if is_own && metadata.mode() & OTHERS != 0 {
        file.set_permissions(Permissions::from_mode(metadata.mode() & FILE_MODE))?;
    }
    Ok(())
}

/// Opens a file whose content has this first line and at least this length.
///
/// # Errors
/// When it has other content, such as that of another process, or cannot be opened for writing.
pub(super) fn open_written(path: &Path, head: &str, length: u64) -> io::Result<File> {
    // The file is looked at before it is opened, because opening a device may already do something.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file =
        OpenOptions::new().read(true).write(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    let mut start = vec![0; head.len()];
    file.read_exact_at(&mut start, 0)?;
    if start != head.as_bytes() || file.metadata()?.len() < length {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(file)
}

/// Writes what follows the content of this length, in place.
///
/// # Errors
/// When it cannot be written.
pub(super) fn append(file: &File, length: u64, following: &str) -> io::Result<()> {
    // Not synchronised with the disk: if it is lost, answers only count as older.
    file.write_all_at(following.as_bytes(), length)?;
    file.set_len(length + following.len() as u64)
}

/// Replaces a file by one with the content that `write` writes. If anything fails, the old file stays. Returns what
/// `write` returns.
///
/// # Errors
/// When the disk is full or read-only, for example.
pub(in crate::catalogue) fn replace<T>(
    directory: &Path,
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<T, StateError>,
) -> Result<T, StateError> {
    // It may have been removed since the start.
    DirBuilder::new().recursive(true).mode(DIRECTORY_MODE).create(directory)?;
    let (part, file) = create_part(directory)?;
    let written = match fill(&file, write).and_then(|written| Ok((written, fs::rename(&part, path)?))) {
        Ok((written, ())) => written,
        Err(error) => {
            // A partial file is useless and may be what fills the disk.
            let _ = fs::remove_file(&part);
            return Err(error);
        }
    };
    // The rename is durable only after the directory has been synced.
    File::open(directory)?.sync_all()?;
    Ok(written)
}

/// A new file that has never had a name, for what is not kept: a killed process leaves nothing. Some file systems have
/// none, such as NFS.
///
/// # Errors
/// When none can be created in the directory.
pub(crate) fn unnamed_file(directory: &Path) -> io::Result<File> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    Ok(rustix::fs::open(directory, flags, Mode::from_raw_mode(FILE_MODE))?.into())
}

/// A new temporary file.
fn create_part(directory: &Path) -> io::Result<(PathBuf, File)> {
    let mut random = [0; 16];
    // A request for this few bytes is always filled.
    getrandom(&mut random, GetRandomFlags::empty())?;
    let part = directory.join(format!("{PART}{:032x}", u128::from_ne_bytes(random)));
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(FILE_MODE)
        .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
        .open(&part)?;
    Ok((part, file))
}

fn fill<T>(
    file: &File,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<T, StateError>,
) -> Result<T, StateError> {
    // Where files cannot be locked, other processes go by the file's age. Elsewhere another process may hold
    // the lock for a moment, while it checks whether the file is abandoned.
    let _ = file.lock();
    let mut buffered = BufWriter::new(file);
    let written = write(&mut buffered)?;
    buffered.flush()?;
    file.sync_all()?;
    Ok(written)
}

/// The state files of a directory other than `path`, the most recently used first.
fn others(directory: &Path, path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)?.filter_map(Result::ok) {
        if !is_state(&entry.file_name()) || entry.path() == path {
            continue;
        }
        // Another process may have removed the file meanwhile.
        let Ok(metadata) = entry.metadata() else { continue };
        if !metadata.is_dir() {
            files.push((metadata.modified()?, entry.path()));
        }
    }
    files.sort_by(|left, right| right.cmp(left));
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

/// Whether there are state files of other services.
pub(super) fn has_others(directory: &Path, path: &Path) -> bool {
    others(directory, path).is_ok_and(|files| !files.is_empty())
}

/// Removes the files that were unused for longest, so that at most [`MOST_FILES`] are left, including `path`. A
/// file that cannot be removed only takes up disk space.
pub(in crate::catalogue) fn remove_oldest(directory: &Path, path: &Path) {
    for file in others(directory, path).unwrap_or_default().into_iter().skip(MOST_FILES - 1) {
        if fs::remove_file(&file).is_ok() {
            tracing::info!(file = %file.display(), "removed the saved catalogue that was unused for longest");
        }
    }
}
