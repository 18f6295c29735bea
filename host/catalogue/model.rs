//! The storefront's own entities, typed and cleaned at the door.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A product's number in the catalogue.
pub type ProductId = u32;

/// A category's slug: 1 to 64 lower-case ASCII letters, digits and hyphens. Nothing else can
/// reach an upstream path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Slug(Box<str>);

impl TryFrom<String> for Slug {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or(text)
    }
}

impl Slug {
    const MAX_LENGTH: usize = 64;

    /// Accepts a well-formed slug.
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        ((1..=Self::MAX_LENGTH).contains(&text.len()) && text.bytes().all(allowed)).then(|| Self(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The slug as words: hyphens turned to spaces, each word capitalised.
    pub fn title(&self) -> String {
        let capitalise = |word: &str| {
            let mut characters = word.chars();
            characters.next().map_or_else(String::new, |first| {
                first.to_ascii_uppercase().to_string() + characters.as_str()
            })
        };
        self.0.split('-').map(capitalise).collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A category of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Category {
    pub slug: Slug,
    pub name: String,
}

/// What a category's card shows of its products.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryPreview {
    /// Thumbnail of the first product.
    pub thumbnail: Option<String>,
    /// Number of products in the category.
    pub count: Option<u32>,
}

/// A product as cards, filters and facets need it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub id: ProductId,
    pub title: String,
    /// Empty where the query did not ask for it.
    pub description: String,
    /// Absent where the query did not ask for it.
    pub category: Option<Slug>,
    pub brand: Option<String>,
    /// In US dollars; finite and not negative.
    pub price: f64,
    /// 0 up to, but not including, 100.
    pub discount_percentage: f64,
    /// 0 to 5.
    pub rating: f64,
    pub stock: u32,
    /// An `http(s)` address or a path on this host.
    pub thumbnail: Option<String>,
}

impl Summary {
    /// About how much memory it takes, in bytes.
    pub fn size(&self) -> usize {
        let optional = [&self.brand, &self.thumbnail].map(|text| text.as_ref().map_or(0, String::len));
        size_of::<Self>() + self.title.len() + self.description.len() + optional.iter().sum::<usize>()
    }
}

/// A product with everything that its page shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Product {
    pub summary: Summary,
    pub tags: Vec<String>,
    pub sku: String,
    /// The barcode as a GTIN-13, when its check digit is right.
    pub gtin13: Option<String>,
    /// In kilograms.
    pub weight: Option<f64>,
    pub dimensions: Option<Dimensions>,
    pub warranty: String,
    pub shipping: String,
    pub returns: String,
    /// At least 1.
    pub minimum_order_quantity: u32,
    pub images: Vec<String>,
    pub reviews: Vec<Review>,
}

impl Product {
    /// About how much memory it takes, in bytes.
    pub fn size(&self) -> usize {
        let list =
            |texts: &[String]| texts.iter().map(|text| size_of::<String>() + text.len()).sum::<usize>();
        let review = |review: &Review| {
            size_of::<Review>() + review.reviewer_name.len() + review.date.len() + review.comment.len()
        };
        let texts = [&self.sku, &self.warranty, &self.shipping, &self.returns];
        size_of::<Self>()
            + self.summary.size()
            + texts.iter().map(|text| text.len()).sum::<usize>()
            + list(&self.tags)
            + list(&self.images)
            + self.reviews.iter().map(review).sum::<usize>()
    }
}

/// Outer dimensions in centimetres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dimensions {
    pub width: f64,
    pub height: f64,
    pub depth: f64,
}

/// A review without its author's address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    pub reviewer_name: String,
    /// 1 to 5.
    pub rating: u8,
    /// RFC 3339, with a valid calendar date in front.
    pub date: String,
    pub comment: String,
}

/// The product sections of the home page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Section {
    /// The catalogue's own order, without its first eight.
    Featured,
    /// By rating, best first.
    BestSellers,
    /// By id, newest first.
    NewArrivals,
}

impl Section {
    /// How many products a section shows.
    pub const SIZE: usize = 8;
    /// How many products the featured section leaves out.
    pub const FEATURED_SKIP: usize = 8;
}

#[cfg(test)]
mod tests {
    use super::Slug;

    #[test]
    fn a_slug_becomes_a_title() {
        assert_eq!(Slug::parse("mens-shirts").unwrap().title(), "Mens Shirts");
    }

    #[test]
    fn nothing_but_a_slug_is_a_slug() {
        for text in ["", "Beauty", "a/b", "..", "a b", "caf\u{e9}", "%2e", &"a".repeat(65)] {
            assert_eq!(Slug::parse(text), None, "{text:?}");
        }
    }
}
