//! Parses a product: its schema in the API, and the conversion to the storefront's types.

use std::{fmt, mem};

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::PictureAddress;
use super::dropped::{Dropped, EntryId};
use super::entries::Entries;
use super::field::{Field, Fields};
use super::number::Number;
use super::terms::terms;
use super::variant::parse_variant;
use crate::catalogue::availability::Availability;
use crate::catalogue::gtin::Gtin;
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::{
    Dimensions, EnergyClass, MAX_ID, MAX_IMAGES, MAX_LABEL, MAX_QUANTITY, MAX_REVIEWS, MAX_TAGS, MAX_TEXT,
    MAX_TITLE, Product, Review, ReviewDate, Summary, clean_tag, discount, first_of_its_options, is_age,
    is_plausible, link, picture_address, prose, rating, seconds, some_text, text,
};
use crate::catalogue::slug::Slug;
use crate::catalogue::variant::MAX_VARIANTS;
use crate::profile::{Currency, CurrencySign, Money};

/// How many entries of a product's list are parsed at most to find the valid ones: as many as it may have variants.
const MAX_ENTRIES: usize = MAX_VARIANTS;

/// The schema of a summary. Id, title and price are required; other invalid fields count as missing.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct WireSummary {
    id: Field<Number>,
    title: Field<String>,
    price: Field<Number>,
    list_price: Field<Number>,
    description: Field<String>,
    category: Field<String>,
    brand: Field<String>,
    discount_percentage: Field<Number>,
    rating: Field<Number>,
    stock: Field<Number>,
    thumbnail: Field<String>,
}

/// The schema of the other fields. It is parsed from the same text separately, because flattening both
/// into one struct would make serde buffer all fields, including unknown ones.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct WireDetails<'a> {
    #[serde(borrow)]
    tags: Field<List<'a>>,
    sku: Field<String>,
    weight: Field<Number>,
    dimensions: Field<WireDimensions>,
    warranty_information: Field<String>,
    shipping_information: Field<String>,
    return_policy: Field<String>,
    minimum_order_quantity: Field<Number>,
    #[serde(borrow)]
    images: Field<List<'a>>,
    #[serde(borrow)]
    reviews: Field<List<'a>>,
    meta: Field<WireMeta>,
    #[serde(borrow)]
    variants: Field<List<'a>>,
    condition: Field<String>,
    unit_pricing_measure: Field<String>,
    unit_pricing_base_measure: Field<String>,
    lowest_price: Field<Number>,
    energy_efficiency_class: Field<String>,
    min_energy_efficiency_class: Field<String>,
    max_energy_efficiency_class: Field<String>,
    minimum_age: Field<Number>,
}

type List<'a> = Entries<'a, MAX_ENTRIES>;

/// The fields of `meta` that are read.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct WireMeta {
    barcode: Field<String>,
    updated_at: Field<String>,
    created_at: Field<String>,
}

