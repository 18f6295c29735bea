//! A catalogue of products in a file of this machine. It is read as a whole, and again when it changes. A file that cannot
//! be used changes nothing: what was read last is sold.

mod amounts;
mod error;
mod json;
mod plain;
mod report;
mod rows;
mod table;
mod text;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use parking_lot::RwLock;
use tokio::sync::Notify;

pub(crate) use self::amounts::PricesIn;
pub use self::error::FileError;
pub(crate) use self::report::Report;
use self::table::Table;
use super::mirror::{Mirror, MirrorQuery};
use super::model::{Category, Product};
use super::product_set::ProductSet;
use super::query::{Ask, Result as Answer};
use super::slug::Slug;
use super::{Catalogue, CataloguePurge, CatalogueStatus, CategorySizes, Outdated, PurgeMode};
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::off_runtime;
use crate::profile::Currency;

/// Time between two looks at a file.
const PERIOD: Duration = Duration::from_secs(2);

/// What a file has.
#[derive(Debug)]
pub(crate) struct Reading {
    products: Vec<Product>,
    /// The currency of the prices, if the file or the settings name one.
    currency: Option<Currency>,
    /// That of the file before it was read.
    stamp: Option<Stamp>,
    pub report: Report,
}

/// What tells whether a file has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    length: u64,
    modified: (i64, i64),
}

/// A catalogue of the products in a file.
pub struct FileCatalogue {
    path: PathBuf,
    currency: Currency,
    current: RwLock<Version>,
    /// Asks for a reading.
    reload: Notify,
    /// Whether the next reading may have half of the products or fewer.
    accepts_loss: AtomicBool,
}

/// What was read of a file that could be used.
#[derive(Clone)]
struct Version {
    mirror: Arc<Mirror>,
    read: Instant,
    stamp: Option<Stamp>,
}

/// Reads a file. Takes long, see `process/compute.rs`.
///
/// # Errors
/// When it cannot be read, its form is not known or broken, or it has nothing to sell.
pub(crate) fn read(path: &Path, prices: PricesIn) -> Result<Reading, FileError> {
    let stamp = Stamp::of(path).ok();
    let text = text::read(path)?;
    let mut report = Report::default();
    let (products, currency) = match text.trim_start().starts_with(['{', '[']) {
        true => {
            let currency = match prices {
                PricesIn::Only(currency) => Some(currency),
                PricesIn::OwnOr(currency) => currency,
            };
            (json::products(&text, currency.unwrap_or_default(), &mut report)?, currency)
        }
        false => {
            let table = Table::read(&text)?;
            report.dialect = table.dialect.name;
            rows::products(&table, prices, &mut report)
        }
    };
    report.products = products.len() as u64;
    report.variants = products.iter().map(|product| product.variants.len() as u64).sum();
    if products.is_empty() {
        Err(FileError::Nothing)
    } else {
        Ok(Reading { products, currency, stamp, report })
    }
}

impl Reading {
    /// The currency of the prices; the default one if nothing names another.
    pub(crate) fn currency(&self) -> Option<Currency> {
        self.currency
    }

    /// The addresses of all pictures.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = &str> {
        let pictures = self.products.iter().flat_map(|product| {
            let own = product.images.iter().chain(&product.summary.thumbnail);
            own.chain(product.variants.iter().filter_map(|variant| variant.picture.as_ref()))
        });
        pictures.map(String::as_str)
    }

    /// Everything that pages ask for. Takes long, see `process/compute.rs`.
    fn mirror(&self, currency: Currency) -> Mirror {
        let products = ProductSet::of(self.products.iter(), currency);
        let mut seen = HashSet::new();
        let categories = self.products.iter().filter_map(|product| product.summary.category.clone());
        let category = |slug: Slug| Category { name: slug.title(), slug };
        let categories = categories.filter(|slug| seen.insert(slug.as_str().to_owned())).map(category);
        Mirror::new(products, categories.collect())
    }

    /// Says in the log what was read.
    fn log(&self, path: &Path) {
        let Report { dialect, rows, products, variants, .. } = self.report;
        tracing::info!(file = %Bounded(path.display()), form = dialect, rows, products, variants, "products were read");
        for (reason, text) in self.report.reasons() {
            match reason.is_fault() {
                true => tracing::warn!(file = %Bounded(path.display()), rows = text, "rows are left out"),
                false => tracing::info!(file = %Bounded(path.display()), rows = text, "rows are left out"),
            }
        }
    }
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let modified = (metadata.mtime(), metadata.mtime_nsec());
        Ok(Self { inode: metadata.ino(), length: metadata.len(), modified })
    }
}

