//! The catalogue: where products come from. It exists so that pages ask typed queries and need not know the source.
//!
//! It promises that a failure is a typed error; that every call of the service passes one guard; that the last
//! version stays on sale while the service fails; and that a file is used as a whole or not at all. The reasons are
//! in `docs/decisions/`: `0044-store.md`, `0046-one-way-to-sell.md` and `0047-files.md`.
//!
//! A source gives versions of the catalogue, and pages are made from the current one ([`Version`], [`Stock`]). Sources are
//! the real service ([`Service`]), which [`Followed`] reads again and again, a file or feed of the operator's own
//! ([`FileCatalogue`]), and the embedded products ([`Sample`]). Before the first version of a service, pages are made from
//! its calls. Products lie in a store (`store/`).

mod account;
mod availability;
mod colour;
pub(crate) mod columns;
mod error;
mod features;
pub(crate) mod file;
mod follow;
mod gtin;
mod key;
mod letters;
mod model;
mod natural_order;
mod offer_id;
mod option_kind;
mod price_scale;
mod product_set;
mod purge;
mod query;
mod revision;
pub mod sample;
pub(crate) mod search;
mod section;
mod service;
mod slug;
mod source;
mod status;
mod stock;
pub(crate) mod store;
pub(crate) mod variant;
mod version;
pub(crate) mod words;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;

pub use crate::search_text::{Rules, SynonymError};
pub use availability::Availability;
pub use colour::Colour;
pub use error::{CatalogueError, Phase, Size};
pub use features::Features;
pub use file::{FileCatalogue, FileError, PictureError, ServedPicture, products_of};
pub(crate) use follow::files::unnamed_file;
pub use follow::{Followed, SharedVersions, StateDir, StateError};
pub use gtin::Gtin;
pub use key::ProductKey;
pub use letters::Spelling;
pub use model::{
    Category, CategoryPreview, Condition, Content, Dimensions, EnergyClass, Measure, Product, Review,
    ReviewDate, Summary, Terms,
};
pub(crate) use natural_order::sort_naturally;
pub(crate) use offer_id::OfferId;
pub(crate) use option_kind::OptionKind;
pub use product_set::ProductSet;
#[cfg(test)]
pub(crate) use product_set::tests::products as any_products;
pub use purge::{CataloguePurge, Outdated, PurgeMode};
pub use query::{Aged, Ask, Categories, Listing, Preview, ProductById, Query, QueryKind, Result};
pub use revision::{Change, Revision};
pub use sample::Sample;
pub use section::Section;
#[cfg(test)]
pub(crate) use service::example_product;
pub(crate) use service::wire::is_nested_within;
pub use service::{CallOutcome, CallTimes, CatalogueCounters, PassProgress, Service, ServiceLimits};
#[cfg(any(test, feature = "fuzzing"))]
pub use service::{check_parsers, check_product, check_summary};
pub use slug::Slug;
pub use source::{Source, Wanted};
pub use status::CatalogueStatus;
pub use stock::{Live, LiveMemory, Stock};
pub use store::{DetailsError, ProductOrder, RecordError};
pub use variant::{Variant, VariantOption};
pub use version::Version;

use crate::pictures::Copies;
use crate::profile::Currency;

/// A catalogue to sell from.
#[async_trait]
pub trait Catalogue: Send + Sync + 'static {
    /// The version on sale, if there is one. Makes no call.
    fn version(&self) -> Option<Arc<Version>>;

    /// What a page is made from now. Waits briefly for a version that is about to come.
    async fn stock(&self) -> Stock;

    /// Signals each new version; `None` if there is none.
    fn versions(&self) -> Option<watch::Receiver<()>> {
        None
    }

    /// For how long the version may have been out of date, because its source has not answered. Zero while it answers.
    fn outdated_for(&self) -> Duration {
        Duration::ZERO
    }

    /// Declares what was received before out of date.
    fn purge(&self, _: &[CataloguePurge]) {}

    /// Whether there is something to sell, without a call of the service.
    fn is_stocked(&self) -> bool {
        true
    }

    /// What the catalogue tells its operators.
    fn status(&self) -> CatalogueStatus {
        CatalogueStatus::default()
    }

    /// The time until its prices change, such as at the end of a sale; `None` if that is not known.
    fn changes_in(&self) -> Option<Duration> {
        None
    }

    /// The currency of its prices.
    fn currency(&self) -> Currency {
        Currency::default()
    }

    /// The category to which the address of this one leads, if there are several with its name instead.
    fn renamed(&self, _category: &Slug) -> Option<Slug> {
        None
    }

    /// The key of the product that is meant by another spelling of it, if it is exactly one.
    fn respelled(&self, _written: &str) -> Option<ProductKey> {
        None
    }

    /// The picture of a product whose address on the shop's own host ends with `name`.
    fn picture(&self, _name: &str) -> Option<ServedPicture> {
        None
    }

    /// All pictures on the shop's own host, in no order.
    fn pictures(&self) -> Vec<ServedPicture> {
        Vec::new()
    }

    /// Says which pictures the shop's own texts name, by their paths in the folder of pictures.
    fn name_pictures(&self, _names: Vec<String>) {}

    /// The address of one of these pictures, if it is there.
    fn named_picture(&self, _name: &str) -> Option<String> {
        None
    }

    /// Reads the products again although they may not have changed, because more is known of their pictures.
    fn read_again(&self) {}

    /// The copies of these pictures, if any are made.
    fn copies(&self) -> Option<Copies> {
        None
    }
}

/// The number of products of each category that has any.
pub type CategorySizes = HashMap<Slug, u32>;
