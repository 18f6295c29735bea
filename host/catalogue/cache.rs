//! A short memory in front of a catalogue.
//!
//! One caller asks, everyone who wants the same waits for that one answer. Errors are not kept.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use moka::future::Cache;

use super::{
    Catalogue, CatalogueError, Category, CategoryPreview, Product, ProductId, Result, Section, Slug, Summary,
};
use crate::shelf::Shelf;

/// Most products that all remembered listings hold together. A product takes about a kilobyte.
const LISTED_PRODUCTS: u64 = 50_000;
/// The weight of a larger listing, which would otherwise never be remembered.
const HEAVIEST: u32 = 20_000;
/// Most single products that are remembered.
const PRODUCTS: u64 = 5_000;
/// Most entries of the small memories.
const SMALL: u64 = 1_000;

/// A catalogue whose answers are remembered for a while.
pub struct Cached<C> {
    catalogue: C,
    categories: Cache<(), Arc<[Category]>>,
    previews: Cache<Slug, CategoryPreview>,
    listings: Cache<ListingKey, Arc<Shelf>>,
    products: Cache<ProductId, Option<Arc<Product>>>,
    sections: Cache<Section, Arc<[Summary]>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ListingKey {
    All,
    Category(Slug),
    Search(Box<str>),
}

impl<C: Catalogue> Cached<C> {
    /// Remembers the answers of `catalogue` for `fresh`.
    pub fn new(catalogue: C, fresh: Duration) -> Self {
        Self {
            catalogue,
            categories: memory(1, fresh),
            previews: memory(SMALL, fresh),
            listings: Cache::builder()
                .max_capacity(LISTED_PRODUCTS)
                // An empty listing weighs something too, or random searches would fill the memory.
                .weigher(|_, shelf: &Arc<Shelf>| {
                    u32::try_from(shelf.len()).unwrap_or(u32::MAX).clamp(10, HEAVIEST)
                })
                .time_to_live(fresh)
                .build(),
            products: memory(PRODUCTS, fresh),
            sections: memory(SMALL, fresh),
        }
    }
}

fn memory<K: Hash + Eq + Send + Sync + 'static, V: Clone + Send + Sync + 'static>(
    capacity: u64,
    fresh: Duration,
) -> Cache<K, V> {
    Cache::builder().max_capacity(capacity).time_to_live(fresh).build()
}

/// Looks `key` up, or lets one caller `ask` while the others wait.
async fn remembered<K, V>(
    cache: &Cache<K, V>,
    key: K,
    ask: impl Future<Output = Result<V>> + Send,
) -> Result<V>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    cache.try_get_with(key, ask).await.map_err(|error: Arc<CatalogueError>| (*error).clone())
}

#[async_trait]
impl<C: Catalogue> Catalogue for Cached<C> {
    async fn categories(&self) -> Result<Arc<[Category]>> {
        remembered(&self.categories, (), self.catalogue.categories()).await
    }

    async fn category_preview(&self, category: &Slug) -> Result<CategoryPreview> {
        remembered(&self.previews, category.clone(), self.catalogue.category_preview(category)).await
    }

    async fn category_products(&self, category: &Slug) -> Result<Arc<Shelf>> {
        let key = ListingKey::Category(category.clone());
        remembered(&self.listings, key, self.catalogue.category_products(category)).await
    }

    async fn all_products(&self) -> Result<Arc<Shelf>> {
        remembered(&self.listings, ListingKey::All, self.catalogue.all_products()).await
    }

    async fn search(&self, text: &str) -> Result<Arc<Shelf>> {
        remembered(&self.listings, ListingKey::Search(text.into()), self.catalogue.search(text)).await
    }

    async fn product(&self, id: ProductId) -> Result<Option<Arc<Product>>> {
        remembered(&self.products, id, self.catalogue.product(id)).await
    }

    async fn section(&self, section: Section) -> Result<Arc<[Summary]>> {
        remembered(&self.sections, section, self.catalogue.section(section)).await
    }
}