impl FileCatalogue {
    /// The catalogue of what was read of a file, with prices in `currency`. Takes long, see `process/compute.rs`.
    pub(crate) fn new(path: &Path, reading: &Reading, currency: Currency) -> Self {
        reading.log(path);
        let mirror = Arc::new(reading.mirror(currency));
        let version = Version { mirror, read: Instant::now(), stamp: reading.stamp };
        Self {
            path: path.into(),
            currency,
            current: RwLock::new(version),
            reload: Notify::new(),
            accepts_loss: AtomicBool::default(),
        }
    }

    /// Reads the file again whenever it has changed, for as long as the program runs.
    pub(crate) async fn follow(self: Arc<Self>) {
        let mut last = self.stamp().await;
        loop {
            let is_ordered = tokio::time::timeout(PERIOD, self.reload.notified()).await.is_ok();
            let stamp = self.stamp().await;
            // A file that is being written changes again.
            let is_changed = stamp.is_some() && stamp == last && stamp != self.current.read().stamp;
            last = stamp;
            if is_ordered || is_changed {
                self.reload(stamp).await;
            }
        }
    }

    /// `None` without a file: it may come back.
    async fn stamp(&self) -> Option<Stamp> {
        let path = self.path.clone();
        off_runtime(move || Stamp::of(&path).ok()).await
    }

    async fn reload(&self, stamp: Option<Stamp>) {
        let (path, currency) = (self.path.clone(), self.currency);
        let old = Arc::clone(&self.current.read().mirror);
        let accepts_loss = self.accepts_loss.swap(false, Ordering::Relaxed);
        let made = off_runtime(move || {
            let reading = read(&path, PricesIn::Only(currency))?;
            let (old, new) = (old.products().len() as u64, reading.report.products);
            if new <= old / 2 && !accepts_loss {
                return Err(FileError::Loss { old, new });
            }
            let mirror = reading.mirror(currency);
            reading.log(&path);
            Ok(mirror)
        });
        // A version that was refused is not read again until it changes.
        self.current.write().stamp = stamp;
        match made.await {
            Ok(mirror) => {
                *self.current.write() = Version { mirror: Arc::new(mirror), read: Instant::now(), stamp };
            }
            Err(error) => tracing::error!(
                file = %Bounded(self.path.display()), error = %ErrorChain(&error),
                "the file is not used; what was read before stays on sale"
            ),
        }
    }
}

#[async_trait]
impl<Q: MirrorQuery> Ask<Q> for FileCatalogue {
    async fn ask(&self, query: &Q) -> Answer<Q::Answer> {
        let mirror = Arc::clone(&self.current.read().mirror);
        query.answer_from(&mirror)
    }
}

impl Catalogue for FileCatalogue {
    fn currency(&self) -> Currency {
        self.currency
    }

    /// Files have no ratings, unless some product of JSON has one.
    fn knows_ratings(&self) -> bool {
        false
    }

    fn purge(&self, purges: &[CataloguePurge]) {
        let everything = || purges.iter().filter(|purge| purge.outdated == Outdated::Everything);
        if everything().next().is_some() {
            let is_hard = everything().any(|purge| purge.mode == PurgeMode::Hard);
            self.accepts_loss.fetch_or(is_hard, Ordering::Relaxed);
            self.reload.notify_one();
        }
    }

    fn status(&self) -> CatalogueStatus {
        let Version { mirror, read, .. } = &*self.current.read();
        CatalogueStatus {
            copy: Some((mirror.products().len(), read.elapsed())),
            ..CatalogueStatus::default()
        }
    }

    fn category_sizes(&self) -> Option<Arc<CategorySizes>> {
        Some(self.current.read().mirror.category_sizes())
    }
}
