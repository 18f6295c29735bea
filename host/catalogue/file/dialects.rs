//! The forms in which shops write products: which column or element says what.

use csv::StringRecord;

use super::amounts::Decimal;
use super::row::{Field, OPTIONS};

/// A form in which shops write products.
pub(super) struct Dialect {
    /// The name that operators see.
    pub(super) name: &'static str,
    /// The names of columns or elements as [`normal`] gives them. A field may have several names.
    names: &'static [(&'static str, Field)],
    required: &'static [Field],
    /// The names of options whose columns hold only values.
    pub(super) option_names: [&'static str; OPTIONS],
    /// The usual decimal separator of prices, unless the prices show another one.
    pub(super) decimal: Option<Decimal>,
}

/// Vitrine's own form.
const OWN: Dialect = Dialect {
    name: "a table of products",
    names: &[
        ("id", Field::Key),
        ("group", Field::Group),
        ("title", Field::Title),
        ("description", Field::Description),
        ("category", Field::Category),
        ("brand", Field::Brand),
        ("price", Field::Price),
        ("list price", Field::ListPrice),
        ("sale price", Field::SalePrice),
        ("sale starts", Field::SaleStarts),
        ("sale ends", Field::SaleEnds),
        ("stock", Field::Stock),
        ("availability", Field::Availability),
        ("images", Field::Images),
        ("image", Field::VariantImage),
        ("tags", Field::Tags),
        ("sku", Field::Sku),
        ("gtin", Field::Gtin),
        ("mpn", Field::Mpn),
        ("link", Field::Link),
        ("weight", Field::Kilograms),
        ("status", Field::Status),
        ("options", Field::Options),
    ],
    required: &[Field::Key, Field::Title, Field::Price],
    option_names: [""; OPTIONS],
    decimal: None,
};

/// What Shopify exports, with the names of columns before and since 2024.
const SHOPIFY: Dialect = Dialect {
    name: "Shopify's products",
    names: &[
        ("handle", Field::Group),
        ("url handle", Field::Group),
        ("title", Field::Title),
        ("body (html)", Field::Description),
        ("description", Field::Description),
        ("vendor", Field::Brand),
        ("type", Field::Category),
        ("product category", Field::OtherCategory),
        ("tags", Field::Tags),
        ("published", Field::Published),
        ("published on online store", Field::Published),
        ("status", Field::Status),
        ("option1 name", Field::OptionName1),
        ("option1 value", Field::OptionValue1),
        ("option2 name", Field::OptionName2),
        ("option2 value", Field::OptionValue2),
        ("option3 name", Field::OptionName3),
        ("option3 value", Field::OptionValue3),
        ("variant sku", Field::Sku),
        ("sku", Field::Sku),
        ("variant grams", Field::Grams),
        ("weight value (grams)", Field::Grams),
        ("variant inventory tracker", Field::Tracker),
        ("inventory tracker", Field::Tracker),
        ("variant inventory qty", Field::Stock),
        ("inventory quantity", Field::Stock),
        ("variant inventory policy", Field::Policy),
        ("continue selling when out of stock", Field::Policy),
        ("variant price", Field::Price),
        ("price", Field::Price),
        ("variant compare at price", Field::ListPrice),
        ("compare-at price", Field::ListPrice),
        ("variant barcode", Field::Gtin),
        ("barcode", Field::Gtin),
        ("image src", Field::Images),
        ("product image url", Field::Images),
        ("variant image", Field::VariantImage),
        ("variant image url", Field::VariantImage),
    ],
    required: &[Field::Group, Field::Title, Field::Price],
    option_names: [""; OPTIONS],
    decimal: None,
};

/// What shops send to Google Merchant Center and to Meta's catalogues, as a table or as XML.
/// <https://support.google.com/merchants/answer/7052112>
pub(super) const GOOGLE: Dialect = Dialect {
    name: "Google merchant data",
    names: &[
        ("id", Field::Key),
        ("item group id", Field::Group),
        ("item group title", Field::GroupTitle),
        ("title", Field::Title),
        ("description", Field::Description),
        ("link", Field::Link),
        ("summary", Field::OtherDescription),
        ("content", Field::OtherDescription),
        ("image link", Field::Images),
        ("additional image link", Field::MoreImages),
        ("availability", Field::Availability),
        ("quantity", Field::Stock),
        ("inventory", Field::Stock),
        ("quantity to sell on facebook", Field::Stock),
        ("price", Field::Price),
        ("sale price", Field::SalePrice),
        ("sale price effective date", Field::SaleDates),
        ("brand", Field::Brand),
        ("gtin", Field::Gtin),
        ("mpn", Field::Mpn),
        ("product type", Field::Category),
        ("google product category", Field::OtherCategory),
        ("product weight", Field::Weight),
        ("shipping weight", Field::ShippingWeight),
        ("color", Field::OptionValue1),
        ("size", Field::OptionValue2),
        ("material", Field::OptionValue3),
        ("pattern", Field::OptionValue4),
        ("status", Field::Status),
        ("visibility", Field::Visibility),
    ],
    required: &[Field::Key, Field::Title, Field::Price],
    option_names: ["Color", "Size", "Material", "Pattern", "", ""],
    decimal: Some(Decimal::Point),
};

