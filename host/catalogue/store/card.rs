//! What cards show of a product, without what filters compare, as a row of bytes.

use super::record::{Record, RecordError, read_text, write_text};
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::{Product, Summary};
use crate::profile::Money;

/// Writes the row of a product. The picture for hovering is the second one, unless that is the thumbnail.
pub(super) fn write(product: &Product, row: &mut Vec<u8>) {
    let Summary {
        id,
        title,
        list_price,
        discount_percentage,
        availability,
        thumbnail,
        second,
        is_from,
        colours,
        content,
        ..
    } = &product.summary;
    let other = product.images.get(1).filter(|other| thumbnail.as_ref() != Some(other));
    write_text(title, row);
    id.write(row);
    list_price.write(row);
    discount_percentage.write(row);
    availability.write(row);
    (*is_from || product.price_range().is_some()).write(row);
    if colours.is_empty() {
        product.colours().write(row)
    } else {
        colours.write(row)
    }
    content.or(product.terms_of(None).content).write(row);
    thumbnail.write(row);
    // Pictures of a product mostly lie in one folder.
    let second = second.as_deref().or(other.map(String::as_str));
    let shared = second.zip(thumbnail.as_deref()).map_or(0, |(second, thumbnail)| shared(second, thumbnail));
    second.is_some().write(row);
    if let Some(second) = second {
        (shared as u64).write(row);
        write_text(&second[shared..], row);
    }
}

/// The part of a product that a row has.
///
/// # Errors
/// When the bytes are not a row.
pub(super) fn read(mut row: &[u8]) -> Result<Summary, RecordError> {
    let from = &mut row;
    let mut summary = Summary {
        title: String::read(from)?,
        id: Record::read(from)?,
        list_price: Record::read(from)?,
        discount_percentage: Record::read(from)?,
        availability: Record::read(from)?,
        is_from: Record::read(from)?,
        colours: Record::read(from)?,
        content: Record::read(from)?,
        thumbnail: Record::read(from)?,
        ..Summary::default()
    };
    if bool::read(from)? {
        let shared = usize::try_from(u64::read(from)?).ok();
        let thumbnail = summary.thumbnail.as_deref().unwrap_or_default();
        let begin =
            shared.and_then(|shared| thumbnail.get(..shared)).ok_or(RecordError::Invalid("picture"))?;
        summary.second = Some([begin, read_text(from)?].concat());
    }
    Ok(summary)
}

/// The title and the key of a row.
///
/// # Errors
/// As [`read`].
pub(super) fn names(mut row: &[u8]) -> Result<(&str, ProductKey), RecordError> {
    Ok((read_text(&mut row)?, ProductKey::read(&mut row)?))
}

/// The discount of a row, in percent.
///
/// # Errors
/// As [`read`].
pub(super) fn discount(mut row: &[u8]) -> Result<f64, RecordError> {
    let from = &mut row;
    read_text(from)?;
    ProductKey::read(from)?;
    Option::<Money>::read(from)?;
    f64::read(from)
}

/// How many bytes two texts have in common at their beginnings.
fn shared(one: &str, other: &str) -> usize {
    let equal = one.char_indices().zip(other.chars()).find(|((_, own), other)| own != other);
    equal.map_or(one.len().min(other.len()), |((at, _), _)| at)
}
