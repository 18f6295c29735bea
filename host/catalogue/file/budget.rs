//! Counts lines in the bytes on their way to a reader of records, and limits the size of each record.

use std::cell::{Cell, RefCell};
use std::io::{self, BufRead, Read};

use super::error::FileError;

/// Maximum size of a record, in bytes. A longer one is left out.
pub(super) const MOST: u64 = 4 << 20;
/// Maximum size of a record that has to be parsed to find its end, in bytes. With a longer one, the file is refused.
pub(super) const MOST_PARSED: u64 = 32 << 20;

/// What is known of the bytes that have been taken.
#[derive(Default)]
pub(super) struct Progress {
    taken: Cell<u64>,
    ends_of_lines: Cell<u64>,
    /// Where the current record begins: the number of bytes before it, and its line.
    record: Cell<(u64, u64)>,
    failure: RefCell<Option<FileError>>,
}

impl Progress {
    /// The line that is being read, from 1.
    pub(super) fn line(&self) -> u64 {
        self.ends_of_lines.get() + 1
    }

    /// Says that a record begins here. Returns its line.
    pub(super) fn begin_record(&self) -> u64 {
        self.record.set((self.taken.get(), self.line()));
        self.line()
    }

    /// Whether more than [`MOST`] bytes of the current record have been taken.
    pub(super) fn is_too_long(&self) -> bool {
        self.length() > MOST
    }

    /// How many bytes of the current record have been taken.
    fn length(&self) -> u64 {
        self.taken.get() - self.record.get().0
    }

    /// Says why no more is read.
    pub(super) fn fail(&self, error: FileError) {
        *self.failure.borrow_mut() = Some(error);
    }

    /// Why no more was read, if it was not the reader's own failure.
    pub(super) fn failure(&self) -> Option<FileError> {
        self.failure.borrow_mut().take()
    }
}

/// Passes bytes on while the record is not too large.
pub(super) struct Budgeted<'a, R> {
    inner: R,
    progress: &'a Progress,
    /// Maximum size of a record, in bytes.
    most: u64,
}

impl<'a, R: BufRead> Budgeted<'a, R> {
    /// Passes records of at most `most` bytes on.
    pub(super) fn new(inner: R, progress: &'a Progress, most: u64) -> Self {
        Self { inner, progress, most }
    }

    pub(super) fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: BufRead> BufRead for Budgeted<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.progress.length() > self.most {
            let (_, line) = self.progress.record.get();
            self.progress.fail(FileError::RecordTooLong { line });
            return Err(io::Error::other("the record is too large"));
        }
        self.inner.fill_buf().inspect_err(|error| {
            let error = io::Error::new(error.kind(), error.to_string());
            self.progress.fail(FileError::from(error));
        })
    }

    fn consume(&mut self, count: usize) {
        // Only bytes that are already buffered can be consumed, so that this reads nothing.
        if let Ok(bytes) = self.inner.fill_buf() {
            let ends = memchr::memchr_iter(b'\n', &bytes[..count]).count() as u64;
            self.progress.ends_of_lines.set(self.progress.ends_of_lines.get() + ends);
        }
        self.progress.taken.set(self.progress.taken.get() + count as u64);
        self.inner.consume(count);
    }
}

impl<R: BufRead> Read for Budgeted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let count = available.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
