//! The file of what a pass has read, with which it goes on after a restart: the bytes of its pages, each with a
//! checksum. It is read without trust. The bytes are parsed and cleaned like an answer of the service.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::OFlags;
use zstd::bulk::{compress, decompress};

use super::list::{PassLimits, Range};

/// The first bytes of the file, with the version of its format.
const MAGIC: &[u8; 16] = b"vitrine pages 1\n";
/// Bytes of the head: magic, time, service, checksum.
const HEAD: usize = 16 + 8 + CHECKSUM + CHECKSUM;
const CHECKSUM: usize = 16;
/// Bytes of a record before its body: use, skip, limit, length of the body before compression.
const FIELDS: usize = 1 + 8 + 8 + 4;
/// Higher levels take longer and save little.
const LEVEL: i32 = 1;
/// Only the owner may read and write the file.
const MODE: u32 = 0o600;

type Checksum = [u8; CHECKSUM];

/// What a page was read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It is the next one.
    Next,
    /// Products were missing.
    Missing,
}

/// A page in the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SavedPage {
    pub(super) purpose: Purpose,
    pub(super) range: Range,
    pub(super) body: Vec<u8>,
}

/// The file, locked by this process.
pub(super) struct SavedPages {
    path: PathBuf,
    file: File,
    /// The checksum of the head, which those of the records depend on.
    head: Checksum,
    length: u64,
    largest: u64,
}

impl SavedPages {
    /// An empty file, for a pass of `service` that has begun this long ago.
    ///
    /// # Errors
    /// When it cannot be written, or another process has it.
    pub(super) fn create(path: &Path, service: &str, age: Duration, limits: &PassLimits) -> io::Result<Self> {
        let mut file = open(path, true)?;
        file.set_len(0)?;
        let begun = now().saturating_sub(age.as_secs());
        let bytes = head(service, begun);
        file.write_all(&bytes)?;
        let head = last(&bytes);
        Ok(Self { path: path.into(), file, head, length: HEAD as u64, largest: limits.largest_file })
    }

    /// The file of an earlier process, with the time since its pass has begun. Passes its pages to `take`, up to the
    /// first one that is incomplete or damaged. `None` if there is none. One that is too old, or that of another
    /// service, is removed.
    pub(super) fn resume(
        path: &Path,
        service: &str,
        limits: &PassLimits,
        mut take: impl FnMut(SavedPage),
    ) -> Option<(Self, Duration)> {
        let mut file = open(path, false).ok()?;
        let mut bytes = [0; HEAD];
        file.read_exact(&mut bytes).ok()?;
        let begun = u64::from_le_bytes(*bytes[MAGIC.len()..].first_chunk()?);
        // A file from the future, after the clock was set, has no age.
        let age = now().checked_sub(begun).map(Duration::from_secs).filter(|age| *age < limits.longest);
        let Some(age) = age.filter(|_| bytes == head(service, begun)) else {
            // No process can use it, and it may be large. A file in any other format is left alone.
            if bytes.starts_with(MAGIC) {
                let _ = fs::remove_file(path);
            }
            return None;
        };
        let mut saved = Self {
            path: path.into(),
            file,
            head: last(&bytes),
            length: HEAD as u64,
            largest: limits.largest_file,
        };
        while saved.length < saved.largest {
            let Ok((page, length)) = saved.read_record(limits.max_body) else { break };
            saved.length += length;
            take(page);
        }
        saved.cut().ok()?;
        Some((saved, age))
    }

    /// Adds a page.
    ///
    /// # Errors
    /// When it cannot be written, or the file would be too large. The file is as before then.
    pub(super) fn append(&mut self, purpose: Purpose, range: Range, body: &[u8]) -> io::Result<()> {
        let too_large = || io::Error::from(ErrorKind::FileTooLarge);
        let mut content = vec![u8::from(purpose == Purpose::Missing)];
        content.extend(range.skip.to_le_bytes());
        content.extend(range.limit.to_le_bytes());
        content.extend(u32::try_from(body.len()).map_err(|_| too_large())?.to_le_bytes());
        content.extend(compress(body, LEVEL)?);
        let mut record = u32::try_from(content.len()).map_err(|_| too_large())?.to_le_bytes().to_vec();
        record.extend(self.checksum(&content));
        record.append(&mut content);
        let length = self.length + record.len() as u64;
        if length > self.largest {
            return Err(too_large());
        }
        if let Err(error) = self.file.write_all(&record) {
            // What is incomplete would be left out anyway.
            let _ = self.cut();
            return Err(error);
        }
        self.length = length;
        Ok(())
    }

