//! Where copies are kept: in files of a folder, or in memory. The least recently used ones make room for others.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;

use super::size::Size;
use crate::observe::{Bounded, ErrorChain};

/// The form of the files, and what they are made with. Files of another one are removed.
const VERSION: &str = "1";
/// Bytes of the hash at the end of each file.
const HASH: usize = 16;
/// Bytes that a file takes beyond its content, in the folder and in the index.
const OVERHEAD: u64 = 512;
/// Longest file, in bytes.
const LONGEST: u64 = 20 << 20;
/// Age from which a file that is being written was left by a process that has ended.
const LEFT_AFTER: Duration = Duration::from_secs(600);
/// Most files of a start that are counted.
const MOST_FILES: usize = 2_000_000;

/// Names a copy: the hash of the picture's content, and the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) hash: u128,
    pub(super) size: Size,
}

impl Key {
    fn name(self) -> String {
        format!("{:032x}-{}", self.hash, self.size.name())
    }

    fn parse(name: &str) -> Option<Self> {
        let (hash, size) = name.split_once('-')?;
        let hash = u128::from_str_radix(hash, 16).ok()?;
        let key = Self { hash, size: Size::of_name(size)? };
        (key.name() == name).then_some(key)
    }
}

/// Copies within a bound. A clone shares them.
#[derive(Clone)]
pub(super) struct Room {
    /// The copies in memory, and the most bytes of them.
    memory: Cache<Key, Held>,
    most_in_memory: u64,
    folder: Option<Folder>,
}

/// A copy. One type stands for both places, because each type of a cache adds to the program.
#[derive(Clone)]
enum Held {
    /// A file of so many bytes.
    File(u64),
    Bytes(Bytes),
}

impl Held {
    fn length(&self) -> u64 {
        match self {
            Self::File(length) => *length,
            Self::Bytes(bytes) => bytes.len() as u64,
        }
    }

    fn bytes(self) -> Option<Bytes> {
        match self {
            Self::File(_) => None,
            Self::Bytes(bytes) => Some(bytes),
        }
    }
}

/// Copies in files. A clone shares them.
#[derive(Clone)]
struct Folder {
    path: Arc<Path>,
    /// The files that are known.
    files: Cache<Key, Held>,
    most: u64,
    /// Numbers the files that are being written.
    parts: Arc<AtomicU64>,
    is_off: Arc<AtomicBool>,
}

impl Room {
    /// Room for `most` bytes in memory alone.
    pub(super) fn in_memory(most: u64) -> Self {
        let memory = bounded(most, |_| ());
        Self { memory, most_in_memory: most, folder: None }
    }

    /// Room for `most` bytes in this folder, and never more than half of what its disk has free. Counts what is there, so it
    /// takes long. What cannot be written is kept in memory, of which it may take `memory` bytes.
    pub(super) fn in_folder(path: &Path, most: u64, memory: u64) -> Self {
        Self { folder: Some(Folder::open(path, most)), ..Self::in_memory(memory) }
    }

    /// The copy with this key; empty where the picture itself is to be sent. Reads a file.
    pub(super) fn get(&self, key: Key) -> Option<Bytes> {
        self.folder.as_ref().and_then(|folder| folder.get(key)).or_else(|| self.memory.get(&key)?.bytes())
    }

    /// Keeps a copy. Writes a file.
    pub(super) fn keep(&self, key: Key, copy: &Bytes) {
        if self.folder.as_ref().is_none_or(|folder| !folder.keep(key, copy)) {
            self.memory.insert(key, Held::Bytes(copy.clone()));
        }
    }

    /// The keys of what is kept.
    pub(super) fn keys(&self) -> impl Iterator<Item = Key> {
        let files = self.folder.iter().flat_map(|folder| folder.files.iter().map(|(key, _)| *key));
        files.chain(self.memory.iter().map(|(key, _)| *key))
    }

    /// Bytes that are taken, and the most that may be.
    pub(super) fn taken(&self) -> (u64, u64) {
        let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_off()) else {
            self.memory.run_pending_tasks();
            return (self.memory.weighted_size(), self.most_in_memory);
        };
        folder.files.run_pending_tasks();
        (folder.files.weighted_size(), folder.most)
    }
}

