//! The embedded sample catalogue: the project's own products, texts and artwork.
//!
//! `data/` holds one file a category, `art/` one drawing a kind of product. [`Sample`] answers the
//! storefront's queries from them; `api.rs` serves the same data as the real service would, and
//! `artwork.rs` composes the images.

pub mod api;
pub mod artwork;

use std::sync::Arc;

use async_trait::async_trait;
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::local::Local;
use super::{Catalogue, Category, CategoryPreview, Product, ProductId, Result, Section, Slug, Summary, wire};
use crate::shelf::Shelf;

static DATA: Dir = include_dir!("$CARGO_MANIFEST_DIR/host/catalogue/sample/data");

/// The sample catalogue, loaded.
pub struct Sample {
    /// Every product in the API's JSON, in catalogue order.
    raw: Vec<Value>,
    local: Local,
}

/// One of the files in `data/`.
#[derive(Deserialize)]
struct CategoryFile {
    slug: String,
    name: String,
    products: Vec<Map<String, Value>>,
}

/// The part of a product's data that says how it is drawn.
#[derive(Deserialize)]
struct Artwork {
    art: Art,
    views: u8,
}

#[derive(Deserialize)]
struct Art {
    kind: String,
    colour: String,
}

impl Sample {
    /// Loads the embedded files.
    ///
    /// # Errors
    /// Fails when an embedded file is not what it should be: the build is broken.
    pub fn load() -> anyhow::Result<Self> {
        let mut files: Vec<CategoryFile> = DATA
            .files()
            .map(|file| serde_json::from_slice(file.contents()))
            .collect::<serde_json::Result<_>>()?;
        files.sort_by(|left, right| left.slug.cmp(&right.slug));
        let categories: Arc<[Category]> = files
            .iter()
            .map(|file| {
                let slug = Slug::parse(&file.slug).ok_or_else(|| anyhow::anyhow!("slug {}", file.slug))?;
                Ok(Category { slug, name: file.name.clone() })
            })
            .collect::<anyhow::Result<_>>()?;
        let raw = number_across_categories(files)?;
        let products = raw
            .iter()
            .map(|product| Ok(Arc::new(wire::parse_product(product.to_string().as_bytes())?.value)))
            .collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Self { raw, local: Local::new(products, categories) })
    }

    /// Every product in the API's JSON, in catalogue order.
    pub fn raw(&self) -> &[Value] {
        &self.raw
    }

    /// Every product, in catalogue order.
    pub fn products(&self) -> &[Arc<Product>] {
        self.local.products()
    }
}

/// Numbers the products from 1, spreading each category evenly over the catalogue: neighbours
/// differ, so that "newest" and "featured" show the whole shop.
fn number_across_categories(files: Vec<CategoryFile>) -> anyhow::Result<Vec<Value>> {
    let mut spread = Vec::new();
    for CategoryFile { slug, products, .. } in files {
        let count = products.len() as f64;
        for (index, product) in products.into_iter().enumerate() {
            spread.push((index as f64 / count, slug.clone(), product));
        }
    }
    // Stable, so categories keep their order among equals and all of them begin the catalogue.
    spread.sort_by(|(left, ..), (right, ..)| left.total_cmp(right));
    spread
        .into_iter()
        .enumerate()
        .map(|(index, (_, slug, product))| as_the_service_sends_it(product, &slug, index + 1))
        .collect()
}

fn as_the_service_sends_it(mut product: Map<String, Value>, slug: &str, id: usize) -> anyhow::Result<Value> {
    let artwork: Artwork = serde_json::from_value(Value::Object(product.clone()))?;
    product.retain(|field, _| field != "art" && field != "views");
    let image = |view: u8| artwork::address(&artwork.art.kind, &artwork.art.colour, view);
    product.insert("id".into(), json!(id));
    product.insert("category".into(), json!(slug));
    product.insert("thumbnail".into(), json!(image(1)));
    product.insert("images".into(), (1..=artwork.views).map(image).collect());
    Ok(Value::Object(product))
}

#[async_trait]
impl Catalogue for Sample {
    async fn categories(&self) -> Result<Arc<[Category]>> {
        Ok(self.local.categories())
    }

    async fn category_preview(&self, category: &Slug) -> Result<CategoryPreview> {
        Ok(self.local.category_preview(category))
    }

    async fn category_products(&self, category: &Slug) -> Result<Arc<Shelf>> {
        Ok(self.local.category_products(category))
    }

    async fn all_products(&self) -> Result<Arc<Shelf>> {
        Ok(self.local.all_products())
    }

    async fn search(&self, text: &str) -> Result<Arc<Shelf>> {
        Ok(self.local.search(text))
    }

    async fn product(&self, id: ProductId) -> Result<Option<Arc<Product>>> {
        Ok(self.local.product(id))
    }

    async fn section(&self, section: Section) -> Result<Arc<[Summary]>> {
        Ok(self.local.section(section))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_sample_is_a_whole_shop() {
        let sample = Sample::load().unwrap();
        let products = sample.products();
        assert!(products.len() >= 150, "{} products", products.len());
        assert_eq!(sample.local.categories().len(), 24);
        let distinct = |text: fn(&Product) -> &str| {
            products.iter().map(|product| text(product)).collect::<HashSet<_>>().len()
        };
        assert_eq!(distinct(|product| &product.summary.title), products.len());
        assert_eq!(distinct(|product| &product.summary.description), products.len());
        assert_eq!(distinct(|product| &product.sku), products.len());
        assert!(products.iter().any(|product| product.summary.stock == 0));
        assert!(products.iter().any(|product| product.summary.brand.is_none()));
        for product in products {
            assert!((1..=6).contains(&product.images.len()), "{}", product.summary.title);
            assert!(!product.reviews.is_empty(), "{}", product.summary.title);
            for image in &product.images {
                assert!(artwork::draw(image.trim_start_matches(artwork::PREFIX)).is_some(), "{image}");
            }
        }
    }

    #[test]
    fn nothing_is_lost_between_the_files_and_the_shop() {
        let sample = Sample::load().unwrap();
        let reviews = |raw: &Value| raw["reviews"].as_array().map_or(0, Vec::len);
        for (raw, product) in sample.raw().iter().zip(sample.products()) {
            assert_eq!(reviews(raw), product.reviews.len(), "{}", product.summary.title);
            assert_eq!(raw["title"], product.summary.title.as_str());
            assert!(product.weight.is_some() && product.dimensions.is_some(), "{}", product.summary.title);
        }
    }
}
