//! One page of a listing that is too large to be known as a whole.

use std::sync::Arc;

use super::model::Summary;
use super::query::{Listing, Query, QueryKind};

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
        match self.listing {
            // A shop whose search fails can still sell.
            Listing::Search(_) => QueryKind::SearchWindow,
            Listing::All | Listing::Category(_) => QueryKind::Window,
        }
    }
}