/// A cache of at most this weight, from which the least recently used leave; `left` is told.
fn bounded(most: u64, left: impl Fn(Key) + Send + Sync + 'static) -> Cache<Key, Held> {
    Cache::builder()
        .max_capacity(most)
        .weigher(|_, held: &Held| u32::try_from(held.length() + OVERHEAD).unwrap_or(u32::MAX))
        .eviction_policy(EvictionPolicy::lru())
        .eviction_listener(move |key, _, cause| {
            if cause.was_evicted() {
                left(*key);
            }
        })
        .build()
}

/// The folder of a copy's file within the folder of all: a folder with many files is slow.
fn place(folder: &Path, key: Key) -> PathBuf {
    let name = key.name();
    folder.join(&name[..2]).join(name)
}

impl Folder {
    fn open(parent: &Path, most: u64) -> Self {
        let path: Arc<Path> = parent.join(VERSION).into();
        let is_off = AtomicBool::default();
        if let Err(error) = clear(parent).and_then(|()| fs::create_dir_all(&path)) {
            is_off.store(true, Ordering::Relaxed);
            say_off(&path, &error);
        }
        let found = files_in(&path);
        let used: u64 = found.iter().map(|(_, length, _)| length).sum();
        let free =
            rustix::fs::statvfs(&*path).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
        let most = most.min(free.saturating_add(used) / 2);
        let own = Arc::clone(&path);
        let remove = move |key| {
            // A file that is away is what is wanted; one that cannot be removed is counted at the next start.
            let _ = fs::remove_file(place(&own, key));
        };
        let files = bounded(most, remove);
        for (key, length, _) in found {
            files.insert(key, Held::File(length));
        }
        files.run_pending_tasks();
        Self { path, files, most, parts: Arc::default(), is_off: Arc::new(is_off) }
    }

    fn is_off(&self) -> bool {
        self.is_off.load(Ordering::Relaxed)
    }

    fn get(&self, key: Key) -> Option<Bytes> {
        let place = place(&self.path, key);
        let read = read(&place);
        match &read {
            Some(copy) if self.files.get(&key).is_none() => {
                // Another process has made it.
                self.files.insert(key, Held::File((copy.len() + HASH) as u64));
            }
            None if self.files.contains_key(&key) => self.files.invalidate(&key),
            _ => {}
        }
        read
    }

    /// Writes the file. Returns whether it is kept.
    fn keep(&self, key: Key, copy: &Bytes) -> bool {
        // The cache would let go of a file that is larger than all of it before it is written.
        let length = (copy.len() + HASH) as u64;
        if self.is_off() || length + OVERHEAD > self.most {
            return false;
        }
        // What leaves for it is removed before it is written, so that there is never more than the bound and this file.
        self.files.insert(key, Held::File(length));
        self.files.run_pending_tasks();
        let place = place(&self.path, key);
        let part = self.path.join(format!(
            "part-{}-{}",
            std::process::id(),
            self.parts.fetch_add(1, Ordering::Relaxed)
        ));
        let written = write(&part, &place, copy);
        if let Err(error) = &written {
            let _ = fs::remove_file(&part);
            self.files.invalidate(&key);
            if !self.is_off.swap(true, Ordering::Relaxed) {
                say_off(&self.path, error);
            }
        }
        written.is_ok()
    }
}

fn say_off(folder: &Path, error: &io::Error) {
    tracing::warn!(
        folder = %Bounded(folder.display()), error = %ErrorChain(error),
        "copies of pictures are kept in memory until the next start"
    );
}

/// Removes the folders of other versions.
fn clear(parent: &Path) -> io::Result<()> {
    match fs::read_dir(parent) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(entries) => {
            for entry in entries.flatten().filter(|entry| entry.file_name() != VERSION) {
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    fs::remove_dir_all(entry.path())?;
                }
            }
            Ok(())
        }
    }
}

