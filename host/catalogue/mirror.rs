//! A copy of the whole catalogue in memory, which answers every query as the service would. Its searches also find
//! texts that differ only in spelling, and have the best results first.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use blake3::Hash;

use super::CategorySizes;
use super::error::CatalogueError;
use super::model::{Category, CategoryPreview};
use super::product_set::ProductSet;
use super::query::{self, Categories, Listing, Preview, ProductById, Query};
use super::slug::Slug;
use super::window::{Window, Windowed};

/// All products and categories. These are saved; everything else is derived from them.
#[derive(Debug)]
pub struct Mirror {
    products: Arc<ProductSet>,
    categories: Arc<[Category]>,
    by_category: HashMap<Slug, Arc<ProductSet>>,
    category_sizes: Arc<CategorySizes>,
}

/// A query that a mirror can answer.
pub(crate) trait MirrorQuery: Query {
    /// The answer.
    ///
    /// # Errors
    /// When the answer could not be read.
    fn answer_from(&self, mirror: &Mirror) -> query::Result<Self::Answer>;

    /// Whether the mirror contains the requested item. If not, the service may have added it since.
    fn is_known_to(&self, _: &Mirror) -> bool {
        true
    }

    /// Whether the answer may have to be read from a disk.
    fn reads_file(&self, _: &Mirror) -> bool {
        false
    }
}

impl Mirror {
    /// Makes the product set of each category, which takes long (`process/compute.rs`). Products and categories must be
    /// in the catalogue's order.
    pub(super) fn new(products: ProductSet, categories: Arc<[Category]>) -> Self {
        products.index_words();
        let mut by_category = products.by_category();
        let size = |products: &ProductSet| u32::try_from(products.len()).unwrap_or(u32::MAX);
        let category_sizes =
            by_category.iter().map(|(slug, products)| (slug.clone(), size(products))).collect();
        let mut in_category = |slug: &Slug| Arc::new(by_category.remove(slug).unwrap_or_default());
        Self {
            by_category: categories
                .iter()
                .map(|category| (category.slug.clone(), in_category(&category.slug)))
                .collect(),
            products: Arc::new(products),
            category_sizes: Arc::new(category_sizes),
            categories,
        }
    }

    /// Every product, in the catalogue's order.
    pub(super) fn products(&self) -> &Arc<ProductSet> {
        &self.products
    }

    pub(super) fn categories(&self) -> &Arc<[Category]> {
        &self.categories
    }

    pub(super) fn category_sizes(&self) -> Arc<CategorySizes> {
        Arc::clone(&self.category_sizes)
    }

    /// A hash of the products and categories. The first call takes long, see `process/compute.rs`.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(super) fn hash(&self) -> io::Result<Hash> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.products.store().digest()?.as_bytes());
        serde_json::to_writer(&mut hasher, &*self.categories)?;
        Ok(hasher.finalize())
    }

    fn in_category(&self, slug: &Slug) -> Arc<ProductSet> {
        self.by_category.get(slug).map(Arc::clone).unwrap_or_default()
    }
}

impl MirrorQuery for Categories {
    fn answer_from(&self, mirror: &Mirror) -> query::Result<Self::Answer> {
        Ok(Arc::clone(&mirror.categories))
    }
}

impl MirrorQuery for Preview {
    fn answer_from(&self, mirror: &Mirror) -> query::Result<Self::Answer> {
        let products = mirror.in_category(&self.0);
        Ok(CategoryPreview {
            thumbnail: products.products().next().and_then(|product| product.thumbnail),
            count: u32::try_from(products.len()).ok(),
        })
    }

    fn is_known_to(&self, mirror: &Mirror) -> bool {
        mirror.by_category.contains_key(&self.0)
    }
}

impl MirrorQuery for Listing {
    fn answer_from(&self, mirror: &Mirror) -> query::Result<Self::Answer> {
        Ok(match self {
            Self::All => Arc::clone(&mirror.products),
            Self::Category(slug) => mirror.in_category(slug),
            Self::Search(text) => Arc::new(mirror.products.containing(text)),
        })
    }

    fn is_known_to(&self, mirror: &Mirror) -> bool {
        match self {
            Self::All | Self::Search(_) => true,
            Self::Category(slug) => mirror.by_category.contains_key(slug),
        }
    }
}

impl MirrorQuery for ProductById {
    fn answer_from(&self, mirror: &Mirror) -> query::Result<Self::Answer> {
        let found =
            mirror.products.find(&self.0).map_err(|error| CatalogueError::Details(Arc::new(error)))?;
        Ok(found.map(Arc::new))
    }

    fn is_known_to(&self, mirror: &Mirror) -> bool {
        mirror.products.store().position(&self.0).is_some()
    }

    fn reads_file(&self, mirror: &Mirror) -> bool {
        mirror.products.store().reads_file()
    }
}

impl MirrorQuery for Window {
    fn answer_from(&self, mirror: &Mirror) -> query::Result<Self::Answer> {
        // Other windows are parts of listings that the mirror has as a whole.
        let order = self.order_of_store().ok_or(CatalogueError::Status(404))?;
        let products = mirror.products.in_order(order);
        let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX);
        let shown: Vec<_> = products.products().skip(skipped).take(self.limit as usize).collect();
        let entries = u32::try_from(shown.len()).unwrap_or(u32::MAX);
        Ok(Arc::new(Windowed { total: Some(products.len() as u64), entries, products: shown }))
    }

    fn is_known_to(&self, _: &Mirror) -> bool {
        self.order_of_store().is_some()
    }
}
