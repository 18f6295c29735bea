//! Reads the whole list in passes, one after the other. The phases of a pass are in `continue_pass`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, mem};

use tokio::time::Instant;

use super::ask::{ask, is_too_large};
use super::commit::commit;
use super::ids::{IdReader, ListOfIds, check_count};
use super::list::{PagedList, PassLimits, Range};
use super::pass::{MOST_REPEATED, Pass, Place};
use super::progress::PassProgress;
use super::saved::Purpose;
use super::version::ReadVersion;
use super::windows::{halves, windows};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::Result;
use crate::catalogue::service::wire::Dropped;
use crate::catalogue::store::Store;
use crate::catalogue::version::{Change, Version};
use crate::process::compute::{in_background, off_runtime};
use crate::profile::Currency;

/// Reads the same list again and again, and remembers the last pass that was complete.
pub(crate) struct PageReader {
    limits: PassLimits,
    place: Option<Place>,
    /// Products per page. Halved when a page is too large or too slow.
    page: u64,
    /// Whether a page was too slow. The next pass tries pages of full size again.
    is_slow: bool,
    ids: IdReader,
    last: Option<ReadVersion>,
    unfinished: Option<Box<Pass>>,
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

impl PageReader {
    pub(crate) fn new(limits: PassLimits) -> Self {
        let (page, ids, progress) = (limits.page, IdReader::new(), Arc::default());
        Self { limits, place: None, page, is_slow: false, ids, last: None, unfinished: None, progress }
    }

    /// Saves the pages of `service` in a file, so that a pass continues after a restart. The file's folder must exist.
    pub(crate) fn saved_in(self, path: PathBuf, service: String) -> Self {
        Self { place: Some(Place { path, service }), ..self }
    }

    /// Refuses lists of more than `most` products. The default limit applies as well.
    pub(crate) fn limit_to(&mut self, most: u64) {
        self.limits.most = most.min(PassLimits::DEFAULT.most);
    }

    /// How far the pass is.
    pub(crate) fn progress(&self) -> &Arc<PassProgress> {
        &self.progress
    }

    /// Forgets everything that this and earlier processes have read. The next pass asks for everything.
    pub(crate) async fn forget(&mut self) {
        let (unfinished, place) = (self.unfinished.take(), self.place.clone());
        off_runtime(move || {
            drop(unfinished);
            // A cancelled pass may still have the file open; that does not matter.
            place.map(|place| fs::remove_file(place.path))
        })
        .await;
        (self.last, self.ids, self.page, self.is_slow) = (None, IdReader::new(), self.limits.page, false);
        self.progress.end();
    }

    /// Reads the list. Continues a pass that has failed, or that an earlier process has left unfinished.
    ///
    /// # Errors
    /// When the service does not answer within the limits, or the list is too large or changes too often.
    pub(crate) async fn read(&mut self, source: &impl PagedList) -> Result<Outcome> {
        let mut pass = self.begin(source.currency()).await;
        let outcome = self.continue_pass(source, &mut pass).await;
        match &outcome {
            Err(error) if keeps_pages(error) => self.unfinished = Some(pass),
            _ => {
                off_runtime(move || pass.remove_saved()).await;
                self.progress.end();
            }
        }
        outcome
    }

    async fn begin(&mut self, currency: Currency) -> Box<Pass> {
        let (limits, place) = (self.limits, self.place.clone());
        let unfinished = self.unfinished.take();
        let goes_on = unfinished.as_ref().is_some_and(|pass| pass.age() < limits.longest);
        if !goes_on && mem::take(&mut self.is_slow) {
            self.page = limits.page;
        }
        off_runtime(move || match unfinished {
            Some(pass) if goes_on => pass,
            Some(mut pass) => {
                pass.remove_saved();
                Box::new(Pass::new(currency, limits, place))
            }
            None => Box::new(Pass::resume(currency, limits, place)),
        })
        .await
    }

