//! Rules for products that come from outside the program.

use crate::catalogue::model::{Product, Summary};

/// The rules that products from outside the program pass; `None` for what is not shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// For a product as lists show it.
    pub(crate) card: fn(Summary) -> Option<Summary>,
    /// For a product with its details.
    pub(crate) product: fn(Product) -> Option<Product>,
    pub(crate) tag: fn(&str) -> Option<String>,
}
