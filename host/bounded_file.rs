//! Files that an operator names. Any of them may be a pipe, or endless, which must do no harm.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;
use thiserror::Error;

/// How long a pipe may be without a writer.
const WRITER_WITHIN: Timespec = Timespec { tv_sec: 3, tv_nsec: 0 };

/// Distinguishes versions of a file without reading it. A change of its owner or permissions, which may make it readable,
/// makes a new version too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStamp {
    file: (u64, u64),
    length: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileStamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            file: (metadata.dev(), metadata.ino()),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Whether it is of another file than this one, which it may have replaced, and not of a file that was written to.
    pub(crate) fn is_of_another_file(&self, than: &Self) -> bool {
        self.file != than.file
    }
}

/// Why a file was not read. The caller adds the path, unless it is a secret.
#[derive(Debug, Error)]
pub enum BoundedFileError {
    /// The system refuses to open or read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is a directory, a pipe or a device.
    #[error("not a regular file")]
    NotAFile,
    /// It has more bytes than this.
    #[error("larger than {} KiB", .0 >> 10)]
    TooLarge(u64),
}

/// Reads a regular file of at most `most` bytes. Does not wait for a pipe.
///
/// # Errors
/// When the file cannot be read, is not a regular one, or is larger.
pub(crate) fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>, BoundedFileError> {
    read_in(open_regular(path, most)?, most)
}

/// Opens a regular file of at most `most` bytes. Does not wait for a pipe.
///
/// # Errors
/// When the file cannot be opened, is not a regular one, or is larger.
pub(crate) fn open_regular(path: &Path, most: u64) -> Result<File, BoundedFileError> {
    let file = open(path)?;
    let metadata = file.metadata()?;
    match metadata.is_file() {
        false => Err(BoundedFileError::NotAFile),
        true if metadata.len() > most => Err(BoundedFileError::TooLarge(most)),
        true => Ok(file),
    }
}

/// Reads a file, or a pipe such as the output of a program, to its end. It may have at most `most` bytes. Waits for
/// a pipe's writer, but only briefly if there is no writer.
///
/// # Errors
/// When the file cannot be read, is larger, or is a pipe without a writer.
pub(crate) fn read_any(path: &Path, most: u64) -> Result<Vec<u8>, BoundedFileError> {
    read_in(Stream { file: open(path)?, has_writer: false }, most)
}

/// Reads a regular file of at most `most` bytes below a folder, see [`open_below`].
///
/// # Errors
/// When the file cannot be opened, is not a regular one, is elsewhere, or is larger.
pub(crate) fn read_below(folder: &Path, path: &Path, most: u64) -> Result<Vec<u8>, BoundedFileError> {
    read_in(open_below(folder, path)?.0, most)
}

/// Opens a regular file below a folder. Links may lead to other places in the folder, and nothing leads out of it.
///
/// # Errors
/// When the file cannot be opened, is not a regular one, or is elsewhere.
pub(crate) fn open_below(folder: &Path, path: &Path) -> Result<(File, Metadata), BoundedFileError> {
    open_in(&open_folder(folder)?, path)
}

/// Opens a folder for [`open_in`]. It stays that folder when another one takes its name.
///
/// # Errors
/// When there is no such folder.
pub(crate) fn open_folder(folder: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(folder, flags, Mode::empty())?)
}

/// Like [`open_below`], in a folder that is open.
///
/// # Errors
/// Like [`open_below`].
pub(crate) fn open_in(folder: &OwnedFd, path: &Path) -> Result<(File, Metadata), BoundedFileError> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let open = || {
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        openat2(folder, path, flags, Mode::empty(), resolve)
    };
    // While something is renamed the kernel may not know whether a path leads out of the folder.
    let opened = open().or_else(|error| if error == Errno::AGAIN { open() } else { Err(error) });
    let file = File::from(opened.map_err(io::Error::from)?);
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(BoundedFileError::NotAFile) }
}

