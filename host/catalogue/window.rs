//! One page of a listing that is too large to be known as a whole.

use std::sync::Arc;

use super::Catalogue;
use super::error::{CatalogueError, Phase};
use super::model::Summary;
use super::product_set::ProductSet;
use super::query::{Listing, Query, QueryKind, Result};

/// Some products of a listing, in an order that the source makes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    pub listing: Listing,
    /// `None` for the source's own order.
    pub order: Option<WindowOrder>,
    /// How many products come before.
    pub skip: u64,
    /// Most products.
    pub limit: u32,
}

impl Window {
    /// The first products of a listing, which are those of its first page.
    pub fn first(listing: Listing) -> Self {
        Self { listing, order: None, skip: 0, limit: Self::PAGE }
    }

    /// Products of a page.
    pub(crate) const PAGE: u32 = 48;
}

/// An order that a source makes of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowOrder {
    Cheapest,
    MostExpensive,
    BestRated,
    DeepestDiscounts,
    Newest,
}

/// The products of a window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Windowed {
    pub products: Vec<Summary>,
    /// How many products the listing has.
    pub total: u64,
}

impl Query for Window {
    type Answer = Arc<Windowed>;

    fn kind(&self) -> QueryKind {
        QueryKind::Page
    }
}

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

/// The products of a listing, unless there are too many for one answer. An answer that takes too long is too large if
/// the listing has more than `LARGE` products.
///
/// # Errors
/// When the catalogue did not answer.
pub(crate) async fn list(catalogue: &(impl Catalogue + ?Sized), listing: Listing) -> Result<Listed> {
    /// Fewer are one answer, which the service can give.
    const LARGE: u64 = 5_000;
    let error = match catalogue.ask(&listing).await {
        Ok(products) => return Ok(Listed::Whole(products)),
        Err(error) => error,
    };
    match error.cause() {
        CatalogueError::TooLarge { .. } => Ok(Listed::TooLarge),
        CatalogueError::TimedOut(Phase::FirstByte | Phase::Total) | CatalogueError::CircuitOpen { .. } => {
            let first = Window::first(listing);
            match catalogue.window(&first).await {
                Ok(window) if window.total > LARGE => Ok(Listed::TooLarge),
                _ => Err(error),
            }
        }
        _ => Err(error),
    }
}
