//! Long exports for clients that take gzip, each of which is made once for a version of the catalogue. They are kept as
//! they are sent, and clients read them while they grow: a slow client costs neither a second making nor a place.

use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use parking_lot::{Mutex, RwLock};
use tokio::sync::watch;

use super::export_limits::ExportLimits;
use crate::exports::{Format, Writing, WritingError};
use crate::http::compression::Encoding;
use crate::http::packing::Packing;
use crate::observe::{Bounded, ErrorChain};

/// Most bytes of all kept exports together. A product takes about 100 bytes in each form.
const MOST_KEPT: u64 = 32 << 20;
/// They take at most this part of what pages may take, beside them.
const PART_OF_PAGES: u64 = 2;

/// The long exports of a shop. Cheap to clone.
#[derive(Clone, Debug)]
pub(in crate::shop) struct LongExports {
    /// Most bytes of all of them.
    most: usize,
    kept: Arc<Mutex<[OfFormat; Format::EVERY.len()]>>,
    /// Bytes of all exports that are kept or still read.
    bytes: Arc<AtomicUsize>,
}

/// The exports in one form.
#[derive(Debug, Default)]
struct OfFormat {
    latest: Option<Arc<LongExport>>,
    /// The one before, for clients that read it.
    previous: Option<Arc<LongExport>>,
    /// A number of products that were too many to be kept.
    too_many: Option<usize>,
}

/// An export that grows.
#[derive(Debug)]
pub(in crate::shop) struct LongExport {
    tag: String,
    products: usize,
    is_begun: AtomicBool,
    parts: RwLock<Vec<Bytes>>,
    state: watch::Sender<State>,
    /// See [`LongExports::bytes`].
    bytes: Arc<AtomicUsize>,
}

/// How far an export is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It has this many parts so far.
    Growing(usize),
    /// It has this many parts.
    Whole(usize),
    /// It could not be made, or there are two newer versions.
    Ended,
}

/// Why an export is not kept.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Writing(#[from] WritingError),
    #[error("there is no room for it in memory")]
    TooLarge,
}

impl LongExports {
    /// Exports of a shop whose pages take at most this many bytes. Without pages in memory there are no exports either.
    pub(in crate::shop) fn new(page_memory: u64) -> Self {
        let most = usize::try_from(MOST_KEPT.min(page_memory / PART_OF_PAGES)).unwrap_or(usize::MAX);
        Self { most, kept: Arc::default(), bytes: Arc::default() }
    }

    /// The export with this tag; `None` if so many products are too many to be kept.
    pub(in crate::shop) fn of(&self, format: Format, tag: &str, products: usize) -> Option<Arc<LongExport>> {
        let mut kept = self.kept.lock();
        let OfFormat { latest, previous, too_many } = &mut kept[format as usize];
        let is_same = |export: &&Arc<LongExport>| export.tag == tag && !export.is_ended();
        if let Some(known) = latest.iter().chain(&*previous).find(is_same) {
            return Some(Arc::clone(known));
        }
        // Fewer products may fit, unless they are nearly as many.
        if self.most == 0 || too_many.is_some_and(|too_many| products >= too_many - too_many / 8) {
            return None;
        }
        let new = Arc::new(LongExport {
            tag: tag.to_owned(),
            products,
            is_begun: AtomicBool::default(),
            parts: RwLock::default(),
            state: watch::Sender::new(State::Growing(0)),
            bytes: Arc::clone(&self.bytes),
        });
        // One that cannot be read takes the place of none.
        let last = latest.replace(Arc::clone(&new)).filter(|last| last.is_begun() && !last.is_ended());
        if let Some(last) = last
            && let Some(oldest) = previous.replace(last)
        {
            oldest.end();
        }
        Some(new)
    }

