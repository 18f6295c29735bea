//! The forms in which shops write tables: which column says what of a product.

use csv::StringRecord;

/// What a column says of a product or variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// What the product is named by, unless it has a group.
    Key,
    /// What all rows of one product have in common.
    Group,
    Title,
    Description,
    /// A name, or a path of names with `>` between them.
    Category,
    /// Counts where there is no category.
    OtherCategory,
    Brand,
    Price,
    ListPrice,
    Stock,
    Availability,
    /// Addresses of pictures, with spaces or `|` between them.
    Images,
    VariantImage,
    Tags,
    Sku,
    Gtin,
    Mpn,
    /// Where the product is sold.
    Link,
    Kilograms,
    Grams,
    /// Whether it is sold: `active`, or a word such as `draft`.
    Status,
    Published,
    /// Such as `Size: M; Colour: Red`.
    Options,
    OptionName(usize),
    OptionValue(usize),
    /// Whether the stock is counted: blank if not.
    Tracker,
    /// Whether more is sold than there is: `continue`.
    Policy,
}

/// Most options of a variant that have columns of their own.
pub(super) const OPTIONS: usize = 3;

/// A form in which shops write tables.
pub(super) struct Dialect {
    /// For operators.
    pub(super) name: &'static str,
    /// The names of columns, in lower case. A column may have several.
    columns: &'static [(&'static str, Field)],
    required: &'static [Field],
}

/// Our own form.
const OWN: Dialect = Dialect {
    name: "a table of products",
    columns: &[
        ("id", Field::Key),
        ("group", Field::Group),
        ("title", Field::Title),
        ("description", Field::Description),
        ("category", Field::Category),
        ("brand", Field::Brand),
        ("price", Field::Price),
        ("list_price", Field::ListPrice),
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
};

/// What Shopify exports, with the names of columns before and since 2024.
const SHOPIFY: Dialect = Dialect {
    name: "Shopify's products",
    columns: &[
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
        ("option1 name", Field::OptionName(0)),
        ("option1 value", Field::OptionValue(0)),
        ("option2 name", Field::OptionName(1)),
        ("option2 value", Field::OptionValue(1)),
        ("option3 name", Field::OptionName(2)),
        ("option3 value", Field::OptionValue(2)),
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
};

pub(super) const DIALECTS: [&Dialect; 2] = [&SHOPIFY, &OWN];

impl Dialect {
    /// The field of each column of this header, if it has all that are required.
    pub(super) fn columns(&self, header: &StringRecord) -> Option<Vec<Option<Field>>> {
        let field = |name: &str| {
            let name = name.trim().to_lowercase();
            self.columns.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
        };
        let columns: Vec<_> = header.iter().map(field).collect();
        self.required.iter().all(|field| columns.contains(&Some(*field))).then_some(columns)
    }
}
