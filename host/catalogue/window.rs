//! Some products of a listing in an order: a section of the home page, or one page of a listing that is too large to be
//! known as a whole.

use std::sync::Arc;

use super::model::Summary;
use super::query::{Listing, Query, QueryKind};
use super::store::ProductOrder;

/// Some products of a listing, in an order that the source makes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    pub listing: Listing,
    /// `None` for the source's own order.
    pub order: Option<WindowOrder>,
    /// How many products of the listing come before the window.
    pub skip: u64,
    /// The largest number of products.
    pub limit: u32,
}

impl Window {
    /// The first products of a listing, which are those of its first page.
    pub fn first(listing: Listing) -> Self {
        Self { listing, order: None, skip: 0, limit: Self::PAGE }
    }

    /// The featured products: those after the first eight.
    pub fn featured() -> Self {
        Self { skip: Self::SECTION.into(), ..Self::section(None) }
    }

    /// The best rated products.
    pub fn best_sellers() -> Self {
        Self::section(Some(WindowOrder::BestRated))
    }

    /// The newest products.
    pub fn new_arrivals() -> Self {
        Self::section(Some(WindowOrder::Newest))
    }

    fn section(order: Option<WindowOrder>) -> Self {
        Self { listing: Listing::All, order, skip: 0, limit: Self::SECTION }
    }

    /// Whether it is one of the few windows of the home page.
    pub(super) fn is_section(&self) -> bool {
        self.limit == Self::SECTION
            && [Self::featured(), Self::best_sellers(), Self::new_arrivals()].contains(self)
    }

    /// The order of a store that the window is a part of; `None` if it is asked for only where there is no store.
    pub(super) fn order_of_store(&self) -> Option<ProductOrder> {
        match (&self.listing, self.order) {
            (Listing::All, None) => Some(ProductOrder::Own),
            (Listing::All, Some(WindowOrder::BestRated)) => Some(ProductOrder::BestRated),
            (Listing::All, Some(WindowOrder::Newest)) => Some(ProductOrder::Newest),
            _ => None,
        }
    }

    /// Number of products of a page.
    pub(crate) const PAGE: u32 = 48;
    /// Number of products of a section of the home page.
    pub(crate) const SECTION: u32 = 8;
}

/// An order in which a source can give a listing.
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
    /// How many products the listing has; `None` if the source does not say it.
    pub total: Option<u64>,
    /// How many products the source sent, including invalid ones.
    pub entries: u32,
}

impl Query for Window {
    type Answer = Arc<Windowed>;

    fn kind(&self) -> QueryKind {
        match self.listing {
            _ if self.is_section() => QueryKind::Section,
            // A shop whose search fails can still sell.
            Listing::Search(_) => QueryKind::SearchWindow,
            Listing::All | Listing::Category(_) => QueryKind::Window,
        }
    }
}
