//! PrestaShop's sample of a file of products.

use super::{Dialect, Field, OPTIONS, USUAL, Ways};

/// The columns of PrestaShop's `docs/csv_import/products_import.csv`, whose hints are left out of the names.
/// <https://github.com/PrestaShop/PrestaShop/blob/develop/docs/csv_import/products_import.csv>
pub(super) const PRESTASHOP: Dialect = Dialect {
    name: "PrestaShop's products",
    names: &[
        ("product id", Field::Key),
        ("id", Field::Key),
        ("active", Field::Active),
        ("name", Field::Title),
        ("categories", Field::Categories),
        ("price tax included", Field::Price),
        ("price tax incl.", Field::Price),
        ("price tax excluded", Field::NetPrice),
        ("price tax excl.", Field::NetPrice),
        ("discount amount", Field::Discount),
        ("discount percent", Field::DiscountPercentage),
        ("discount from", Field::SaleStarts),
        ("discount to", Field::SaleEnds),
        ("reference", Field::Sku),
        ("manufacturer", Field::Brand),
        ("brand", Field::Brand),
        ("ean13", Field::Gtin),
        ("upc", Field::Gtin),
        ("mpn", Field::Mpn),
        ("weight", Field::Kilograms),
        ("quantity", Field::Stock),
        ("visibility", Field::Visibility),
        ("available for order", Field::Availability),
        // 1 sells what is sold out.
        ("out of stock action", Field::Policy),
        ("action when out of stock", Field::Policy),
        ("summary", Field::OtherDescription),
        ("short description", Field::OtherDescription),
        ("description", Field::Description),
        ("tags", Field::Tags),
        ("image urls", Field::Images),
    ],
    required: &[Field::Key, Field::Title, Field::Price],
    option_names: [""; OPTIONS],
    decimal: None,
    ways: Ways {
        has_hints: true,
        takes_other_names: false,
        instead: &[(Field::Price, Field::NetPrice)],
        // What can be ordered may still be sold out.
        words: &[(Field::Availability, "1", ""), (Field::Availability, "0", "out of stock")],
        category: first,
        has_slashes: true,
        ..USUAL
    },
};

/// The path of the first category that is neither a number nor the root.
fn first(cell: &str) -> &str {
    let is_name = |path: &&str| !path.is_empty() && !is_root(path) && path.parse::<u64>().is_err();
    cell.split(',').map(below_root).find(is_name).unwrap_or_default()
}

fn below_root(path: &str) -> &str {
    match path.split_once('/') {
        Some((root, below)) if is_root(root) => below.trim(),
        _ => path.trim(),
    }
}

fn is_root(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case("home")
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn the_first_category_with_a_name_counts() {
        for (cell, expected) in [
            ("Home,iPods", "iPods"),
            ("3,Accessories", "Accessories"),
            ("Home/Accessories/Docks,iPods", "Accessories/Docks"),
            ("Accessories/Docks", "Accessories/Docks"),
            ("Home/,home", ""),
            ("3", ""),
            ("", ""),
        ] {
            assert_eq!(first(cell), expected, "{cell}");
        }
    }
}
