//! The storefront's own types. `clean.rs` has the rule for their values.

mod clean;
mod energy;
mod terms;
mod values;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

pub(crate) use self::clean::clean_tag;
pub(super) use self::clean::{
    MAX_ID, MAX_IMAGES, MAX_QUANTITY, MAX_REVIEWS, MAX_TAGS, MAX_TEXT, MAX_TITLE, discount,
    first_of_its_options, is_age, is_plausible, rating,
};
pub use self::energy::EnergyClass;
pub use self::terms::{Condition, Content, Measure, Terms};
pub(super) use self::values::{MAX_LABEL, has_credentials, link, picture_address, prose, some_text, text};
use super::availability::Availability;
use super::colour::Colour;
use super::gtin::{self, Gtin};
use super::key::ProductKey;
use super::slug::Slug;
use super::variant::{self, Variant};
use crate::profile::Money;

/// The largest number of colours on a card.
pub(in crate::catalogue) const MAX_COLOURS: usize = 5;

/// A category of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Category {
    pub slug: Slug,
    pub name: String,
}

impl Category {
    /// A category for which its source has only this name; `None` for a blank name.
    pub fn named(name: &str) -> Option<Self> {
        let slug = Slug::of(name)?;
        Some(Self { name: slug.title(), slug })
    }
}

/// What a category's card shows about its products.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CategoryPreview {
    /// Thumbnail of the first product.
    pub thumbnail: Option<String>,
    /// Number of products in the category.
    pub count: Option<u32>,
}

/// The fields of a product that cards, filters and facets need.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub id: ProductKey,
    pub title: String,
    /// Empty if the query did not select it.
    pub description: String,
    /// `None` if the query did not select it, or the product has no valid one.
    pub category: Option<Slug>,
    pub brand: Option<String>,
    pub price: Money,
    /// The price without a discount, if the source states it: it is above `price`, and `discount_percentage` is the
    /// difference. `None` if the source states only a discount.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_price: Option<Money>,
    /// 0 up to, but not including, 100.
    pub discount_percentage: f64,
    /// 0 to 5; `None` if it is not known.
    pub rating: Option<f64>,
    pub availability: Availability,
    /// An `http(s)` URL or a path on this host.
    pub thumbnail: Option<String>,
    /// The second of the product's pictures. Known only where lists are made from whole products: in a mirror,
    /// and in the sample.
    #[serde(skip)]
    pub second: Option<String>,
    /// Whether a variant on offer costs more than `price`. Known only where lists are made from whole products.
    #[serde(skip)]
    pub is_from: bool,
    /// The first colours of the variants on offer. Known only where lists are made from whole products.
    #[serde(skip)]
    pub colours: Vec<Colour>,
    /// How much the price is for. Known only where lists are made from whole products.
    #[serde(skip)]
    pub content: Option<Content>,
}

impl Summary {
    /// The summary with the price of the cheapest variant on offer. It is sold out if and only if all variants
    /// are, and a variant's availability stands for one that the product does not say.
    pub(in crate::catalogue) fn priced(self, variants: &[Variant]) -> Self {
        let Some(Variant { price, list_price, availability, .. }) = variant::cheapest(variants) else {
            return self;
        };
        // The product's list price and discount say nothing about another price.
        let (own, discount_percentage) = match *price == self.price {
            true => (self.list_price, self.discount_percentage),
            false => (None, 0.0),
        };
        let availability = match (availability, self.availability) {
            (Availability::SoldOut, _) => Availability::SoldOut,
            // One variant's number is not the product's.
            (Availability::InStock(_), Availability::SoldOut | Availability::Unknown) => {
                Availability::InStock(None)
            }
            (other, Availability::SoldOut | Availability::Unknown) => *other,
            (_, own) => own,
        };
        let summary = Self { price: *price, list_price: None, discount_percentage, availability, ..self };
        summary.with_list_price(list_price.or(own))
    }

    /// The summary with a list price, from which the discount is computed. A list price that is not above the price is left
    /// out.
    pub(in crate::catalogue) fn with_list_price(self, list_price: Option<Money>) -> Self {
        let (price, zero) = (self.price, Money::default());
        let is_above =
            |list_price: &Money| price > zero && *list_price > price && *list_price <= Money::MAX_PRICE;
        let Some(list_price) = list_price.filter(is_above) else { return self };
        let discount_percentage = 100.0 * (1.0 - price.minor() as f64 / list_price.minor() as f64);
        Self { list_price: Some(list_price), discount_percentage, ..self }
    }

    /// Approximate size in memory, in bytes.
    pub fn size(&self) -> usize {
        let optional =
            [&self.brand, &self.thumbnail, &self.second].map(|text| text.as_ref().map_or(0, String::len));
        size_of::<Self>()
            + self.id.size()
            + self.title.len()
            + self.description.len()
            + optional.iter().sum::<usize>()
            + size_of_val(&*self.colours)
    }
}

