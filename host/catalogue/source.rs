//! Where all products of a catalogue come from.

use std::time::Duration;

use async_trait::async_trait;

use super::Catalogue;
use super::product_set::ProductSet;
use super::query::{Aged, Result};
use super::version::{Change, Version};

/// A catalogue whose products can be read as a whole.
#[async_trait]
pub trait Source: Catalogue {
    /// All products, unless they are still those of the version that is known.
    ///
    /// # Errors
    /// When the products could not be read as a whole, or there are more than are wanted.
    async fn changes(&self, wanted: Wanted<'_>) -> Result<Aged<Change<ProductSet>>>;

    /// How long the last reading of all products took, if it needed several calls; zero otherwise.
    fn reading_time(&self) -> Duration {
        Duration::ZERO
    }
}

/// What is asked of a [`Source`].
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The version that is known. Its products need not be given again.
    pub since: Option<&'a Version>,
    /// About how many products there are, if that is known.
    pub count: Option<u64>,
    /// The largest number of products that is wanted.
    pub most: u64,
    /// Answers that other callers were given less than this long ago may be used.
    pub within: Duration,
}
