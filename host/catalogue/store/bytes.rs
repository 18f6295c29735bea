//! Bytes in a file or in memory, which are read by position.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

/// A range of bytes. Cheap to clone. A file stays open for as long as a range of it is used, even when another file
/// has taken its name.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    medium: Arc<Medium>,
    start: u64,
    length: u64,
}

#[derive(Debug)]
enum Medium {
    /// Pieces of `each` bytes, and a last one of at most as many.
    Memory {
        pieces: Vec<Vec<u8>>,
        each: usize,
    },
    File(File),
}

/// An empty range.
impl Default for Bytes {
    fn default() -> Self {
        Self::in_memory(Vec::new())
    }
}

impl Bytes {
    /// The range of all bytes of a file that is open for reading.
    ///
    /// # Errors
    /// When its length cannot be read.
    pub(crate) fn of_file(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { medium: Arc::new(Medium::File(file)), start: 0, length })
    }

    /// The range of all of these bytes.
    pub(crate) fn in_memory(bytes: Vec<u8>) -> Self {
        Self::in_pieces(vec![bytes])
    }

    /// The range of the bytes of these pieces, which have the same length, except for a shorter last one.
    pub(crate) fn in_pieces(pieces: Vec<Vec<u8>>) -> Self {
        let each = pieces.first().map_or(0, Vec::len).max(1);
        let length = pieces.iter().map(|piece| piece.len() as u64).sum();
        Self { medium: Arc::new(Medium::Memory { pieces, each }), start: 0, length }
    }

    /// The number of bytes.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Whether reading the bytes may wait for a disk.
    pub(crate) fn are_in_file(&self) -> bool {
        matches!(*self.medium, Medium::File(_))
    }

    /// Splits the range at `at`, counted from its start; `None` if the range is shorter than that.
    pub(crate) fn split_at(&self, at: u64) -> Option<(Self, Self)> {
        let rest = self.length.checked_sub(at)?;
        let first = Self { length: at, ..self.clone() };
        Some((first, Self { start: self.start + at, length: rest, ..self.clone() }))
    }

    /// Reads all bytes of the range.
    ///
    /// # Errors
    /// When the bytes cannot be read, or the file has become shorter.
    pub(crate) fn to_vec(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.reader().read_to_end(&mut bytes)?;
        if bytes.len() as u64 == self.length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// A reader of the range, from its start.
    pub(crate) fn reader(&self) -> Reader {
        Reader(self.clone())
    }
}

/// Reads a range of bytes from its start.
#[derive(Debug)]
pub(crate) struct Reader(Bytes);

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Bytes { medium, start, length } = &mut self.0;
        let wanted = usize::try_from(*length).unwrap_or(usize::MAX).min(buffer.len());
        let buffer = &mut buffer[..wanted];
        let read = match &**medium {
            Medium::File(file) => file.read_at(buffer, *start)?,
            Medium::Memory { pieces, each } => {
                let start = usize::try_from(*start).unwrap_or(usize::MAX);
                let piece = pieces.get(start / each).and_then(|piece| piece.get(start % each..));
                piece.unwrap_or_default().read(buffer)?
            }
        };
        *start += read as u64;
        *length -= read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn ranges_of_memory_and_of_files_are_read_alike() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"abcdefgh").unwrap();
        let pieces = [&b"abc"[..], b"def", b"gh"].map(Vec::from).into();
        for bytes in
            [Bytes::in_memory(b"abcdefgh".to_vec()), Bytes::in_pieces(pieces), Bytes::of_file(file).unwrap()]
        {
            let (first, rest) = bytes.split_at(3).unwrap();
            let (second, third) = rest.split_at(5).unwrap();
            let read = [&bytes, &first, &second, &third].map(|bytes| bytes.to_vec().unwrap());
            assert_eq!(read, [&b"abcdefgh"[..], b"abc", b"defgh", b""]);
            assert!(bytes.split_at(9).is_none() && third.split_at(1).is_none());
        }
    }

    #[test]
    fn a_file_that_has_become_shorter_is_an_error() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"abc").unwrap();
        let bytes = Bytes::of_file(file.try_clone().unwrap()).unwrap();
        file.set_len(2).unwrap();
        assert_eq!(bytes.to_vec().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
