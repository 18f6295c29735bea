//! Text files of the operator: settings, a token, a `robots.txt`.

use std::path::Path;

use thiserror::Error;

use crate::bounded_file::{BoundedFileError, read_any, read_regular};

/// Largest file, in bytes. All settings together take less than a hundredth of it, and crawlers read no more
/// of a `robots.txt` (RFC 9309, section 2.5).
pub(super) const LARGEST: u64 = 500 << 10;

/// Why a file has no text. The caller adds the path, unless it is a secret.
#[derive(Debug, Error)]
pub(crate) enum TextFileError {
    #[error(transparent)]
    NotRead(#[from] BoundedFileError),
    #[error("not UTF-8")]
    NotText,
}

/// A file's text. Does not wait for a pipe, and reads at most 500 KiB.
///
/// # Errors
/// When the file cannot be read, is not a regular one, is larger than that, or is not UTF-8.
pub(crate) fn text_of(path: &Path) -> Result<String, TextFileError> {
    text_in(read_regular(path, LARGEST)?)
}

/// The text of a file that may be a pipe, such as the output of a program that knows a secret. Waits for its
/// end, and reads at most 500 KiB.
///
/// # Errors
/// When the file cannot be read, is larger than that, or is not UTF-8.
pub(crate) fn bounded_text_of(path: &Path) -> Result<String, TextFileError> {
    text_in(read_any(path, LARGEST)?)
}

fn text_in(bytes: Vec<u8>) -> Result<String, TextFileError> {
    String::from_utf8(bytes).map_err(|_| TextFileError::NotText)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_text_of_a_sensible_size_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("text");
        let refusal = |path: &Path| text_of(path).unwrap_err();
        assert!(matches!(refusal(folder.path()), TextFileError::NotRead(BoundedFileError::NotAFile)));
        fs::write(&file, "#".repeat(LARGEST as usize + 1)).unwrap();
        assert!(matches!(refusal(&file), TextFileError::NotRead(BoundedFileError::TooLarge(LARGEST))));
        fs::write(&file, "#".repeat(LARGEST as usize)).unwrap();
        assert_eq!(text_of(&file).unwrap().len() as u64, LARGEST);
        fs::write(&file, b"\xff").unwrap();
        assert!(matches!(refusal(&file), TextFileError::NotText));
    }
}
