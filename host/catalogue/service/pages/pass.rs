//! A pass that is under way: what it has read, and where it goes on. What is computed here takes long, see
//! `process/compute.rs`.

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

/// The pages end where so many of them in turn have nothing new: the service repeats itself.
pub(super) const MOST_REPEATED: u32 = 3;

/// Where what is read is saved.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) service: String,
}

/// A pass that is under way.
pub(super) struct Pass {
    limits: PassLimits,
    pub(super) pool: Pool,
    /// The pages so far, in their order.
    pub(super) pages: Vec<PageRead>,
    /// The pages that an earlier process has read, and that are not among the pages yet.
    kept: BTreeMap<u64, PageRead>,
    /// The pages that are those of the last pass, as long as every page is.
    pub(super) same: Vec<(u64, Version)>,
    /// Whether a page is another one than in the last pass.
    pub(super) has_changed: bool,
    /// The number of entries before the next page.
    pub(super) next: u64,
    /// The number of entries before the end of what was read.
    pub(super) covered: u64,
    pub(super) total: Option<u64>,
    /// Whether there is no further page.
    pub(super) is_at_end: bool,
    /// How many pages in turn had nothing new.
    repeated: u32,
    /// Bytes of the pages that were read.
    pub(super) bytes: u64,
    begun: Instant,
    /// How long an earlier process took.
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
            kept: BTreeMap::new(),
            same: Vec::new(),
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

    /// A pass that goes on with what an earlier process has read, if there is something.
    pub(super) fn resume(currency: Currency, limits: PassLimits, place: Option<Place>) -> Self {
        let mut pass = Self::new(currency, limits, place);
        let Some(Place { path, service }) = pass.place.clone() else { return pass };
        let resumed = SavedPages::resume(&path, &service, &limits, |SavedPage { purpose, range, body }| {
            // The file is not trusted, so the limits of a list are checked here as well.
            let is_too_long = range.skip > limits.most || u64::from(pass.pool.count()) > limits.most;
            if is_too_long || pass.bytes > limits.most_bytes() {
                return;
            }
            // Another version of this program may understand less of it.
            let Ok(page) = parse_page(&body, currency) else { return };
            pass.bytes += body.len() as u64;
            let version = Version::new(blake3::hash(&body), None);
            let page = PageOfProducts { body: Bytes::new(), page };
            let (read, _) = pass.add(purpose, range, page, Some(version));
            if purpose == Purpose::Next {
                pass.kept.insert(range.skip, read);
            }
        });
        if let Some((saved, age)) = resumed {
            tracing::info!(
                products = pass.pool.count(),
                ?age,
                "goes on reading the catalogue where it was left"
            );
            pass.has_changed = !pass.kept.is_empty();
            (pass.saved, pass.before) = (Some(saved), age);
            pass.covered = 0;
        }
        pass
    }

    /// The time since the pass has begun: nothing in it is older.
    pub(super) fn age(&self) -> Duration {
        self.begun.elapsed() + self.before
    }

    /// Reads a page that the service has sent. Returns how many of its entries were not known.
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
            self.go_behind(read);
        }
        new
    }

    /// Goes on behind the pages that an earlier process has read.
    pub(super) fn skip_kept(&mut self) {
        while !self.is_at_end
            && let Some(page) = self.kept.remove(&self.next)
        {
            self.go_behind(page);
        }
    }

    /// Goes on behind a page that is that of the last pass, whose products are not needed yet.
    pub(super) fn leave(&mut self, page: &PageRead, version: Version) {
        self.same.push((page.range.skip, version));
        self.advance(page.range, page.rows.len() as u64, page.total);
    }

    /// Goes on behind a page that is that of the last pass, whose store has its products.
    ///
    /// # Errors
    /// When one could not be read from memory.
    pub(super) fn take_over(&mut self, page: &PageRead, version: Version, store: &Store) -> Result<()> {
        self.copy(page, version, store)?;
        self.advance(page.range, page.rows.len() as u64, page.total);
        Ok(())
    }

    /// Takes over what was left, because something has changed. A page whose products are not those of the store is
    /// missing then, and is read with what else is missing.
    ///
    /// # Errors
    /// As [`Self::take_over`].
    pub(super) fn take_over_left(
        &mut self,
        pages: Vec<(Arc<PageRead>, Version)>,
        store: &Store,
    ) -> Result<()> {
        self.has_changed = true;
        self.same.clear();
        pages
            .into_iter()
            .filter(|(page, _)| page.is_exact)
            .try_for_each(|(page, version)| self.copy(&page, version, store))
    }

    fn copy(&mut self, page: &PageRead, version: Version, store: &Store) -> Result<()> {
        let known = page.rows.iter().map(|row| row.position).filter(|position| *position != NOTHING);
        let mut products = store.products_at(known);
        let mut rows = Vec::with_capacity(page.rows.len());
        let mut is_exact = page.is_exact;
        let is_other = |index: u32| page.range.skip + u64::from(index) >= self.covered;
        for (index, row) in (0..).zip(&page.rows) {
            let position = if row.position == NOTHING {
                if let Some(key) = page.rejected.get(&index) {
                    self.pool.reject(key.clone(), is_other(index));
                }
                NOTHING
            } else {
                let Some(product) = products.next() else { break };
                let product = product.map_err(|error| CatalogueError::Details(Arc::new(error)))?;
                let (position, is_own) = self.pool.add_known(&product, row.digest);
                is_exact &= is_own;
                position
            };
            rows.push(RowRead { position, digest: row.digest });
        }
        self.pages.push(PageRead {
            version: Some(version),
            rows,
            is_exact,
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
            is_exact: true,
        };
        let end = range.skip + page.rows.len() as u64;
        let mut new = 0;
        for (index, row) in (0..).zip(page.rows) {
            let rejected = row.key.clone().filter(|_| row.product.is_none());
            let is_other = purpose == Purpose::Next && range.skip + u64::from(index) >= self.covered;
            let added = self.pool.add(row, is_other, range.skip);
            read.rejected.extend(rejected.map(|key| (index, key)));
            read.rows.push(added.row);
            read.is_exact &= added.is_exact;
            new += usize::from(added.is_new);
        }
        if purpose == Purpose::Next {
            self.repeated = if new == 0 && end > self.covered { self.repeated + 1 } else { 0 };
            self.covered = self.covered.max(end);
        }
        (read, new)
    }

    fn go_behind(&mut self, page: PageRead) {
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

    /// Saves a page. Without that, a restart only begins anew.
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

/// How many of a page's rows the next page has too. There is always a further row.
fn overlap(rows: u64, most: u64) -> u64 {
    most.min(rows / 4)
}
