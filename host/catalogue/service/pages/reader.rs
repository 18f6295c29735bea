//! Reads the whole list in passes, one after the other.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::ask::{Part, ask, is_too_large, is_too_slow};
use super::ids::{IdReader, ListOfIds, check_count};
use super::list::{PageOfProducts, PagedList, PassLimits, Range};
use super::pool::Pool;
use super::progress::PassProgress;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::Result;
use crate::catalogue::revision::{Change, Revision};
use crate::catalogue::service::wire::Dropped;
use crate::catalogue::store::Store;
use crate::process::compute::in_background;
use crate::profile::Currency;

/// After so many pages in a row without a new product the list counts as read: the service repeats itself.
const MOST_REPEATED: u32 = 3;

/// Reads the same list again and again, and knows what the last complete pass has read.
pub(crate) struct PageReader {
    limits: PassLimits,
    /// Products per page. Halved when a page is too large or too slow.
    page: u64,
    /// Whether a page was too slow. The next pass tries pages of full size again.
    is_slow: bool,
    ids: IdReader,
    last: Option<ReadList>,
    progress: Arc<PassProgress>,
}

/// What a pass has read.
pub(crate) enum Outcome {
    /// The list is the one that the last pass has read.
    Unchanged {
        age: Duration,
    },
    New(NewList),
}

/// A whole list.
pub(crate) struct NewList {
    /// Its products, in the order of the list of ids.
    pub(crate) store: Arc<Store>,
    /// What was left out of the pages that were parsed.
    pub(crate) dropped: Dropped,
    /// The time since the pass has begun. No product is older.
    pub(crate) age: Duration,
}

/// The revisions of everything that a pass has read.
struct ReadList {
    /// The pages, in the order of the list.
    pages: Vec<ReadPage>,
    /// The revision of the list of ids, if it was one answer.
    ids: Option<Revision>,
    ids_hash: blake3::Hash,
}

/// A page that was read.
struct ReadPage {
    range: Range,
    revision: Revision,
    /// How many entries of the list are read with this page.
    covered: u64,
}

/// A pass over the pages of the list.
struct Pass {
    begun: Instant,
    pool: Pool,
    pages: Vec<ReadPage>,
    /// Whether each product is in one of the pages, all of which have a revision. Other products may change without a
    /// change of a page.
    is_comparable: bool,
    /// The offset of the next page.
    next: u64,
    /// The offset up to which the list has been read.
    covered: u64,
    total: Option<u64>,
    /// Whether there is no further page.
    is_at_end: bool,
    /// How many pages in a row had no new product.
    repeated: u32,
    /// Bytes of the pages that were read.
    bytes: u64,
}

impl PageReader {
    pub(crate) fn new(limits: PassLimits) -> Self {
        Self {
            limits,
            page: limits.page,
            is_slow: false,
            ids: IdReader::default(),
            last: None,
            progress: Arc::default(),
        }
    }

    /// Refuses lists of more than `most` products. The default limit applies as well.
    pub(crate) fn limit_to(&mut self, most: u64) {
        self.limits.most = most.min(PassLimits::DEFAULT.most);
    }

    /// How far the pass is.
    pub(crate) fn progress(&self) -> &Arc<PassProgress> {
        &self.progress
    }

    /// Forgets everything that was read. The next pass asks for everything.
    pub(crate) fn forget(&mut self) {
        (self.last, self.ids) = (None, IdReader::default());
        (self.page, self.is_slow) = (self.limits.page, false);
        self.progress.end();
    }

    /// Reads the list: asks whether it has changed since the last pass and, if it has, reads all of it. A list that
    /// changes too much meanwhile is read once more.
    ///
    /// # Errors
    /// When the service does not answer within the limits, or the list is too large or changes too often.
    pub(crate) async fn read(&mut self, source: &impl PagedList) -> Result<Outcome> {
        let outcome = self.read_list(source).await;
        // After a failure of the service the next attempt follows soon.
        let is_over = |error: &CatalogueError| {
            matches!(
                error,
                CatalogueError::TooMany { .. }
                    | CatalogueError::TooMuch { .. }
                    | CatalogueError::Unsettled { .. }
                    | CatalogueError::Senseless
                    | CatalogueError::TooLong { .. }
            )
        };
        if outcome.as_ref().map_or_else(is_over, |_| true) {
            self.progress.end();
        }
        outcome
    }