/// A product with everything that its page shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Product {
    pub summary: Summary,
    pub tags: Vec<String>,
    pub sku: String,
    /// The barcode.
    #[serde(deserialize_with = "gtin::valid")]
    pub gtin: Option<Gtin>,
    /// The manufacturer part number. Structured data, exports and searches use it.
    pub mpn: Option<String>,
    /// In kilograms.
    pub weight: Option<f64>,
    pub dimensions: Option<Dimensions>,
    pub warranty: String,
    pub shipping: String,
    pub returns: String,
    /// At least 1.
    pub minimum_order_quantity: u32,
    pub images: Vec<String>,
    /// The page where the product is sold: an `http(s)` URL. Only files have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// `None` if they are not known.
    pub reviews: Option<Vec<Review>>,
    /// When the product was last changed, or else added, in seconds since 1970. The feed and exports use it.
    pub changed: Option<i64>,
    /// What is said of the whole product. Variants may say other things of themselves.
    #[serde(default)]
    pub terms: Terms,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<EnergyClass>,
    /// In years.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_age: Option<u8>,
    /// In the source's order. The summary has the price of the cheapest one on offer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
}

impl Product {
    /// The lowest and the highest price of its variants on offer, if they differ.
    pub(crate) fn price_range(&self) -> Option<(Money, Money)> {
        variant::price_range(&self.variants)
    }

    /// The summary with the price and the availability of a variant. A discount of the product is the variant's too if both
    /// cost the same, unless variants have list prices of their own.
    pub(crate) fn summary_of(&self, variant: &Variant) -> Summary {
        let summary = &self.summary;
        let is_own =
            variant.price != summary.price || self.variants.iter().any(|other| other.list_price.is_some());
        let (list_price, discount_percentage) = match is_own {
            true => (variant.list_price, 0.0),
            false => (summary.list_price, summary.discount_percentage),
        };
        let (price, availability) = (variant.price, variant.availability);
        let content = self.terms_of(Some(variant)).content;
        let offer = Summary {
            price,
            availability,
            list_price: None,
            discount_percentage,
            content,
            ..summary.clone()
        };
        offer.with_list_price(list_price)
    }

    /// What is said of the offer of a variant, or of the product's without one: that of its cheapest variant.
    pub(crate) fn terms_of(&self, variant: Option<&Variant>) -> Terms {
        match variant.or_else(|| variant::cheapest(&self.variants)) {
            Some(variant) => variant.terms.of_variant(self.terms),
            None => self.terms,
        }
    }

    /// The product whose reductions are those of the lowest prices of the last 30 days. Without these nothing is reduced.
    pub(in crate::catalogue) fn reduced_from_lowest(self) -> Self {
        let above = |lowest: Option<Money>, price: Money| lowest.filter(|lowest| *lowest > price);
        let of_variant =
            |variant: Variant| Variant { list_price: above(variant.terms.lowest, variant.price), ..variant };
        let variants: Vec<Variant> = self.variants.into_iter().map(of_variant).collect();
        let summary = Summary { list_price: None, discount_percentage: 0.0, ..self.summary };
        let lowest = if variants.is_empty() { self.terms.lowest } else { None };
        Self { summary: summary.with_list_price(lowest).priced(&variants), variants, ..self }
    }

    /// The colours on its card.
    pub(in crate::catalogue) fn colours(&self) -> Vec<Colour> {
        variant::colours(&self.variants, MAX_COLOURS)
    }

    /// The address of its picture with this number: 0 is its card's, then its own follow, from 1, and then those of its
    /// variants.
    pub(crate) fn picture(&self, number: usize) -> Option<&String> {
        match number.checked_sub(1) {
            None => self.summary.thumbnail.as_ref(),
            Some(index) => match index.checked_sub(MAX_IMAGES) {
                None => self.images.get(index),
                Some(index) => self.variants.get(index)?.picture.as_ref(),
            },
        }
    }

    /// The number of a picture of a product page, see [`Self::picture`].
    pub(crate) fn picture_number(&self, address: &str) -> Option<usize> {
        let is_it = |picture: Option<&String>| picture.is_some_and(|own| own == address);
        if is_it(self.summary.thumbnail.as_ref()) {
            return Some(0);
        }
        let own = || self.images.iter().position(|own| own == address).map(|at| 1 + at);
        let of_variants =
            || self.variants.iter().position(|own| is_it(own.picture.as_ref())).map(|at| 1 + MAX_IMAGES + at);
        own().or_else(of_variants)
    }

    /// The product's date, in seconds since 1970: of its last change, or else of its newest review.
    pub(crate) fn date(&self) -> Option<i64> {
        self.changed
            .or_else(|| self.reviews.iter().flatten().filter_map(|review| review.date.seconds()).max())
    }

