//! The sections of the home page: a few products of all, in an order.

use std::sync::Arc;

use super::model::Summary;
use super::query::{Query, QueryKind};
use super::store::ProductOrder;

/// A section of the home page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// The products after the first eight.
    Featured,
    /// The first products.
    First,
    /// The best rated products.
    BestSellers,
    NewArrivals,
}

impl Section {
    /// The largest number of its products.
    pub(crate) const SIZE: usize = 8;

    /// The order of its products.
    pub(super) fn order(self) -> ProductOrder {
        match self {
            Self::Featured | Self::First => ProductOrder::Own,
            Self::BestSellers => ProductOrder::BestRated,
            Self::NewArrivals => ProductOrder::Newest,
        }
    }

    /// How many products come before it.
    pub(super) fn skip(self) -> usize {
        if self == Self::Featured { Self::SIZE } else { 0 }
    }
}

impl Query for Section {
    type Answer = Arc<[Summary]>;

    fn kind(&self) -> QueryKind {
        QueryKind::Section
    }
}
