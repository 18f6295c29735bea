//! The catalogue: where products come from.
//!
//! [`Catalogue`] names the queries after what pages need. [`Service`] asks the real API over HTTP
//! (`http.rs`, one exchange in `exchange.rs`, its JSON in `wire/`, every call through `guard/`),
//! [`Sample`] answers from the embedded catalogue. [`Remembered`] keeps every query's last good
//! answer (`answers.rs`) and, of a small catalogue, a copy of the whole (`local.rs`); `saved.rs`
//! carries both over a restart.

mod answers;
mod counters;
mod error;
mod exchange;
mod guard;
mod http;
mod local;
mod model;
mod remembered;
pub mod sample;
mod saved;
mod staleness;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

pub use counters::CatalogueCounters;
pub use error::{CatalogueError, Phase};
pub use http::{Service, ServiceLimits};
pub use model::{Category, CategoryPreview, Dimensions, Product, ProductId, Review, Section, Slug, Summary};
pub use remembered::{MirrorPolicy, Remembered};
pub use sample::Sample;
pub use saved::{StateDir, StateError};
pub use staleness::Staleness;
#[cfg(feature = "fuzzing")]
pub use wire::check_parsers;

use crate::shelf::Shelf;

pub type Result<T> = std::result::Result<T, CatalogueError>;

/// The queries of the storefront. Every answer is shared, never copied.
#[async_trait]
pub trait Catalogue: Send + Sync + 'static {
    /// For how long answers have been what was true once, because nobody can tell what is true now.
    fn outdated_for(&self) -> Duration {
        Duration::ZERO
    }

    /// All categories, in the catalogue's order.
    async fn categories(&self) -> Result<Arc<[Category]>>;

    /// What the category's card shows; empty for an unknown category.
    async fn category_preview(&self, category: &Slug) -> Result<CategoryPreview>;

    /// All products of a category; empty for an unknown one.
    async fn category_products(&self, category: &Slug) -> Result<Arc<Shelf>>;

    /// All products.
    async fn all_products(&self) -> Result<Arc<Shelf>>;

    /// The products whose title or description contains the text, in the service's sense.
    async fn search(&self, text: &str) -> Result<Arc<Shelf>>;

    /// One product, or nothing when the catalogue has no such id.
    async fn product(&self, id: ProductId) -> Result<Option<Arc<Product>>>;

    /// The products of a home section.
    async fn section(&self, section: Section) -> Result<Arc<[Summary]>>;
}

/// A catalogue that can be asked for all of it at once.
#[async_trait]
pub trait Whole: Catalogue {
    /// How many products there are.
    async fn size(&self) -> Result<u64>;

    /// Every product with all of its details, in the catalogue's order.
    async fn everything(&self) -> Result<Vec<Arc<Product>>>;
}
