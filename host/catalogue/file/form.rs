//! Whether a file is a table, XML or JSON.

use std::io::{self, BufRead, Cursor, Read};

/// How many bytes at the beginning of a file may be spaces.
const HEAD: u64 = 4 << 10;

/// The form of a file, as its first character shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Table,
    Xml,
    Json,
}

impl Form {
    /// The form of a text, and a reader of the whole text.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn of(mut text: impl BufRead) -> io::Result<(Self, impl BufRead)> {
        let mut head = Vec::new();
        text.by_ref().take(HEAD).read_to_end(&mut head)?;
        let form = match head.trim_ascii_start().first() {
            Some(b'{' | b'[') => Self::Json,
            Some(b'<') => Self::Xml,
            _ => Self::Table,
        };
        Ok((form, Cursor::new(head).chain(text)))
    }
}
