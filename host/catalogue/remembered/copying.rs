//! Copies the whole catalogue into a [`Mirror`].

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::cache::Outcome;
use crate::catalogue::Bulk;
use crate::catalogue::mirror::Mirror;
use crate::catalogue::model::{Category, Product, Slug};
use crate::catalogue::query::{Categories, Everything, ProductCount, Result};
use crate::observe::ErrorChain;

/// How long a catalogue counts as too large for a mirror before its size is checked again.
const TOO_LARGE_FOR: Duration = Duration::from_secs(3_600);
/// How long the categories' names are used before they are requested again.
const NAMES_FOR: Duration = Duration::from_secs(3_600);
/// How long no copy is attempted after the first one failed.
const NO_COPY_FOR: Duration = Duration::from_secs(30);

/// When the categories' names were last received.
pub(super) type NamesAsked = Mutex<Option<Instant>>;

/// A new copy of a catalogue of at most `most` products; `None` for a larger one.
///
/// # Errors
/// When the catalogue does not answer and there is a `last` copy, which then stays in use.
pub(super) async fn copy(
    source: Arc<impl Bulk>,
    most: u64,
    last: Option<Arc<Mirror>>,
    names_asked: Arc<NamesAsked>,
) -> Result<Outcome<Option<Arc<Mirror>>>> {
    let is_first = last.is_none();
    match try_copy(&*source, most, last, &names_asked).await {
        // Without this pause every query would start another copy.
        Err(error) if is_first => {
            tracing::warn!(error = %ErrorChain(&error), "the catalogue could not be mirrored");
            Ok(Outcome::StoreFor(None, NO_COPY_FOR))
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
) -> Result<Outcome<Option<Arc<Mirror>>>> {
    let too_large = |products: u64| {
        tracing::info!(products, most, "the catalogue is too large to be mirrored");
        Outcome::StoreFor(None, TOO_LARGE_FOR)
    };
    if last.is_none() {
        let count = source.ask(&ProductCount).await?;
        if count > most {
            return Ok(too_large(count));
        }
    }
    let products = source.ask(&Everything).await?;
    if products.len() as u64 > most {
        return Ok(too_large(products.len() as u64));
    }
    let slugs = distinct_categories(&products);
    let known = last.map(|last| Arc::clone(last.categories())).filter(|known| covers(known, &slugs));
    let names = names(source, known, names_asked).await?;
    let categories: Arc<[Category]> = slugs.into_iter().map(|slug| name(slug, &names)).collect();
    Ok(Outcome::Store(Some(Arc::new(Mirror::new(products, categories)))))
}

/// The known names, or new ones from the catalogue once [`NAMES_FOR`] has passed.
async fn names(
    source: &impl Bulk,
    known: Option<Arc<[Category]>>,
    names_asked: &NamesAsked,
) -> Result<Arc<[Category]>> {
    let is_due = names_asked.lock().is_none_or(|asked| asked.elapsed() > NAMES_FOR);
    match known {
        Some(known) if !is_due => Ok(known),
        known => match (source.ask(&Categories).await, known) {
            (Ok(names), _) => {
                *names_asked.lock() = Some(Instant::now());
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
    slugs.iter().all(|slug| known.iter().any(|category| category.slug == *slug))
}

fn name(slug: Slug, names: &[Category]) -> Category {
    names
        .iter()
        .find(|category| category.slug == slug)
        .cloned()
        .unwrap_or_else(|| Category { name: slug.title(), slug })
}
