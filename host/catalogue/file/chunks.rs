//! Reads bytes in chunks, for readers that look at what follows before they hand a byte on.

use std::io::{self, Read};
use std::ops::Range;

/// How many bytes are read at once.
pub(super) const CHUNK: usize = 64 << 10;

/// The bytes of a reader that were read and not taken yet.
pub(super) struct Chunks<R> {
    inner: R,
    /// Memory for the bytes, of which those in the range `ready` are not taken.
    buffer: Vec<u8>,
    ready: Range<usize>,
    is_at_end: bool,
}

impl<R: Read> Chunks<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, buffer: Vec::new(), ready: 0..0, is_at_end: false }
    }

    /// The bytes that were read and not taken.
    pub(super) fn ready(&self) -> &[u8] {
        &self.buffer[self.ready.clone()]
    }

    /// Whether there are no more to be read.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Takes the first `count` of them.
    pub(super) fn take(&mut self, count: usize) {
        self.ready.start += count;
    }

    /// Copies the first ones, at most `most`, and takes them. Returns how many.
    pub(super) fn copy(&mut self, most: usize, target: &mut [u8]) -> io::Result<usize> {
        let count = (&self.ready()[..most]).read(target)?;
        self.take(count);
        Ok(count)
    }

    /// Reads more bytes, which come after those that are ready.
    ///
    /// # Errors
    /// When the reader fails. What was ready stays so.
    pub(super) fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.ready.clone(), 0);
        self.ready = 0..self.ready.len();
        // It never becomes smaller: memory that was filled once need not be cleared again.
        self.buffer.resize(self.buffer.len().max(self.ready.end + CHUNK), 0);
        let read = self.inner.read(&mut self.buffer[self.ready.end..])?;
        self.ready.end += read;
        self.is_at_end = read == 0;
        Ok(())
    }
}
