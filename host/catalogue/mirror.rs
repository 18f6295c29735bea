//! A copy of the whole catalogue in memory, which answers every query as the service would. A search finds what the
//! service finds, and what differs from it in spelling alone.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

use super::CategorySizes;
use super::arrangement::Order;
use super::key::ProductKey;
use super::model::{Category, CategoryPreview, Product, Section, Summary};
use super::product_set::ProductSet;
use super::query::{Categories, Listing, Preview, ProductById, Query};
use super::slug::Slug;
use crate::profile::Currency;

/// All products and categories. These are saved; the indexes are derived from them.
#[derive(Debug, Serialize)]
pub struct Mirror {
    products: Arc<[Arc<Product>]>,
    categories: Arc<[Category]>,
    #[serde(skip)]
    by_id: HashMap<ProductKey, Arc<Product>>,
    #[serde(skip)]
    by_category: HashMap<Slug, Arc<ProductSet>>,
    #[serde(skip)]
    all: Arc<ProductSet>,
    #[serde(skip)]
    category_sizes: Arc<CategorySizes>,
}

/// The product as lists show it. Its thumbnail shows the same as its first picture, so the second one is new.
fn summary(product: &Product) -> Summary {
    let second = product.images.get(1).filter(|second| product.summary.thumbnail.as_ref() != Some(second));
    let is_from = product.price_range().is_some();
    Summary { second: second.cloned(), is_from, ..product.summary.clone() }
}

/// A query that a mirror can answer.
pub(crate) trait MirrorQuery: Query {
    fn answer_from(&self, mirror: &Mirror) -> Self::Answer;

    /// Whether the mirror contains the requested item. If not, the service may have added it since.
    fn is_known_to(&self, _: &Mirror) -> bool {
        true
    }
}

impl Mirror {
    /// Builds the indexes, which takes long (`process/compute.rs`). Products and categories must be in the
    /// catalogue's order.
    pub(super) fn new(
        products: Arc<[Arc<Product>]>,
        categories: Arc<[Category]>,
        currency: Currency,
    ) -> Self {
        let summaries = products.iter().map(|product| summary(product)).collect();
        let all = ProductSet::tagged(summaries, currency, products.iter().map(|product| &*product.tags));
        let mut by_category = all.by_category();
        let size = |products: &ProductSet| u32::try_from(products.len()).unwrap_or(u32::MAX);
        let category_sizes =
            by_category.iter().map(|(slug, products)| (slug.clone(), size(products))).collect();
        let mut in_category = |slug: &Slug| Arc::new(by_category.remove(slug).unwrap_or_default());
        Self {
            by_id: products.iter().map(|product| (product.summary.id.clone(), Arc::clone(product))).collect(),
            by_category: categories
                .iter()
                .map(|category| (category.slug.clone(), in_category(&category.slug)))
                .collect(),
            all: Arc::new(all),
            category_sizes: Arc::new(category_sizes),
            products,
            categories,
        }
    }

    /// Every product, in the catalogue's order.
    pub(super) fn products(&self) -> &[Arc<Product>] {
        &self.products
    }

    pub(super) fn categories(&self) -> &Arc<[Category]> {
        &self.categories
    }

    pub(super) fn category_sizes(&self) -> Arc<CategorySizes> {
        Arc::clone(&self.category_sizes)
    }

    fn in_category(&self, slug: &Slug) -> Arc<ProductSet> {
        self.by_category.get(slug).map(Arc::clone).unwrap_or_default()
    }
}

impl MirrorQuery for Categories {
    fn answer_from(&self, mirror: &Mirror) -> Self::Answer {
        Arc::clone(&mirror.categories)
    }
}

impl MirrorQuery for Preview {
    fn answer_from(&self, mirror: &Mirror) -> Self::Answer {
        let products = mirror.in_category(&self.0);
        CategoryPreview {
            thumbnail: products.products().next().and_then(|product| product.thumbnail.clone()),
            count: u32::try_from(products.len()).ok(),
        }
    }

    fn is_known_to(&self, mirror: &Mirror) -> bool {
        mirror.by_category.contains_key(&self.0)
    }
}

impl MirrorQuery for Listing {
    fn answer_from(&self, mirror: &Mirror) -> Self::Answer {
        match self {
            Self::All => Arc::clone(&mirror.all),
            Self::Category(slug) => mirror.in_category(slug),
            Self::Search(text) => Arc::new(mirror.all.containing(text)),
        }
    }

    fn is_known_to(&self, mirror: &Mirror) -> bool {
        match self {
            Self::All | Self::Search(_) => true,
            Self::Category(slug) => mirror.by_category.contains_key(slug),
        }
    }
}

impl MirrorQuery for ProductById {
    fn answer_from(&self, mirror: &Mirror) -> Self::Answer {
        mirror.by_id.get(&self.0).map(Arc::clone)
    }

    fn is_known_to(&self, mirror: &Mirror) -> bool {
        mirror.by_id.contains_key(&self.0)
    }
}

impl MirrorQuery for Section {
    fn answer_from(&self, mirror: &Mirror) -> Self::Answer {
        let (order, skipped) = match self {
            Self::Featured => (Order::Own, Self::FEATURED_SKIP),
            Self::BestSellers => (Order::BestRated, 0),
            Self::NewArrivals => (Order::Newest, 0),
        };
        let card = |product: &Summary| Summary { description: String::new(), ..product.clone() };
        mirror.all.in_order(order).products().skip(skipped).take(Self::SIZE).map(card).collect()
    }
}
