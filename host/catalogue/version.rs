//! A version of the catalogue: every product and category that is on sale at the same time.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use blake3::Hash;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::CategorySizes;
use super::columns::Column;
use super::error::CatalogueError;
use super::features::Features;
use super::key::ProductKey;
use super::model::{Category, CategoryPreview, Product, Summary};
use super::product_set::ProductSet;
use super::query::{Listing, Result};
use super::section::Section;
use super::slug::Slug;
use super::store::DetailsError;
use crate::observe::ErrorChain;
use crate::process::compute::{OffRuntime, off_runtime};

/// How long reading a product's details from a file may take.
const READ_WITHIN: Duration = Duration::from_millis(500);

/// Digits of a version's name.
const NAME: usize = 12;

/// Limits how many products' details are read from a file at a time.
static READS: Semaphore = Semaphore::const_new(16);

/// A category's name, or the path of its names, so that spellings that mean the same are equal.
fn folded_path(path: &str) -> String {
    let words = |name: &str| name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    path.split('>').map(words).collect::<Vec<_>>().join(">")
}

/// All products and categories. These are saved; everything else is derived from them. It answers as the service would,
/// but its searches also find texts that differ only in spelling, and have the best results first.
#[derive(Debug)]
pub struct Version {
    products: Arc<ProductSet>,
    categories: Arc<[Category]>,
    by_category: HashMap<Slug, Arc<ProductSet>>,
    sizes: Arc<CategorySizes>,
    /// See [`Self::features`].
    features: Features,
    /// Products that were asked for one by one, and that the version does not have. They only have their pages.
    further: HashMap<ProductKey, Arc<Product>>,
    /// See [`Self::is_damaged`].
    is_damaged: AtomicBool,
    /// See [`Self::digest`].
    digest: OnceLock<Hash>,
}

impl Version {
    /// Makes the product set of each category. Products and categories must be in the catalogue's order. The source has
    /// `promised` these features.
    pub(super) fn new(products: ProductSet, categories: Arc<[Category]>, promised: Features) -> Self {
        products.prepare_searches();
        let mut by_category = products.by_category();
        let size = |products: &ProductSet| u32::try_from(products.len()).unwrap_or(u32::MAX);
        let sizes = by_category.iter().map(|(slug, products)| (slug.clone(), size(products))).collect();
        let mut in_category = |slug: &Slug| Arc::new(by_category.remove(slug).unwrap_or_default());
        Self {
            by_category: categories
                .iter()
                .map(|category| (category.slug.clone(), in_category(&category.slug)))
                .collect(),
            features: promised.or(products.features()),
            products: Arc::new(products),
            sizes: Arc::new(sizes),
            categories,
            further: HashMap::new(),
            is_damaged: AtomicBool::default(),
            digest: OnceLock::new(),
        }
    }

    /// The version with these products laid over it, which were asked for one by one since it was read; those that are
    /// `None` are gone.
    pub(super) fn with_newer(&self, newer: &HashMap<ProductKey, Option<Arc<Product>>>) -> Self {
        let laid = newer.iter().map(|(key, product)| (key, product.as_deref()));
        let products = self.products.with_newer(laid);
        let store = self.products.store();
        let is_new = |key: &ProductKey| store.position(key).is_none();
        let further = newer.iter().filter(|(key, _)| is_new(key));
        let further = further.filter_map(|(key, product)| Some((key.clone(), Arc::clone(product.as_ref()?))));
        let parts = match products.lacks_some() {
            true => products.by_category(),
            false => HashMap::new(),
        };
        let part = |(slug, part): (&Slug, &Arc<ProductSet>)| {
            let part = match products.lacks_some() {
                true => parts.get(slug).cloned().unwrap_or_default(),
                false => part.of_same(&products),
            };
            (slug.clone(), Arc::new(part))
        };
        Self {
            by_category: self.by_category.iter().map(part).collect(),
            products: Arc::new(products),
            categories: Arc::clone(&self.categories),
            sizes: Arc::clone(&self.sizes),
            features: self.features,
            further: further.collect(),
            is_damaged: AtomicBool::new(self.is_damaged()),
            digest: self.digest.clone(),
        }
    }

    /// Every product, in the catalogue's order.
    pub fn products(&self) -> &Arc<ProductSet> {
        &self.products
    }

    /// Every category, in the catalogue's order.
    pub fn categories(&self) -> &Arc<[Category]> {
        &self.categories
    }

    /// The number of products of each category.
    pub fn sizes(&self) -> &Arc<CategorySizes> {
        &self.sizes
    }

    /// What its products have, or its source has promised: odd data must not take a part of the shop away.
    pub fn features(&self) -> Features {
        self.features
    }

    /// Whether the shop has the parts that need ratings: filter, order and best sellers.
    pub fn has_ratings(&self) -> bool {
        self.features.ratings
    }

    /// Whether there is a product with this key.
    pub(crate) fn has_product(&self, key: &ProductKey) -> bool {
        self.further.contains_key(key) || self.products.store().position(key).is_some()
    }

    /// Whether a category has products.
    pub(crate) fn has_category(&self, slug: &Slug) -> bool {
        self.sizes.contains_key(slug)
    }

    /// Whether a product has this name in a column.
    pub(crate) fn has_name(&self, column: Column, name: &str) -> bool {
        self.products.store().number(column, name).is_some()
    }