#[derive(Deserialize)]
struct WireDimensions {
    width: Number,
    height: Number,
    depth: Number,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireReview {
    reviewer_name: String,
    rating: Number,
    date: String,
    comment: String,
}

/// Why a product is rejected: the first required field that is missing or invalid.
pub(crate) type Rejection = &'static str;

/// Parses a summary. Its price is rounded to what `currency` can pay.
pub(super) fn parse_summary(
    text: &str,
    currency: Currency,
    dropped: &mut Dropped,
) -> Result<Summary, Rejection> {
    summary_of(text, (None, None), currency, &picture_address, dropped)
}

/// Parses the summary of the product with this `key`, or else with the number that the text has as its id. A `price`
/// that is known already takes precedence over that of the text.
fn summary_of(
    text: &str,
    (key, price): (Option<ProductKey>, Option<Money>),
    currency: Currency,
    picture: PictureAddress,
    dropped: &mut Dropped,
) -> Result<Summary, Rejection> {
    // Serde would take a list for the fields in their order.
    if !text.trim_start().starts_with('{') {
        return Err("field names");
    }
    // An error means that the object has a field twice.
    let mut wire: WireSummary = serde_json::from_str(text).map_err(|_| "field names")?;
    let own = mem::take(&mut wire.id).given().and_then(product_id).filter(|id| *id != ProductKey::default());
    let id = key.or(own).ok_or("id")?;
    let money = |given: Number| given.price(currency);
    let price = price.or(mem::take(&mut wire.price).given().and_then(money));
    let mut fields = Fields { dropped, place: EntryId::Product(id.clone()) };
    let list_price = fields.read("listPrice", mem::take(&mut wire.list_price), money);
    let availability = fields.read("stock", mem::take(&mut wire.stock), Number::stock).unwrap_or_default();
    Ok(summary(id, price, availability, wire, picture, dropped)?.with_list_price(list_price))
}

/// Parses a whole product.
pub(super) fn parse_product(
    text: &str,
    currency: Currency,
    dropped: &mut Dropped,
) -> Result<Product, Rejection> {
    let summary = parse_summary(text, currency, dropped)?;
    let details = serde_json::from_str(text).map_err(|_| "field names")?;
    let mut product = product(summary, details, currency, &picture_address, dropped);
    product.variants.iter_mut().for_each(|variant| variant.link = None);
    Ok(product)
}

/// The fields of a product in a file that a service does not send, or writes differently.
#[derive(Default)]
struct WireNamed {
    id: Option<WireName>,
    category: Field<String>,
    currency: Field<String>,
    /// The price, if it is a text: an amount, or the word `free`.
    price: Field<String>,
    availability: Field<String>,
    mpn: Field<String>,
    link: Field<String>,
    /// Whether it has other fields, or fields of another type, which may say something.
    is_foreign: bool,
}

/// The names of a product's fields, in a file or from a service.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Name {
    Id,
    Title,
    Description,
    Category,
    Brand,
    Price,
    ListPrice,
    Currency,
    DiscountPercentage,
    Rating,
    Stock,
    Availability,
    AvailabilityStatus,
    Thumbnail,
    Images,
    Tags,
    Sku,
    Mpn,
    Link,
    Weight,
    Dimensions,
    WarrantyInformation,
    ShippingInformation,
    ReturnPolicy,
    MinimumOrderQuantity,
    Condition,
    UnitPricingMeasure,
    UnitPricingBaseMeasure,
    EnergyEfficiencyClass,
    MinEnergyEfficiencyClass,
    MaxEnergyEfficiencyClass,
    LowestPrice,
    MinimumAge,
    Reviews,
    Meta,
    Variants,
    #[serde(other)]
    Other,
}

/// Whether a product has a field of this name, in a file or from a service.
pub(crate) fn is_field(name: &str) -> bool {
    let deserializer = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name);
    Name::deserialize(deserializer).is_ok_and(|name| name != Name::Other)
}

impl<'de> Deserialize<'de> for WireNamed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NamedVisitor)
    }
}

struct NamedVisitor;

impl<'de> Visitor<'de> for NamedVisitor {
    type Value = WireNamed;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a product")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WireNamed, A::Error> {
        let (mut named, mut seen) = (WireNamed::default(), 0_u64);
        while let Some(name) = map.next_key::<Name>()? {
            let raw: &RawValue = map.next_value()?;
            if name == Name::Other {
                named.is_foreign = true;
                continue;
            }
            if seen & (1 << name as u32) != 0 {
                return Err(A::Error::duplicate_field("of a product"));
            }
            seen |= 1 << name as u32;
            named.is_foreign |= is_written_otherwise(name, raw.get());
            let text = || serde_json::from_str(raw.get()).map_err(A::Error::custom);
            match name {
                Name::Id => named.id = serde_json::from_str(raw.get()).map_err(A::Error::custom)?,
                Name::Category => named.category = text()?,
                Name::Currency => named.currency = text()?,
                Name::Price if raw.get().starts_with('"') => named.price = text()?,
                Name::Availability => named.availability = text()?,
                Name::Mpn => named.mpn = text()?,
                Name::Link => named.link = text()?,
                _ => {}
            }
        }
        // Something else may say the price.
        named.is_foreign |= seen & (1 << Name::Price as u32) == 0;
        Ok(named)
    }
}

