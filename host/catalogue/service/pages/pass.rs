//! A pass in progress: what it has read, and where it continues. Its methods compute for long, so they are called off
//! the runtime, see `process/compute.rs`.

use std::collections::BTreeMap;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use super::list::{PageOfProducts, PassLimits, Range};
use super::pool::Pool;
use super::saved::{Purpose, SavedPage, SavedPages};
use super::version::{NOTHING, PageRead, RowRead};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::Result;
use crate::catalogue::service::wire::parse_page;
use crate::catalogue::store::Store;
use crate::catalogue::version::Version;
use crate::observe::ErrorChain;
use crate::profile::Currency;

/// After so many pages in a row without a new product the list counts as read: the service repeats itself.
pub(super) const MOST_REPEATED: u32 = 3;

/// The file in which pages are saved, and the service they are from.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) service: String,
}

/// A pass in progress.
pub(super) struct Pass {
    limits: PassLimits,
    pub(super) pool: Pool,
    /// The pages so far, in the order of the list.
    pub(super) pages: Vec<PageRead>,
    /// Pages that an earlier process has read and that are not in `pages` yet, by their offset.
    resumed: BTreeMap<u64, PageRead>,
    /// The offset and version of each page that has not changed since the last pass. Empty once any page has changed.
    pub(super) unchanged: Vec<(u64, Version)>,
    /// Whether any page has changed since the last pass.
    pub(super) has_changed: bool,
    /// The offset of the next page.
    pub(super) next: u64,
    /// The offset up to which the list has been read.
    pub(super) covered: u64,
    pub(super) total: Option<u64>,
    /// Whether there is no further page.
    pub(super) is_at_end: bool,
    /// How many pages in a row had no new product.
    repeated: u32,
    /// Bytes of the pages that were read.
    pub(super) bytes: u64,
    begun: Instant,
    /// How long an earlier process has worked on this pass.
    before: Duration,
    place: Option<Place>,
    saved: Option<SavedPages>,
}

impl Pass {
    pub(super) fn new(currency: Currency, limits: PassLimits, place: Option<Place>) -> Self {
        Self {
            limits,
            pool: Pool::new(currency),
            pages: Vec::new(),
            resumed: BTreeMap::new(),
            unchanged: Vec::new(),
            has_changed: false,
            next: 0,
            covered: 0,
            total: None,
            is_at_end: false,
            repeated: 0,
            bytes: 0,
            begun: Instant::now(),
            before: Duration::ZERO,
            place,
            saved: None,
        }
    }

    /// A pass that starts with the pages that an earlier process has saved, if there are any.
    pub(super) fn resume(currency: Currency, limits: PassLimits, place: Option<Place>) -> Self {
        let mut pass = Self::new(currency, limits, place);
        let Some(Place { path, service }) = pass.place.clone() else { return pass };
        let resumed = SavedPages::resume(&path, &service, &limits, |SavedPage { purpose, range, body }| {
            // The file is not trusted, so the limits are checked again.
            let is_too_long = range.skip > limits.most || u64::from(pass.pool.count()) > limits.most;
            if is_too_long || pass.bytes > limits.most_bytes() {
                return;
            }
            // Another version of this program may reject it.
            let Ok(page) = parse_page(&body, currency) else { return };
            pass.bytes += body.len() as u64;
            let version = Version::new(blake3::hash(&body), None);
            let page = PageOfProducts { body: Bytes::new(), page };
            let (read, _) = pass.add(purpose, range, page, Some(version));
            if purpose == Purpose::Next {
                pass.resumed.insert(range.skip, read);
            }
        });
        if let Some((saved, age)) = resumed {
            tracing::info!(
                products = pass.pool.count(),
                ?age,
                "continues reading the catalogue where an earlier process has stopped"
            );
            pass.has_changed = !pass.resumed.is_empty();
            (pass.saved, pass.before) = (Some(saved), age);
            pass.covered = 0;
        }
        pass
    }

    /// The time since the pass has begun. No page is older.
    pub(super) fn age(&self) -> Duration {
        self.begun.elapsed() + self.before
    }

    /// Adds a page that the service has sent. Returns how many of its entries have a new key.
    pub(super) fn read(
        &mut self,
        purpose: Purpose,
        range: Range,
        page: PageOfProducts,
        version: Option<Version>,
    ) -> usize {
        self.bytes += page.body.len() as u64;
        self.save(purpose, range, &page.body);
        let (read, new) = self.add(purpose, range, page, version);
        if purpose == Purpose::Next {
            self.push_page(read);
        }
        new
    }

    /// Moves past the pages that an earlier process has read.
    pub(super) fn skip_resumed(&mut self) {
        while !self.is_at_end
            && let Some(page) = self.resumed.remove(&self.next)
        {
            self.push_page(page);
        }
    }

    /// Moves past a page that has not changed since the last pass. Its products are needed only once another page has.
    pub(super) fn note_unchanged(&mut self, page: &PageRead, version: Version) {
        self.unchanged.push((page.range.skip, version));
        self.advance(page.range, page.rows.len() as u64, page.total);
    }

