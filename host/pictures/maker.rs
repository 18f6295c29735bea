//! Makes copies when they are asked for, one job for each picture.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use super::copies::{CopyError, Made, make, memory};
use super::fit::Fit;
use super::fits::Fits;
use super::header::Header;
use super::room::{Key, Room};
use super::size::Size;
use crate::observe::counters::Counter;
use crate::observe::{Bounded, ErrorChain, LogThrottle};
use crate::process::compute::{in_background, off_runtime};

/// Longest time that a request waits for a copy.
pub(super) const WAIT: Duration = Duration::from_secs(5);
/// Most jobs that wait.
pub(super) const QUEUE: usize = 64;
/// How many files of copies are read at a time.
const READS: usize = 16;
/// How often a request looks for its copy: another job may have made a smaller one.
const LOOKS: usize = 8;
/// Shortest time between two log lines about pictures that cannot be copied.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(60);

/// A picture that copies are made of.
pub(crate) trait Original: Clone + Send + Sync + 'static {
    /// The hash of its content.
    fn hash(&self) -> u128;
    fn header(&self) -> &Header;
    /// Its length, in bytes.
    fn length(&self) -> u64;
    /// Its name, for log lines.
    fn name(&self) -> &str;
    /// All its bytes; `None` if they cannot be read now.
    fn whole(&self) -> impl Future<Output = Option<Bytes>> + Send;
    /// Takes how it fits, if that is not to be known by the hash of its content. Returns whether it does.
    fn takes_fit(&self, _fit: Fit) -> bool {
        false
    }
}

/// How much memory copies may take, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CopyMemory {
    /// All jobs together.
    pub(crate) jobs: u64,
    /// Copies that are kept in memory.
    pub(crate) kept: u64,
}

impl CopyMemory {
    /// The most that copies take, however much memory there is.
    pub(crate) const MOST: Self = Self { jobs: 256 << 20, kept: 64 << 20 };
}

/// What was done with copies since the start.
#[derive(Default)]
pub(crate) struct CopyCounters {
    pub(crate) made: Counter,
    pub(crate) sent: Counter,
    pub(crate) failed: Counter,
    pub(crate) refused: Counter,
}

/// The copies of a shop's pictures. A clone shares them.
#[derive(Clone)]
pub struct Copies(Arc<Shared>);

struct Shared {
    /// Where the copies are, and the most bytes of them; in memory without it.
    place: Option<(PathBuf, u64)>,
    /// Most bytes of copies in memory.
    kept: u64,
    room: OnceCell<Room>,
    fits: Fits,
    /// The pictures of which a job makes copies. The sender is dropped when it ends.
    running: Mutex<HashMap<u128, watch::Receiver<()>>>,
    /// How many jobs have ended. It changes along with the list of jobs.
    ended: AtomicUsize,
    waiting: AtomicUsize,
    threads: Arc<Semaphore>,
    /// In KiB.
    memory: Arc<Semaphore>,
    most_memory: u64,
    reads: Semaphore,
    counters: CopyCounters,
    throttle: LogThrottle,
}

impl std::fmt::Debug for Copies {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Copies").field("place", &self.0.place).finish_non_exhaustive()
    }
}