    /// Whether a product carries this tag.
    pub(crate) fn has_tag(&self, tag: &str) -> bool {
        self.products.store().tags().number(tag).is_some()
    }

    /// The categories that an operator calls by these texts, each by its slug, its name, or its path as a file writes it,
    /// whatever the case. Takes a while, see `process/compute.rs`.
    pub(crate) fn categories_called<'a>(
        &self,
        texts: impl Iterator<Item = &'a str>,
    ) -> HashMap<&'a str, Slug> {
        let texts: Vec<&str> = texts.collect();
        let by_slug = |text: &str| Slug::parse(text).filter(|slug| self.has_category(slug));
        let mut called: HashMap<&str, Slug> =
            texts.iter().filter_map(|text| Some((*text, by_slug(text)?))).collect();
        let mut wanted = HashMap::<String, Vec<&str>>::new();
        for text in texts.into_iter().filter(|text| !called.contains_key(text)) {
            wanted.entry(folded_path(text)).or_default().push(text);
        }
        if wanted.is_empty() {
            return called;
        }
        for category in self.categories.iter().filter(|category| self.has_category(&category.slug)) {
            let names = [Some(category.name.clone()), category.slug.path()];
            for text in
                names.into_iter().flatten().filter_map(|name| wanted.remove(&folded_path(&name))).flatten()
            {
                called.insert(text, category.slug.clone());
            }
        }
        called
    }

    /// The products of a listing; none for an unknown category.
    pub fn listing(&self, listing: &Listing) -> Arc<ProductSet> {
        match listing {
            Listing::All => Arc::clone(&self.products),
            Listing::Category(slug) => self.by_category.get(slug).map(Arc::clone).unwrap_or_default(),
            Listing::Search(text) => Arc::new(self.products.containing(text, &Arc::default())),
        }
    }

    /// What a category's card shows; empty for an unknown category.
    pub fn preview(&self, category: &Slug) -> CategoryPreview {
        let products = self.by_category.get(category).map(Arc::clone).unwrap_or_default();
        CategoryPreview {
            thumbnail: self.first_of(category).and_then(|product| product.thumbnail),
            count: u32::try_from(products.len()).ok(),
        }
    }

    /// The product whose picture a category's card shows.
    pub(crate) fn first_of(&self, category: &Slug) -> Option<Summary> {
        self.by_category.get(category)?.products().next()
    }

    /// The products of a section of the home page.
    pub fn section(&self, section: Section) -> Arc<[Summary]> {
        self.products.in_order(section.order()).products().skip(section.skip()).take(Section::SIZE).collect()
    }

    /// The product with this key; `None` if there is none. Details that lie in a file are not read on the runtime's
    /// threads, because a disk may be slow or never answer.
    ///
    /// # Errors
    /// When its details could not be read, or not in time.
    pub async fn product(&self, key: &ProductKey) -> Result<Option<Arc<Product>>> {
        if let Some(further) = self.further.get(key) {
            return Ok(Some(Arc::clone(further)));
        }
        let details = |error| CatalogueError::Details(Arc::new(error));
        let found = if self.products.store().reads_file() {
            let (products, key) = (Arc::clone(&self.products), key.clone());
            let read = async {
                // The semaphore is never closed.
                let place = READS.acquire().await.ok();
                off_runtime(move || {
                    let product = products.find(&key);
                    drop(place);
                    product
                })
                .await
            };
            timeout(READ_WITHIN, read).await.unwrap_or(Err(DetailsError::Late(READ_WITHIN)))
        } else {
            self.products.find(key)
        };
        let found = found.map_err(details).inspect_err(|error| {
            if !error.is_late() && !self.is_damaged.swap(true, Ordering::Relaxed) {
                tracing::warn!(error = %ErrorChain(error), "what is saved of a product cannot be read");
            }
        })?;
        Ok(found.map(Arc::new))
    }

    /// The product with this key, read where that may take long; `None` if there is none, or if it cannot be read.
    pub(crate) fn read(&self, _: &OffRuntime, key: &ProductKey) -> Option<Product> {
        match self.further.get(key) {
            Some(further) => Some(Product::clone(further)),
            None => self.products.find(key).ok().flatten(),
        }
    }

    /// Whether the file with the saved details, of this version or of an earlier one, could not be read.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// Notes that the file could not be read, or that it was written again.
    pub(super) fn set_damaged(&self, is_damaged: bool) {
        self.is_damaged.store(is_damaged, Ordering::Relaxed);
    }

    /// The hash of the products and categories as they were read, which one version of the program gives to equal ones.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(crate) fn digest(&self) -> io::Result<Hash> {
        if let Some(known) = self.known_digest() {
            return Ok(known);
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.products.store().digest()?.as_bytes());
        serde_json::to_writer(&mut hasher, &*self.categories)?;
        Ok(*self.digest.get_or_init(|| hasher.finalize()))
    }

    /// The digest, if it is known.
    pub(super) fn known_digest(&self) -> Option<Hash> {
        self.digest.get().copied()
    }

    /// The first digits of the digest, by which operators compare versions; `None` before it is known.
    pub(crate) fn name(&self) -> Option<String> {
        self.known_digest().map(|digest| digest.to_hex()[..NAME].to_owned())
    }
}
