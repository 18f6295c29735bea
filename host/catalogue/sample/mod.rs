//! The embedded sample catalogue: the project's own products, texts and artwork.
//!
//! `data/` has one file per category, `art/` the drawings of products, and `views/` the backdrops they are
//! shown on. [`Sample`] answers the storefront's queries from them, `api.rs` serves the same data with the
//! real service's API, and `artwork.rs` composes the pictures.

pub mod api;
pub(crate) mod artwork;

use std::sync::Arc;

use async_trait::async_trait;
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::features::Features;
use super::model::{Category, Product};
use super::product_set::ProductSet;
use super::service::wire;
use super::slug::Slug;
use super::version::Version;
use super::{Catalogue, Stock};
use crate::profile::Currency;

static DATA: Dir = include_dir!("$CARGO_MANIFEST_DIR/host/catalogue/sample/data");

/// The sample catalogue, loaded.
pub struct Sample {
    /// Every product of the embedded files in the API's JSON schema, in catalogue order.
    raw: Vec<Value>,
    version: Arc<Version>,
    currency: Currency,
}

/// One of the files in `data/`.
#[derive(Deserialize)]
struct CategoryFile {
    slug: String,
    name: String,
    products: Vec<Map<String, Value>>,
}

/// The fields of a product that select its pictures.
#[derive(Deserialize)]
struct Artwork {
    art: Art,
    /// The names of views, each after the name of another drawing if the picture shows that one instead:
    /// `["1", "desk", "laptop-lid 1"]`.
    views: Vec<String>,
}

#[derive(Deserialize)]
struct Art {
    kind: String,
    colour: String,
}

impl Artwork {
    /// The paths of the pictures.
    fn images(&self) -> Vec<String> {
        let Art { kind, colour } = &self.art;
        let image = |view: &String| {
            let (kind, view) = view.split_once(' ').unwrap_or((kind.as_str(), view.as_str()));
            artwork::address(kind, colour, view)
        };
        self.views.iter().map(image).collect()
    }
}

impl Sample {
    /// Loads the embedded files, with prices in US dollars.
    ///
    /// # Errors
    /// See [`Self::load_in`].
    pub fn load() -> anyhow::Result<Self> {
        Self::load_in(Currency::default())
    }

    /// Loads the embedded files, with the same numbers as prices in `currency`.
    ///
    /// # Errors
    /// Fails when an embedded file is invalid, which is a defect of the build.
    pub fn load_in(currency: Currency) -> anyhow::Result<Self> {
        Self::load_first(usize::MAX, currency)
    }

    /// Loads the files of the first categories by name.
    ///
    /// # Errors
    /// See [`Self::load_in`].
    pub(crate) fn load_first(categories: usize, currency: Currency) -> anyhow::Result<Self> {
        let mut files: Vec<CategoryFile> = DATA
            .files()
            .map(|file| serde_json::from_slice(file.contents()))
            .collect::<serde_json::Result<_>>()?;
        files.sort_by(|left, right| left.slug.cmp(&right.slug));
        files.truncate(categories);
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
            .map(|product| Ok(wire::parse_product(product.to_string().as_bytes(), currency)?.value))
            .collect::<anyhow::Result<Vec<Product>>>()?;
        Ok(Self { raw, ..Self::of(&products, categories, currency) })
    }

    /// A sample of other products and categories, in the catalogue's order, for tests.
    pub fn of(products: &[Product], categories: Arc<[Category]>, currency: Currency) -> Self {
        Self::rated(products, categories, currency, true)
    }

    fn rated(products: &[Product], categories: Arc<[Category]>, currency: Currency, rates: bool) -> Self {
        let promised = Features { ratings: rates, ..Features::ALL };
        let version = Version::new(ProductSet::of(products.iter(), currency), categories, promised);
        Self { raw: Vec::new(), version: Arc::new(version), currency }
    }

    /// The sample as a source that rates no products.
    pub fn without_ratings(self) -> Self {
        let categories = Arc::clone(self.version.categories());
        Self { raw: self.raw.clone(), ..Self::rated(&self.products(), categories, self.currency, false) }
    }

    /// Every product of the embedded files in the API's JSON schema, in catalogue order.
    pub fn raw(&self) -> &[Value] {
        &self.raw
    }

    /// All products as a set.
    #[cfg(test)]
    pub(crate) fn set(&self) -> Arc<ProductSet> {
        Arc::clone(self.version.products())
    }

    /// Every product, in catalogue order.
    pub fn products(&self) -> Vec<Product> {
        self.version.products().store().products().flatten().collect()
    }

    /// The sample's categories with other products.
    pub fn with_products(&self, products: &[Product]) -> Self {
        Self::of(products, Arc::clone(self.version.categories()), self.currency)
    }
}

/// Numbers the products from 1 and spreads each category evenly over the catalogue, so that the newest
/// and the featured products come from many categories.
fn number_across_categories(files: Vec<CategoryFile>) -> anyhow::Result<Vec<Value>> {
    let mut spread = Vec::new();
    for CategoryFile { slug, products, .. } in files {
        let count = products.len() as f64;
        for (index, product) in products.into_iter().enumerate() {
            spread.push((index as f64 / count, slug.clone(), product));
        }
    }
    // The sort is stable, so the catalogue starts with the first product of each category, in order.
    spread.sort_by(|(left, ..), (right, ..)| left.total_cmp(right));
    spread
        .into_iter()
        .enumerate()
        .map(|(index, (_, slug, product))| to_service_json(product, &slug, index + 1))
        .collect()
}

