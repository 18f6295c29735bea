//! What the pass over the products needs of a column with names.

use super::clean::clean;
use crate::catalogue::Slug;
use crate::catalogue::product_index::{Column, ProductIndex};

impl Column {
    /// The name that a value of the query string stands for, if it can be one.
    pub(super) fn name(self, value: &str) -> Option<String> {
        match self {
            Self::Category => Slug::parse(value).map(|slug| slug.to_string()),
            Self::Brand => Some(clean(value)).filter(|brand| !brand.is_empty()),
        }
    }

    /// The number of a name, if it occurs.
    pub(super) fn number(self, index: &ProductIndex, name: &str) -> Option<u32> {
        match self {
            Self::Category => index.category_number(name),
            Self::Brand => index.brand_number(name),
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
