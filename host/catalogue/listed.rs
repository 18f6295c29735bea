//! Asks for all products of a listing, which may be too many for one answer.

use std::sync::Arc;

use super::Catalogue;
use super::error::{CatalogueError, Phase};
use super::product_set::ProductSet;
use super::query::{Listing, Result};
use super::window::Window;

/// What is known of a listing's products.
#[derive(Clone, Debug)]
pub(crate) enum Listed {
    Whole(Arc<ProductSet>),
    /// There are more than one answer may have, and there is no copy of the catalogue.
    TooLarge,
}

impl Listed {
    /// The products, if all of them are known.
    pub(crate) fn whole(self) -> Option<Arc<ProductSet>> {
        match self {
            Self::Whole(products) => Some(products),
            Self::TooLarge => None,
        }
    }
}

/// The products of a listing, unless there are too many for one answer. An answer that takes too long counts as too
/// large if the listing has more than `LARGE` products. While the breaker for categories or searches is open, the first
/// page of the listing tells whether it has any products.
///
/// # Errors
/// When the catalogue did not answer.
pub(crate) async fn list(catalogue: &(impl Catalogue + ?Sized), listing: Listing) -> Result<Listed> {
    /// A service can be expected to list up to this many products in one answer in time.
    const LARGE: u64 = 5_000;
    let error = match catalogue.ask(&listing).await {
        Ok(products) => return Ok(Listed::Whole(products)),
        Err(error) => error,
    };
    let may_be_few = match error.cause() {
        CatalogueError::TooLarge { .. } => return Ok(Listed::TooLarge),
        CatalogueError::TimedOut(Phase::FirstByte | Phase::Total) => false,
        // Brands and the sitemap must not be empty because a small list fails.
        CatalogueError::CircuitOpen { .. } => listing != Listing::All,
        _ => return Err(error),
    };
    match catalogue.ask(&Window::first(listing)).await {
        Ok(window) if window.total.is_some_and(|total| total > LARGE) => Ok(Listed::TooLarge),
        Ok(window) if may_be_few && window.total == Some(0) => Ok(Listed::Whole(Arc::default())),
        Ok(_) if may_be_few => Ok(Listed::TooLarge),
        _ => Err(error),
    }
}

/// Whether a shop of this catalogue has the parts that need ratings: filter, order and best sellers.
///
/// # Errors
/// When the catalogue did not answer.
pub(crate) async fn has_ratings(catalogue: &dyn Catalogue) -> Result<bool> {
    if catalogue.knows_ratings() {
        return Ok(true);
    }
    // If that is not known, pages have these parts.
    Ok(list(catalogue, Listing::All).await?.whole().is_none_or(|all| all.has_ratings()))
}
