//! Lines that the workers of one supervisor tell each other: during a replacement there are two.
//!
//! The journal is a file in memory that the supervisor creates and every worker inherits. It has a fixed
//! number of places; a line takes the place of the oldest one.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::FileExt as _;
use std::time::Duration;

use rustix::fs::{FlockOperation, MemfdFlags, flock, ftruncate, memfd_create};
use rustix::time::{ClockId, clock_gettime};

/// Number of lines that are kept.
const PLACES: u64 = 256;
/// Size of a place, in bytes: the line's time and length, and the line.
const PLACE: u64 = 4_096;
/// Size of a number in the file, in bytes. The first number, at the beginning, is that of all lines so far.
const NUMBER: u64 = 8;
/// Longest line, in bytes.
pub(crate) const LONGEST_LINE: usize = (PLACE - 2 * NUMBER) as usize;

/// A journal, and how many of its lines were read.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    read: u64,
}

/// A line of the journal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// How long ago it was written.
    pub(crate) ago: Duration,
    pub(crate) text: String,
}

/// The lines written since the last call of [`Journal::news`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum News {
    Lines(Vec<Line>),
    /// More lines than there are places, so that the first ones are lost.
    TooMuch,
}

/// An empty journal, for a supervisor's workers.
///
/// # Errors
/// Fails when the system has no such files or no memory.
pub(crate) fn create() -> io::Result<OwnedFd> {
    let file = memfd_create("vitrine-journal", MemfdFlags::CLOEXEC)?;
    ftruncate(&file, NUMBER + PLACES * PLACE)?;
    Ok(file)
}

impl Journal {
    /// The journal with this descriptor, which a supervisor has handed down, from its beginning.
    ///
    /// # Errors
    /// Fails when the descriptor is not a file that can be opened again.
    pub(super) fn inherited(descriptor: u32) -> io::Result<Self> {
        // Opened again, so that locks of two workers are not the same lock.
        Self::open(&format!("/proc/self/fd/{descriptor}"))
    }

    fn open(path: &str) -> io::Result<Self> {
        Ok(Self { file: OpenOptions::new().read(true).write(true).open(path)?, read: 0 })
    }

    /// Adds a line. [`Self::news`] of this journal leaves it out if all lines before it were read.
    ///
    /// # Errors
    /// Fails when the line is too long, or when there is no memory.
    pub(crate) fn write(&mut self, text: &str) -> io::Result<()> {
        if text.len() > LONGEST_LINE {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        flock(self.file.as_fd(), FlockOperation::LockExclusive)?;
        let written = self.write_locked(text);
        flock(self.file.as_fd(), FlockOperation::Unlock)?;
        written
    }

    fn write_locked(&mut self, text: &str) -> io::Result<()> {
        let lines = self.number(0)?;
        let place = place(lines);
        self.file.write_all_at(&now().to_le_bytes(), place)?;
        self.file.write_all_at(&(text.len() as u64).to_le_bytes(), place + NUMBER)?;
        self.file.write_all_at(text.as_bytes(), place + 2 * NUMBER)?;
        self.file.write_all_at(&(lines + 1).to_le_bytes(), 0)?;
        // Otherwise lines of others that were not read yet would be lost.
        if self.read == lines {
            self.read += 1;
        }
        Ok(())
    }

    /// The lines since the last call, or since the beginning.
    ///
    /// # Errors
    /// Fails when the journal cannot be read.
    pub(crate) fn news(&mut self) -> io::Result<News> {
        flock(self.file.as_fd(), FlockOperation::LockShared)?;
        let news = self.news_locked();
        flock(self.file.as_fd(), FlockOperation::Unlock)?;
        news
    }

    fn news_locked(&mut self) -> io::Result<News> {
        let lines = self.number(0)?;
        let unread = std::mem::replace(&mut self.read, lines)..lines;
        if unread.end - unread.start > PLACES {
            return Ok(News::TooMuch);
        }
        unread.map(|line| self.line(place(line))).collect::<io::Result<_>>().map(News::Lines)
    }

    fn line(&self, place: u64) -> io::Result<Line> {
        let length = usize::try_from(self.number(place + NUMBER)?).unwrap_or(usize::MAX).min(LONGEST_LINE);
        let mut text = vec![0; length];
        self.file.read_exact_at(&mut text, place + 2 * NUMBER)?;
        let ago = Duration::from_nanos(now().saturating_sub(self.number(place)?));
        Ok(Line { ago, text: String::from_utf8_lossy(&text).into_owned() })
    }

    fn number(&self, at: u64) -> io::Result<u64> {
        let mut bytes = [0; NUMBER as usize];
        self.file.read_exact_at(&mut bytes, at)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

fn place(line: u64) -> u64 {
    NUMBER + line % PLACES * PLACE
}

/// Nanoseconds of a clock that all processes share and that nobody sets.
fn now() -> u64 {
    let now = clock_gettime(ClockId::Boottime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
    seconds * 1_000_000_000 + u64::try_from(now.tv_nsec).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd as _;

    use super::*;

    fn workers(number: usize) -> Vec<Journal> {
        let file = create().unwrap();
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        (0..number).map(|_| Journal::open(&path).unwrap()).collect()
    }

    fn texts(journal: &mut Journal) -> Vec<String> {
        match journal.news().unwrap() {
            News::Lines(lines) => {
                assert!(lines.iter().all(|line| line.ago < Duration::from_secs(60)));
                lines.into_iter().map(|line| line.text).collect()
            }
            News::TooMuch => panic!("too much"),
        }
    }

    #[test]
    fn a_worker_reads_what_others_write_from_the_beginning() {
        let mut workers = workers(2);
        workers[0].write("one").unwrap();
        assert_eq!(texts(&mut workers[1]), ["one"]);
        assert_eq!(texts(&mut workers[0]), [""; 0], "it knows its own line");
        workers[1].write("two").unwrap();
        workers[0].write("three").unwrap();
        assert_eq!(texts(&mut workers[0]), ["two", "three"]);
        assert_eq!(texts(&mut workers[1]), ["three"]);
        assert_eq!(texts(&mut workers[1]), [""; 0]);
    }

    #[test]
    fn a_worker_that_has_missed_lines_knows_it() {
        let mut workers = workers(2);
        (0..PLACES).for_each(|line| workers[0].write(&line.to_string()).unwrap());
        assert_eq!(texts(&mut workers[1]).len() as u64, PLACES);
        (0..=PLACES).for_each(|line| workers[0].write(&line.to_string()).unwrap());
        assert_eq!(workers[1].news().unwrap(), News::TooMuch);
        assert_eq!(texts(&mut workers[1]), [""; 0]);
    }

    #[test]
    fn a_line_has_a_maximum_length() {
        let mut workers = workers(2);
        assert!(workers[0].write(&"x".repeat(LONGEST_LINE + 1)).is_err());
        let longest = "x".repeat(LONGEST_LINE);
        workers[0].write(&longest).unwrap();
        workers[0].write("short").unwrap();
        assert_eq!(texts(&mut workers[1]), [&*longest, "short"]);
    }
}
