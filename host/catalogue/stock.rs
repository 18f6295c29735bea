//! What pages and files are made from: the version on sale or, before there is one, calls of the service.

use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;

use super::CategorySizes;
use super::error::CatalogueError;
use super::features::Features;
use super::key::ProductKey;
use super::model::{Category, CategoryPreview, Product, Summary};
use super::product_set::ProductSet;
use super::query::{Ask, Categories, Listing, Preview, ProductById, Result};
use super::section::Section;
use super::slug::Slug;
use super::version::Version;
use crate::contract::Reading;

/// The calls that sell a shop before its first version.
pub trait Live:
    Ask<Categories> + Ask<Preview> + Ask<Listing> + Ask<ProductById> + Ask<Section> + 'static
{
}

impl<T> Live for T where
    T: Ask<Categories> + Ask<Preview> + Ask<Listing> + Ask<ProductById> + Ask<Section> + 'static
{
}

/// What every page needs, or one page too much of, before the first version: the categories and their previews. Clones
/// share it.
#[derive(Clone, Debug)]
pub struct LiveMemory {
    categories: Cache<(), Arc<[Category]>>,
    previews: Cache<Slug, CategoryPreview>,
}

impl Default for LiveMemory {
    fn default() -> Self {
        const MOST: u64 = 10_000;
        let within = Duration::from_secs;
        Self {
            categories: Cache::builder().max_capacity(1).time_to_live(within(30)).build(),
            previews: Cache::builder().max_capacity(MOST).time_to_live(within(3_600)).build(),
        }
    }
}

impl LiveMemory {
    async fn categories(&self, live: &dyn Live) -> Result<Arc<[Category]>> {
        if let Some(known) = self.categories.get(&()) {
            return Ok(known);
        }
        let categories = live.ask(&Categories).await?;
        self.categories.insert((), Arc::clone(&categories));
        Ok(categories)
    }

    async fn preview(&self, category: &Slug, live: &dyn Live) -> Result<CategoryPreview> {
        if let Some(known) = self.previews.get(category) {
            return Ok(known);
        }
        let preview = live.ask(&Preview(category.clone())).await?;
        self.previews.insert(category.clone(), preview.clone());
        Ok(preview)
    }

    /// Forgets all of it.
    pub(super) fn clear(&self) {
        self.categories.invalidate_all();
        self.previews.invalidate_all();
    }
}

/// What one page or file is made from. A version cannot fail, but for details that lie in a file.
#[derive(Clone)]
pub enum Stock {
    Version {
        version: Arc<Version>,
        /// Who is asked for a product whose details cannot be read.
        live: Option<Arc<dyn Live>>,
    },
    Live {
        live: Arc<dyn Live>,
        memory: LiveMemory,
        /// How far the first version is read; `None` if the last reading has failed.
        reading: Option<Reading>,
    },
}

impl From<Arc<Version>> for Stock {
    fn from(version: Arc<Version>) -> Self {
        Self::Version { version, live: None }
    }
}

impl Stock {
    /// The version, if there is one.
    pub fn version(&self) -> Option<&Arc<Version>> {
        match self {
            Self::Version { version, .. } => Some(version),
            Self::Live { .. } => None,
        }
    }

    /// The number of products of each category, which only a version knows.
    pub fn sizes(&self) -> Option<&Arc<CategorySizes>> {
        self.version().map(|version| version.sizes())
    }

    /// Whether the shop has the parts that need ratings. If that is not known, it does.
    pub fn has_ratings(&self) -> bool {
        self.features().ratings
    }

    /// What the products have. If that is not known, it is everything.
    pub fn features(&self) -> Features {
        self.version().map_or(Features::ALL, |version| version.features())
    }

    /// All categories, in the catalogue's order.
    ///
    /// # Errors
    /// When the service did not answer.
    pub async fn categories(&self) -> Result<Arc<[Category]>> {
        match self {
            Self::Version { version, .. } => Ok(Arc::clone(version.categories())),
            Self::Live { live, memory, .. } => memory.categories(&**live).await,
        }
    }

    /// What a category's card shows; empty for an unknown category.
    ///
    /// # Errors
    /// When the service did not answer.
    pub async fn preview(&self, category: &Slug) -> Result<CategoryPreview> {
        match self {
            Self::Version { version, .. } => Ok(version.preview(category)),
            Self::Live { live, memory, .. } => memory.preview(category, &**live).await,
        }
    }

    /// The products of a listing.
    ///
    /// # Errors
    /// When the service did not answer, or the listing is too large to be known before the catalogue is read.
    pub async fn list(&self, listing: Listing) -> Result<Arc<ProductSet>> {
        match self {
            Self::Version { version, .. } => Ok(version.listing(&listing)),
            Self::Live { live, .. } => live.ask(&listing).await,
        }
    }

    /// One product; `None` if there is none with this key.
    ///
    /// # Errors
    /// When the service did not answer, or its details could not be read.
    pub async fn product(&self, key: &ProductKey) -> Result<Option<Arc<Product>>> {
        let live = match self {
            Self::Version { version, live } => match (version.product(key).await, live) {
                (Err(CatalogueError::Details(_)), Some(live)) => live,
                (found, _) => return found,
            },
            Self::Live { live, .. } => live,
        };
        match live.ask(&ProductById(key.clone())).await {
            Err(error @ CatalogueError::Implausible { .. }) => {
                tracing::debug!(%error, "a product of the catalogue is invalid; its page is a 404");
                Ok(None)
            }
            answer => answer,
        }
    }

    /// The products of a section of the home page.
    ///
    /// # Errors
    /// When the service did not answer.
    pub async fn section(&self, section: Section) -> Result<Arc<[Summary]>> {
        match self {
            Self::Version { version, .. } => Ok(version.section(section)),
            Self::Live { live, .. } => live.ask(&section).await,
        }
    }

    /// How far the first version is read; `None` if there is one, or if the last reading has failed.
    pub fn reading(&self) -> Option<Reading> {
        match self {
            Self::Version { .. } => None,
            Self::Live { reading, .. } => *reading,
        }
    }
}