/// Opens a file without waiting for a pipe's writer.
fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// A file that may not have anything to read yet.
struct Stream {
    file: File,
    /// Whether a writer has it open, or had.
    has_writer: bool,
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let limit = (!self.has_writer).then_some(&WRITER_WITHIN);
            let is_ready = match poll(&mut [PollFd::new(&self.file, PollFlags::IN)], limit) {
                Ok(events) => events > 0,
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            };
            match self.file.read(buffer) {
                // There is a writer, which has written nothing yet.
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.has_writer = true,
                // Once a writer has closed a pipe, it is ready to be read to its end.
                Ok(0) if !is_ready => {
                    return Err(io::Error::new(ErrorKind::TimedOut, "a pipe that nothing writes to"));
                }
                read => {
                    self.has_writer = true;
                    return read;
                }
            }
        }
    }
}

fn read_in(file: impl Read, most: u64) -> Result<Vec<u8>, BoundedFileError> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(BoundedFileError::TooLarge(most)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const MOST: u64 = 1 << 10;

    #[test]
    fn only_a_regular_file_of_a_sensible_size_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let refusal = |path: &Path| read_regular(path, MOST).unwrap_err();
        assert!(matches!(refusal(&file), BoundedFileError::Io(_)));
        assert!(matches!(refusal(folder.path()), BoundedFileError::NotAFile));
        assert!(matches!(refusal(Path::new("/dev/zero")), BoundedFileError::NotAFile));
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(matches!(refusal(&pipe), BoundedFileError::NotAFile));
        assert!(matches!(read_any(Path::new("/dev/zero"), MOST), Err(BoundedFileError::TooLarge(MOST))));
        let nobody = read_any(&pipe, MOST).unwrap_err();
        assert_eq!(nobody.to_string(), "a pipe that nothing writes to");
        fs::write(&file, vec![0; MOST as usize + 1]).unwrap();
        assert!(matches!(refusal(&file), BoundedFileError::TooLarge(MOST)));
        fs::write(&file, vec![0; MOST as usize]).unwrap();
        assert_eq!(read_regular(&file, MOST).unwrap().len() as u64, MOST);
    }

    #[test]
    fn only_what_is_below_a_folder_is_opened() {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("folder");
        fs::create_dir_all(folder.join("sub")).unwrap();
        for file in ["secret", "folder/one", "folder/sub/two"] {
            fs::write(outside.path().join(file), file).unwrap();
        }
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, folder.join(name)).unwrap();
        link(Path::new("sub/two"), "inside");
        link(Path::new("../secret"), "out");
        link(outside.path(), "parent");
        link(Path::new("/proc/self/root"), "root");
        link(Path::new("loop"), "loop");
        assert!(std::process::Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
        let length = |path: &str| open_below(&folder, Path::new(path)).map(|(_, metadata)| metadata.len());
        assert_eq!(["one", "sub/two", "./inside"].map(|path| length(path).unwrap()), [10, 14, 14]);
        let absolute = folder.join("one");
        for path in [
            "",
            ".",
            "sub",
            "pipe",
            "missing",
            "one/",
            "../secret",
            "sub/../../secret",
            "out",
            "parent/secret",
            "root/etc/passwd",
            "loop",
            "a\0b",
            "/etc/passwd",
            absolute.to_str().unwrap(),
        ] {
            assert!(length(path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_pipe_is_read_to_the_end_that_its_writer_makes() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let path = pipe.clone();
        let writing = std::thread::spawn(move || {
            // Waits for the reader.
            let mut writer = OpenOptions::new().write(true).open(path).unwrap();
            for part in ["a ", "secret"] {
                std::thread::sleep(std::time::Duration::from_millis(20));
                io::Write::write_all(&mut writer, part.as_bytes()).unwrap();
            }
        });
        assert_eq!(read_any(&pipe, MOST).unwrap(), b"a secret");
        writing.join().unwrap();
    }
}
