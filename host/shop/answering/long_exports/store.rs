//! Where long exports are kept: in files without names below the state directory, which the system removes with the
//! process, or in memory. Both are files for who writes and reads them.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::fs::{MemfdFlags, fstatvfs, memfd_create};

use crate::catalogue::unnamed_file;
use crate::observe::{ErrorChain, LogThrottle};
use crate::process::memory_gauge::FilesInMemory;

/// Most bytes of all exports in memory. A product takes 100 to 250 bytes in each form.
const MOST_IN_MEMORY: u64 = 32 << 20;
/// They take at most this part of what pages may take, beside them.
const PART_OF_PAGES: u64 = 2;
/// Shortest time between two warnings that the directory cannot be used.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(3_600);

/// Bytes that are copied at a time.
const COPIED: usize = 1 << 20;

/// What a store lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    Disk,
    Memory,
}

impl Medium {
    /// Every medium.
    pub(crate) const EVERY: [Self; 2] = [Self::Disk, Self::Memory];

    /// Its name in metrics.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Disk => "disk",
            Self::Memory => "memory",
        }
    }
}

/// The room for the exports of a shop.
#[derive(Debug)]
pub(super) struct Room {
    directory: Option<PathBuf>,
    most_in_memory: u64,
    /// Bytes of all stores, by medium.
    pub(super) taken: [Arc<AtomicU64>; Medium::EVERY.len()],
    throttle: LogThrottle,
}

/// Why nothing was stored.
#[derive(Debug, thiserror::Error)]
pub(super) enum StoreError {
    #[error("there is no room for it")]
    NoRoom,
    #[error("it cannot be written")]
    Io(#[from] io::Error),
}

/// Bytes that are written once and read while there are more. Its room is given back when it is dropped.
#[derive(Debug)]
pub(super) struct Store {
    file: File,
    medium: Medium,
    length: AtomicU64,
    room: Arc<Room>,
}

impl Room {
    /// Room below a directory, and in memory for a shop whose pages take at most `page_memory` bytes. Without pages in
    /// memory there are no exports either. Those in memory are counted.
    pub(super) fn new(page_memory: u64, directory: Option<PathBuf>, in_memory: FilesInMemory) -> Self {
        Self {
            directory,
            most_in_memory: MOST_IN_MEMORY.min(page_memory / PART_OF_PAGES),
            taken: [Arc::default(), in_memory],
            throttle: LogThrottle::every(PERIOD_OF_WARNINGS),
        }
    }

    /// Bytes of all stores in a medium.
    pub(super) fn taken(&self, medium: Medium) -> u64 {
        self.taken[medium as usize].load(Ordering::Relaxed)
    }

    /// An empty store with room for more than `least` bytes: on the disk, if that can be used, or else in memory. `None`
    /// if neither has so much.
    pub(super) fn open(self: &Arc<Self>, least: u64) -> Option<Store> {
        let with_room = |store: Store| match store.left()? {
            left if left > least => Ok(store),
            _ => Err(StoreError::NoRoom),
        };
        let on_disk = self.directory.as_deref().and_then(|directory| {
            let file = unnamed_file(directory).map_err(StoreError::Io);
            let store = file.and_then(|file| with_room(self.store(file, Medium::Disk)));
            store.inspect_err(|error| self.warn(error)).ok()
        });
        on_disk.or_else(|| with_room(self.in_memory().ok()?).ok())
    }

    fn in_memory(self: &Arc<Self>) -> io::Result<Store> {
        Ok(self.store(memfd_create("export", MemfdFlags::CLOEXEC)?.into(), Medium::Memory))
    }

    pub(super) fn store(self: &Arc<Self>, file: File, medium: Medium) -> Store {
        Store { file, medium, length: AtomicU64::new(0), room: Arc::clone(self) }
    }

    fn warn(&self, error: &(dyn std::error::Error + 'static)) {
        if self.throttle.allows("disk") {
            tracing::warn!(
                error = %ErrorChain(error),
                "exports are kept in memory, because the state directory cannot take them"
            );
        }
    }
}

impl Store {
    /// How many bytes more it may take. On the disk, all stores together take at most half of what would be free without
    /// them.
    fn left(&self) -> io::Result<u64> {
        let taken = self.room.taken(self.medium);
        Ok(match self.medium {
            Medium::Disk => {
                let disk = fstatvfs(&self.file)?;
                disk.f_bavail.saturating_mul(disk.f_frsize).saturating_sub(taken) / 2
            }
            Medium::Memory => self.room.most_in_memory.saturating_sub(taken),
        })
    }

    /// How many bytes it has.
    pub(super) fn length(&self) -> u64 {
        self.length.load(Ordering::Relaxed)
    }

    /// Adds bytes, and returns their place. One thread does this at a time.
    ///
    /// # Errors
    /// When there is no room for them, or they cannot be written. Then the store is as it was.
    pub(super) fn append(&self, bytes: &[u8]) -> Result<Range<u64>, StoreError> {
        let (start, length) = (self.length(), bytes.len() as u64);
        if self.left()? < length {
            return Err(StoreError::NoRoom);
        }
        self.file.write_all_at(bytes, start)?;
        self.length.fetch_add(length, Ordering::Relaxed);
        self.room.taken[self.medium as usize].fetch_add(length, Ordering::Relaxed);
        Ok(start..start + length)
    }

    /// The bytes in this place.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(super) fn read(&self, place: Range<u64>) -> io::Result<Vec<u8>> {
        let length = usize::try_from(place.end - place.start).map_err(io::Error::other)?;
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, place.start)?;
        Ok(bytes)
    }

    /// A store in memory with the same bytes, for one that takes no more because of `error`.
    ///
    /// # Errors
    /// When it is in memory already, or there is no room: `error`.
    pub(super) fn in_memory(&self, error: StoreError) -> Result<Self, StoreError> {
        if self.medium == Medium::Memory {
            return Err(error);
        }
        self.room.warn(&error);
        let copy = || {
            let store = self.room.in_memory()?;
            if store.left()? < self.length() {
                return Err(StoreError::NoRoom);
            }
            for start in (0..self.length()).step_by(COPIED) {
                store.append(&self.read(start..self.length().min(start + COPIED as u64))?)?;
            }
            Ok(store)
        };
        copy().map_err(|_: StoreError| error)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.room.taken[self.medium as usize].fetch_sub(self.length(), Ordering::Relaxed);
    }
}