    /// The body of an export in gzip. It is made when the first client takes it.
    pub(in crate::shop) fn body(
        &self,
        export: Arc<LongExport>,
        writing: Writing,
        limits: ExportLimits,
    ) -> Body {
        let exports = self.clone();
        // A request for the head alone never polls the body.
        let begin = move || {
            if !export.is_begun.swap(true, Ordering::Relaxed) {
                tokio::spawn(exports.make(Arc::clone(&export), writing, limits));
            }
            Reading { state: export.state.subscribe(), export, next: 0 }
        };
        Body::from_stream(stream::try_unfold(Err(begin), async |reading| {
            let mut reading = reading.unwrap_or_else(|begin| begin());
            Ok::<_, io::Error>(reading.next().await?.map(|part| (part, Ok(reading))))
        }))
    }

    /// Makes an export, one part after the other.
    async fn make(self, export: Arc<LongExport>, writing: Writing, limits: ExportLimits) {
        let format = writing.format();
        let unfinished = EndUnlessWhole(Arc::clone(&export));
        if let Err(error) = export.grow(writing, &limits, &self).await {
            if matches!(error, Failure::TooLarge) {
                self.kept.lock()[format as usize].too_many = Some(export.products);
            }
            tracing::warn!(export = %Bounded(format.path()), error = %ErrorChain(&error), "an export is not kept");
        }
        drop(unfinished);
    }

    /// Whether there is room. If not, the versions before the latest ones make some.
    fn has_room(&self) -> bool {
        let is_full = || self.bytes.load(Ordering::Relaxed) > self.most;
        if is_full() {
            self.kept.lock().iter_mut().filter_map(|kept| kept.previous.take()).for_each(|old| old.end());
        }
        !is_full()
    }
}

/// Ends an export that is not whole when it is dropped, also if its making dies.
struct EndUnlessWhole(Arc<LongExport>);

impl Drop for EndUnlessWhole {
    fn drop(&mut self) {
        if !matches!(*self.0.state.borrow(), State::Whole(_)) {
            self.0.end();
        }
    }
}

impl LongExport {
    /// Whether its making has begun.
    pub(in crate::shop) fn is_begun(&self) -> bool {
        self.is_begun.load(Ordering::Relaxed)
    }

    async fn grow(
        &self,
        writing: Writing,
        limits: &ExportLimits,
        exports: &LongExports,
    ) -> Result<(), Failure> {
        let packing = Packing::begin(Some(Encoding::Gzip)).map_err(WritingError::from)?;
        let mut making = Some((writing, packing));
        while let Some((mut writing, mut packing)) = making.take() {
            let work = move || match writing.next_part()? {
                Some(part) => Ok::<_, WritingError>((packing.add(&part)?, Some((writing, packing)))),
                None => Ok((packing.end()?, None)),
            };
            let (part, rest) = limits.run(work).await?;
            making = rest;
            if self.is_ended() {
                return Ok(());
            }
            self.bytes.fetch_add(part.len(), Ordering::Relaxed);
            let count = {
                let mut parts = self.parts.write();
                // Without the room that the compressor reserved.
                parts.push(Bytes::from(Box::<[u8]>::from(&*part)));
                parts.len()
            };
            if !exports.has_room() {
                return Err(Failure::TooLarge);
            }
            let state = if making.is_some() { State::Growing(count) } else { State::Whole(count) };
            self.state.send_if_modified(|last| {
                let goes_on = *last != State::Ended;
                if goes_on {
                    *last = state;
                }
                goes_on
            });
        }
        Ok(())
    }

    fn is_ended(&self) -> bool {
        *self.state.borrow() == State::Ended
    }

    /// Gives its memory back. Clients that read it lose the connection: a cut file must not look whole.
    fn end(&self) {
        self.state.send_replace(State::Ended);
        let parts = mem::take(&mut *self.parts.write());
        self.bytes.fetch_sub(parts.iter().map(Bytes::len).sum(), Ordering::Relaxed);
    }
}

impl Drop for LongExport {
    fn drop(&mut self) {
        self.end();
    }
}

/// A client's reading of an export.
struct Reading {
    export: Arc<LongExport>,
    state: watch::Receiver<State>,
    /// The number of the next part.
    next: usize,
}