fn to_service_json(mut product: Map<String, Value>, slug: &str, id: usize) -> anyhow::Result<Value> {
    let artwork: Artwork = serde_json::from_value(Value::Object(product.clone()))?;
    product.retain(|field, _| field != "art" && field != "views");
    let images = artwork.images();
    product.insert("id".into(), json!(id));
    product.insert("category".into(), json!(slug));
    product.insert("thumbnail".into(), json!(images.first()));
    product.insert("images".into(), json!(images));
    Ok(Value::Object(product))
}

#[async_trait]
impl Catalogue for Sample {
    fn version(&self) -> Option<Arc<Version>> {
        Some(Arc::clone(&self.version))
    }

    async fn stock(&self) -> Stock {
        Arc::clone(&self.version).into()
    }

    fn currency(&self) -> Currency {
        self.currency
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_sample_is_complete_and_valid() {
        let sample = Sample::load().unwrap();
        let products = sample.products();
        assert!(products.len() >= 150, "{} products", products.len());
        assert_eq!(sample.version.categories().len(), 24);
        let sizes = sample.version.sizes();
        assert_eq!((sizes.len(), sizes.values().sum::<u32>() as usize), (24, products.len()));
        let distinct = |text: fn(&Product) -> &str| products.iter().map(text).collect::<HashSet<_>>().len();
        assert_eq!(distinct(|product| &product.summary.title), products.len());
        assert_eq!(distinct(|product| &product.summary.description), products.len());
        assert_eq!(distinct(|product| &product.sku), products.len());
        assert!(products.iter().any(|product| product.summary.availability.is_sold_out()));
        assert!(products.iter().any(|product| product.summary.brand.is_none()));
        for product in &products {
            assert!((1..=6).contains(&product.images.len()), "{}", product.summary.title);
            assert!(!product.reviews.as_ref().unwrap().is_empty(), "{}", product.summary.title);
            for image in &product.images {
                assert!(artwork::draw(image.trim_start_matches(artwork::PREFIX)).is_some(), "{image}");
            }
        }
    }

    #[test]
    fn no_product_or_review_of_the_files_is_dropped() {
        let sample = Sample::load().unwrap();
        let reviews = |raw: &Value| raw["reviews"].as_array().map_or(0, Vec::len);
        for (raw, product) in sample.raw().iter().zip(sample.products()) {
            assert_eq!(reviews(raw), product.reviews.as_ref().unwrap().len(), "{}", product.summary.title);
            assert_eq!(raw["title"], product.summary.title.as_str());
            assert!(product.weight.is_some() && product.dimensions.is_some(), "{}", product.summary.title);
        }
    }
    /// The drawing and the view that an image's path names.
    fn drawing_and_view(image: &str) -> (&str, &str) {
        let name = image.trim_start_matches(artwork::PREFIX).trim_end_matches(".svg");
        let (rest, view) = name.rsplit_once('-').unwrap();
        (rest.rsplit_once('-').unwrap().0, view)
    }

    /// The products of each category, in the order of its listing.
    fn listings<'a>(sample: &Sample, products: &'a [Product]) -> Vec<Vec<&'a Product>> {
        let listing = |category: &Category| {
            products
                .iter()
                .filter(|product| product.summary.category.as_ref() == Some(&category.slug))
                .collect::<Vec<_>>()
        };
        sample.version.categories().iter().map(listing).collect()
    }

    #[test]
    fn neighbours_in_a_listing_have_different_drawings() {
        let sample = Sample::load().unwrap();
        let products = sample.products();
        let all: Vec<&Product> = products.iter().collect();
        let mut best_rated = all.clone();
        best_rated.sort_by(|left, right| right.summary.rating.partial_cmp(&left.summary.rating).unwrap());
        best_rated.truncate(8);
        for listing in listings(&sample, &products).into_iter().chain([all, best_rated]) {
            for pair in listing.windows(2) {
                let [one, next] = [pair[0], pair[1]].map(|product| drawing_and_view(&product.images[0]).0);
                assert_ne!(one, next, "{} and {}", pair[0].summary.title, pair[1].summary.title);
            }
        }
    }

    #[test]
    fn products_that_share_a_drawing_differ_in_colour_or_view() {
        let sample = Sample::load().unwrap();
        let products = sample.products();
        let first: HashSet<&str> = products.iter().map(|product| product.images[0].as_str()).collect();
        assert_eq!(first.len(), products.len());
    }

    #[test]
    fn a_product_is_shown_from_another_side_or_in_a_scene() {
        /// Views that only move the camera or arrange what the first picture shows.
        const PLAIN: [&str; 9] = ["1", "arch", "close", "flat", "mirror", "pair", "plinth", "tilted", "trio"];
        let sample = Sample::load().unwrap();
        let products = sample.products();
        for product in &products {
            let distinct: HashSet<&String> = product.images.iter().collect();
            assert!(
                distinct.len() == product.images.len() && distinct.len() >= 2,
                "{}",
                product.summary.title
            );
        }
        for listing in listings(&sample, &products) {
            for product in &listing[..4] {
                let (first, _) = drawing_and_view(&product.images[0]);
                for image in &product.images[1..3] {
                    let (drawing, view) = drawing_and_view(image);
                    assert!(drawing != first || !PLAIN.contains(&view), "{image}");
                }
            }
        }
    }
}
