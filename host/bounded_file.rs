//! Files that an operator names. Each may be a pipe, or endless, and none of this may do harm.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;
use thiserror::Error;

/// Why a file was not read. The path is for the caller to say, unless it is a secret.
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
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(BoundedFileError::NotAFile);
    }
    read_in(file, most)
}

/// Reads a file that may be a pipe, such as the output of a program, to its end after at most `most` bytes.
///
/// # Errors
/// When the file cannot be read or is larger.
pub(crate) fn read_any(path: &Path, most: u64) -> Result<Vec<u8>, BoundedFileError> {
    read_in(File::open(path)?, most)
}

fn read_in(file: File, most: u64) -> Result<Vec<u8>, BoundedFileError> {
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
        fs::write(&file, vec![0; MOST as usize + 1]).unwrap();
        assert!(matches!(refusal(&file), BoundedFileError::TooLarge(MOST)));
        fs::write(&file, vec![0; MOST as usize]).unwrap();
        assert_eq!(read_regular(&file, MOST).unwrap().len() as u64, MOST);
    }
}