    /// Removes the file.
    pub(super) fn remove(self) {
        // A file that cannot be removed becomes too old.
        let _ = fs::remove_file(&self.path);
    }

    fn read_record(&mut self, max_body: usize) -> io::Result<(SavedPage, u64)> {
        let invalid = || io::Error::from(ErrorKind::InvalidData);
        let mut start = [0; 4 + CHECKSUM];
        self.file.read_exact(&mut start)?;
        let length = u32::from_le_bytes(*start.first_chunk().ok_or_else(invalid)?);
        // What is compressed is hardly longer than before.
        if length as usize > FIELDS + max_body + max_body / 128 + 1_024 {
            return Err(invalid());
        }
        let mut content = Vec::new();
        (&mut self.file).take(u64::from(length)).read_to_end(&mut content)?;
        if content.len() != length as usize || self.checksum(&content) != start[4..] {
            return Err(invalid());
        }
        let (fields, packed) = content.split_first_chunk::<FIELDS>().ok_or_else(invalid)?;
        let number = |at: usize| fields[at..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        let unpacked = u32::from_le_bytes(*fields[17..].first_chunk().ok_or_else(invalid)?) as usize;
        if unpacked > max_body {
            return Err(invalid());
        }
        let page = SavedPage {
            purpose: if fields[0] == 0 { Purpose::Next } else { Purpose::Missing },
            range: Range { skip: number(1).ok_or_else(invalid)?, limit: number(9).ok_or_else(invalid)? },
            body: decompress(packed, unpacked)?,
        };
        Ok((page, start.len() as u64 + u64::from(length)))
    }

    /// Ends the file behind the last complete record.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        io::Seek::seek(&mut self.file, io::SeekFrom::Start(self.length)).map(|_| ())
    }

    /// Covers the head and the offset too, so that a record that was moved, or is from another pass, is not accepted.
    fn checksum(&self, content: &[u8]) -> Checksum {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.head).update(&self.length.to_le_bytes()).update(content);
        short(hasher.finalize())
    }
}

/// Opens a regular file of this user, and locks it. A link is not followed, and a pipe not waited for.
fn open(path: &Path, creates: bool) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(ErrorKind::InvalidInput.into());
    }
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(creates).mode(MODE).custom_flags(flags.bits().cast_signed());
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(ErrorKind::PermissionDenied.into());
    }
    file.try_lock()?;
    Ok(file)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn head(service: &str, begun: u64) -> [u8; HEAD] {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(begun.to_le_bytes());
    bytes.extend(short(blake3::hash(service.as_bytes())));
    bytes.extend(short(blake3::hash(&bytes)));
    let mut head = [0; HEAD];
    head.copy_from_slice(&bytes);
    head
}

fn last(head: &[u8; HEAD]) -> Checksum {
    let mut checksum = [0; CHECKSUM];
    checksum.copy_from_slice(&head[HEAD - CHECKSUM..]);
    checksum
}