/// What WooCommerce exports with English names of columns.
/// <https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema>
const WOOCOMMERCE: Dialect = Dialect {
    name: "WooCommerce's products",
    names: &[
        ("id", Field::Key),
        ("type", Field::Kind),
        ("sku", Field::Sku),
        ("gtin, upc, ean, or isbn", Field::Gtin),
        ("name", Field::Title),
        ("published", Field::Published),
        ("visibility in catalog", Field::Visibility),
        ("short description", Field::OtherDescription),
        ("description", Field::Description),
        ("date sale price starts", Field::SaleStarts),
        ("date sale price ends", Field::SaleEnds),
        ("in stock?", Field::Availability),
        ("stock", Field::Stock),
        ("backorders allowed?", Field::Policy),
        ("weight (kg)", Field::Kilograms),
        ("weight (g)", Field::Grams),
        ("sale price", Field::SalePrice),
        ("regular price", Field::Price),
        ("categories", Field::Categories),
        ("tags", Field::Tags),
        ("images", Field::Images),
        ("parent", Field::Parent),
        ("external url", Field::Link),
        ("brands", Field::Brand),
        ("attribute 1 name", Field::OptionName1),
        ("attribute 1 value(s)", Field::OptionValue1),
        ("attribute 2 name", Field::OptionName2),
        ("attribute 2 value(s)", Field::OptionValue2),
        ("attribute 3 name", Field::OptionName3),
        ("attribute 3 value(s)", Field::OptionValue3),
        ("attribute 4 name", Field::OptionName4),
        ("attribute 4 value(s)", Field::OptionValue4),
        ("attribute 5 name", Field::OptionName5),
        ("attribute 5 value(s)", Field::OptionValue5),
        ("attribute 6 name", Field::OptionName6),
        ("attribute 6 value(s)", Field::OptionValue6),
    ],
    required: &[Field::Kind, Field::Title, Field::Price],
    option_names: [""; OPTIONS],
    decimal: None,
};

/// The forms of tables. If two fit equally well, the last one is taken.
pub(super) const TABLES: [&Dialect; 4] = [&GOOGLE, &WOOCOMMERCE, &SHOPIFY, &OWN];

impl Dialect {
    /// What a column or element of this name says.
    pub(super) fn field(&self, name: &str) -> Option<Field> {
        let name = name.trim();
        let name = name.strip_prefix("g:").unwrap_or(name);
        let is = |known: &str| {
            let same =
                |(known, own): (u8, u8)| known == if own == b'_' { b' ' } else { own.to_ascii_lowercase() };
            known.len() == name.len() && known.bytes().zip(name.bytes()).all(same)
        };
        self.names.iter().find(|(known, _)| is(known)).map(|(_, field)| *field)
    }

    /// All fields, each with its first name.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, Field)> {
        let is_first = |(at, (_, field)): &(usize, &(&str, Field))| {
            self.names[..*at].iter().all(|(_, earlier)| earlier != field)
        };
        self.names.iter().enumerate().filter(is_first).map(|(_, named)| *named)
    }

    /// The field of each column of this header, if it has all required ones. `own` has the names that the operator has
    /// given to columns; they take precedence.
    pub(super) fn columns(
        &self,
        header: &StringRecord,
        own: &[(String, Field)],
    ) -> Option<Vec<Option<Field>>> {
        let named =
            |name: &str| own.iter().find(|(known, _)| *known == normal(name)).map(|(_, field)| *field);
        let is_own = |field| own.iter().any(|(_, known)| *known == field);
        let field = |name: &str| named(name).or_else(|| self.field(name).filter(|field| !is_own(*field)));
        let columns: Vec<_> = header.iter().map(field).collect();
        self.required.iter().all(|field| columns.contains(&Some(*field))).then_some(columns)
    }
}

/// A name in lower case, with spaces for underscores and without the prefix of Google's namespace.
pub(super) fn normal(name: &str) -> String {
    let name = name.trim().to_lowercase().replace('_', " ");
    name.strip_prefix("g:").map(str::to_owned).unwrap_or(name)
}