    async fn read_list(&mut self, source: &impl PagedList) -> Result<Outcome> {
        if let Some(mut last) = self.last.take() {
            let begun = Instant::now();
            let is_same = self.compare(source, &mut last, begun).await;
            // A page that is too slow now is not asked for again: the next pass reads smaller ones.
            if is_same.as_ref().map_or_else(|error| !is_too_slow(error), |is_same| *is_same) {
                self.last = Some(last);
            }
            if is_same? {
                return Ok(Outcome::Unchanged { age: begun.elapsed() });
            }
        }
        for attempt in 0..self.limits.attempts {
            if attempt > 0 {
                sleep(self.limits.pause).await;
            }
            if let Some(list) = self.read_whole(source).await? {
                return Ok(Outcome::New(list));
            }
        }
        Err(CatalogueError::Unsettled { attempts: self.limits.attempts })
    }

    /// Whether pages and ids are those of the last pass. Notes their latest revisions.
    async fn compare(
        &mut self,
        source: &impl PagedList,
        last: &mut ReadList,
        begun: Instant,
    ) -> Result<bool> {
        let count = last.pages.last().map_or(0, |page| page.covered);
        for page in &mut last.pages {
            self.check_time(begun)?;
            let call = || source.products(page.range, Some(&page.revision));
            match ask(self.limits.patience, Part::Smallest, call).await {
                Ok(Change::Unchanged(revision)) => page.revision = revision,
                Ok(Change::New(..)) | Err(CatalogueError::TooLarge { .. }) => return Ok(false),
                Err(error) => return Err(error),
            }
            self.progress.note(page.covered, Some(count));
        }
        let until = begun + self.limits.longest;
        match self.ids.read(source, &self.limits, (last.ids.as_ref(), count), until).await? {
            Change::Unchanged(revision) => last.ids = Some(revision),
            Change::New(list, _) if list.hash == last.ids_hash => last.ids = list.revision,
            Change::New(..) => return Ok(false),
        }
        Ok(true)
    }

    /// Reads all pages, the list of ids, and the few products that no page has. `None` if these are not few, because the
    /// list has changed meanwhile, or the service repeats itself.
    async fn read_whole(&mut self, source: &impl PagedList) -> Result<Option<NewList>> {
        let begun = Instant::now();
        if mem::take(&mut self.is_slow) {
            self.page = self.limits.page;
        }
        let mut pass = self.read_pages(source, begun).await?;
        let until = begun + self.limits.longest;
        let ids = match self.ids.read(source, &self.limits, (None, pass.covered), until).await? {
            Change::New(ids, _) => Arc::new(ids),
            Change::Unchanged(_) => return Err(CatalogueError::Status(304)),
        };
        // A list does not become empty while it is read: the answer is probably wrong.
        if ids.ids.iter().all(Option::is_none) && pass.pool.count() > 0 {
            return Ok(None);
        }
        let (read, list) = (pass, Arc::clone(&ids));
        let missing;
        (pass, missing) = in_background(move || {
            let missing = read.pool.missing(&list.ids);
            (read, missing)
        })
        .await;
        if missing.len() > self.limits.most_missing {
            return Ok(None);
        }
        for key in &missing {
            self.check_time(begun)?;
            let row = ask(self.limits.patience, Part::Smallest, || source.product(key)).await?;
            // One that is gone was not there all the time.
            if let Some(row) = row.filter(|row| row.key.as_ref() == Some(key)) {
                pass.pool.add(row, false, 0);
            }
        }
        pass.is_comparable &= missing.is_empty();
        let (list, read) = in_background(move || pass.commit(&ids)).await?;
        self.last = read;
        Ok(Some(list))
    }

