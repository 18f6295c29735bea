//! The copy of the catalogue that an answer was made from. As long as it is the same, so is the answer.

use std::sync::{Arc, Weak};

use crate::catalogue::{Catalogue, Categories, Category, Listing, ProductSet};
use crate::pages::address::Address;

/// The copy of the catalogue that an answer was made from, which it does not keep in memory.
#[derive(Debug)]
pub(in crate::shop) struct MadeFrom {
    categories: Weak<[Category]>,
    products: Weak<ProductSet>,
}

impl MadeFrom {
    pub(in crate::shop) fn new(categories: &Arc<[Category]>, products: &Arc<ProductSet>) -> Self {
        Self { categories: Arc::downgrade(categories), products: Arc::downgrade(products) }
    }

    /// The copy that a page is made from, if it depends on nothing else. A product's page may be newer than the copy,
    /// and is quickly compared.
    pub(in crate::shop) async fn of_page(catalogue: &dyn Catalogue, address: &Address) -> Option<Self> {
        let sizes = catalogue.category_sizes()?;
        let is_in_copy = match address {
            Address::Home { .. }
            | Address::Categories { .. }
            | Address::Brands { .. }
            | Address::Preset(..)
            | Address::Search(..) => true,
            Address::Category(slug, _) => sizes.contains_key(slug),
            Address::Offline
            | Address::TextPage(_)
            | Address::Product(_)
            | Address::InvalidProduct(_)
            | Address::UnknownPath(_) => false,
        };
        if !is_in_copy {
            return None;
        }
        // These queries also refresh the copy, as the page's own queries would.
        let categories = catalogue.ask(&Categories).await.ok()?;
        let products = catalogue.ask(&Listing::All).await.ok()?;
        Some(Self::new(&categories, &products))
    }

    /// Whether it is the same copy.
    pub(in crate::shop) fn is(&self, other: &Self) -> bool {
        self.categories.ptr_eq(&other.categories) && self.products.ptr_eq(&other.products)
    }
}