    /// Reads the pages and then the list of ids. If that list has changed, reads what the pass lacks of it, and repeats
    /// until nothing is missing.
    async fn continue_pass(&mut self, source: &impl PagedList, pass: &mut Box<Pass>) -> Result<Outcome> {
        self.read_pages(source, pass).await?;
        for _ in 0..self.limits.attempts {
            self.check(pass)?;
            let is_same = |last: &&ReadVersion| {
                !pass.has_changed && last.is_covered && pass.unchanged.len() == last.pages.len()
            };
            let last = self.last.as_ref().filter(is_same);
            let since = last.and_then(|last| last.ids.clone());
            let until = Instant::now() + self.limits.longest.saturating_sub(pass.age());
            let list = match self.ids.read(source, &self.limits, since.as_ref(), until).await? {
                Change::Unchanged(version) => return Ok(self.confirm(pass, Some(version))),
                Change::New(list, _) => list,
            };
            if last.is_some_and(|last| last.ids_hash == list.hash) {
                return Ok(self.confirm(pass, list.version));
            }
            self.note_change(pass).await?;
            // A list does not become empty while it is read: the answer is probably wrong.
            if list.ids.is_empty() && pass.pool.count() > 0 {
                continue;
            }
            let list = Arc::new(list);
            if self.read_missing(source, pass, &list).await? {
                let age = pass.age();
                let (last, dropped) = with(pass, move |pass| commit(pass, &list)).await?;
                let store = Arc::clone(&last.store);
                self.last = Some(last);
                return Ok(Outcome::New(NewList { store, dropped, age }));
            }
        }
        Err(CatalogueError::Unsettled { attempts: self.limits.attempts })
    }

    /// Reads the pages up to the end of the list.
    async fn read_pages(&mut self, source: &impl PagedList, pass: &mut Box<Pass>) -> Result<()> {
        loop {
            pass.skip_resumed();
            if pass.is_at_end {
                return Ok(());
            }
            self.check(pass)?;
            let known = self.last.as_ref().and_then(|last| last.pages.get(&pass.next)).cloned();
            let limit = self.page;
            let range = Range { skip: pass.next, limit };
            // A page that does not match the store can be used again only if no page has changed.
            let known =
                known.filter(|known| known.range == range && (known.matches_store || !pass.has_changed));
            let since = known.as_ref().and_then(|known| known.version.as_ref());
            match (ask(self.limits.patience, || source.products(range, since)).await, known) {
                (Ok(Change::Unchanged(version)), Some(known)) if !pass.has_changed => {
                    pass.note_unchanged(&known, version)
                }
                (Ok(Change::Unchanged(version)), Some(known)) => {
                    let store = self.last.as_ref().map(|last| Arc::clone(&last.store)).unwrap_or_default();
                    with(pass, move |pass| pass.reuse(&known, version, &store)).await?;
                }
                (Ok(Change::Unchanged(_)), None) => return Err(CatalogueError::Status(304)),
                (Ok(Change::New(page, version)), _) => {
                    self.note_change(pass).await?;
                    with(pass, move |pass| pass.read(Purpose::Next, range, page, version)).await;
                }
                (Err(error), _) if is_too_large(&error) && limit > self.limits.smallest_page => {
                    self.is_slow |= matches!(error.cause(), CatalogueError::TimedOut(_));
                    self.page = (limit / 2).max(self.limits.smallest_page);
                }
                (Err(error), _) => return Err(error),
            }
        }
    }

