//! What Etsy's "Download data" gives of a shop's listings.

use super::{Decimal, Dialect, Field, OPTIONS, USUAL, Ways};

/// Etsy's listings. Variations have no prices of their own there, so that they are not read.
pub(super) const ETSY: Dialect = Dialect {
    name: "Etsy's listings",
    names: &[
        ("title", Field::Title),
        ("description", Field::Description),
        ("price", Field::Price),
        ("currency code", Field::Currency),
        ("quantity", Field::Stock),
        ("tags", Field::Tags),
        ("image1", Field::Images),
        ("image2", Field::MoreImages),
        ("image3", Field::MoreImages),
        ("image4", Field::MoreImages),
        ("image5", Field::MoreImages),
        ("image6", Field::MoreImages),
        ("image7", Field::MoreImages),
        ("image8", Field::MoreImages),
        ("image9", Field::MoreImages),
        ("image10", Field::MoreImages),
        ("sku", Field::Sku),
    ],
    required: &[Field::Title, Field::Price, Field::Currency],
    option_names: [""; OPTIONS],
    decimal: Some(Decimal::Point),
    ways: Ways {
        marks: &["currency code", "quantity"],
        takes_other_names: false,
        has_title_keys: true,
        joins_images: true,
        instead: &[(Field::Key, Field::Sku)],
        ..USUAL
    },
};
