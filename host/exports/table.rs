//! A table with the columns of our own form, as `catalogue/file/` reads it: a row for each variant. What all variants
//! have in common is in the first of a product's rows.

use std::borrow::Cow;
use std::io;

use csv::WriterBuilder;

use super::lines;
use super::offer::Offer;
use crate::catalogue::file::{decoded, escape_formula, has_markup, plain};
use crate::catalogue::{Condition, EnergyClass, Gtin, Product, Slug, Terms, VariantOption};
use crate::document::Site;
use crate::profile::{Currency, Money};

/// How the table begins. Spreadsheets take a file without the mark for one in another encoding.
const MARK: &[u8] = b"\xef\xbb\xbf";

const COLUMNS: [&str; 28] = [
    "id",
    "group",
    "title",
    "description",
    "category",
    "brand",
    "price",
    "list_price",
    "stock",
    "availability",
    "images",
    "image",
    "tags",
    "sku",
    "gtin",
    "mpn",
    "link",
    "weight",
    "condition",
    "unit_pricing_measure",
    "unit_pricing_base_measure",
    "lowest_price",
    "energy_efficiency_class",
    "min_energy_efficiency_class",
    "max_energy_efficiency_class",
    "minimum_age",
    "delivery_time",
    "options",
];

type Cells<'a> = [Cow<'a, str>; COLUMNS.len()];

/// Writes the header.
///
/// # Errors
/// When it cannot be written.
pub(super) fn begin(to: &mut Vec<u8>) -> io::Result<()> {
    to.extend_from_slice(MARK);
    let mut rows = WriterBuilder::new().from_writer(to);
    rows.write_record(COLUMNS)?;
    rows.flush()
}

/// Writes the rows of a product with prices in `currency`. Its pictures get absolute addresses.
///
/// # Errors
/// When they cannot be written.
pub(super) fn write(product: &Product, currency: Currency, site: &Site, to: &mut Vec<u8>) -> io::Result<()> {
    let mut rows = WriterBuilder::new().from_writer(to);
    let mut link_of_first = None;
    for (number, offer) in Offer::all_of(product).enumerate() {
        let mut cells = cells(&offer, currency, site);
        if number == 0 {
            link_of_first = offer.link;
            add_common(&offer, site, &mut cells);
        }
        if number == 0 || offer.link != link_of_first {
            cells[place("link")] = offer.link.unwrap_or_default().into();
        }
        rows.write_record(cells.iter().map(|cell| escape_formula(cell).into_owned()))?;
    }
    rows.flush()
}

/// The place of a column.
fn place(column: &str) -> usize {
    COLUMNS.iter().position(|known| *known == column).unwrap_or_default()
}

/// What a row says of its variant, or of a product without variants.
fn cells<'a>(offer: &Offer<'a>, currency: Currency, site: &Site) -> Cells<'a> {
    let key = offer.product.summary.id.to_string();
    let (id, group) = if offer.is_variant() { (offer.id().into(), key) } else { (key, String::new()) };
    let mut cells = Cells::default();
    let mut set = |column, cell: Cow<'a, str>| cells[place(column)] = cell;
    set("id", id.into());
    set("group", group.into());
    set("title", as_read(&offer.product.summary.title));
    set("price", amount(offer.price, currency).into());
    set("list_price", offer.list_price.map(|price| amount(price, currency)).unwrap_or_default().into());
    set("stock", offer.availability.units().map(|units| units.to_string()).unwrap_or_default().into());
    set("availability", offer.availability.word().unwrap_or_default().replace('_', " ").into());
    set("image", offer.picture.map(|picture| address(picture, site)).unwrap_or_default().into());
    set("sku", offer.sku.into());
    set("gtin", offer.gtin.map(Gtin::as_str).unwrap_or_default().into());
    let Terms { condition, content, lowest } = offer.terms;
    set("condition", condition.map(Condition::word).unwrap_or_default().into());
    let [measure, base] =
        content.map(|content| [content.measure(), content.base()].map(String::from)).unwrap_or_default();
    set("unit_pricing_measure", measure.into());
    set("unit_pricing_base_measure", base.into());
    set("lowest_price", lowest.map(|price| amount(price, currency)).unwrap_or_default().into());
    set("options", options(offer.options).into());
    cells
}