impl Copies {
    /// Copies that are kept in this folder, of so many bytes, or else in memory.
    pub(crate) fn new(place: Option<(PathBuf, u64)>, memory: CopyMemory) -> Self {
        let most_memory = memory.jobs >> 10;
        let threads = available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2);
        Self(Arc::new(Shared {
            fits: place.as_ref().map_or_else(Fits::default, |(folder, _)| Fits::in_folder(folder)),
            place,
            kept: memory.kept,
            room: OnceCell::new(),
            running: Mutex::default(),
            ended: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            threads: Arc::new(Semaphore::new(threads)),
            memory: Arc::new(Semaphore::new(usize::try_from(most_memory).unwrap_or(usize::MAX >> 3))),
            most_memory,
            reads: Semaphore::new(READS),
            counters: CopyCounters::default(),
            throttle: LogThrottle::every(PERIOD_OF_WARNINGS),
        }))
    }

    pub(crate) fn counters(&self) -> &CopyCounters {
        &self.0.counters
    }

    /// Bytes that are kept, and the most that may be; `None` until copies were first asked for.
    pub(crate) fn taken(&self) -> Option<(u64, u64)> {
        self.0.room.get().map(Room::taken)
    }

    /// How many pictures are being copied, or wait for it.
    pub(crate) fn jobs(&self) -> usize {
        self.0.running.lock().len()
    }

    /// Whether no further job may wait.
    pub(super) fn is_full(&self) -> bool {
        self.0.waiting.load(Ordering::Relaxed) >= QUEUE
    }

    /// Most memory that all jobs together take, in bytes.
    pub(super) fn memory_of_jobs(&self) -> u64 {
        self.0.most_memory << 10
    }

    /// How a picture with this hash fits, if that is known.
    pub(crate) fn fit(&self, hash: u128) -> Option<Fit> {
        self.0.fits.get(hash)
    }

    /// Whether it is known of more pictures how they fit than was kept.
    pub(crate) fn knows_more(&self) -> bool {
        self.0.fits.is_changed()
    }

    /// Keeps how the pictures that still `exist` fit. Returns whether something new is known. Writes a file.
    pub(crate) fn save_fits(&self, exists: impl Fn(u128) -> bool) -> bool {
        self.0.fits.save(exists).unwrap_or_else(|error| {
            tracing::warn!(error = %ErrorChain(&error), "how pictures fit is not kept");
            true
        })
    }

    /// The copy of a picture. `None` if the picture itself is to be sent: no copy is better, or none could be made in time.
    pub(crate) async fn get(&self, picture: &impl Original, size: Size) -> Option<Bytes> {
        let copy = timeout(WAIT, self.made(picture, size)).await.ok().flatten();
        let copy = copy.filter(|copy| !copy.is_empty());
        if copy.is_some() {
            self.0.counters.sent.increment();
        }
        copy
    }

    /// Makes a copy, or finds how the picture fits, unless that was done. For work ahead of requests.
    pub(crate) async fn prepare(&self, picture: &impl Original, size: Size) {
        if size != Size::Fit {
            self.made(picture, size).await;
        } else if self.fit(picture.hash()).is_none()
            // What is kept for this size says that it cannot be found out.
            && self.look(Key { hash: picture.hash(), size }).await.is_none()
            && let Some(mut end) = self.job(picture, size)
        {
            // An error means that the job has ended.
            let _ = end.changed().await;
        }
    }

    /// Whether there is room for copies that were not asked for yet.
    pub(crate) async fn has_much_room(&self) -> bool {
        let (taken, most) = self.room().await.taken();
        taken < most / 4 * 3
    }

    pub(super) async fn room(&self) -> &Room {
        let (place, kept) = (self.0.place.clone(), self.0.kept);
        let open = || {
            off_runtime(move || match place {
                Some((folder, most)) => Room::in_folder(&folder, most, kept),
                None => Room::in_memory(kept),
            })
        };
        self.0.room.get_or_init(open).await
    }

    /// The copy that is kept with this key.
    pub(super) async fn look(&self, key: Key) -> Option<Bytes> {
        let room = self.room().await.clone();
        // The semaphore is never closed.
        let _permit = self.0.reads.acquire().await.ok();
        off_runtime(move || room.get(key)).await
    }

    async fn made(&self, picture: &impl Original, size: Size) -> Option<Bytes> {
        let key = Key { hash: picture.hash(), size };
        for _ in 0..LOOKS {
            let ended = self.0.ended.load(Ordering::Acquire);
            if let Some(copy) = self.look(key).await {
                return Some(copy);
            }
            // A job that has ended meanwhile may have made it.
            if self.0.ended.load(Ordering::Acquire) != ended {
                continue;
            }
            let mut end = self.job(picture, size)?;
            // An error means that the job has ended.
            let _ = end.changed().await;
        }
        self.look(key).await
    }

    /// The job that makes copies of a picture, which may have been started before, for another size. `None` if there is no
    /// place for another.
    fn job(&self, picture: &impl Original, size: Size) -> Option<watch::Receiver<()>> {
        let shared = &self.0;
        let mut running = shared.running.lock();
        if let Some(end) = running.get(&picture.hash()) {
            return Some(end.clone());
        }
        let kib = memory(picture.header(), size, picture.length()).div_ceil(1 << 10);
        if kib > shared.most_memory || shared.waiting.load(Ordering::Relaxed) >= QUEUE {
            shared.counters.refused.increment();
            return None;
        }
        let (sender, end) = watch::channel(());
        running.insert(picture.hash(), end.clone());
        drop(running);
        shared.waiting.fetch_add(1, Ordering::Relaxed);
        let job = Job { copies: self.clone(), hash: picture.hash(), is_waiting: true, _end: sender };
        tokio::spawn(job.run(picture.clone(), size, u32::try_from(kib).unwrap_or(u32::MAX)));
        Some(end)
    }
}

