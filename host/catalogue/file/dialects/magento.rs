//! What Magento 2 exports of `catalog_product`.

use super::super::text::cut;
use super::{Decimal, Dialect, Family, Field, OPTIONS, USUAL, Ways};
use crate::catalogue::variant::{MAX_OPTIONS, VariantOption};

/// Magento's products. A configurable product lists simple ones, which are its variants.
/// <https://experienceleague.adobe.com/en/docs/commerce-admin/systems/data-transfer/data-attributes-product>
pub(super) const MAGENTO: Dialect = Dialect {
    name: "Magento's products",
    names: &[
        ("sku", Field::Sku),
        ("store view code", Field::StoreView),
        ("product type", Field::Kind),
        ("categories", Field::Categories),
        ("name", Field::Title),
        ("description", Field::Description),
        ("short description", Field::OtherDescription),
        ("product online", Field::Active),
        ("status", Field::Status),
        ("visibility", Field::Visibility),
        ("price", Field::Price),
        ("special price", Field::SalePrice),
        ("special price from date", Field::SaleStarts),
        ("special price to date", Field::SaleEnds),
        ("base image", Field::Images),
        ("additional images", Field::MoreImages),
        ("qty", Field::Stock),
        ("is in stock", Field::Availability),
        ("allow backorders", Field::Policy),
        // With `use_config_manage_stock` the shop's settings decide, which usually count the stock.
        ("manage stock", Field::Tracker),
        ("use config manage stock", Field::Tracker),
        ("configurable variations", Field::Children),
    ],
    required: &[Field::Sku, Field::Kind, Field::Title, Field::Price],
    option_names: [""; OPTIONS],
    decimal: Some(Decimal::Point),
    ways: Ways {
        marks: &["attribute set code"],
        takes_other_names: false,
        instead: &[(Field::Key, Field::Sku)],
        family: Family::Children,
        words: &[
            (Field::Kind, "configurable", "variable"),
            (Field::Kind, "bundle", "grouped"),
            (Field::Active, "2", "disabled"),
            (Field::Status, "2", "disabled"),
            (Field::Visibility, "1", super::NOT_ALONE),
            (Field::Visibility, "2", "visible"),
            (Field::Visibility, "3", "visible"),
            (Field::Visibility, "4", "visible"),
            (Field::Tracker, "0", ""),
            (Field::Tracker, "", "counted"),
        ],
        category: first,
        has_slashes: true,
        ..USUAL
    },
};

/// The path of the first category below the root.
fn first(cell: &str) -> &str {
    let path = cell.split(',').find_map(|path| path.split_once('/'));
    path.map(|(_, below)| below.trim()).unwrap_or_default()
}

/// A date such as `11/1/26`, month first, as others write it: `2026-11-01`. `None` if it is written otherwise.
pub(in super::super) fn iso_date(text: &str) -> Option<String> {
    let mut parts = text.trim().split('/');
    let number = |part: &str| part.parse::<u8>().ok().filter(|number| *number < 100);
    let (month, day, year) = (number(parts.next()?)?, number(parts.next()?)?, parts.next()?);
    let is_short = year.len() == 2 && parts.next().is_none();
    is_short.then(|| number(year)).flatten().map(|year| format!("20{year:02}-{month:02}-{day:02}"))
}

/// A variant in the list of its product.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Child {
    pub(in super::super) sku: String,
    pub(in super::super) options: Vec<VariantOption>,
}

/// The variants in a list such as `sku=cup-s,size=S|sku=cup-m,size=M`.
pub(in super::super) fn children(list: &str) -> impl Iterator<Item = Child> {
    list.split('|').filter_map(|child| {
        let mut sku = None;
        let mut options = Vec::new();
        for (name, value) in child.split(',').filter_map(|pair| pair.split_once('=')) {
            let (name, value) = (name.trim(), value.trim());
            match name {
                "sku" => sku = Some(cut(value).to_owned()),
                "price" | "display" | "image" => {}
                // One more than a variant may have shows that there are too many.
                _ if options.len() <= MAX_OPTIONS => {
                    options.push(VariantOption { name: label(cut(name)), value: cut(value).to_owned() });
                }
                _ => {}
            }
        }
        sku.filter(|sku| !sku.is_empty()).map(|sku| Child { sku, options })
    })
}

/// The code of an attribute as a text: `Shoe size` for `shoe_size`.
fn label(code: &str) -> String {
    let mut letters = code.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.map(|letter| if letter == '_' { ' ' } else { letter })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variants_of_a_product_are_listed() {
        let child = |sku: &str, options: &[(&str, &str)]| Child {
            sku: sku.into(),
            options: options
                .iter()
                .map(|(name, value)| VariantOption { name: (*name).into(), value: (*value).into() })
                .collect(),
        };
        for (list, expected) in [
            ("", vec![]),
            ("sku=a,size=M", vec![child("a", &[("Size", "M")])]),
            (
                "sku=a,shoe_size=40,price=5,display=1|sku=b, color = Red ",
                vec![child("a", &[("Shoe size", "40")]), child("b", &[("Color", "Red")])],
            ),
            ("size=M|sku=,size=L|sku=c", vec![child("c", &[])]),
        ] {
            assert_eq!(children(list).collect::<Vec<_>>(), expected, "{list}");
        }
    }

    #[test]
    fn short_dates_have_the_month_first() {
        for (text, expected) in [
            ("11/1/26", Some("2026-11-01")),
            ("1/31/26", Some("2026-01-31")),
            (" 12/24/09 ", Some("2009-12-24")),
            ("01/11/2026", None),
            ("2026-11-01", None),
            ("11/26", None),
            ("11/1/26/1", None),
            ("a/b/26", None),
            ("", None),
        ] {
            assert_eq!(iso_date(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_first_category_below_the_root_counts() {
        for (cell, expected) in [
            ("Default Category/Gear/Bags,Default Category/Gear", "Gear/Bags"),
            ("Default Category/Men/Tops/Tees", "Men/Tops/Tees"),
            ("Default Category", ""),
            ("Default Category,Default Category/New", "New"),
            ("", ""),
        ] {
            assert_eq!(first(cell), expected, "{cell}");
        }
    }
}
