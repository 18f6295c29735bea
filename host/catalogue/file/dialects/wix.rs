//! What Wix Stores exports, with the names of columns of its older and its newer catalogue.

use super::{Decimal, Dialect, Family, Field, OPTIONS, USUAL, Ways};

/// Wix's products: a row for each product, and after it one for each of its variants.
pub(super) const WIX: Dialect = Dialect {
    name: "Wix's products",
    names: &[
        ("handleid", Field::Group),
        ("handle", Field::Group),
        ("fieldtype", Field::Kind),
        ("name", Field::Title),
        ("description", Field::Description),
        ("plaindescription", Field::Description),
        ("productimageurl", Field::Images),
        ("media", Field::Images),
        ("collection", Field::Categories),
        ("sku", Field::Sku),
        ("price", Field::Price),
        ("strikethroughprice", Field::ListPrice),
        ("surcharge", Field::Surcharge),
        ("visible", Field::Published),
        ("discountmode", Field::DiscountMode),
        ("discountvalue", Field::Discount),
        // A number, or a word such as `InStock` or `OUT_OF_STOCK`.
        ("inventory", Field::Stock),
        ("brand", Field::Brand),
        ("barcode", Field::Gtin),
        ("productoptionname1", Field::OptionName1),
        ("productoptiondescription1", Field::OptionValue1),
        ("productoptionchoices1", Field::OptionValue1),
        ("productoptionname2", Field::OptionName2),
        ("productoptiondescription2", Field::OptionValue2),
        ("productoptionchoices2", Field::OptionValue2),
        ("productoptionname3", Field::OptionName3),
        ("productoptiondescription3", Field::OptionValue3),
        ("productoptionchoices3", Field::OptionValue3),
        ("productoptionname4", Field::OptionName4),
        ("productoptiondescription4", Field::OptionValue4),
        ("productoptionchoices4", Field::OptionValue4),
        ("productoptionname5", Field::OptionName5),
        ("productoptiondescription5", Field::OptionValue5),
        ("productoptionchoices5", Field::OptionValue5),
        ("productoptionname6", Field::OptionName6),
        ("productoptiondescription6", Field::OptionValue6),
        ("productoptionchoices6", Field::OptionValue6),
    ],
    required: &[Field::Group, Field::Kind, Field::Title, Field::Price],
    option_names: [""; OPTIONS],
    decimal: Some(Decimal::Point),
    ways: Ways {
        marks: &["fieldtype"],
        takes_other_names: false,
        instead: &[(Field::Availability, Field::Stock)],
        family: Family::Surcharges,
        words: &[(Field::Kind, "product", "variable"), (Field::Kind, "variant", "variation")],
        category: first,
        image_base: "https://static.wixstatic.com/media/",
        ..USUAL
    },
};

fn first(cell: &str) -> &str {
    cell.split(';').next().unwrap_or_default()
}

/// The value of an option without the code of its colour: `Red` for `#ff0000:Red`.
pub(in super::super) fn own_value(value: &str) -> &str {
    value.strip_prefix('#').and_then(|value| value.split_once(':')).map_or(value, |(_, name)| name)
}
