//! The catalogue: where products come from. It exists so that pages ask typed queries and need not know the source.
//!
//! It promises that a failure is a typed error; that every call of the service passes one guard; that the last good
//! answers stay on sale while the service fails; and that a file is used as a whole or not at all. The reasons are
//! in `docs/decisions/`: `0008-catalogue-guard.md`, `0014-saved-catalogue.md`, `0044-store.md`, `0045-pages.md`
//! and `0047-files.md`.
//!
//! Queries are values (`query.rs`); a [`Catalogue`] answers the queries that pages need. [`Service`]
//! calls the real API over HTTP (`service/`), [`Sample`] answers from the embedded products
//! (`sample/`), and [`FileCatalogue`] from a file of the operator's own (`file/`). [`Remembered`] caches
//! the last good answer of every query, mirrors a small catalogue as a whole (`mirror.rs`), and saves both
//! for the next start (`remembered/`). Products lie in a store (`store/`).

mod availability;
pub(crate) mod columns;
mod error;
pub(crate) mod file;
mod gtin;
mod key;
mod letters;
mod listed;
mod mirror;
mod model;
mod price_scale;
mod product_set;
mod purge;
mod query;
mod remembered;
pub mod sample;
pub(crate) mod search;
mod service;
mod slug;
mod source;
mod status;
pub(crate) mod store;
pub(crate) mod variant;
mod version;
mod window;
pub(crate) mod words;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

pub use availability::Availability;
pub use error::{CatalogueError, Phase, Size};
pub use file::{FileCatalogue, FileError, PictureError, ServedPicture, products_of};
pub use gtin::Gtin;
pub use key::ProductKey;
pub(crate) use listed::{Listed, has_ratings, list};
pub use model::{Category, CategoryPreview, Dimensions, Product, Review, ReviewDate, Summary};
pub use product_set::ProductSet;
#[cfg(test)]
pub(crate) use product_set::tests::products as any_products;
pub use purge::{CataloguePurge, Outdated, PurgeMode};
pub use query::{Aged, Ask, Categories, Listing, Preview, ProductById, Query, QueryKind, Result};
pub use remembered::{MirrorPolicy, Remembered, SharedState, Staleness, StateDir, StateError};
pub use sample::Sample;
#[cfg(test)]
pub(crate) use service::example_product;
pub(crate) use service::is_too_large;
pub use service::{CallOutcome, CallTimes, CatalogueCounters, PassProgress, Service, ServiceLimits};
#[cfg(any(test, feature = "fuzzing"))]
pub use service::{check_parsers, check_product, check_summary};
pub use slug::Slug;
pub use source::{Source, Wanted};
pub use status::CatalogueStatus;
pub use store::{DetailsError, ProductOrder, RecordError};
pub use variant::{Variant, VariantOption};
pub use version::{Change, Version};
pub use window::{Window, WindowOrder, Windowed};

use tokio::sync::watch;

use crate::profile::Currency;

/// Answers the queries of the pages.
pub trait Catalogue:
    Ask<Categories> + Ask<Preview> + Ask<Listing> + Ask<ProductById> + Ask<Window> + 'static
{
    /// For how long answers may have been out of date, because the service has not answered. Zero while
    /// it answers.
    fn outdated_for(&self) -> Duration {
        Duration::ZERO
    }

    /// Declares answers that were received before out of date. Goes through the answers once, however many
    /// purges there are.
    fn purge(&self, _: &[CataloguePurge]) {}

    /// Whether there is something to sell, without a call of the service.
    fn is_stocked(&self) -> bool {
        true
    }

    /// What the catalogue tells its operators.
    fn status(&self) -> CatalogueStatus {
        CatalogueStatus::default()
    }

    /// Signals each change of its products or prices that comes without a query; `None` if they change only when the
    /// catalogue is asked.
    fn versions(&self) -> Option<watch::Receiver<()>> {
        None
    }

    /// The time until its prices change, such as at the end of a sale; `None` if that is not known.
    fn changes_in(&self) -> Option<Duration> {
        None
    }

    /// The currency of its prices.
    fn currency(&self) -> Currency {
        Currency::default()
    }

    /// Whether this source rates products. If it does, pages keep the parts that need ratings even while no product has
    /// one, because an outage or odd data must not take a part of the shop away. If it does not, pages have these parts
    /// while some product has a rating.
    fn knows_ratings(&self) -> bool {
        true
    }

    /// The number of products of each category, if it is known without asking the service.
    fn category_sizes(&self) -> Option<Arc<CategorySizes>> {
        None
    }

    /// The category to which the address of this one leads, if there are several with its name instead.
    fn renamed(&self, _category: &Slug) -> Option<Slug> {
        None
    }

    /// Every product with everything that is known of it, if there is a copy of the whole catalogue. Starts no refresh.
    fn copy(&self) -> Option<Arc<ProductSet>> {
        None
    }

    /// The picture of a product whose address on the shop's own host ends with `name`.
    fn picture(&self, _name: &str) -> Option<ServedPicture> {
        None
    }
}

/// The number of products of each category that has any.
pub type CategorySizes = HashMap<Slug, u32>;