/// The copies in this folder, the least recently written first. What was left when a write ended early is removed.
fn files_in(folder: &Path) -> Vec<(Key, u64, SystemTime)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for entry in entries {
        if entry.file_name().to_string_lossy().starts_with("part-") {
            // Another process may be writing a younger one.
            if age(&entry).is_some_and(|age| age >= LEFT_AFTER) {
                let _ = fs::remove_file(entry.path());
            }
            continue;
        }
        for file in fs::read_dir(entry.path()).into_iter().flatten().flatten() {
            let key = file.file_name().to_str().and_then(Key::parse);
            let Some((key, metadata)) = key.zip(file.metadata().ok()) else { continue };
            let modified = metadata.modified().unwrap_or(UNIX_EPOCH);
            found.push((key, metadata.len(), modified));
            if found.len() == MOST_FILES {
                break;
            }
        }
    }
    found.sort_unstable_by_key(|(_, _, modified)| *modified);
    found
}

/// How long ago a file was last written.
fn age(entry: &fs::DirEntry) -> Option<Duration> {
    entry.metadata().ok()?.modified().ok()?.elapsed().ok()
}

pub(super) fn hash_of(copy: &[u8]) -> [u8; HASH] {
    let mut hash = [0; HASH];
    blake3::Hasher::new().update(copy).finalize_xof().fill(&mut hash);
    hash
}

/// The content of a file; `None` if it is not what was written.
fn read(place: &Path) -> Option<Bytes> {
    let mut bytes = Vec::new();
    File::open(place).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
    let (copy, hash) = bytes.split_last_chunk::<HASH>()?;
    if hash_of(copy) != *hash {
        return None;
    }
    let length = copy.len();
    Some(Bytes::from(bytes).slice(..length))
}

fn write(part: &Path, place: &Path, copy: &[u8]) -> io::Result<()> {
    let mut file = File::create(part)?;
    file.write_all(copy)?;
    file.write_all(&hash_of(copy))?;
    drop(file);
    if let Some(folder) = place.parent()
        && !folder.exists()
    {
        fs::create_dir_all(folder)?;
    }
    fs::rename(part, place)
}

#[cfg(test)]
mod tests {
    use super::super::size::Width;
    use super::*;

    const MEMORY: u64 = 64 << 20;

    fn key(hash: u128) -> Key {
        Key { hash, size: Size::Width(Width::W480) }
    }

    fn bytes_in(folder: &Path) -> u64 {
        files_in(&folder.join(VERSION)).iter().map(|(_, length, _)| length).sum()
    }

