//! What the pass over the products needs of a column with names.

use super::clean::clean;
use super::table::Column;
use crate::catalogue::product_index::{Facts, ProductIndex};
use crate::catalogue::{ProductSet, Slug};

impl Column {
    /// The name that a value of the query string stands for, if it can be one.
    pub(super) fn name(self, value: &str) -> Option<String> {
        match self {
            Self::Category => Slug::parse(value).map(|slug| slug.to_string()),
            Self::Brand => Some(clean(value)).filter(|brand| !brand.is_empty()),
        }
    }

    /// How many names the products of an index have.
    pub(super) fn len(self, index: &ProductIndex) -> usize {
        match self {
            Self::Category => index.categories().len(),
            Self::Brand => index.brands().len(),
        }
    }

    /// The number of a name, if it occurs.
    pub(super) fn number(self, index: &ProductIndex, name: &str) -> Option<u32> {
        match self {
            Self::Category => index.category_number(name),
            Self::Brand => index.brand_number(name),
        }
    }

    /// The number of a product's name; [`NONE`](crate::catalogue::product_index::NONE) if it has no name.
    pub(super) fn of(self, facts: &Facts) -> u32 {
        match self {
            Self::Category => facts.category,
            Self::Brand => facts.brand,
        }
    }

    /// The numbers that occur in a set, in ascending order.
    pub(super) fn occurring(self, products: &ProductSet) -> &[u32] {
        match self {
            Self::Category => products.categories(),
            Self::Brand => products.brands(),
        }
    }

    /// What stands in the address for a name, and what is shown for it.
    pub(super) fn label(self, index: &ProductIndex, number: u32) -> (String, String) {
        match self {
            Self::Category => {
                let slug = &index.categories()[number as usize];
                (slug.as_str().into(), slug.title())
            }
            Self::Brand => {
                let brand = &index.brands()[number as usize];
                (brand.clone(), brand.clone())
            }
        }
    }
}
