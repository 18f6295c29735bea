//! A long export, which clients read while it grows.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use parking_lot::RwLock;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};

use super::store::Store;
use crate::http::blocks::{BLOCK, unpack};
use crate::http::compression::Encoding;
use crate::process::compute::off_runtime;

/// An export that grows.
#[derive(Debug)]
pub(in crate::shop) struct LongExport {
    tag: String,
    /// `None` once it has ended.
    store: RwLock<Option<Arc<Store>>>,
    pieces: RwLock<Vec<Piece>>,
    progress: watch::Sender<Progress>,
}

/// A piece of the file, which was a [`Block`](crate::http::blocks::Block).
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) bytes: Range<u64>,
    /// How many bytes it unpacks to.
    pub(super) length: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Growing,
    Whole,
    /// It could not be made, or there are two newer versions.
    Ended,
}

impl LongExport {
    pub(super) fn new(tag: String, store: Store) -> Self {
        Self {
            tag,
            store: RwLock::new(Some(Arc::new(store))),
            pieces: RwLock::default(),
            progress: watch::Sender::new(Progress::Growing),
        }
    }

    pub(super) fn progress(&self) -> Progress {
        *self.progress.borrow()
    }

    /// Whether it has this tag and can be read.
    pub(super) fn has(&self, tag: &str) -> bool {
        self.tag == tag && self.progress() != Progress::Ended
    }

    /// Where it lies, unless it has ended.
    pub(super) fn store(&self) -> Option<Arc<Store>> {
        self.store.read().clone()
    }

    /// Goes on in another store, which has the same bytes, unless it has ended.
    pub(super) fn move_to(&self, new: Arc<Store>) {
        if let Some(store) = &mut *self.store.write() {
            *store = new;
        }
    }

    pub(super) fn add(&self, piece: Piece) {
        self.pieces.write().push(piece);
    }

    /// Tells clients that there is more to read. An export that has ended goes on to be so.
    pub(super) fn tell(&self, progress: Progress) {
        self.progress.send_if_modified(|last| {
            let goes_on = *last != Progress::Ended;
            if goes_on {
                *last = progress;
            }
            goes_on
        });
    }

    /// Clients that read it lose the connection: a cut file must not look whole. Returns what gives its room back.
    pub(super) fn cut(&self) -> Option<Arc<Store>> {
        self.progress.send_replace(Progress::Ended);
        self.store.write().take()
    }

    /// As [`Self::cut`]. Its room is given back off the runtime, because that takes long for a large file.
    pub(super) fn end(&self) {
        let store = self.cut();
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn_blocking(|| drop(store));
        }
    }

    /// What a client is sent from this piece on: pieces in gzip, or one that has to be unpacked.
    fn from(&self, first: usize, is_unpacked: bool) -> Option<(Piece, usize)> {
        let pieces = self.pieces.read();
        let Piece { bytes: Range { start, end }, length } = pieces.get(first)?.clone();
        let behind = pieces[first + 1..].iter().filter(|_| !is_unpacked);
        let ends = behind.map(|piece| piece.bytes.end).take_while(|end| end - start <= BLOCK as u64);
        let (count, end) = ends.fold((1, end), |(count, _), end| (count + 1, end));
        Some((Piece { bytes: start..end, length }, first + count))
    }
}

impl Drop for LongExport {
    fn drop(&mut self) {
        self.end();
    }
}

/// The body of an export: in gzip or, without a coding, unpacked. `reads` limits for how many clients bytes are read at a
/// time.
pub(super) fn body(export: Arc<LongExport>, coding: Option<Encoding>, reads: Arc<Semaphore>) -> Body {
    let is_unpacked = coding.is_none();
    let reading = Reading { progress: export.progress.subscribe(), export, next: 0, is_unpacked, reads };
    Body::from_stream(stream::try_unfold(reading, async |mut reading| {
        Ok::<_, io::Error>(reading.next().await?.map(|bytes| (bytes, reading)))
    }))
}

/// A client's reading of an export.
struct Reading {
    export: Arc<LongExport>,
    progress: watch::Receiver<Progress>,
    /// The number of the next piece.
    next: usize,
    is_unpacked: bool,
    reads: Arc<Semaphore>,
}

impl Reading {
    /// The next bytes; `None` after the last ones.
    ///
    /// # Errors
    /// When the export has ended before its end, or cannot be read.
    async fn next(&mut self) -> io::Result<Option<Bytes>> {
        let ended = || io::Error::other("the export has no end");
        loop {
            // A piece is there before clients are told of it.
            let progress = *self.progress.borrow_and_update();
            let Some((piece, next)) = self.export.from(self.next, self.is_unpacked) else {
                match progress {
                    Progress::Growing => self.progress.changed().await.map_err(|_| ended())?,
                    Progress::Whole => return Ok(None),
                    Progress::Ended => return Err(ended()),
                }
                continue;
            };
            self.next = next;
            // After the piece, because an export may go on in another store.
            let store = self.export.store().ok_or_else(ended)?;
            let bytes = self.read(store, piece).await?;
            // Some pieces are gzip's own.
            if !bytes.is_empty() {
                return Ok(Some(bytes));
            }
        }
    }

    async fn read(&self, store: Arc<Store>, Piece { bytes, length }: Piece) -> io::Result<Bytes> {
        let is_unpacked = self.is_unpacked;
        // The semaphore is never closed. A read whose client is gone keeps its permit until it ends.
        let permit = Arc::clone(&self.reads).acquire_owned().await;
        off_runtime(move || {
            let _permit = permit;
            let packed = store.read(bytes)?;
            Ok(if is_unpacked { unpack(&packed, length)? } else { packed }.into())
        })
        .await
    }
}