    /// Approximate size in memory, in bytes.
    pub fn size(&self) -> usize {
        let list =
            |texts: &[String]| texts.iter().map(|text| size_of::<String>() + text.len()).sum::<usize>();
        let review = |review: &Review| {
            size_of::<Review>()
                + review.reviewer_name.len()
                + review.date.as_str().len()
                + review.comment.len()
        };
        let texts = [&self.sku, &self.warranty, &self.shipping, &self.returns];
        size_of::<Self>()
            + self.summary.size()
            + [&self.mpn, &self.link].map(|text| text.as_ref().map_or(0, String::len)).iter().sum::<usize>()
            + texts.iter().map(|text| text.len()).sum::<usize>()
            + list(&self.tags)
            + list(&self.images)
            + self.reviews.iter().flatten().map(review).sum::<usize>()
            + self.variants.iter().map(Variant::size).sum::<usize>()
    }
}

/// Outer dimensions in centimetres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dimensions {
    pub width: f64,
    pub height: f64,
    pub depth: f64,
}

/// A review. The reviewer's email address is never read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    pub reviewer_name: String,
    /// 1 to 5.
    pub rating: u8,
    pub date: ReviewDate,
    pub comment: String,
}

/// When a review was written: a valid calendar date, or a timestamp (RFC 3339) that begins with one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ReviewDate {
    timestamp: String,
    year: u16,
    month: u8,
    day: u8,
}

impl ReviewDate {
    /// Longest timestamp that is accepted, in bytes.
    const MAX_LENGTH: usize = 40;

    /// Parses a timestamp, whose time may be missing, or stand behind a space as in SQL. The date is taken as written,
    /// without conversion to another time zone, so that server and browsers show the same day.
    pub fn parse(timestamp: &str) -> Option<Self> {
        let as_standard = timestamp.replacen(' ', "T", 1);
        let timestamp = if timestamp.get(10..11) == Some(" ") { &as_standard } else { timestamp };
        let (date, time) = timestamp.split_at_checked(10)?;
        let printable = time.bytes().all(|byte| byte.is_ascii_graphic());
        let is_time = time.is_empty() || time.starts_with('T');
        if !is_time || timestamp.len() > Self::MAX_LENGTH || !printable {
            return None;
        }
        let mut parts = date.split('-');
        let mut number = |length: usize| -> Option<u16> {
            let part = parts.next()?;
            let digits = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse().ok())?
        };
        let (year, month, day) = (number(4)?, u8::try_from(number(2)?).ok()?, u8::try_from(number(2)?).ok()?);
        Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()?;
        Some(Self { timestamp: timestamp.into(), year, month, day })
    }

    /// The moment, in seconds since 1970; `None` if the timestamp has a time without an offset from UTC.
    fn seconds(&self) -> Option<i64> {
        seconds(&self.timestamp)
    }

    /// The timestamp as the catalogue sent it.
    pub fn as_str(&self) -> &str {
        &self.timestamp
    }

    pub(crate) fn year(&self) -> u16 {
        self.year
    }

    /// From 1 to 12.
    pub(crate) fn month(&self) -> u8 {
        self.month
    }

    /// From 1 to 31.
    pub(crate) fn day(&self) -> u8 {
        self.day
    }
}

/// The moment of a timestamp (RFC 3339), in seconds since 1970. A date without a time counts from its start in UTC.
pub(super) fn seconds(timestamp: &str) -> Option<i64> {
    const DATE: usize = "2025-04-30".len();
    let moment: jiff::Timestamp = match timestamp.len() {
        DATE => format!("{timestamp}T00:00:00Z").parse(),
        _ => timestamp.parse(),
    }
    .ok()?;
    Some(moment.as_second()).filter(|seconds| is_moment(*seconds))
}

/// Whether a timestamp can name this moment. Some systems write the start of 1970 or earlier for unset values.
pub(in crate::catalogue) fn is_moment(seconds: i64) -> bool {
    seconds > 0 && jiff::Timestamp::from_second(seconds).is_ok()
}

impl TryFrom<String> for ReviewDate {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or(text)
    }
}

impl From<ReviewDate> for String {
    fn from(date: ReviewDate) -> Self {
        date.timestamp
    }
}

#[cfg(test)]
mod tests {
    use super::ReviewDate;

    #[test]
    fn a_review_date_is_taken_from_its_timestamp_as_written() {
        for (timestamp, date) in [
            ("2025-04-30T23:59:59.999Z", (2025, 4, 30)),
            ("2024-02-29T00:00:00Z", (2024, 2, 29)),
            ("2025-04-30", (2025, 4, 30)),
        ] {
            let parsed = ReviewDate::parse(timestamp).unwrap();
            assert_eq!((parsed.year(), parsed.month(), parsed.day()), date);
            assert_eq!(parsed.as_str(), timestamp);
        }
        assert_eq!(ReviewDate::parse("2025-04-30 10:00:00").unwrap().as_str(), "2025-04-30T10:00:00");
        for bad in [
            "",
            "2025-04-3",
            "2025-04-301",
            "2025-02-30",
            "2025-13-01T00:00:00Z",
            "2023-02-29T00:00Z",
            "+025-04-30T0",
            "April 30, 2025",
        ] {
            assert_eq!(ReviewDate::parse(bad), None, "{bad}");
        }
    }
}
