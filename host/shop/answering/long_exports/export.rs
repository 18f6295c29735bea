//! A long export that grows.

use std::ops::Range;
use std::sync::Arc;

use parking_lot::RwLock;
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::store::Store;
use crate::http::blocks::BLOCK;

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

    /// How far it is, now and later.
    pub(super) fn follow(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// What a client is sent from this piece on: pieces in gzip, or one that has to be unpacked.
    pub(super) fn from(&self, first: usize, is_unpacked: bool) -> Option<(Piece, usize)> {
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