fn short(hash: blake3::Hash) -> Checksum {
    let mut checksum = [0; CHECKSUM];
    checksum.copy_from_slice(&hash.as_bytes()[..CHECKSUM]);
    checksum
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, SeekFrom};

    use tempfile::TempDir;

    use super::*;

    const LIMITS: PassLimits = PassLimits::DEFAULT;

    fn page(number: u64) -> SavedPage {
        let purpose = if number % 3 == 2 { Purpose::Missing } else { Purpose::Next };
        let range = Range { skip: number * 10, limit: number };
        SavedPage { purpose, range, body: format!("page {number} ").repeat(9).into_bytes() }
    }

    fn resumed(path: &Path, service: &str) -> Option<Vec<SavedPage>> {
        let mut pages = Vec::new();
        SavedPages::resume(path, service, &LIMITS, |page| pages.push(page)).map(|_| pages)
    }

    fn write(path: &Path, count: u64) {
        let mut saved = SavedPages::create(path, "a", Duration::ZERO, &LIMITS).unwrap();
        for number in 0..count {
            let SavedPage { purpose, range, body } = page(number);
            saved.append(purpose, range, &body).unwrap();
        }
    }

    #[test]
    fn a_file_that_ends_or_is_damaged_anywhere_gives_the_pages_before() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("pages");
        write(&path, 4);
        let whole = fs::read(&path).unwrap();
        assert_eq!(resumed(&path, "a").unwrap(), (0..4).map(page).collect::<Vec<_>>());
        assert_eq!(resumed(&path, "b"), None);
        let mut most = 0;
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let pages = resumed(&path, "a");
            assert_eq!(pages.is_none(), length < HEAD);
            let count = pages.as_ref().map_or(0, Vec::len) as u64;
            assert!(count >= most && pages.unwrap_or_default().into_iter().eq((0..count).map(page)));
            most = count;
            let mut damaged = whole.clone();
            damaged[length] ^= 0x10;
            fs::write(&path, &damaged).unwrap();
            let pages = resumed(&path, "a").unwrap_or_default();
            let count = pages.len() as u64;
            assert!(count < 4 && pages.into_iter().eq((0..count).map(page)));
        }
        assert_eq!(most, 3);
    }

    #[test]
    fn a_record_that_is_longer_than_any_page_is_not_read() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("pages");
        let mut saved = SavedPages::create(&path, "a", Duration::ZERO, &LIMITS).unwrap();
        let start = 4 + CHECKSUM as u64;
        saved.file.write_all(&(3_u32 << 30).to_le_bytes()).unwrap();
        // Zeros that take no space on the disk, and would take it in memory.
        saved.file.set_len(HEAD as u64 + start + (4 << 30)).unwrap();
        saved.file.seek(SeekFrom::Start(HEAD as u64)).unwrap();
        let error = saved.read_record(LIMITS.max_body).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert_eq!(saved.file.stream_position().unwrap(), HEAD as u64 + start);
    }

    #[test]
    fn what_was_resumed_is_written_on_and_what_is_too_large_is_not() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("pages");
        write(&path, 2);
        let length = fs::metadata(&path).unwrap().len();
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"incomplete").unwrap();
        let limits = PassLimits { largest_file: length + 100, ..LIMITS };
        let (mut saved, _) = SavedPages::resume(&path, "a", &limits, |_| {}).unwrap();
        assert!(SavedPages::resume(&path, "a", &limits, |_| {}).is_none(), "another process has it");
        assert!(SavedPages::create(&path, "a", Duration::ZERO, &limits).is_err(), "another process has it");
        let SavedPage { purpose, range, body } = page(2);
        saved.append(purpose, range, &body).unwrap();
        let random: Vec<u8> = std::iter::repeat_with(|| fastrand::u8(..)).take(200).collect();
        assert_eq!(saved.append(purpose, range, &random).unwrap_err().kind(), ErrorKind::FileTooLarge);
        drop(saved);
        assert_eq!(resumed(&path, "a").unwrap(), (0..3).map(page).collect::<Vec<_>>());
        let (saved, _) = SavedPages::resume(&path, "a", &limits, |_| {}).unwrap();
        saved.remove();
        assert!(!path.exists());
    }

    #[test]
    fn what_is_old_is_removed_and_what_is_no_file_of_ours_is_left_alone() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("pages");
        for (age, is_used) in [(0, true), (3_590, true), (3_600, false)] {
            drop(SavedPages::create(&path, "a", Duration::from_secs(age), &LIMITS).unwrap());
            let resumed = SavedPages::resume(&path, "a", &LIMITS, |_| {});
            assert_eq!((resumed.is_some(), path.exists()), (is_used, is_used), "{age}");
            if let Some((_, resumed)) = resumed {
                assert!((age..age + 5).contains(&resumed.as_secs()));
            }
        }
        fs::write(&path, head("a", now() + 60)).unwrap();
        assert!(SavedPages::resume(&path, "a", &LIMITS, |_| {}).is_none(), "from the future");
        fs::write(&path, "the notes of an operator, of which nothing is known, and which stay there")
            .unwrap();
        assert!(SavedPages::resume(&path, "a", &LIMITS, |_| {}).is_none() && path.exists());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        for other in [&link, folder.path(), &folder.path().join("absent/file")] {
            assert!(SavedPages::create(other, "a", Duration::ZERO, &LIMITS).is_err());
            assert!(SavedPages::resume(other, "a", &LIMITS, |_| {}).is_none());
        }
    }
}