/// Adds what is the same for all variants.
fn add_common<'a>(offer: &Offer<'a>, site: &Site, cells: &mut Cells<'a>) {
    let product = offer.product;
    let pictures: Vec<String> = offer.pictures().map(|picture| address(picture, site)).collect();
    // A comma stands between tags, unless a backslash is before it.
    let tag = |tag: &String| as_name(tag).replace(',', " ").trim_end_matches('\\').to_owned();
    let tags: Vec<String> = product.tags.iter().map(tag).collect();
    let mut set = |column, cell: Cow<'a, str>| cells[place(column)] = cell;
    set("description", as_read(&product.summary.description));
    let category = |slug: &Slug| slug.path().unwrap_or_else(|| as_name(lines::name(slug)).into());
    set("category", product.summary.category.as_ref().map(category).unwrap_or_default().into());
    set("brand", as_name(product.summary.brand.as_deref().unwrap_or_default()));
    set("images", pictures.join(" ").into());
    let [class, best, worst] = product.energy.map(EnergyClass::names).unwrap_or_default();
    set("energy_efficiency_class", class.into());
    set("min_energy_efficiency_class", best.into());
    set("max_energy_efficiency_class", worst.into());
    set("minimum_age", product.minimum_age.map(|age| age.to_string()).unwrap_or_default().into());
    set("delivery_time", as_name(&product.shipping));
    set("tags", tags.join(", ").into());
    set("mpn", product.mpn.as_deref().unwrap_or_default().into());
    set("weight", product.weight.map(|weight| weight.to_string()).unwrap_or_default().into());
}

/// An amount that can only be read in one way: three digits after a point might be a group of digits.
fn amount(price: Money, currency: Currency) -> String {
    let more = if currency.exponent() == 3 { "0" } else { "" };
    match price == Money::default() {
        true => "free".into(),
        false => format!("{}{more} {}", currency.plain(price), currency.code()),
    }
}

/// A picture's absolute address, in which characters that would end it in a list are escaped.
fn address(picture: &str, site: &Site) -> String {
    let whole = site.picture(picture).replace('|', "%7C").replace(",http", "%2Chttp").replace(",/", "%2C/");
    let (begin, end) = whole.split_at(whole.trim_end_matches([',', ';']).len());
    format!("{begin}{}", end.replace(',', "%2C").replace(';', "%3B"))
}

/// Options such as `Size: M; Colour: Red`. In names and values these signs are replaced.
fn options(options: &[VariantOption]) -> String {
    let written = options.iter().map(|VariantOption { name, value }| {
        let (name, value) = (name.replace([';', ':'], ","), value.replace(';', ","));
        format!("{name}: {value}")
    });
    written.collect::<Vec<_>>().join("; ")
}

/// The name in a form from which the reader of tables, which decodes entities, restores it.
fn as_name(name: &str) -> Cow<'_, str> {
    if decoded(name) == name { name.into() } else { name.replace('&', "&amp;").into() }
}

/// The text in a form from which the reader of tables, which removes mark-up and decodes entities, restores it.
fn as_read(text: &str) -> Cow<'_, str> {
    // "H&M" looks like an entity to the reader, which leaves it as it is.
    let is_kept = !has_markup(text) || plain(text) == text;
    if is_kept && !text.contains("\\n") {
        return text.into();
    }
    let mut written = String::with_capacity(2 * text.len());
    for character in text.chars() {
        match character {
            '&' => written += "&amp;amp;",
            '<' => written += "&amp;lt;",
            '>' => written += "&amp;gt;",
            '\\' => written += "&amp;#92;",
            other => written.push(other),
        }
    }
    written.into()
}
