//! Copies the whole catalogue into a [`Mirror`].

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::cache::Outcome;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::mirror::Mirror;
use crate::catalogue::model::{Category, Product};
use crate::catalogue::query::{Aged, Categories, Everything, ProductCount, Result};
use crate::catalogue::slug::Slug;
use crate::catalogue::{Bulk, ServiceLimits};
use crate::observe::ErrorChain;
use crate::process::compute::off_runtime;

/// How long a catalogue counts as too large for a mirror before its size is checked again.
const TOO_LARGE_FOR: Duration = Duration::from_secs(3_600);
/// How long the categories' names are used before they are requested again.
const NAMES_FOR: Duration = Duration::from_secs(3_600);
/// How long no copy is attempted after the first one failed.
const NO_COPY_FOR: Duration = Duration::from_secs(30);

/// When the categories' names were last received.
pub(super) type NamesAsked = Mutex<Received>;

/// When an answer that no purge has made outdated was last received.
#[derive(Debug, Default)]
pub(super) struct Received {
    at: Option<Instant>,
    /// Number of purges so far.
    purges: u64,
}

impl Received {
    /// Marks what was received, and what is on its way, as outdated.
    pub(super) fn forget(&mut self) {
        self.at = None;
        self.purges += 1;
    }

    /// Notes that an answer was received. It was asked for after this many purges.
    fn note(&mut self, purges: u64) {
        if self.purges == purges {
            self.at = Some(Instant::now());
        }
    }
}

/// A new copy of a catalogue of at most `most` products, made from answers that were given `within` this time;
/// `None` for a larger one.
///
/// # Errors
/// When the catalogue does not answer and there is a `last` copy, which then stays in use.
pub(super) async fn copy(
    source: Arc<impl Bulk>,
    most: u64,
    last: Option<Arc<Mirror>>,
    names_asked: Arc<NamesAsked>,
    within: Duration,
) -> Result<Outcome<Option<Arc<Mirror>>>> {
    let is_first = last.is_none();
    match try_copy(&*source, most, last, &names_asked, within).await {
        // Without this pause every query would start another copy.
        Err(error) if is_first => {
            let pause = match error {
                CatalogueError::TooLarge { .. } => ServiceLimits::DEFAULT.oversized_for,
                _ => NO_COPY_FOR,
            };
            tracing::warn!(error = %ErrorChain(&error), "the catalogue could not be mirrored");
            Ok(Outcome::StoreFor(None, pause))
        }
        copied => copied,
    }
}

/// Requests all products in one call. Before the first copy it checks their number, and once in
/// [`NAMES_FOR`] it requests the categories' names.
async fn try_copy(
    source: &impl Bulk,
    most: u64,
    last: Option<Arc<Mirror>>,
    names_asked: &NamesAsked,
    within: Duration,
) -> Result<Outcome<Option<Arc<Mirror>>>> {
    let too_large = |products: u64| {
        tracing::info!(products, most, "the catalogue is too large to be mirrored");
        Outcome::StoreFor(None, TOO_LARGE_FOR)
    };
    if last.is_none() {
        let count = source.ask_within(&ProductCount, within).await?.answer;
        if count > most {
            return Ok(too_large(count));
        }
    }
    let Aged { answer: products, age } = source.ask_within(&Everything, within).await?;
    if products.len() as u64 > most {
        return Ok(too_large(products.len() as u64));
    }
    let categories = last.map(|last| Arc::clone(last.categories()));
    let (products, slugs, known) = off_runtime(move || {
        let slugs = distinct_categories(&products);
        let known = categories.filter(|known| covers(known, &slugs));
        (products, slugs, known)
    })
    .await;
    let names = names(source, known, names_asked, within).await?;
    let currency = source.currency();
    let mirror = off_runtime(move || Mirror::new(products, named(slugs, &names), currency)).await;
    Ok(Outcome::StoreOfAge(Some(Arc::new(mirror)), age))
}

/// The known names, or new ones from the catalogue once [`NAMES_FOR`] has passed.
async fn names(
    source: &impl Bulk,
    known: Option<Arc<[Category]>>,
    names_asked: &NamesAsked,
    within: Duration,
) -> Result<Arc<[Category]>> {
    let (is_due, purges) = {
        let received = names_asked.lock();
        (received.at.is_none_or(|at| at.elapsed() > NAMES_FOR), received.purges)
    };
    match known {
        Some(known) if !is_due => Ok(known),
        known => match (source.ask_within(&Categories, within).await, known) {
            (Ok(Aged { answer: names, .. }), _) => {
                names_asked.lock().note(purges);
                Ok(names)
            }
            // Old names are better than no new copy of the products.
            (Err(_), Some(known)) => Ok(known),
            (Err(error), None) => Err(error),
        },
    }
}

/// The categories in order of first appearance, as the service orders them.
fn distinct_categories(products: &[Arc<Product>]) -> Vec<Slug> {
    let mut seen = HashSet::new();
    let slugs = products.iter().filter_map(|product| product.summary.category.as_ref());
    slugs.filter(|slug| seen.insert(*slug)).cloned().collect()
}

fn covers(known: &[Category], slugs: &[Slug]) -> bool {
    let known: HashSet<&Slug> = known.iter().map(|category| &category.slug).collect();
    slugs.iter().all(|slug| known.contains(slug))
}

fn named(slugs: Vec<Slug>, names: &[Category]) -> Arc<[Category]> {
    // Of two names for a category the first counts.
    let names: HashMap<&Slug, &String> =
        names.iter().rev().map(|category| (&category.slug, &category.name)).collect();
    let name = |slug: &Slug| names.get(slug).map_or_else(|| slug.title(), |name| (*name).clone());
    slugs.into_iter().map(|slug| Category { name: name(&slug), slug }).collect()
}
