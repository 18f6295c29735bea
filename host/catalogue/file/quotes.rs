//! Checks the quotes of a table on its way to the reader of rows, which does not say which quote is left open.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};

use super::budget::MOST;
use super::error::FileError;

/// What is known of the rows so far.
pub(super) struct Rows {
    state: RefCell<State>,
}

struct State {
    delimiter: u8,
    /// The line that is being read, from 1.
    line: u64,
    /// The line on which the row begins.
    row: u64,
    last: u8,
    /// The first lines of the rows that have not been asked for.
    starts: VecDeque<u64>,
    /// Bytes of the row that is being read.
    length: u64,
    at: At,
    failure: Option<FileError>,
}

/// Where in a row the next byte is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Before a row. Blank lines are no rows.
    Start,
    Cell,
    InCell,
    /// In quotes that were opened on this line.
    Quoted(u64),
    /// After a quote in a quoted cell: a second one stands for a quote, and anything else must end the cell.
    Quote(u64),
}

impl Rows {
    pub(super) fn new(delimiter: u8) -> Self {
        let state = State {
            delimiter,
            line: 1,
            row: 1,
            last: 0,
            starts: VecDeque::new(),
            length: 0,
            at: At::Start,
            failure: None,
        };
        Self { state: RefCell::new(state) }
    }

    /// The line on which the next row begins.
    pub(super) fn next_start(&self) -> u64 {
        let mut state = self.state.borrow_mut();
        state.starts.pop_front().unwrap_or(state.line)
    }

    /// Why no more was read.
    pub(super) fn failure(&self) -> Option<FileError> {
        self.state.borrow_mut().failure.take()
    }

    /// Whether the last line has an end.
    pub(super) fn is_complete(&self) -> bool {
        self.state.borrow().at == At::Start
    }
}

/// Hands the bytes of a table on, unless a quote is not closed where its cell ends, or a row is too long.
pub(super) struct Quotes<'a, R> {
    pub(super) inner: R,
    pub(super) rows: &'a Rows,
}

impl<R: Read> Read for Quotes<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = self.rows.state.borrow_mut();
        let read = self.inner.read(buffer);
        let failure = match &read {
            Ok(0) => state.end(),
            Ok(count) => state.take(&buffer[..*count]),
            Err(error) => Err(FileError::from(io::Error::new(error.kind(), error.to_string()))),
        };
        if let Err(failure) = failure {
            state.failure = Some(failure);
            return Err(io::Error::other("the table is broken"));
        }
        read
    }
}

impl State {
    fn take(&mut self, mut bytes: &[u8]) -> Result<(), FileError> {
        loop {
            // Bytes that cannot change the state are passed at once.
            let same = match self.at {
                At::Quoted(_) => memchr::memchr(b'"', bytes),
                At::InCell => memchr::memchr3(self.delimiter, b'\r', b'\n', bytes),
                _ => Some(0),
            };
            let (same, rest) = bytes.split_at(same.unwrap_or(bytes.len()));
            self.pass(same);
            let Some((&byte, rest)) = rest.split_first() else { break };
            bytes = rest;
            let is_end = matches!(byte, b'\r' | b'\n');
            if self.at == At::Start && !is_end {
                self.starts.push_back(self.line);
                self.row = self.line;
                self.length = 0;
                self.at = At::Cell;
            }
            self.at = match self.at {
                At::Start => At::Start,
                At::Quoted(opened) if byte == b'"' => At::Quote(opened),
                At::Quoted(opened) => At::Quoted(opened),
                At::Quote(opened) if byte == b'"' => At::Quoted(opened),
                At::Quote(line) if byte != self.delimiter && !is_end => {
                    return Err(FileError::OpenQuote { line });
                }
                At::Cell if byte == b'"' => At::Quoted(self.line),
                _ if is_end => At::Start,
                _ if byte == self.delimiter => At::Cell,
                _ => At::InCell,
            };
            self.pass(&[byte]);
        }
        match self.at {
            At::Quoted(line) if self.length > MOST => Err(FileError::OpenQuote { line }),
            At::Start => Ok(()),
            _ if self.length > MOST => Err(FileError::RecordTooLong { line: self.row }),
            _ => Ok(()),
        }
    }

    /// Counts bytes, and the lines that end in them: with CR, LF, or both as one end.
    fn pass(&mut self, bytes: &[u8]) {
        for at in memchr::memchr2_iter(b'\r', b'\n', bytes) {
            let before = at.checked_sub(1).map_or(self.last, |before| bytes[before]);
            self.line += u64::from(bytes[at] == b'\r' || before != b'\r');
        }
        self.last = bytes.last().copied().unwrap_or(self.last);
        self.length += bytes.len() as u64;
    }

    fn end(&self) -> Result<(), FileError> {
        match self.at {
            At::Quoted(line) => Err(FileError::OpenQuote { line }),
            _ => Ok(()),
        }
    }
}
