//! A client's reading of a long export, while that grows.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::{Semaphore, watch};

use super::export::{LongExport, Piece, Progress};
use super::store::Store;
use crate::http::blocks::unpack;
use crate::http::compression::Encoding;
use crate::process::compute::off_runtime;

/// The body of an export: in gzip or, without a coding, unpacked. `reads` limits for how many clients bytes are read at a
/// time.
pub(super) fn body(export: Arc<LongExport>, coding: Option<Encoding>, reads: Arc<Semaphore>) -> Body {
    let is_unpacked = coding.is_none();
    let reading = Reading { progress: export.follow(), export, next: 0, is_unpacked, reads };
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
