//! One row of a table, or one item of XML: what each of its fields says.

use serde::Deserialize;

/// How many options of a variant have fields of their own.
pub(super) const OPTIONS: usize = 6;

/// What a column or element says of a product or variant. In snake case these are the keys of `[columns]` in the file with
/// options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Field {
    /// The product's own name in the source. A group or a parent comes before it.
    #[serde(rename = "id")]
    Key,
    /// What all rows of one product have in common.
    Group,
    GroupTitle,
    /// The product of a variant: its SKU, or `id:` and its key.
    Parent,
    /// The SKUs and options of the variants, as Magento lists them.
    #[serde(skip)]
    Children,
    /// The part of a shop for which a row repeats a product, in another language.
    #[serde(skip)]
    StoreView,
    /// `simple`, `variable`, `variation` or `grouped`.
    #[serde(rename = "type")]
    Kind,
    Title,
    Description,
    /// Used where there is no description.
    #[serde(rename = "short_description")]
    OtherDescription,
    /// A name, or a path of names with `>` between them.
    Category,
    /// Used where there is no category.
    OtherCategory,
    /// Several such paths with commas between them. The first one counts.
    Categories,
    Brand,
    Price,
    /// A price without tax, which is read where there is no other.
    #[serde(skip)]
    NetPrice,
    /// What a variant costs more than its product.
    #[serde(skip)]
    Surcharge,
    /// The currency of the row's amounts, if they do not name it themselves.
    Currency,
    ListPrice,
    /// Replaces the price between the dates of the sale.
    SalePrice,
    SaleStarts,
    SaleEnds,
    /// Both dates, with `/` between them.
    SaleDates,
    /// What the price is reduced by between these dates: an amount or, with the mode `percent`, a percentage.
    #[serde(skip)]
    Discount,
    #[serde(skip)]
    DiscountMode,
    #[serde(skip)]
    DiscountPercentage,
    Stock,
    Availability,
    /// Addresses of pictures, with spaces, commas or `|` between them.
    Images,
    MoreImages,
    /// The picture of a variant.
    #[serde(rename = "image")]
    VariantImage,
    Tags,
    Sku,
    Gtin,
    Mpn,
    /// The address of the product's page.
    Link,
    /// Such as `1.5 kg`.
    Weight,
    /// Used where there is no weight.
    ShippingWeight,
    Kilograms,
    Grams,
    /// The day or the moment since when the shop has the product.
    Added,
    /// Whether it is sold: `active`, or a word such as `draft`.
    Status,
    /// Whether it is shown: a word such as `hidden`.
    Visibility,
    Published,
    /// Whether it is switched on.
    Active,
    /// Whether it is not for sale: archived, hidden or deleted.
    Withdrawn,
    /// Whether the sale price counts.
    #[serde(skip)]
    OnSale,
    /// Whether the stock is counted: blank if not.
    Tracker,
    /// Whether it is sold beyond its stock: `continue`.
    Policy,
    Condition,
    /// How much it is, such as `750 ml`.
    #[serde(rename = "unit_pricing_measure")]
    UnitMeasure,
    /// For how much of it a price is shown, such as `1 l`.
    #[serde(rename = "unit_pricing_base_measure")]
    UnitBase,
    #[serde(rename = "energy_efficiency_class")]
    EnergyClass,
    #[serde(rename = "min_energy_efficiency_class")]
    EnergyBest,
    #[serde(rename = "max_energy_efficiency_class")]
    EnergyWorst,
    /// The lowest price of the last 30 days.
    LowestPrice,
    /// In years.
    MinimumAge,
    DeliveryTime,
    /// Such as `Size: M; Colour: Red`.
    Options,
    #[serde(rename = "option_1_name")]
    OptionName1,
    #[serde(rename = "option_2_name")]
    OptionName2,
    #[serde(rename = "option_3_name")]
    OptionName3,
    #[serde(rename = "option_4_name")]
    OptionName4,
    #[serde(rename = "option_5_name")]
    OptionName5,
    #[serde(rename = "option_6_name")]
    OptionName6,
    #[serde(rename = "option_1_value")]
    OptionValue1,
    #[serde(rename = "option_2_value")]
    OptionValue2,
    #[serde(rename = "option_3_value")]
    OptionValue3,
    #[serde(rename = "option_4_value")]
    OptionValue4,
    #[serde(rename = "option_5_value")]
    OptionValue5,
    #[serde(rename = "option_6_value")]
    OptionValue6,
}

