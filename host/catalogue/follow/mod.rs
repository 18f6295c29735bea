//! Follows a catalogue that is read as a whole: one loop reads it again and again, and sells each version that is
//! believed. The last version stays on sale while the source fails, for as long as `--stale` allows.

mod laid_over;
mod loss;
mod past;
mod reading;
mod restored;
mod shared;
mod state;
mod tasks;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, timeout_at};

use self::loss::LossCheck;
use self::past::Past;
use self::reading::{Known, Read};
use self::shared::Role;
pub use self::shared::SharedVersions;
pub(super) use self::state::files;
pub use self::state::{StateDir, StateError};
use self::tasks::{ask_again, open, read_again};
use super::error::CatalogueError;
use super::key::ProductKey;
use super::model::Product;
use super::query::{Aged, Result};
use super::revision::Revision;
use super::version::Version;
use super::{Catalogue, CataloguePurge, CatalogueStatus, Live, LiveMemory, Outdated, Source, Stock};
use crate::cache::Ages;
use crate::contract::Reading;
use crate::observe::counters::Counter;
use crate::observe::{ErrorChain, LogThrottle};
use crate::profile::Currency;

/// How long the categories' names are used before they are requested again.
const NAMES_FOR: Duration = Duration::from_secs(3_600);
/// How long a visitor waits for the first version, or for one that an operator has ordered.
const AWAITED_FOR: Duration = Duration::from_millis(500);
/// Shortest time between two such waits for purges.
const AWAITED_AGAIN: Duration = Duration::from_secs(5);
/// Shortest time between two readings that purges ask for, and between two that tell of a loss.
const APART: Duration = Duration::from_millis(500);
const LOSSES_APART: Duration = Duration::from_secs(10);
/// First and longest pause after a failed reading; each failure doubles it.
const FIRST_RETRY: Duration = Duration::from_secs(1);
const LAST_RETRY: Duration = Duration::from_secs(30);
/// How long after a catalogue was found too large it is tried again, if there is no version.
const TOO_LARGE_FOR: Duration = Duration::from_secs(3_600);
/// The largest number of products that are laid over a version. With more, it is read again.
const MOST_NEWER: usize = 1_000;

/// A catalogue that follows its source.
pub struct Followed<C> {
    source: Arc<C>,
    /// The largest number of products of a version.
    most: u64,
    ages: Ages,
    sold: Mutex<Sold>,
    /// Signals each new version.
    versions: watch::Sender<()>,
    /// Until when visitors wait for the reading that is under way; `None` if they need not.
    awaited: watch::Sender<Option<Instant>>,
    /// Asks for a reading.
    due: Arc<Notify>,
    /// Asks for the products that were purged, and to lay them over the version.
    wanted: Arc<Notify>,
    memory: LiveMemory,
    rejected: Counter,
    throttle: LogThrottle,
    /// What replicas share, if there are several.
    shared: Option<SharedVersions>,
    /// Whether this replica reads the source.
    role: watch::Sender<Role>,
    /// How long other replicas' readings take, in milliseconds.
    their_reading_time: AtomicU64,
}

/// What is sold, and what is known of it.
#[derive(Debug, Default)]
struct Sold {
    current: Option<Current>,
    loss: LossCheck,
    /// The latest purge order. A version may become known later, from a file or from other replicas.
    order: Option<Past>,
    /// Until when visitors wait for what the last purge asked for.
    awaited_until: Option<Instant>,
    /// The products that were asked for one by one since the version was read, each with the time of that; `None` for one
    /// that is gone.
    newer: HashMap<ProductKey, (Past, Option<Arc<Product>>)>,
    /// The products that are to be asked for.
    products: HashSet<ProductKey>,
    /// When the categories' names were received.
    names: Option<Past>,
    /// When the source was asked for the last answer that it gave.
    answered: Option<Past>,
    /// Why the last reading has failed.
    trouble: Option<String>,
    /// Whether the calls that the home page needs were answered before there was a version.
    is_open: bool,
}

/// The version on sale.
#[derive(Clone, Debug)]
struct Current {
    /// The version as it was read.
    read: Arc<Version>,
    /// The same with the products that were asked for one by one since.
    version: Arc<Version>,
    /// When it was asked for, or confirmed.
    asked: Past,
    /// When it was last received as a whole. Since then the source has only said that it is the same.
    whole: Past,
    /// The revision of its products, if this process has read them.
    revision: Option<Revision>,
}