    /// Adds a page that has not changed since the last pass, with the products of that pass's store.
    ///
    /// # Errors
    /// When a product cannot be decoded.
    pub(super) fn reuse(&mut self, page: &PageRead, version: Version, store: &Store) -> Result<()> {
        self.copy(page, version, store)?;
        self.advance(page.range, page.rows.len() as u64, page.total);
        Ok(())
    }

    /// Adds the pages that were noted as unchanged, because another page has changed. Pages that do not match the store
    /// are left out: their products are missing later, and are read again then.
    ///
    /// # Errors
    /// As [`Self::reuse`].
    pub(super) fn reuse_unchanged(
        &mut self,
        pages: Vec<(Arc<PageRead>, Version)>,
        store: &Store,
    ) -> Result<()> {
        self.has_changed = true;
        self.unchanged.clear();
        pages
            .into_iter()
            .filter(|(page, _)| page.matches_store)
            .try_for_each(|(page, version)| self.copy(&page, version, store))
    }

    fn copy(&mut self, page: &PageRead, version: Version, store: &Store) -> Result<()> {
        let known = page.rows.iter().map(|row| row.position).filter(|position| *position != NOTHING);
        let mut products = store.products_at(known);
        let mut rows = Vec::with_capacity(page.rows.len());
        let mut matches_store = page.matches_store;
        let is_distinct = |index: u32| page.range.skip + u64::from(index) >= self.covered;
        for (index, row) in (0..).zip(&page.rows) {
            let position = if row.position == NOTHING {
                if let Some(key) = page.rejected.get(&index) {
                    self.pool.reject(key.clone(), is_distinct(index));
                }
                NOTHING
            } else {
                let Some(product) = products.next() else { break };
                let product = product.map_err(|error| CatalogueError::Details(Arc::new(error)))?;
                let (position, is_same) = self.pool.add_known(&product, row.digest);
                matches_store &= is_same;
                position
            };
            rows.push(RowRead { position, digest: row.digest });
        }
        self.pages.push(PageRead {
            version: Some(version),
            rows,
            matches_store,
            rejected: page.rejected.clone(),
            ..*page
        });
        Ok(())
    }

    fn add(
        &mut self,
        purpose: Purpose,
        range: Range,
        page: PageOfProducts,
        version: Option<Version>,
    ) -> (PageRead, usize) {
        let PageOfProducts { page, .. } = page;
        let mut read = PageRead {
            range,
            version,
            total: page.total,
            rows: Vec::with_capacity(page.rows.len()),
            rejected: BTreeMap::new(),
            matches_store: true,
        };
        let end = range.skip + page.rows.len() as u64;
        let mut new = 0;
        for (index, row) in (0..).zip(page.rows) {
            let rejected = row.key.clone().filter(|_| row.product.is_none());
            let is_distinct = purpose == Purpose::Next && range.skip + u64::from(index) >= self.covered;
            let added = self.pool.add(row, is_distinct, range.skip);
            read.rejected.extend(rejected.map(|key| (index, key)));
            read.rows.push(added.row);
            read.matches_store &= added.matches_store;
            new += usize::from(added.is_new);
        }
        if purpose == Purpose::Next {
            self.repeated = if new == 0 && end > self.covered { self.repeated + 1 } else { 0 };
            self.covered = self.covered.max(end);
        }
        (read, new)
    }

    fn push_page(&mut self, page: PageRead) {
        self.advance(page.range, page.rows.len() as u64, page.total);
        self.pages.push(page);
    }

    fn advance(&mut self, range: Range, rows: u64, total: Option<u64>) {
        let end = range.skip + rows;
        self.covered = self.covered.max(end);
        self.total = total;
        let is_last = total.map_or(rows < range.limit, |total| end >= total);
        self.is_at_end = rows == 0 || is_last || self.repeated >= MOST_REPEATED;
        self.next = end - overlap(rows, self.limits.overlap);
    }

    /// Saves a page. If that fails, only the next process has to start the pass again.
    fn save(&mut self, purpose: Purpose, range: Range, body: &[u8]) {
        let Some(Place { path, service }) = &self.place else { return };
        let saved = match self.saved.take() {
            Some(saved) => Ok(saved),
            None => SavedPages::create(path, service, self.age(), &self.limits),
        };
        let saved = saved.and_then(|mut saved| match saved.append(purpose, range, body) {
            Ok(()) => Ok(saved),
            Err(error) => {
                saved.remove();
                Err(error)
            }
        });
        match saved {
            Ok(saved) => self.saved = Some(saved),
            Err(error) => {
                tracing::warn!(error = %ErrorChain(&error), "what is read of the catalogue is not saved");
                self.place = None;
            }
        }
    }

    /// Removes what was saved.
    pub(super) fn remove_saved(&mut self) {
        if let Some(saved) = mem::take(&mut self.saved) {
            saved.remove();
        }
    }
}

/// How many rows of a page the next page repeats: always fewer than the page has, so that the pass moves on.
fn overlap(rows: u64, most: u64) -> u64 {
    most.min(rows / 4)
}
