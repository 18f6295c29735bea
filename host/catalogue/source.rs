//! Where all products of a catalogue come from.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::model::Category;
use super::product_set::ProductSet;
use super::query::{Aged, Categories, Result};
use super::revision::{Change, Revision};
use super::{CataloguePurge, CatalogueStatus, Live};
use crate::profile::Currency;

/// A service whose products can be read as a whole, and that is asked for each part of a page before they are.
#[async_trait]
pub trait Source: Live {
    /// All products, unless they are still those of the revision that is known.
    ///
    /// # Errors
    /// When the products could not be read as a whole, or there are more than are wanted.
    async fn changes(&self, wanted: Wanted<'_>) -> Result<Aged<Change<ProductSet>>>;

    /// The categories' names.
    ///
    /// # Errors
    /// When the service did not answer.
    async fn names(&self) -> Result<Arc<[Category]>> {
        self.ask(&Categories).await
    }

    /// How long the last reading of all products took, if it needed several calls; zero otherwise.
    fn reading_time(&self) -> Duration {
        Duration::ZERO
    }

    /// Declares what was received before out of date.
    fn purge(&self, _: &[CataloguePurge]) {}

    /// What the source tells operators.
    fn status(&self) -> CatalogueStatus {
        CatalogueStatus::default()
    }

    /// The currency of its prices.
    fn currency(&self) -> Currency {
        Currency::default()
    }

    /// Whether it rates products, see [`super::Version::features`].
    fn knows_ratings(&self) -> bool {
        true
    }
}

/// What is asked of a [`Source`].
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The revision that is known. Its products need not be given again.
    pub since: Option<&'a Revision>,
    /// About how many products there are, if that is known.
    pub count: Option<u64>,
    /// The largest number of products that is wanted.
    pub most: u64,
}
