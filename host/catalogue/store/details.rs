//! What only a product's own page, the feed, exports and saved state read of a product, as a record of bytes.

use super::record::{Record, RecordError};
use crate::catalogue::model::{Product, Summary};
use crate::catalogue::slug::Slug;

/// Writes a product without what its card has.
pub(super) fn write(product: &Product, bytes: &mut Vec<u8>) {
    let Product {
        summary,
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
        variants,
    } = product;
    summary.description.write(bytes);
    summary.category.as_ref().and_then(Slug::name).map(str::to_owned).write(bytes);
    tags.write(bytes);
    sku.write(bytes);
    gtin.write(bytes);
    mpn.write(bytes);
    weight.write(bytes);
    dimensions.write(bytes);
    warranty.write(bytes);
    shipping.write(bytes);
    returns.write(bytes);
    minimum_order_quantity.write(bytes);
    images.write(bytes);
    link.write(bytes);
    reviews.write(bytes);
    changed.write(bytes);
    variants.write(bytes);
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
    // Only lists have these two fields.
    let summary = Summary { description, category, second: None, is_from: false, ..summary };
    Ok(Product {
        summary,
        tags: Record::read(from)?,
        sku: Record::read(from)?,
        gtin: Record::read(from)?,
        mpn: Record::read(from)?,
        weight: Record::read(from)?,
        dimensions: Record::read(from)?,
        warranty: Record::read(from)?,
        shipping: Record::read(from)?,
        returns: Record::read(from)?,
        minimum_order_quantity: Record::read(from)?,
        images: Record::read(from)?,
        link: Record::read(from)?,
        reviews: Record::read(from)?,
        changed: Record::read(from)?,
        variants: Record::read(from)?,
    })
}