    #[test]
    fn a_copy_is_there_after_a_start_and_a_wrong_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let room = Room::in_folder(folder.path(), 1 << 20, MEMORY);
        let copy = Bytes::from_static(b"copy");
        room.keep(key(1), &copy);
        room.keep(key(2), &Bytes::new());
        for room in [&room, &Room::in_folder(folder.path(), 1 << 20, MEMORY)] {
            assert_eq!((room.get(key(1)), room.get(key(2))), (Some(copy.clone()), Some(Bytes::new())));
            assert_eq!(room.get(key(3)), None);
            assert_eq!(room.taken().0, 4 + 2 * (HASH as u64 + OVERHEAD));
        }
        let file = place(&folder.path().join(VERSION), key(1));
        for wrong in [&b""[..], b"copy", b"cope0123456789abcdef"] {
            fs::write(&file, wrong).unwrap();
            assert_eq!(room.get(key(1)), None, "{wrong:?}");
        }
        room.keep(key(1), &copy);
        assert_eq!(room.get(key(1)), Some(copy));
    }

    #[test]
    fn the_room_is_never_larger_than_its_bound_and_the_oldest_go() {
        let folder = tempfile::tempdir().unwrap();
        let most = 256 << 10;
        let room = Room::in_folder(folder.path(), most, MEMORY);
        let copy = Bytes::from(vec![7; 30 << 10]);
        for number in 0..40 {
            room.keep(key(number), &copy);
            assert!(room.get(key(0)).is_some() || number > 20, "it is used all the time");
            assert!(bytes_in(folder.path()) <= most, "{number}");
        }
        assert!(room.get(key(39)).is_some() && room.get(key(1)).is_none());
        drop(room);
        let smaller = Room::in_folder(folder.path(), 100 << 10, MEMORY);
        assert!(bytes_in(folder.path()) <= 100 << 10);
        assert!(smaller.get(key(39)).is_some(), "the last one that was written");
    }

    #[test]
    fn other_versions_and_parts_are_removed_and_other_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["0", VERSION] {
            fs::create_dir_all(at(name).join("ab")).unwrap();
        }
        for name in ["0/ab/copy", "1/part-7-0", "1/part-8-0", "fits"] {
            fs::write(at(name), "x").unwrap();
        }
        let left = File::options().write(true).open(at("1/part-7-0")).unwrap();
        left.set_modified(SystemTime::now() - LEFT_AFTER).unwrap();
        Room::in_folder(folder.path(), 1 << 20, MEMORY);
        assert!(!at("0").exists() && !at("1/part-7-0").exists() && at("fits").exists());
        assert!(at("1/part-8-0").exists(), "another process may be writing it");
    }

    #[test]
    fn two_processes_share_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [1, 2].map(|_| Room::in_folder(folder.path(), 1 << 20, MEMORY));
        one.keep(key(1), &Bytes::from_static(b"one"));
        assert_eq!(other.get(key(1)), Some(Bytes::from_static(b"one")));
        assert_eq!(other.taken().0, 3 + HASH as u64 + OVERHEAD);
    }

    #[test]
    fn what_cannot_be_written_is_kept_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        // A file stands where the folder would be, which root cannot write into either.
        fs::write(folder.path().join("pictures"), "").unwrap();
        for room in
            [Room::in_folder(&folder.path().join("pictures"), 1 << 20, MEMORY), Room::in_memory(MEMORY)]
        {
            room.keep(key(1), &Bytes::from_static(b"one"));
            assert_eq!(room.get(key(1)), Some(Bytes::from_static(b"one")));
            assert_eq!(room.taken(), (3 + OVERHEAD, MEMORY));
        }
        let room = Room::in_folder(&folder.path().join("other"), 1 << 20, MEMORY);
        fs::remove_dir_all(folder.path().join("other")).unwrap();
        for number in 0..2 {
            room.keep(key(number), &Bytes::from_static(b"one"));
            assert_eq!(room.get(key(number)), Some(Bytes::from_static(b"one")));
        }
    }
    mod any_use {
        use proptest::prelude::*;

        use super::*;

        /// Bytes of all files, with those that are being written.
        fn bytes_of_all(folder: &Path) -> u64 {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let bytes = |entry: fs::DirEntry| match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => bytes_of_all(&entry.path()),
                metadata => metadata.map_or(0, |metadata| metadata.len()),
            };
            entries.map(bytes).sum()
        }

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(24))]

            #[test]
            fn the_room_is_never_more_than_a_mebibyte_over_its_bound(
                steps in prop::collection::vec((0..60_u128, 0..300_000_usize, 0..40_u8), 1..80),
            ) {
                let folder = tempfile::tempdir().unwrap();
                let most = 1 << 20;
                let open = || Room::in_folder(folder.path(), most, MEMORY);
                let mut room = open();
                for (number, length, what) in steps {
                    // Some copies are larger than all of the room.
                    let length = if what == 0 { length + (1 << 20) } else { length };
                    match what {
                        // A start, and a file that is cut.
                        1 => room = open(),
                        2 => {
                            let file = place(&folder.path().join(VERSION), key(number));
                            let _ = File::options().write(true).open(file).and_then(|file| file.set_len(9));
                        }
                        3..15 => drop(room.get(key(number))),
                        _ => std::thread::scope(|scope| {
                            for thread in 0..2 {
                                let room = &room;
                                scope.spawn(move || room.keep(key(number + thread), &vec![7; length].into()));
                            }
                        }),
                    }
                    prop_assert!(bytes_of_all(folder.path()) <= most + (1 << 20));
                    prop_assert!(room.taken().0 <= most);
                }
            }
        }
    }
}
