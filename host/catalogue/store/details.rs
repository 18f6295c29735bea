//! What only a product's own page, the feed, exports and saved state read of a product, as a record of bytes.

use super::record::{Record, RecordError};
use crate::catalogue::model::{Product, Summary};
use crate::catalogue::slug::Slug;

/// The number of this form, and of all else that is saved. It must be raised when this version of the program cannot read
/// what a former one has written: with any other field.
pub(in crate::catalogue) const FORM: &str = "6";

/// Makes the functions that write and read the fields of a product, in this order.
macro_rules! by_fields {
    ($($field:ident),*) => {
        /// Writes a product without what its card has.
        pub(super) fn write(product: &Product, bytes: &mut Vec<u8>) {
            let Product { summary, $($field),* } = product;
            summary.description.write(bytes);
            summary.category.as_ref().and_then(Slug::name).map(str::to_owned).write(bytes);
            $($field.write(bytes);)*
        }

        /// Reads a product whose card is `summary`.
        ///
        /// # Errors
        /// When the bytes are not those of a product.
        pub(super) fn read(summary: Summary, from: &mut &[u8]) -> Result<Product, RecordError> {
            let description = Record::read(from)?;
            let name = Option::<String>::read(from)?;
            let category = summary.category.and_then(|category| match name {
                Some(name) => Slug::named(category.as_str(), &name),
                None => Slug::parse(category.as_str()),
            });
            // Only lists have these fields.
            let summary = Summary {
                description, category, second: None, is_from: false, colours: Vec::new(), content: None, ..summary
            };
            Ok(Product { summary, $($field: Record::read(from)?),* })
        }
    };
}

by_fields!(
    tags,
    sku,
    gtin,
    mpn,
    weight,
    dimensions,
    warranty,
    shipping,
    returns,
    minimum_order_quantity,
    images,
    link,
    reviews,
    changed,
    terms,
    energy,
    minimum_age,
    variants
);
