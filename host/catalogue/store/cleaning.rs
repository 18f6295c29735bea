//! Rules for products that come from outside the program.

use crate::catalogue::model::{Product, Summary};

/// The rules for products from outside the program: each returns a clean value, or `None` if it must not be shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cleaning {
    /// The rule for a product as lists show it.
    pub(crate) card: fn(Summary) -> Option<Summary>,
    /// The rule for a product with its details.
    pub(crate) product: fn(Product) -> Option<Product>,
    /// The rule for a tag, and for the value of an option.
    pub(crate) label: fn(&str) -> Option<String>,
}