    /// Reads the pages up to the end of the list.
    async fn read_pages(&mut self, source: &impl PagedList, begun: Instant) -> Result<Pass> {
        let mut pass = Pass::new(source.currency());
        while !pass.is_at_end {
            self.check(&pass, begun)?;
            let range = Range { skip: pass.next, limit: self.page };
            let part = self.limits.part(self.page);
            match ask(self.limits.patience, part, || source.products(range, None)).await {
                Ok(Change::New(page, revision)) => {
                    let overlap = self.limits.overlap;
                    pass = in_background(move || {
                        pass.add(range, page, revision, overlap);
                        pass
                    })
                    .await;
                }
                Ok(Change::Unchanged(_)) => return Err(CatalogueError::Status(304)),
                Err(error) if part == Part::Divisible && is_too_large(&error) => {
                    self.is_slow |= is_too_slow(&error);
                    self.page = self.limits.half_of(self.page);
                }
                Err(error) => return Err(error),
            }
        }
        self.check(&pass, begun)?;
        Ok(pass)
    }

    fn check(&self, pass: &Pass, begun: Instant) -> Result<()> {
        self.progress.note(pass.covered, pass.total);
        // A total above the limit is an error at once, before so many products are read.
        check_count(pass.covered.max(pass.total.unwrap_or_default()), &self.limits)?;
        let limit = self.limits.most_bytes();
        if pass.bytes > limit { Err(CatalogueError::TooMuch { limit }) } else { self.check_time(begun) }
    }

    fn check_time(&self, begun: Instant) -> Result<()> {
        let longest = self.limits.longest;
        if begun.elapsed() > longest { Err(CatalogueError::TooLong { longest }) } else { Ok(()) }
    }
}

impl Pass {
    fn new(currency: Currency) -> Self {
        Self {
            begun: Instant::now(),
            pool: Pool::new(currency),
            pages: Vec::new(),
            is_comparable: true,
            next: 0,
            covered: 0,
            total: None,
            is_at_end: false,
            repeated: 0,
            bytes: 0,
        }
    }

    /// Adds a page, whose last entries the next page repeats: as many as `overlap`, or fewer. Computes for long.
    fn add(&mut self, range: Range, page: PageOfProducts, revision: Option<Revision>, overlap: u64) {
        let PageOfProducts { bytes, page } = page;
        let rows = page.rows.len() as u64;
        let end = range.skip + rows;
        let mut new = 0;
        for (position, row) in (range.skip..).zip(page.rows) {
            let is_distinct = position >= self.covered;
            new += usize::from(self.pool.add(row, is_distinct, range.skip));
        }
        self.repeated = if new == 0 && end > self.covered { self.repeated + 1 } else { 0 };
        self.covered = self.covered.max(end);
        self.total = page.total;
        self.bytes += bytes;
        self.is_comparable &= revision.is_some();
        let covered = self.covered;
        self.pages.extend(revision.map(|revision| ReadPage { range, revision, covered }));
        let is_last = page.total.map_or(rows < range.limit, |total| end >= total);
        self.is_at_end = rows == 0 || is_last || self.repeated >= MOST_REPEATED;
        // Always fewer than the page has, so that the pass moves on.
        self.next = end - overlap.min(rows / 4);
    }

    /// The products of the list with these ids, in its order, and the revisions of what was read, if the next pass can
    /// compare them. Computes for long.
    ///
    /// # Errors
    /// When every entry is invalid: the service's schema has probably changed.
    fn commit(self, ids: &ListOfIds) -> Result<(NewList, Option<ReadList>)> {
        let Self { begun, pool, pages, is_comparable, .. } = self;
        if pool.count() == 0 && !ids.ids.is_empty() {
            return Err(CatalogueError::Senseless);
        }
        let (store, dropped) = pool.finish(&ids.ids)?;
        let read = ReadList { pages, ids: ids.revision.clone(), ids_hash: ids.hash };
        let list = NewList { store: Arc::new(store), dropped, age: begun.elapsed() };
        Ok((list, is_comparable.then_some(read)))
    }
}
