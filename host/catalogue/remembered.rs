//! A catalogue whose answers are remembered, and mirrored as a whole when it is small.
//!
//! While the mirror has a copy, one call per refresh answers every query, and only what the copy
//! does not know is asked for. Without one each query's own last good answer is kept.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use parking_lot::Mutex;

use super::answers::Answers;
use super::local::Local;
use super::staleness::Staleness;
use super::{
    Catalogue, Category, CategoryPreview, Product, ProductId, Result, Section, Slug, Summary, Whole,
};
use crate::causes::Causes;
use crate::memory::{Ages, Made};
use crate::shelf::Shelf;

/// Memory for each kind of answer, in bytes.
const LISTINGS: u64 = 48 << 20;
const PRODUCTS: u64 = 16 << 20;
const SMALL: u64 = 4 << 20;
/// How long a catalogue that is too large for the mirror is not measured again.
const TOO_LARGE_FOR: Duration = Duration::from_secs(3_600);
/// How long the mirror believes the categories' names before it asks for them again.
const NAMED_FOR: Duration = Duration::from_secs(3_600);
/// How long a catalogue that could not be copied at all is asked query by query.
const NO_COPY_FOR: Duration = Duration::from_secs(30);

/// Whether the whole catalogue is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorPolicy {
    /// When it has at most this many products.
    UpTo(u64),
    Never,
}

/// A catalogue with a memory.
pub struct Remembered<C> {
    source: Arc<C>,
    policy: MirrorPolicy,
    ages: Ages,
    staleness: Staleness,
    mirror: Answers<(), Option<Arc<Local>>>,
    /// When the mirror's categories were named.
    named: Arc<Mutex<Option<Instant>>>,
    pub(super) categories: Answers<(), Arc<[Category]>>,
    pub(super) previews: Answers<Slug, CategoryPreview>,
    pub(super) listings: Answers<ListingKey, Arc<Shelf>>,
    pub(super) products: Answers<ProductId, Option<Arc<Product>>>,
    pub(super) sections: Answers<Section, Arc<[Summary]>>,
}

/// What a listing was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(super) enum ListingKey {
    All,
    Category(Slug),
    Search(Box<str>),
}

impl<C: Whole> Remembered<C> {
    pub fn new(source: C, ages: Ages, policy: MirrorPolicy) -> Self {
        let staleness = Staleness::default();
        let seen = || staleness.clone();
        Self {
            source: Arc::new(source),
            policy,
            ages,
            mirror: Answers::new(
                ages,
                // There is only one, which is as large as the policy allows.
                u64::MAX,
                seen(),
                |_| 1,
                |mirror| mirror.as_ref().map(|local| local.products().len()),
            ),
            named: Arc::default(),
            categories: Answers::new(
                ages,
                SMALL,
                seen(),
                |found| found.len() * 100,
                |found| Some(found.len()),
            ),
            previews: Answers::new(ages, SMALL, seen(), |_| 300, |_| None),
            listings: Answers::new(ages, LISTINGS, seen(), |shelf| shelf.size(), |shelf| Some(shelf.len())),
            products: Answers::new(
                ages,
                PRODUCTS,
                seen(),
                |product| product.as_ref().map_or(100, |product| product.size()),
                |_| None,
            ),
            sections: Answers::new(
                ages,
                SMALL,
                seen(),
                |found| found.iter().map(Summary::size).sum(),
                |found| Some(found.len()),
            ),
            staleness,
        }
    }

    /// How old the answers are that are served, and since when there are no new ones.
    pub fn staleness(&self) -> &Staleness {
        &self.staleness
    }

    /// The catalogue that is asked.
    pub fn source(&self) -> &C {
        &self.source
    }

    /// Asks for what every page needs, so that the first shopper finds it.
    pub async fn warm_up(&self) {
        // A failure is logged by whoever needs the answer.
        let _ = self.categories().await;
        let _ = self.all_products().await;
    }

    /// The copy of the whole catalogue, once there is one.
    pub async fn mirror(&self) -> Option<Arc<Local>> {
        let MirrorPolicy::UpTo(most) = self.policy else { return None };
        if self.ages.fresh.is_zero() {
            return None;
        }
        let ask = |last: Option<Option<Arc<Local>>>| {
            let (source, last) = (Arc::clone(&self.source), last.flatten());
            let named = Arc::clone(&self.named);
            async move {
                let is_first = last.is_none();
                match copy(source, most, last, &named).await {
                    // Without this pause every query would start another copy.
                    Err(error) if is_first => {
                        tracing::warn!(error = %Causes(&error), "the catalogue could not be mirrored");
                        Ok(Made::KeepFor(None, NO_COPY_FOR))
                    }
                    made => made,
                }
            }
        };
        self.mirror.ready(&(), ask).await.flatten()
    }

    /// The copy and its age, if there is one, without asking for a newer one.
    pub fn mirror_copy(&self) -> Option<(Arc<Local>, Duration)> {
        self.mirror.entries().pop().and_then(|((), local, age)| Some((local?, age)))
    }

    /// Whether something was answered within this time.
    pub fn has_news(&self, within: Duration) -> bool {
        fn young<K, V>(entries: &[(K, V, Duration)], within: Duration) -> bool {
            entries.iter().any(|(.., age)| *age <= within)
        }
        young(&self.mirror.entries(), within)
            || young(&self.categories.entries(), within)
            || young(&self.listings.entries(), within)
            || young(&self.products.entries(), within)
    }