/// A running job. It is taken from the list of jobs when it is dropped, also by a panic.
struct Job {
    copies: Copies,
    hash: u128,
    is_waiting: bool,
    _end: watch::Sender<()>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.no_longer_waits();
        let mut running = self.copies.0.running.lock();
        self.copies.0.ended.fetch_add(1, Ordering::Release);
        running.remove(&self.hash);
    }
}

impl Job {
    fn no_longer_waits(&mut self) {
        if std::mem::take(&mut self.is_waiting) {
            self.copies.0.waiting.fetch_sub(1, Ordering::Relaxed);
        }
    }

    async fn run(mut self, picture: impl Original, size: Size, kib: u32) {
        let shared = Arc::clone(&self.copies.0);
        // The semaphores are never closed.
        let thread: Option<OwnedSemaphorePermit> = Arc::clone(&shared.threads).acquire_owned().await.ok();
        let memory = Arc::clone(&shared.memory).acquire_many_owned(kib).await.ok();
        self.no_longer_waits();
        let room = self.copies.room().await.clone();
        // What cannot be read has been logged, and may be read later.
        let Some(bytes) = picture.whole().await else {
            shared.counters.failed.increment();
            return;
        };
        let (header, key) = (*picture.header(), Key { hash: picture.hash(), size });
        let made = in_background(move || {
            // The decoders' authors promise no freedom from panics.
            let made = catch_unwind(AssertUnwindSafe(|| make(&bytes, &header, size)));
            let made = made.unwrap_or(Err(CopyError::Panic));
            drop(bytes);
            keep(&room, key, made)
        });
        match made.await {
            Ok((count, fit)) => {
                shared.counters.made.add(count);
                if !picture.takes_fit(fit) {
                    shared.fits.learn(self.hash, fit);
                }
            }
            Err(error) => {
                shared.counters.failed.increment();
                if shared.throttle.allows("copies") {
                    tracing::warn!(
                        picture = %Bounded(picture.name()), error = %ErrorChain(&error),
                        "a picture is sent as it is"
                    );
                }
            }
        }
        drop((thread, memory));
    }
}