/// How many fields there are.
pub(super) const FIELDS: usize = Field::OptionValue6 as usize + 1;

pub(super) const OPTION_NAMES: [Field; OPTIONS] = [
    Field::OptionName1,
    Field::OptionName2,
    Field::OptionName3,
    Field::OptionName4,
    Field::OptionName5,
    Field::OptionName6,
];

pub(super) const OPTION_VALUES: [Field; OPTIONS] = [
    Field::OptionValue1,
    Field::OptionValue2,
    Field::OptionValue3,
    Field::OptionValue4,
    Field::OptionValue5,
    Field::OptionValue6,
];

/// The role of a row in a product.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A product, one of its variants, or a picture of it.
    Any,
    /// What variants have in common. It is not sold itself.
    Parent,
    /// A variant, whose parent has the product's texts.
    Variation,
    /// A group of other products, without a price of its own.
    Collection,
}

/// Where a row, an item or a product of JSON is in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    /// The line on which it begins, from 1. Several may begin on one line.
    pub(super) line: u32,
    /// Its number in the file, from 1.
    pub(super) number: u32,
}

impl Position {
    /// The position of the next row, which begins on this line.
    pub(super) fn next(self, line: u64) -> Self {
        Self { line: u32::try_from(line).unwrap_or(u32::MAX), number: self.number.saturating_add(1) }
    }
}

/// A row or an item.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) position: Position,
    /// Whether it has more than [`super::budget::MOST`] bytes. Then it lacks some values.
    pub(super) is_too_long: bool,
    /// The values by field number; `None` where the file has no such column, or the item no such element.
    values: [Option<&'a str>; FIELDS],
}

impl<'a> Row<'a> {
    /// The row with these values.
    pub(super) fn new(position: Position, values: [Option<&'a str>; FIELDS]) -> Self {
        Self { position, is_too_long: false, values }
    }

    /// The row with another value of a field.
    #[must_use]
    pub(super) fn with(mut self, field: Field, value: &'a str) -> Self {
        self.values[field as usize] = Some(value);
        self
    }

    /// The row with nothing but these fields.
    #[must_use]
    pub(super) fn only(&self, fields: &[Field]) -> Self {
        let mut values = [None; FIELDS];
        for field in fields {
            values[*field as usize] = self.values[*field as usize];
        }
        Self { values, ..*self }
    }

    /// Whether the file has such a column, or the item such an element.
    pub(super) fn has(&self, field: Field) -> bool {
        self.values[field as usize].is_some()
    }

    /// Whether the file has such a column and this row nothing in it.
    pub(super) fn is_blank(&self, field: Field) -> bool {
        self.values[field as usize].is_some_and(|value| value.trim().is_empty())
    }

    /// What a field says, without spaces around it; empty if the row or the file does not have it.
    pub(super) fn get(&self, field: Field) -> &'a str {
        self.values[field as usize].unwrap_or_default().trim()
    }

    /// Its role in its product.
    pub(super) fn kind(&self) -> Kind {
        let kinds = self.get(Field::Kind).to_lowercase();
        let mut kinds = kinds.split(',').map(str::trim);
        let kind = kinds.find_map(|kind| match kind {
            "variable" | "variable-subscription" => Some(Kind::Parent),
            "variation" | "subscription_variation" => Some(Kind::Variation),
            "grouped" => Some(Kind::Collection),
            _ => None,
        });
        kind.unwrap_or(Kind::Any)
    }
}