    /// Starts from a copy that was made `age` ago.
    pub fn restore_mirror(&self, local: Arc<Local>, age: Duration) {
        self.mirror.insert((), Some(local), age);
    }
}

/// Asks for everything, in one call; the first time also whether that is not too much, and now and
/// then what the categories are called.
async fn copy<C: Whole>(
    source: Arc<C>,
    most: u64,
    last: Option<Arc<Local>>,
    named: &Mutex<Option<Instant>>,
) -> Result<Made<Option<Arc<Local>>>> {
    let too_large = |products: u64| {
        tracing::info!(products, most, "the catalogue is too large to be mirrored");
        Made::KeepFor(None, TOO_LARGE_FOR)
    };
    if last.is_none() {
        let size = source.size().await?;
        if size > most {
            return Ok(too_large(size));
        }
    }
    let products = source.everything().await?;
    if products.len() as u64 > most {
        return Ok(too_large(products.len() as u64));
    }
    let slugs = distinct_categories(&products);
    let known = last.map(|last| last.categories()).filter(|known| covers(known, &slugs));
    let is_due = named.lock().is_none_or(|asked| asked.elapsed() > NAMED_FOR);
    let names = match known {
        Some(known) if !is_due => known,
        known => match (source.categories().await, known) {
            (Ok(names), _) => {
                *named.lock() = Some(Instant::now());
                names
            }
            // An old name is better than no new copy.
            (Err(_), Some(known)) => known,
            (Err(error), None) => return Err(error),
        },
    };
    let categories: Arc<[Category]> = slugs.into_iter().map(|slug| name(slug, &names)).collect();
    Ok(Made::Keep(Some(Arc::new(Local::new(products, categories)))))
}

/// The categories in order of first appearance, which is the service's own order.
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

#[async_trait]
impl<C: Whole> Catalogue for Remembered<C> {
    fn outdated_for(&self) -> Duration {
        // Between two refreshes nobody expects an answer.
        self.staleness.silence().saturating_sub(2 * self.ages.fresh)
    }

    async fn categories(&self) -> Result<Arc<[Category]>> {
        if let Some(mirror) = self.mirror().await {
            return Ok(mirror.categories());
        }
        let ask = || {
            let source = Arc::clone(&self.source);
            async move { source.categories().await.map(Made::Keep) }
        };
        self.categories.get((), ask).await
    }

    async fn category_preview(&self, category: &Slug) -> Result<CategoryPreview> {
        if let Some(mirror) = self.mirror().await.filter(|mirror| mirror.knows(category)) {
            return Ok(mirror.category_preview(category));
        }
        let ask = || {
            let (source, category) = (Arc::clone(&self.source), category.clone());
            async move { source.category_preview(&category).await.map(Made::Keep) }
        };
        self.previews.get(category.clone(), ask).await
    }

    async fn category_products(&self, category: &Slug) -> Result<Arc<Shelf>> {
        if let Some(mirror) = self.mirror().await.filter(|mirror| mirror.knows(category)) {
            return Ok(mirror.category_products(category));
        }
        let fresh = self.ages.fresh;
        let ask = || {
            let (source, category) = (Arc::clone(&self.source), category.clone());
            async move {
                let shelf = source.category_products(&category).await?;
                // No category has no products, so this one does not exist, yet.
                Ok(if shelf.is_empty() { Made::KeepFor(shelf, fresh) } else { Made::Keep(shelf) })
            }
        };
        self.listings.get(ListingKey::Category(category.clone()), ask).await
    }

    async fn all_products(&self) -> Result<Arc<Shelf>> {
        if let Some(mirror) = self.mirror().await {
            return Ok(mirror.all_products());
        }
        let ask = || {
            let source = Arc::clone(&self.source);
            async move { source.all_products().await.map(Made::Keep) }
        };
        self.listings.get(ListingKey::All, ask).await
    }

    async fn search(&self, text: &str) -> Result<Arc<Shelf>> {
        if let Some(mirror) = self.mirror().await {
            return Ok(mirror.search(text));
        }
        let ask = || {
            let (source, text) = (Arc::clone(&self.source), text.to_owned());
            async move { source.search(&text).await.map(Made::Keep) }
        };
        self.listings.get(ListingKey::Search(text.into()), ask).await
    }

    async fn product(&self, id: ProductId) -> Result<Option<Arc<Product>>> {
        if let Some(product) = self.mirror().await.and_then(|mirror| mirror.product(id)) {
            return Ok(Some(product));
        }
        let fresh = self.ages.fresh;
        let ask = || {
            let source = Arc::clone(&self.source);
            async move {
                let product = source.product(id).await?;
                // It may come into being any time.
                Ok(if product.is_none() { Made::KeepFor(product, fresh) } else { Made::Keep(product) })
            }
        };
        self.products.get(id, ask).await
    }

    async fn section(&self, section: Section) -> Result<Arc<[Summary]>> {
        if let Some(mirror) = self.mirror().await {
            return Ok(mirror.section(section));
        }
        let ask = || {
            let source = Arc::clone(&self.source);
            async move { source.section(section).await.map(Made::Keep) }
        };
        self.sections.get(section, ask).await
    }
}