/// Keeps what was made: for a picture that cannot be copied, that the picture itself is to be sent. Returns the number of
/// copies, and how the picture fits.
fn keep(room: &Room, key: Key, made: Result<Made, CopyError>) -> Result<(u64, Fit), CopyError> {
    let made = match made {
        Ok(made) => made,
        Err(error) => {
            room.keep(key, &Bytes::new());
            return Err(error);
        }
    };
    let count = made.copies.iter().filter(|(_, copy)| copy.is_some()).count() as u64;
    for (size, copy) in made.copies {
        room.keep(Key { size, ..key }, &copy.unwrap_or_default().into());
    }
    Ok((count, made.fit))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use futures_util::future::join_all;

    use super::super::header::Kind;
    use super::super::size::Width;
    use super::*;

    const W160: Size = Size::Width(Width::W160);

    /// A picture that counts how often it is read.
    #[derive(Clone)]
    struct Counted {
        hash: u128,
        header: Header,
        bytes: &'static [u8],
        reads: Arc<AtomicUsize>,
        /// Whether reading it never ends.
        hangs: bool,
    }

    impl Original for Counted {
        fn hash(&self) -> u128 {
            self.hash
        }

        fn header(&self) -> &Header {
            &self.header
        }

        fn length(&self) -> u64 {
            self.bytes.len() as u64
        }

        fn name(&self) -> &str {
            "lamp.png"
        }

        async fn whole(&self) -> Option<Bytes> {
            self.reads.fetch_add(1, Ordering::Relaxed);
            if self.hangs {
                std::future::pending::<()>().await;
            }
            Some(Bytes::from_static(self.bytes))
        }
    }

    fn picture(hash: u128) -> Counted {
        let bytes = include_bytes!("../../tests/cases/pictures/16-bits.png").as_slice();
        let header = Header::read(Kind::Png, Cursor::new(bytes)).unwrap();
        Counted { hash, header, bytes, reads: Arc::default(), hangs: false }
    }

    #[tokio::test]
    async fn requests_for_the_same_picture_wait_for_one_job() {
        let (copies, picture) = (Copies::new(None, CopyMemory::MOST), picture(1));
        let sent = join_all((0..50).map(|_| copies.get(&picture, W160))).await;
        assert!(sent.iter().all(|copy| copy == &sent[0]) && sent[0].is_some());
        assert_eq!((picture.reads.load(Ordering::Relaxed), copies.counters().made.get()), (1, 1));
        assert!(copies.fit(1).is_some() && copies.jobs() == 0);
        copies.prepare(&picture, Size::Fit).await;
        assert_eq!(picture.reads.load(Ordering::Relaxed), 1, "it is known how it fits");
    }

    #[tokio::test]
    async fn how_a_picture_fits_is_found_out_although_its_copies_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let place = || Some((folder.path().to_owned(), 1 << 20));
        let picture = picture(1);
        Copies::new(place(), CopyMemory::MOST).prepare(&picture, W160).await;
        // As if the process had ended before that was saved.
        for reads in [2, 3] {
            let copies = Copies::new(place(), CopyMemory::MOST);
            copies.prepare(&picture, W160).await;
            assert_eq!(copies.fit(1), None);
            copies.prepare(&picture, Size::Fit).await;
            assert!(copies.fit(1).is_some());
            assert_eq!(picture.reads.load(Ordering::Relaxed), reads);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_waits_for_five_seconds_and_no_more_than_the_queue_has() {
        let copies = Copies::new(None, CopyMemory::MOST);
        let hanging = |hash| Counted { hangs: true, ..picture(hash) };
        let begun = tokio::time::Instant::now();
        assert_eq!(copies.get(&hanging(0), W160).await, None);
        assert!(begun.elapsed() >= WAIT && begun.elapsed() < 2 * WAIT);
        for hash in 1..200 {
            let hanging = hanging(hash);
            let copies = copies.clone();
            tokio::spawn(async move { copies.get(&hanging, W160).await });
        }
        tokio::time::sleep(WAIT / 2).await;
        let threads = available_parallelism().map_or(1, NonZeroUsize::get).div_ceil(2);
        assert!((QUEUE..=QUEUE + threads).contains(&copies.jobs()), "{}", copies.jobs());
        assert!(copies.counters().refused.get() >= (199 - QUEUE - threads) as u64);
    }

    #[tokio::test]
    async fn a_picture_that_would_take_too_much_memory_is_refused() {
        let copies = Copies::new(None, CopyMemory { jobs: 1 << 20, ..CopyMemory::MOST });
        let large =
            Counted { header: Header { width: 5_000, height: 5_000, ..picture(1).header }, ..picture(1) };
        assert_eq!(copies.get(&large, W160).await, None);
        assert_eq!((large.reads.load(Ordering::Relaxed), copies.counters().refused.get()), (0, 1));
    }

    #[tokio::test]
    async fn a_picture_that_cannot_be_decoded_is_read_once() {
        let (copies, whole) = (Copies::new(None, CopyMemory::MOST), picture(1));
        let cut = Counted { bytes: &whole.bytes[..500], ..whole };
        for _ in 0..3 {
            assert_eq!(copies.get(&cut, W160).await, None);
        }
        assert_eq!((cut.reads.load(Ordering::Relaxed), copies.counters().failed.get()), (1, 1));
    }
}