impl Reading {
    /// The next part; `None` after the last one.
    ///
    /// # Errors
    /// When the export has ended before its last part.
    async fn next(&mut self) -> io::Result<Option<Bytes>> {
        let ended = || io::Error::other("the export has no end");
        loop {
            let state = *self.state.borrow_and_update();
            match state {
                State::Growing(count) | State::Whole(count) if self.next < count => {
                    let part = self.export.parts.read().get(self.next).cloned().ok_or_else(ended)?;
                    self.next += 1;
                    // The compressor collects bytes, so that some parts have none.
                    if !part.is_empty() {
                        return Ok(Some(part));
                    }
                }
                State::Growing(_) => self.state.changed().await.map_err(|_| ended())?,
                State::Whole(_) => return Ok(None),
                State::Ended => return Err(ended()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;
    use crate::catalogue::Sample;
    use crate::document::Site;
    use crate::exports::About;
    use crate::http::compression::Encoding;
    use crate::process::compute::off_runtime;

    async fn writing() -> (Writing, usize) {
        let sample = off_runtime(|| Sample::load().unwrap()).await;
        let site = Site::new(&"https://shop.example".parse().unwrap(), Vec::new());
        let about = About { profile: Arc::default(), site };
        let products = sample.set();
        let count = products.len();
        (Writing::new(Format::Lines, about, products), count)
    }

    /// The text of a body, if it has an end.
    async fn text(body: Body) -> Option<String> {
        let packed = to_bytes(body, usize::MAX).await.ok()?;
        Some(String::from_utf8(Encoding::Gzip.decompress(&packed, 1 << 24).unwrap()).unwrap())
    }

    /// A body of the export with this tag, which is not begun yet unless it was taken before.
    async fn body(exports: &LongExports, tag: &str) -> Body {
        let (writing, count) = writing().await;
        let export = exports.of(Format::Lines, tag, count).unwrap();
        exports.body(export, writing, ExportLimits::default())
    }

    fn kept(exports: &LongExports) -> usize {
        exports.bytes.load(Ordering::Relaxed)
    }

    #[tokio::test]
    async fn an_export_is_made_once_when_it_is_first_taken() {
        let exports = LongExports::new(u64::MAX);
        drop(body(&exports, "one").await);
        assert_eq!(kept(&exports), 0, "nobody has taken it");
        let first = text(body(&exports, "one").await).await.unwrap();
        let once = kept(&exports);
        let count = first.lines().count();
        assert!(count > 100 && once * 3 < first.len(), "{once} bytes of {count} products");
        assert_eq!(text(body(&exports, "one").await).await, Some(first));
        assert_eq!(kept(&exports), once);
    }

    #[tokio::test]
    async fn the_version_before_the_last_one_breaks_off_and_gives_its_memory_back() {
        let exports = LongExports::new(u64::MAX);
        let mut bodies = Vec::new();
        for tag in ["one", "two", "three"] {
            text(body(&exports, tag).await).await.unwrap();
            bodies.push(body(&exports, tag).await);
            if bodies.len() == 1 {
                // A version that no client takes is not one that the next version keeps.
                drop(body(&exports, "never").await);
            }
        }
        let mut whole = Vec::new();
        for body in bodies {
            whole.push(text(body).await.is_some());
        }
        assert_eq!(whole, [false, true, true]);
        let of_two = kept(&exports);
        exports.kept.lock()[Format::Lines as usize].previous = None;
        assert_eq!(kept(&exports), of_two / 2);
    }

    #[tokio::test]
    async fn what_is_too_large_is_not_begun_again() {
        let (_, count) = writing().await;
        let exports = LongExports::new(2 * 1_024);
        assert_eq!(text(body(&exports, "one").await).await, None, "it is cut");
        assert_eq!(kept(&exports), 0);
        assert!(exports.of(Format::Lines, "two", count).is_none());
        assert!(exports.of(Format::Lines, "two", count / 2).is_some());
        assert!(LongExports::new(0).of(Format::Lines, "one", 1).is_none());
    }
}
