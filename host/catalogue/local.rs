//! A whole catalogue in memory, which answers every query as the service would.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Category, CategoryPreview, Product, ProductId, Section, Slug, Summary};
use crate::shelf::Shelf;

/// All products and categories.
#[derive(Debug, Serialize, Deserialize)]
#[serde(from = "Parts")]
pub struct Local {
    products: Vec<Arc<Product>>,
    categories: Arc<[Category]>,
    #[serde(skip)]
    by_id: HashMap<ProductId, Arc<Product>>,
    #[serde(skip)]
    by_category: HashMap<Slug, Arc<Shelf>>,
    #[serde(skip)]
    all: Arc<Shelf>,
}

/// What the rest is worked out from.
#[derive(Deserialize)]
struct Parts {
    products: Vec<Arc<Product>>,
    categories: Arc<[Category]>,
}

impl From<Parts> for Local {
    fn from(Parts { products, categories }: Parts) -> Self {
        Self::new(products, categories)
    }
}

impl Local {
    /// Products and categories are in the catalogue's order.
    pub fn new(products: Vec<Arc<Product>>, categories: Arc<[Category]>) -> Self {
        let all = Shelf::new(products.iter().map(|product| product.summary.clone()).collect());
        let in_category = |slug: &Slug| all.only(|product| product.category.as_ref() == Some(slug));
        Self {
            by_id: products.iter().map(|product| (product.summary.id, Arc::clone(product))).collect(),
            by_category: categories
                .iter()
                .map(|category| (category.slug.clone(), Arc::new(in_category(&category.slug))))
                .collect(),
            all: Arc::new(all),
            products,
            categories,
        }
    }

    /// Every product, in the catalogue's order.
    pub fn products(&self) -> &[Arc<Product>] {
        &self.products
    }

    pub fn categories(&self) -> Arc<[Category]> {
        Arc::clone(&self.categories)
    }

    /// Whether the category exists here.
    pub fn knows(&self, category: &Slug) -> bool {
        self.by_category.contains_key(category)
    }

    pub fn category_preview(&self, category: &Slug) -> CategoryPreview {
        let products = self.category_products(category);
        CategoryPreview {
            thumbnail: products.products().first().and_then(|product| product.thumbnail.clone()),
            count: u32::try_from(products.len()).ok(),
        }
    }

    pub fn category_products(&self, category: &Slug) -> Arc<Shelf> {
        self.by_category.get(category).map(Arc::clone).unwrap_or_default()
    }

    pub fn all_products(&self) -> Arc<Shelf> {
        Arc::clone(&self.all)
    }

    pub fn search(&self, text: &str) -> Arc<Shelf> {
        let needle = text.trim().to_lowercase().replace('-', " ");
        Arc::new(self.all.containing(&needle))
    }

    pub fn product(&self, id: ProductId) -> Option<Arc<Product>> {
        self.by_id.get(&id).map(Arc::clone)
    }

    pub fn section(&self, section: Section) -> Arc<[Summary]> {
        let mut products: Vec<&Summary> = self.all.products().iter().collect();
        match section {
            Section::Featured => drop(products.drain(..Section::FEATURED_SKIP.min(products.len()))),
            Section::BestSellers => products.sort_by(|left, right| right.rating.total_cmp(&left.rating)),
            Section::NewArrivals => products.sort_by_key(|product| std::cmp::Reverse(product.id)),
        }
        let card =
            |product: &Summary| Summary { description: String::new(), category: None, ..product.clone() };
        products.into_iter().take(Section::SIZE).map(card).collect()
    }
}