impl Current {
    fn new(read: Arc<Version>, asked: Past, revision: Option<Revision>) -> Self {
        Self { version: Arc::clone(&read), read, asked, whole: asked, revision }
    }
}

impl Sold {
    /// Whether there is no version, or one from before this order. An order may become known late: a version that was
    /// confirmed since is as old as its last whole answer.
    fn is_older_than(&self, order: Past) -> bool {
        self.current.as_ref().is_none_or(|current| !order.is_before(current.whole))
    }

    /// Whether the latest order has no answer yet.
    fn is_order_open(&self) -> bool {
        self.order.is_some_and(|order| self.is_older_than(order))
    }
}

impl<C: Source> Followed<C> {
    /// A catalogue without a version, which [`Self::follow`] reads. Makes no call.
    pub fn new(source: C, ages: Ages, most: u64) -> Self {
        Self {
            source: Arc::new(source),
            most,
            ages,
            sold: Mutex::default(),
            versions: watch::Sender::default(),
            awaited: watch::Sender::default(),
            due: Arc::default(),
            wanted: Arc::default(),
            memory: LiveMemory::default(),
            rejected: Counter::default(),
            throttle: LogThrottle::default(),
            shared: None,
            role: watch::Sender::default(),
            their_reading_time: AtomicU64::default(),
        }
    }

    /// Shares its versions with other replicas.
    pub fn sharing(self, shared: Option<SharedVersions>) -> Self {
        Self { shared, ..self }
    }

    /// What is sold before the first version.
    fn live(&self) -> Stock {
        let pass = self.source.status().pass;
        let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let pass = pass.map(|pass| Reading { read: number(pass.read()), total: number(pass.total()) });
        let is_failing = self.sold.lock().trouble.is_some();
        Stock::Live {
            live: Arc::clone(&self.source) as Arc<dyn Live>,
            memory: self.memory.clone(),
            reading: pass.or((!is_failing).then(Reading::default)),
        }
    }

    /// The catalogue that is followed.
    pub fn source(&self) -> &C {
        &self.source
    }

    /// Reads the source again and again, for as long as the catalogue is in use. The first visitors wait for the first
    /// version.
    pub fn follow(self: &Arc<Self>) -> impl Future<Output = ()> + Send + use<C> {
        if self.current().is_none() {
            self.awaited.send_replace(Some(Instant::now() + AWAITED_FOR));
        }
        let (catalogue, due, wanted) =
            (Arc::downgrade(self), Arc::clone(&self.due), Arc::clone(&self.wanted));
        async move {
            tokio::select! {
                ((), ()) = async { tokio::join!(read_again(&catalogue, &due), open(&catalogue)) } => {}
                () = ask_again(&catalogue, &wanted) => {}
            }
        }
    }

    /// The version on sale and the time since it was asked for, unless it is too old to be sold.
    pub fn current(&self) -> Option<(Arc<Version>, Duration)> {
        let sold = self.sold.lock();
        let Current { version, asked, .. } = sold.current.as_ref()?;
        let age = asked.elapsed();
        self.may_be_sold(age).then(|| (Arc::clone(version), age))
    }

    fn may_be_sold(&self, age: Duration) -> bool {
        age < self.lasts()
    }

    /// How long a version may be sold.
    fn lasts(&self) -> Duration {
        self.usual_age().saturating_add(self.ages.stale)
    }

    /// How long reading takes, here or at another replica, if that takes several calls.
    fn reading_time(&self) -> Duration {
        let theirs = Duration::from_millis(self.their_reading_time.load(Ordering::Relaxed));
        self.source.reading_time().max(theirs)
    }

    /// How old a version becomes while its source answers. The age of products that take long to read counts from the
    /// beginning of reading, and they are read again after a pause of the same length.
    fn usual_age(&self) -> Duration {
        let fresh = if self.ages.fresh.is_zero() { FIRST_RETRY } else { self.ages.fresh };
        2 * fresh + 3 * self.reading_time()
    }

    /// Tells everyone that a version has replaced this one.
    fn announce(&self, replaced: Option<Current>) {
        self.memory.clear();
        self.versions.send_replace(());
        // A product may have been asked for in the meantime.
        self.wanted.notify_one();
        if let Some(replaced) = replaced {
            // Freeing a large version takes long.
            tokio::task::spawn_blocking(move || drop(replaced));
        }
    }

    /// Lets visitors wait no longer.
    fn end_wait(&self) {
        self.awaited.send_if_modified(|awaited| awaited.take().is_some());
    }

