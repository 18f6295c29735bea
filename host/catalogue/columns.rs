//! The properties of products that filters compare.

use super::model::Summary;
use super::slug::Slug;

/// A property whose values are names. A product has at most one name in each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Category,
    Brand,
}

impl Column {
    pub(crate) const EVERY: [Self; 2] = [Self::Category, Self::Brand];

    /// A product's name in this column, as it appears in addresses.
    pub(crate) fn name_of(self, product: &Summary) -> Option<&str> {
        match self {
            Self::Category => product.category.as_ref().map(Slug::as_str),
            Self::Brand => product.brand.as_deref(),
        }
    }
}

/// A property that is true or false of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flag {
    /// The product is not known to be sold out.
    InStock,
}

impl Flag {
    const EVERY: [Self; 1] = [Self::InStock];

    fn is_true_of(self, product: &Summary) -> bool {
        match self {
            Self::InStock => !product.availability.is_sold_out(),
        }
    }

    /// A bit for each flag that is true of a product.
    pub(super) fn all_of(product: &Summary) -> u8 {
        let flags = Self::EVERY.into_iter().filter(|flag| flag.is_true_of(product));
        flags.fold(0, |flags, flag| flags | flag.bit())
    }

    #[inline]
    pub(super) fn bit(self) -> u8 {
        1 << self as u8
    }
}
