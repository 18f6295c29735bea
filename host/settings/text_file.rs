//! Files with texts of the operator's: settings, a token, a `robots.txt`. Each may be a pipe, or endless, and
//! none of this may do harm.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;
use thiserror::Error;

/// Largest file, in bytes. All settings together take less than a hundredth of it, and crawlers read no more
/// of a `robots.txt` (RFC 9309, section 2.5).
pub(super) const LARGEST: u64 = 500 << 10;

/// Why a file has no text. The path is for the caller to say, unless it is a secret.
#[derive(Debug, Error)]
pub(crate) enum TextFileError {
    #[error(transparent)]
    NotRead(#[from] io::Error),
    #[error("not a regular file")]
    NotAFile,
    #[error("larger than {} KiB", LARGEST >> 10)]
    TooLarge,
    #[error("not UTF-8")]
    NotText,
}

/// A file's text. Does not wait for a pipe, and reads at most 500 KiB.
///
/// # Errors
/// When the file cannot be read, is not a regular one, is larger than that, or is not UTF-8.
pub(crate) fn text_of(path: &Path) -> Result<String, TextFileError> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(TextFileError::NotAFile);
    }
    text_in(file)
}

/// The text of a file that may be a pipe, such as the output of a program that knows a secret. Waits for its
/// end, and reads at most 500 KiB.
///
/// # Errors
/// When the file cannot be read, is larger than that, or is not UTF-8.
pub(crate) fn bounded_text_of(path: &Path) -> Result<String, TextFileError> {
    text_in(File::open(path)?)
}

fn text_in(file: File) -> Result<String, TextFileError> {
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(TextFileError::TooLarge);
    }
    String::from_utf8(bytes).map_err(|_| TextFileError::NotText)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_a_regular_file_of_a_sensible_size_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("text");
        let refusal = |path: &Path| text_of(path).unwrap_err();
        assert!(matches!(refusal(&file), TextFileError::NotRead(_)));
        assert!(matches!(refusal(folder.path()), TextFileError::NotAFile));
        assert!(matches!(refusal(Path::new("/dev/zero")), TextFileError::NotAFile));
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(matches!(refusal(&pipe), TextFileError::NotAFile));
        assert!(matches!(bounded_text_of(Path::new("/dev/zero")), Err(TextFileError::TooLarge)));
        fs::write(&file, "#".repeat(LARGEST as usize + 1)).unwrap();
        assert!(matches!(refusal(&file), TextFileError::TooLarge));
        fs::write(&file, "#".repeat(LARGEST as usize)).unwrap();
        assert_eq!(text_of(&file).unwrap().len() as u64, LARGEST);
        fs::write(&file, b"\xff").unwrap();
        assert!(matches!(refusal(&file), TextFileError::NotText));
    }
}