    fn losses_apart(&self) -> Duration {
        LOSSES_APART.min(self.ages.fresh)
    }

    /// How many versions were not believed since the start.
    pub fn rejected(&self) -> u64 {
        self.rejected.get()
    }

    /// Time since the source was asked for its last answer; `None` if it has not answered yet.
    fn silence(&self) -> Option<Duration> {
        self.sold.lock().answered.map(Past::elapsed)
    }

    /// Whether the version was received or confirmed `within` this time.
    fn has_new_version(&self, within: Duration) -> bool {
        // A version's age is counted from the beginning of reading it.
        let within = within.saturating_add(self.reading_time());
        self.current().is_some_and(|(_, age)| age <= within)
    }

    /// Reads the source once, and sells what is new. Returns the age of what was read.
    ///
    /// # Errors
    /// When the source does not answer, or has more products than a version may have.
    pub async fn read(&self) -> Result<Duration> {
        let began = Past::new(Duration::ZERO);
        let known = self.before_reading();
        let last = known.version.clone();
        let outcome = match reading::read(&*self.source, self.most, known).await {
            Ok(Aged { answer: read, age }) => {
                let asked = Past::new(age.max(began.elapsed()));
                let laid = self.laid_over(read.version.as_ref(), asked).await;
                self.take(read, laid, last.as_ref(), asked);
                Ok(asked.elapsed())
            }
            Err(error) => {
                self.sold.lock().trouble = Some(ErrorChain(&error).to_string());
                Err(error)
            }
        };
        self.end_wait();
        outcome
    }

    /// Lets visitors wait for what a purge asks for. Purges that come all the time delay pages only now and then.
    fn let_wait(&self, sold: &mut Sold) {
        let now = Instant::now();
        if sold.awaited_until.is_none_or(|until| until + AWAITED_AGAIN < now) {
            sold.awaited_until = Some(now + AWAITED_FOR);
            self.awaited.send_replace(sold.awaited_until);
        }
    }

    fn before_reading(&self) -> Known {
        let sold = self.sold.lock();
        if sold.is_order_open() {
            self.awaited.send_replace(sold.awaited_until);
        }
        Known {
            version: sold.current.as_ref().map(|current| Arc::clone(&current.read)),
            revision: sold.current.as_ref().and_then(|current| current.revision.clone()),
            are_names_due: sold.names.is_none_or(|at| at.elapsed() > NAMES_FOR),
        }
    }

    /// Takes what was read, and the same with newer products `laid` over it. It was asked for from this moment on, with the
    /// `last` version on sale.
    fn take(&self, read: Read, laid: Option<Arc<Version>>, last: Option<&Arc<Version>>, asked: Past) {
        let Read { version, revision, has_names } = read;
        let mut sold = self.sold.lock();
        sold.answered = Some(asked);
        // After an order everything is asked for, and no "not modified" of the service counts.
        let is_outdated = sold.order.is_some_and(|order| asked.is_before(order));
        let revision = revision.filter(|_| !is_outdated);
        if has_names && !is_outdated {
            sold.names = Some(asked);
        }
        let Sold { current, loss, newer, trouble, .. } = &mut *sold;
        let old = current.as_ref().map_or(0, |current| current.read.products().len());
        let new = version.as_ref().map_or(old, |version| version.products().len());
        if !loss.accepts(old, new, asked, self.losses_apart()) {
            self.rejected.increment();
            *trouble = Some(format!("it has {new} products instead of {old}, which is not believed yet"));
            return;
        }
        *trouble = None;
        let is_last = match (&*current, last) {
            (Some(current), Some(last)) => Arc::ptr_eq(last, &current.read),
            (None, None) => true,
            _ => false,
        };
        let replaced = match version {
            // Another replica's version may be on sale by now, and younger.
            Some(_) if !is_last && current.as_ref().is_some_and(|sold| asked.is_before(sold.asked)) => return,
            Some(version) => {
                version.set_damaged(current.as_ref().is_some_and(|current| current.read.is_damaged()));
                let laid = laid.unwrap_or_else(|| Arc::clone(&version));
                newer.retain(|_, (since, _)| !since.is_before(asked));
                current.replace(Current { version: laid, ..Current::new(version, asked, revision) })
            }
            None => {
                if let Some(current) = current.as_mut().filter(|_| is_last) {
                    current.asked = asked;
                    if let Some(revision) = &revision {
                        current.whole = Past::new(revision.age());
                    }
                    current.revision = revision;
                }
                return;
            }
        };
        drop(sold);
        self.announce(replaced);
    }