/// Whether a field is written as no service sends it, but other programs do.
fn is_written_otherwise(name: Name, raw: &str) -> bool {
    let text = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
    match name {
        Name::Images | Name::Tags => raw.starts_with(['"', '{']),
        Name::Title | Name::Description | Name::Category | Name::Brand | Name::Thumbnail => {
            raw.starts_with(['[', '{'])
        }
        Name::Availability => {
            let is_unknown = |text: &str| !text.is_empty() && Availability::named(text, None).is_none();
            raw.starts_with(['t', 'f']) || text.is_some_and(is_unknown)
        }
        // An amount with its currency.
        Name::Price | Name::ListPrice if raw.starts_with(['[', '{']) => true,
        Name::Price | Name::ListPrice | Name::Stock | Name::Weight => {
            let is_plain = |text: &str| text.trim().parse::<f64>().is_ok() || text.trim() == "free";
            text.is_some_and(|text| !is_plain(text))
        }
        _ => false,
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WireName {
    Number(u64),
    Text(String),
}

impl WireNamed {
    /// The key, and the id that it is made from, unless it is the id itself.
    fn key(&self) -> Option<(ProductKey, Option<String>)> {
        let (key, name) = match self.id.as_ref()? {
            WireName::Number(number) => (ProductKey::from(*number), None),
            WireName::Text(name) => {
                let name = some_text(name.as_str(), MAX_LABEL)?;
                let is_key = ProductKey::parse(&name).is_some();
                (ProductKey::of(&name), (!is_key).then_some(name))
            }
        };
        (key != ProductKey::default()).then_some((key, name))
    }

    fn is_free(&self) -> bool {
        matches!(&self.price, Field::Given(price) if price.trim().eq_ignore_ascii_case("free"))
    }
}

/// Why a product is rejected that has other names than those of a service.
pub(crate) const OTHER_NAMES: Rejection = "other names";

/// Parses a whole product of a source whose ids may be texts. Unless it `is_renamed`, it is rejected with [`OTHER_NAMES`] if
/// it has fields that are not known, or are written otherwise. `choose` gets what the product says of its currency, and
/// returns the one in which its prices are read, or `None` if they cannot be. `picture` returns the address
/// of a picture for the written one, or `None` to leave the picture out. Returns the product with its id, unless that is
/// a key.
pub(crate) fn parse_named(
    text: &str,
    is_renamed: bool,
    choose: &mut dyn FnMut(CurrencySign) -> Option<Currency>,
    picture: &dyn Fn(&str) -> Option<String>,
) -> Result<(Product, Option<String>), Rejection> {
    let named: WireNamed = serde_json::from_str(text).map_err(|_| "field names")?;
    if named.is_foreign && !is_renamed {
        return Err(OTHER_NAMES);
    }
    let (key, name) = named.key().ok_or("id")?;
    let is_free = named.is_free();
    let sign = named.currency.given().map(|name| CurrencySign::of(&name)).unwrap_or_default();
    let currency = choose(sign).ok_or("currency")?;
    let mut dropped = Dropped::default();
    let picture = |written: String| picture(&written).and_then(picture_address);
    let free = is_free.then(Money::default);
    let mut summary = summary_of(text, (Some(key), free), currency, &picture, &mut dropped)?;
    summary.category = named.category.given().as_deref().and_then(clean_tag).and_then(|name| Slug::of(&name));
    let said = named.availability.given();
    let said = said.and_then(|word| Availability::named(&word, summary.availability.units()));
    summary.availability = said.unwrap_or(summary.availability);
    let details = serde_json::from_str(text).map_err(|_| "field names")?;
    let product = product(summary, details, currency, &picture, &mut dropped);
    if product.summary.price == Money::default() && !is_free {
        return Err("price");
    }
    let mpn = named.mpn.given().and_then(|mpn| some_text(mpn, MAX_LABEL));
    let link = named.link.given().and_then(link);
    let mut product = Product { mpn, link, ..product };
    let Product { link, variants, .. } = &mut product;
    variants.iter_mut().filter(|own| own.link == *link).for_each(|own| own.link = None);
    Ok((product, name))
}

/// Reads a product's id, which may be 0.
pub(super) fn product_id(number: Number) -> Option<ProductKey> {
    number.whole().filter(|id| *id <= MAX_ID).map(ProductKey::from)
}

/// The summary of a product. Its id, price and availability are given, and not read from `wire`.
fn summary(
    id: ProductKey,
    price: Option<Money>,
    availability: Availability,
    wire: WireSummary,
    picture: PictureAddress,
    dropped: &mut Dropped,
) -> Result<Summary, Rejection> {
    let title = wire.title.given().and_then(|title| some_text(title, MAX_TITLE)).ok_or("title")?;
    let price = price.ok_or("price")?;
    let mut fields = Fields { dropped, place: EntryId::Product(id.clone()) };
    Ok(Summary {
        id,
        title,
        price,
        description: fields
            .read("description", wire.description, |text| Some(prose(text, MAX_TEXT)))
            .unwrap_or_default(),
        category: fields.read("category", wire.category, |category| Slug::parse(&category)),
        brand: fields.read("brand", wire.brand, texts(MAX_LABEL)).filter(|brand| !brand.is_empty()),
        discount_percentage: fields
            .read("discountPercentage", wire.discount_percentage, |percentage| discount(percentage.value()))
            .unwrap_or(0.0),
        rating: fields.read("rating", wire.rating, |stars| rating(stars.value())),
        availability,
        thumbnail: fields.read("thumbnail", wire.thumbnail, picture),
        list_price: None,
        second: None,
        is_from: false,
        colours: Vec::new(),
        content: None,
    })
}

/// Cleans texts of any content, which may become empty.
fn texts(limit: usize) -> impl Fn(String) -> Option<String> {
    move |value| Some(text(value, limit))
}

fn product(
    summary: Summary,
    wire: WireDetails,
    currency: Currency,
    picture: PictureAddress,
    dropped: &mut Dropped,
) -> Product {
    let mut fields = Fields { dropped, place: EntryId::Product(summary.id.clone()) };
    let tags = fields.read("tags", wire.tags, Some);
    let tags = parse_entries(tags, MAX_TAGS, &mut fields, "tag", |label: String| clean_tag(&label));
    let reviews = fields.read("reviews", wire.reviews, Some).and_then(|list| {
        let is_empty = list.first.is_empty();
        let reviews = parse_entries(Some(list), MAX_REVIEWS, &mut fields, "review", review);
        // If no review can be read, it is not known how many there are.
        (is_empty || !reviews.is_empty()).then_some(reviews)
    });
    let images = fields.read("images", wire.images, Some);
    let mut images = parse_entries(images, MAX_IMAGES, &mut fields, "image", picture);
    if images.is_empty() {
        images.extend(summary.thumbnail.clone());
    }
    let list = fields.read("variants", wire.variants, Some);
    let mut is_first = first_of_its_options();
    let parse = |variant| parse_variant(variant, summary.price, currency, picture).filter(&mut is_first);
    let variants = parse_entries(list, MAX_VARIANTS, &mut fields, "variant", parse);
    let measures = [wire.unit_pricing_measure, wire.unit_pricing_base_measure];
    let summary = summary.priced(&variants);
    let terms = terms(wire.condition, measures, wire.lowest_price, currency).cleaned(summary.price);
    let mut label = |name, field| fields.read(name, field, texts(MAX_LABEL)).unwrap_or_default();
    // Invalid barcodes and dates are not counted: many services send them.
    let meta = wire.meta.given().unwrap_or_default();
    let date = |field: Field<String>| field.given().as_deref().and_then(seconds);
    Product {
        tags,
        sku: label("sku", wire.sku),
        gtin: meta.barcode.given().and_then(|barcode| Gtin::parse(&barcode)),
        mpn: None,
        warranty: label("warrantyInformation", wire.warranty_information),
        shipping: label("shippingInformation", wire.shipping_information),
        returns: label("returnPolicy", wire.return_policy),
        weight: fields.read("weight", wire.weight, |weight| {
            Some(weight.value()).filter(|weight| is_plausible(*weight))
        }),
        dimensions: fields.read("dimensions", wire.dimensions, |WireDimensions { width, height, depth }| {
            let [width, height, depth] = [width, height, depth].map(Number::value);
            Dimensions { width, height, depth }.cleaned()
        }),
        minimum_order_quantity: fields
            .read("minimumOrderQuantity", wire.minimum_order_quantity, |number| {
                Some(number.count()).filter(|quantity| *quantity <= MAX_QUANTITY)
            })
            .unwrap_or(1)
            .max(1),
        images,
        link: None,
        terms,
        energy: energy_class([
            wire.energy_efficiency_class,
            wire.min_energy_efficiency_class,
            wire.max_energy_efficiency_class,
        ]),
        minimum_age: wire.minimum_age.given().and_then(age),
        reviews,
        changed: date(meta.updated_at).or_else(|| date(meta.created_at)),
        summary,
        variants,
    }
}

fn energy_class(fields: [Field<String>; 3]) -> Option<EnergyClass> {
    let [class, best, worst] = fields.map(|field| field.given().unwrap_or_default());
    EnergyClass::parse(&class, &best, &worst)
}

fn age(years: Number) -> Option<u8> {
    u8::try_from(years.count()).ok().filter(is_age)
}

/// The first `limit` entries that have the right type and that `clean` accepts; others are counted.
fn parse_entries<'a, W: Deserialize<'a>, T>(
    entries: Option<List<'a>>,
    limit: usize,
    fields: &mut Fields,
    what: &'static str,
    mut clean: impl FnMut(W) -> Option<T>,
) -> Vec<T> {
    let place = fields.place.clone();
    let mut parse = |entry: &'a RawValue| {
        let parsed = serde_json::from_str(entry.get()).ok().and_then(&mut clean);
        fields.dropped.count_none(parsed, what, || place.clone())
    };
    entries.unwrap_or_default().first.into_iter().filter_map(&mut parse).take(limit).collect()
}

fn review(WireReview { reviewer_name, rating, date, comment }: WireReview) -> Option<Review> {
    // The clamped value is a whole number from 1 to 5, so the cast is exact.
    let rating = Some(rating.value()).filter(|rating| rating.is_finite())?.round().clamp(1.0, 5.0) as u8;
    Review { reviewer_name, rating, date: ReviewDate::parse(&date)?, comment }.cleaned()
}

/// A product as the service sends it, with a value in every field. The client's tests show it.
#[cfg(test)]
pub(crate) fn example() -> Product {
    let text = r#"{
        "id": 1, "title": "Tall Oak Lamp", "description": "A lamp of solid oak with a linen shade.",
        "category": "home-decoration", "brand": "Halm", "sku": "HOM-HAL-001", "tags": ["oak", "50% wool"],
        "price": 40, "listPrice": 49.99, "rating": 4.4, "stock": 12, "minimumOrderQuantity": 1,
        "dimensions": { "width": 24, "height": 60, "depth": 24 }, "weight": 3,
        "warrantyInformation": "2 year warranty", "shippingInformation": "Ships in 1 week",
        "variants": [
            { "options": [{ "name": "Shade", "value": "Linen" }], "stock": 9, "sku": "HOM-HAL-001-L" },
            { "options": [{ "name": "Shade", "value": "Paper" }], "image": "/art/lamp-2.svg" }
        ],
        "returnPolicy": "30 days return policy", "thumbnail": "/art/lamp.svg",
        "images": ["/art/lamp.svg", "/art/lamp-2.svg", "/art/lamp-3.svg"],
        "reviews": [
            { "reviewerName": "Ada", "rating": 3, "date": "2025-03-01T10:00:00.000Z", "comment": "Fine." },
            { "reviewerName": "Bo", "rating": 5, "date": "2024-12-24T10:00:00.000Z", "comment": "Lovely." }
        ]
    }"#;
    parse_product(text, Currency::default(), &mut Dropped::default()).unwrap()
}