    /// Reads the products of `list` that the pass lacks. Returns whether it has all of them now. If not, the list has
    /// changed again, or the service repeats itself.
    async fn read_missing(
        &mut self,
        source: &impl PagedList,
        pass: &mut Box<Pass>,
        list: &Arc<ListOfIds>,
    ) -> Result<bool> {
        let missing = async |pass: &mut Box<Pass>| {
            let list = Arc::clone(list);
            with(pass, move |pass| pass.pool.missing(&list.ids)).await
        };
        let mut parts = windows(&missing(pass).await, self.page, self.limits.overlap);
        if parts.is_empty() {
            return Ok(true);
        }
        let mut repeated = 0;
        while let Some(range) = parts.pop_front() {
            self.check(pass)?;
            match ask(self.limits.patience, || source.products(range, None)).await {
                Ok(Change::New(page, _)) => {
                    let rows = page.page.rows.len() as u64;
                    if (1..range.limit).contains(&rows) && range.skip + rows < list.ids.len() as u64 {
                        // The service gives fewer products than it is asked for.
                        parts.push_front(Range { skip: range.skip + rows, limit: range.limit - rows });
                    }
                    let new = with(pass, move |pass| pass.read(Purpose::Missing, range, page, None)).await;
                    repeated = if new == 0 { repeated + 1 } else { 0 };
                    if repeated == MOST_REPEATED {
                        break;
                    }
                }
                Ok(Change::Unchanged(_)) => return Err(CatalogueError::Status(304)),
                Err(error) => match halves(range, self.limits.smallest_page) {
                    Some(halves) if is_too_large(&error) => {
                        halves.into_iter().rev().for_each(|half| parts.push_front(half))
                    }
                    _ => return Err(error),
                },
            }
        }
        Ok(missing(pass).await.is_empty())
    }

    /// Called when the list turns out to have changed. The first time, adds the pages so far, which were only noted as
    /// unchanged, to the pass.
    async fn note_change(&self, pass: &mut Box<Pass>) -> Result<()> {
        if pass.has_changed {
            return Ok(());
        }
        let Some(last) = &self.last else {
            pass.has_changed = true;
            return Ok(());
        };
        let store = Arc::clone(&last.store);
        let page = |(skip, version): (u64, Version)| Some((Arc::clone(last.pages.get(&skip)?), version));
        let pages = mem::take(&mut pass.unchanged).into_iter().filter_map(page).collect();
        with(pass, move |pass| pass.reuse_unchanged(pages, &store)).await
    }

    /// Keeps the last pass, and notes the latest versions of its pages and its list of ids.
    fn confirm(&mut self, pass: &mut Pass, ids: Option<Version>) -> Outcome {
        if let Some(last) = &mut self.last {
            for (skip, version) in mem::take(&mut pass.unchanged) {
                if let Some(page) = last.pages.get_mut(&skip) {
                    Arc::make_mut(page).version = Some(version);
                }
            }
            last.ids = ids;
        }
        Outcome::Unchanged { age: pass.age() }
    }

    fn check(&self, pass: &Pass) -> Result<()> {
        self.progress.note(pass.covered, pass.total);
        // A total above the limit is an error at once, before so many products are read.
        check_count(pass.covered.max(pass.total.unwrap_or_default()), &self.limits)?;
        let most_bytes = self.limits.most_bytes();
        if pass.bytes > most_bytes {
            return Err(CatalogueError::TooMuch { limit: most_bytes });
        }
        let longest = self.limits.longest;
        if pass.age() > longest { Err(CatalogueError::TooLong { longest }) } else { Ok(()) }
    }
}

/// Whether the pages of a pass can still be used after this error.
pub(super) fn keeps_pages(error: &CatalogueError) -> bool {
    !matches!(
        error,
        CatalogueError::Unsettled { .. }
            | CatalogueError::Senseless
            | CatalogueError::TooMany { .. }
            | CatalogueError::TooMuch { .. }
            | CatalogueError::TooLong { .. }
            | CatalogueError::Details(_)
    )
}

/// Lets a pass compute in the background.
async fn with<T: Send + 'static>(
    pass: &mut Box<Pass>,
    work: impl FnOnce(&mut Pass) -> T + Send + 'static,
) -> T {
    let none = Box::new(Pass::new(Currency::default(), PassLimits::DEFAULT, None));
    let mut taken = mem::replace(pass, none);
    let (taken, done) = in_background(move || {
        let done = work(&mut taken);
        (taken, done)
    })
    .await;
    *pass = taken;
    done
}