    /// The pause after a reading that took this long, and came after this many failed ones.
    fn pause(&self, outcome: &Result<Duration>, took: Duration, failures: u32) -> Duration {
        let fresh = self.ages.fresh;
        let first = if fresh.is_zero() { FIRST_RETRY } else { FIRST_RETRY.min(fresh) };
        match outcome {
            Ok(_) if fresh.is_zero() => took.max(first),
            // Otherwise a catalogue that takes longer to read than it stays fresh would be read all the time.
            Ok(age) => fresh.saturating_sub(*age).max(took),
            Err(error @ (CatalogueError::TooMany { .. } | CatalogueError::TooMuch { .. })) => {
                if self.throttle.allows("size") {
                    tracing::warn!(error = %ErrorChain(error), "the catalogue is too large to be copied");
                }
                // With a version on sale, a wrong number may be right the next time.
                if self.current().is_some() { fresh.max(took).max(first) } else { TOO_LARGE_FOR }
            }
            Err(error) => {
                if self.throttle.allows("reading") {
                    tracing::warn!(
                        error = %ErrorChain(error),
                        "the catalogue was not read; what is on sale stays"
                    );
                }
                let usual = first.saturating_mul(1 << failures.min(10));
                usual.max(error.retry_after().unwrap_or_default()).min(LAST_RETRY)
            }
        }
    }
}

#[async_trait]
impl<C: Source> Catalogue for Followed<C> {
    async fn stock(&self) -> Stock {
        let mut awaited = self.awaited.subscribe();
        let until = *awaited.borrow();
        if let Some(until) = until.filter(|until| *until > Instant::now()) {
            // However the reading ends, what is on sale then is the best there is.
            let _ = timeout_at(until, awaited.wait_for(Option::is_none)).await;
        }
        match self.version() {
            Some(version) => {
                Stock::Version { version, live: Some(Arc::clone(&self.source) as Arc<dyn Live>) }
            }
            None => self.live(),
        }
    }

    fn version(&self) -> Option<Arc<Version>> {
        self.current().map(|(version, _)| version)
    }

    fn versions(&self) -> Option<watch::Receiver<()>> {
        Some(self.versions.subscribe())
    }

    fn currency(&self) -> Currency {
        self.source.currency()
    }

    fn outdated_for(&self) -> Duration {
        // No answer is expected between two readings.
        self.silence().unwrap_or_default().saturating_sub(self.usual_age())
    }

    fn purge(&self, purges: &[CataloguePurge]) {
        self.memory.clear();
        let mut sold = self.sold.lock();
        let mut of_lists = Vec::new();
        for purge in purges {
            match &purge.outdated {
                Outdated::Product(key) if sold.products.len() + sold.newer.len() < MOST_NEWER => {
                    if sold.is_older_than(Past::new(purge.ago)) {
                        sold.products.insert(key.clone());
                    }
                }
                _ => of_lists.push(purge.clone()),
            }
        }
        if !sold.products.is_empty() {
            self.let_wait(&mut sold);
            self.wanted.notify_one();
        }
        let Some(latest) = of_lists.iter().map(|purge| purge.ago).min() else { return };
        self.source.purge(&of_lists);
        let order = Past::new(latest);
        if sold.order.is_none_or(|known| known.is_before(order)) {
            sold.order = Some(order);
        }
        let accepting = of_lists.iter().filter(|purge| purge.accepts_loss()).map(|purge| purge.ago).min();
        if let Some(accepting) = accepting.map(Past::new).filter(|order| sold.is_older_than(*order)) {
            sold.loss.believe_after(accepting);
        }
        if sold.is_older_than(order) {
            sold.names = None;
            // It stays until the next version is there: without it an outage would leave nothing to sell.
            if let Some(current) = &mut sold.current {
                current.revision = None;
            }
            self.let_wait(&mut sold);
            self.due.notify_one();
        }
    }

    fn is_stocked(&self) -> bool {
        self.current().is_some() || self.sold.lock().is_open
    }

    fn status(&self) -> CatalogueStatus {
        let copy = self.current().map(|(version, age)| (version.products().len(), age));
        let trouble = self.sold.lock().trouble.clone();
        CatalogueStatus {
            silence: self.silence(),
            rejected: Some(self.rejected.get()),
            trouble,
            copy,
            ..self.source.status()
        }
    }
}
