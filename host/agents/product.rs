//! A product as assistants are told of it: what its page says, and nothing that is not known.

use super::answer::{
    Availability, Barcode, Category, Description, Media, Metadata, OptionValue, Price, PriceRange, Product,
    ProductOption, Rating, Value, Variant,
};
use super::plain::plain;
use crate::catalogue::variant::{cheapest, offered};
use crate::catalogue::{self, Gtin, Slug, VariantOption};
use crate::exports::{About, Offer};
use crate::pages::address;
use crate::profile::{Currency, Money, plain_rating};

/// The range of ratings, in stars.
const BEST: u8 = 5;
const WORST: u8 = 1;
/// Longest labels, such as names of options, in characters.
const LONGEST_LABEL: usize = 100;

/// How much is told of a product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detail {
    title: usize,
    text: usize,
    pictures: usize,
    tags: usize,
    values: usize,
    pub(super) variants: usize,
}

/// One of several products.
pub(super) const BRIEF: Detail =
    Detail { title: 150, text: 300, pictures: 1, tags: 5, values: 10, variants: usize::MAX };
/// The only product.
pub(super) const FULL: Detail =
    Detail { title: 500, text: 5_000, pictures: 10, tags: 50, values: 250, variants: 50 };

/// The offer whose price is the product's.
pub(super) fn featured(product: &catalogue::Product) -> Option<Offer<'_>> {
    let cheapest = cheapest(&product.variants);
    Offer::all_of(product).find(|offer| cheapest.is_none_or(|variant| variant.options == offer.options))
}

/// The offers that are told of a product, with the first one in front.
pub(super) fn told<'a>(
    detail: Detail,
    product: &'a catalogue::Product,
    offers: impl Iterator<Item = Offer<'a>>,
    About { profile, site }: &About,
) -> Product {
    let (summary, currency) = (&product.summary, profile.numbers.currency());
    let key = summary.id.to_string();
    let title = plain(&summary.title, detail.title);
    let text = match &*summary.description {
        "" => title.clone(),
        description => plain(description, detail.text),
    };
    let (lowest, highest) = product.price_range().unwrap_or((summary.price, summary.price));
    let reviews = product.reviews.as_ref().map(Vec::len);
    let rating = summary.rating.filter(|rating| *rating >= f64::from(WORST));
    let first = summary.thumbnail.as_ref().filter(|_| product.images.is_empty());
    let media =
        |picture: &String| Media { kind: "image", url: site.picture(picture), alt_text: title.clone() };
    Product {
        url: site.absolute(&address::product(&key)),
        handle: key.clone(),
        id: key,
        description: Description { plain: text },
        categories: summary.category.as_ref().map(category).into_iter().collect(),
        price_range: range(lowest, highest, currency),
        list_price_range: list_prices(product).map(|(lowest, highest)| range(lowest, highest, currency)),
        media: product.images.iter().chain(first).take(detail.pictures).map(media).collect(),
        options: options(product, detail.values),
        selected: Vec::new(),
        variants: offers.take(detail.variants).map(|offer| variant(&offer, &title, currency)).collect(),
        rating: rating.map(|rating| Rating {
            value: plain_rating(rating).parse().unwrap_or(rating),
            scale_min: WORST,
            scale_max: BEST,
            count: reviews,
        }),
        tags: product.tags.iter().take(detail.tags).map(|tag| plain(tag, LONGEST_LABEL)).collect(),
        metadata: product.link.clone().map(|link| Metadata { link }),
        title,
    }
}

fn category(slug: &Slug) -> Category {
    Category { value: slug.as_str().into(), taxonomy: "merchant" }
}

fn price(amount: Money, currency: Currency) -> Price {
    Price { amount: amount.minor(), currency: currency.code().into() }
}

fn range(lowest: Money, highest: Money, currency: Currency) -> PriceRange {
    PriceRange { min: price(lowest, currency), max: price(highest, currency) }
}

/// The lowest and the highest price without a discount, where the source says any.
fn list_prices(product: &catalogue::Product) -> Option<(Money, Money)> {
    let of_variants = offered(&product.variants).filter_map(|variant| variant.list_price);
    let own = product.summary.list_price.filter(|_| product.variants.is_empty());
    let prices = of_variants.chain(own);
    Some((prices.clone().min()?, prices.max()?))
}

/// The options with their first values, in the source's order.
fn options(product: &catalogue::Product, most: usize) -> Vec<ProductOption> {
    let mut options: Vec<ProductOption> = Vec::new();
    for VariantOption { name, value } in product.variants.iter().flat_map(|variant| &variant.options) {
        let (name, label) = (label(name), label(value));
        let value = Value { label, available: None, exists: None };
        match options.iter_mut().find(|option| option.name == name) {
            Some(option) if option.values.iter().any(|known| known.label == value.label) => {}
            Some(option) if option.values.len() >= most => {}
            Some(option) => option.values.push(value),
            None => options.push(ProductOption { name, values: vec![value] }),
        }
    }
    options
}

/// The name or the value of an option.
pub(super) fn label(text: &str) -> String {
    plain(text, LONGEST_LABEL)
}

/// The options of an offer.
pub(super) fn choice(offer: &Offer<'_>) -> Vec<OptionValue> {
    let chosen = |VariantOption { name, value }: &VariantOption| OptionValue {
        name: label(name),
        label: label(value),
    };
    offer.options.iter().map(chosen).collect()
}

fn variant(offer: &Offer<'_>, of: &str, currency: Currency) -> Variant {
    let options = choice(offer);
    let values: Vec<&str> = options.iter().map(|option| &*option.label).collect();
    let title = if values.is_empty() { of.to_owned() } else { values.join(" / ") };
    Variant {
        id: offer.id().into(),
        description: Description { plain: title.clone() },
        title,
        price: price(offer.price, currency),
        list_price: offer.list_price.map(|list_price| price(list_price, currency)),
        sku: plain(offer.sku, LONGEST_LABEL),
        barcodes: offer.gtin.map(barcode).into_iter().collect(),
        availability: availability(offer.availability),
        options,
        inputs: Vec::new(),
    }
}

fn barcode(gtin: &Gtin) -> Barcode {
    Barcode { kind: "GTIN", value: gtin.as_str().into() }
}

/// What is said of an availability that is known.
fn availability(availability: catalogue::Availability) -> Option<Availability> {
    let status = match availability {
        // The protocol's word differs from Google's.
        catalogue::Availability::BackOrder => "backorder",
        other => other.word()?,
    };
    Some(Availability { available: !availability.is_sold_out(), status })
}
