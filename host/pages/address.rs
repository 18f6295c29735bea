//! Typed addresses: exactly the parts of a URL that determine what its page shows. All page URLs are
//! built here, except for the query strings of listings (`listing_query.rs`).

use super::listing_query::ListingQuery;
use super::percent_encode::encode;
use crate::catalogue::{Features, OfferId, ProductKey, Slug};

/// Longest address that a redirect leads to, in bytes: all clients should support URIs of this length
/// (RFC 9110, section 4.1).
pub(crate) const LONGEST_LOCATION: usize = 8_000;

pub(crate) const HOME: &str = "/";
pub(crate) const CATEGORIES: &str = "/categories";
pub(crate) const BRANDS: &str = "/brands";
pub(crate) const OFFLINE: &str = "/offline";
pub(crate) const SAVED: &str = "/saved";

/// The parameter that names the variant of a product's page.
pub(crate) const VARIANT: &str = "variant";

/// Pages that exist whatever the catalogue holds, besides the presets.
pub(crate) const ALWAYS: [&str; 3] = [HOME, CATEGORIES, BRANDS];

/// `/product/{id}`
pub(crate) fn product(id: impl std::fmt::Display) -> String {
    format!("/product/{id}")
}

/// `/product/{id}?variant={id of a variant}`
pub(crate) fn variant(key: &ProductKey, id: &OfferId) -> String {
    format!("{}?{VARIANT}={}", product(key), id.as_str())
}

/// `/page/{slug}`
pub(crate) fn text_page(slug: impl std::fmt::Display) -> String {
    format!("/page/{slug}")
}

/// `/category/{slug}`
pub(crate) fn category(slug: impl std::fmt::Display) -> String {
    format!("/category/{slug}")
}

/// The URL of a page of all categories or brands, filtered by a text.
fn paged(path: &str, query: &str, page: u32) -> String {
    let mut path = String::from(path);
    let mut separator = '?';
    if !query.is_empty() {
        path += &format!("{separator}q={}", encode(query));
        separator = '&';
    }
    if page > 1 {
        path += &format!("{separator}page={page}");
    }
    path
}

/// `/search/{text}`
pub(crate) fn search(text: &str) -> String {
    format!("/search/{}", encode(text))
}

/// URL template of the search form, as the `SearchAction` of schema.org needs it.
pub(crate) const SEARCH_FORM: &str = "/search?q={search_term_string}";

/// A listing of all or selected products with a fixed path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Preset {
    All,
    Sale,
    NewArrivals,
    BestSellers,
    Deals,
}

impl Preset {
    pub(crate) const EVERY: [Self; 5] =
        [Self::All, Self::Sale, Self::NewArrivals, Self::BestSellers, Self::Deals];

    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::All => "/products",
            Self::Sale => "/sale",
            Self::NewArrivals => "/new-arrivals",
            Self::BestSellers => "/best-sellers",
            Self::Deals => "/deals",
        }
    }

    /// Whether a shop has the page; `is_rated` says whether it has ratings.
    pub(crate) fn exists(self, is_rated: bool) -> bool {
        self != Self::BestSellers || is_rated
    }

    /// Whether a shop whose products have these features links to the page.
    pub(crate) fn is_linked(self, features: Features) -> bool {
        is_linked(self.path(), features)
    }
}

/// The paths of pages that would be empty in a shop whose products have these features.
pub(crate) fn empty_pages(features: Features) -> impl Iterator<Item = &'static str> {
    let pages = [
        (BRANDS, features.brands),
        (CATEGORIES, features.categories),
        (Preset::Sale.path(), features.discounts),
        (Preset::Deals.path(), features.discounts),
        (Preset::NewArrivals.path(), features.dates),
        (Preset::BestSellers.path(), features.ratings),
    ];
    pages.into_iter().filter(|(_, has_products)| !has_products).map(|(path, _)| path)
}

/// Whether a shop whose products have these features links to the page at a path without parameters.
pub(crate) fn is_linked(path: &str, features: Features) -> bool {
    empty_pages(features).all(|empty| empty != path)
}

/// The address of one page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Address {
    /// `/`, with the seed for the random choice of its categories.
    Home { seed: u64 },
    /// `/categories`, filtered by a text, and divided into pages (from 1) where there are many.
    Categories { query: String, page: u32 },
    /// `/brands`, divided into pages (from 1) where there are many.
    Brands { page: u32 },
    /// `/products` and its presets.
    Preset(Preset, ListingQuery),
    /// `/category/{slug}`
    Category(Slug, ListingQuery),
    /// `/search/{text}`
    Search(String, ListingQuery),
    /// `/saved`: the products that a shopper saves, in shops that have this page.
    Saved,
    /// `/offline`, which browsers store for when the shop cannot be reached.
    Offline,
    /// `/page/{slug}`: a text of the operator, if there is one of this name.
    TextPage(String),
    /// `/product/{id}`
    Product(ProductKey),
    /// `/product/{id}?variant={id of a variant}`
    Variant(ProductKey, OfferId),
    /// `/product/{text}` with an invalid product id.
    InvalidProduct(String),
    /// A path that matches no route.
    UnknownPath(String),
}

impl Address {
    /// The canonical path and query.
    pub(crate) fn path(&self) -> String {
        match self {
            Self::Home { .. } => HOME.into(),
            Self::Categories { query, page } => paged(CATEGORIES, query, *page),
            Self::Brands { page } => paged(BRANDS, "", *page),
            Self::Preset(_, query) | Self::Category(_, query) | Self::Search(_, query) => {
                query.href(&self.base_path())
            }
            Self::Saved => SAVED.into(),
            Self::Offline => OFFLINE.into(),
            Self::TextPage(slug) => text_page(slug),
            Self::Product(id) => product(id),
            Self::Variant(key, id) => variant(key, id),
            Self::InvalidProduct(text) => format!("/product/{}", encode(text)),
            Self::UnknownPath(path) => path.clone(),
        }
    }

    /// The canonical path, without the query.
    pub(crate) fn base_path(&self) -> String {
        match self {
            Self::Preset(preset, _) => preset.path().into(),
            Self::Category(slug, _) => category(slug),
            Self::Search(text, _) => search(text),
            Self::Categories { .. } => CATEGORIES.into(),
            Self::Brands { .. } => BRANDS.into(),
            Self::Variant(key, _) => product(key),
            other => other.path(),
        }
    }

    /// What the address names, without texts that a visitor may have typed, for the log.
    pub(crate) fn without_texts(&self) -> String {
        match self {
            Self::Preset(..) | Self::Category(..) | Self::Categories { .. } | Self::Brands { .. } => {
                self.base_path()
            }
            Self::Search(..) => "/search/{text}".into(),
            Self::InvalidProduct(_) => "/product/{id}".into(),
            Self::Product(key) | Self::Variant(key, _) if key.number().is_none() => "/product/{id}".into(),
            Self::Variant(key, _) => product(key),
            Self::TextPage(_) => text_page("{slug}"),
            Self::UnknownPath(_) => "none".into(),
            Self::Home { .. } | Self::Saved | Self::Offline | Self::Product(_) => self.path(),
        }
    }

    /// Whether the address is a listing. Only listings have a canonical query string.
    pub(crate) fn is_listing(&self) -> bool {
        matches!(self, Self::Preset(..) | Self::Category(..) | Self::Search(..))
    }

    /// Whether the catalogue limits the address: to the last page that there is, or to a variant that there is.
    pub(crate) fn is_limited(&self) -> bool {
        self.is_listing() || matches!(self, Self::Categories { .. } | Self::Brands { .. } | Self::Variant(..))
    }

    /// The same listing with another query; addresses of other pages are unchanged.
    pub(crate) fn with_query(&self, query: ListingQuery) -> Self {
        match self {
            Self::Preset(preset, _) => Self::Preset(*preset, query),
            Self::Category(slug, _) => Self::Category(slug.clone(), query),
            Self::Search(text, _) => Self::Search(text.clone(), query),
            other => other.clone(),
        }
    }

    /// Approximate size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        let texts = match self {
            Self::Home { .. } | Self::Brands { .. } | Self::Saved | Self::Offline => 0,
            Self::Product(id) => id.size(),
            Self::Variant(key, id) => key.size() + id.as_str().len(),
            Self::Preset(_, query) => query.size(),
            Self::Category(slug, query) => slug.as_str().len() + query.size(),
            Self::Search(text, query) => text.len() + query.size(),
            Self::Categories { query: text, .. }
            | Self::InvalidProduct(text)
            | Self::TextPage(text)
            | Self::UnknownPath(text) => text.len(),
        };
        size_of::<Self>() + texts
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::facets::MAX_TEXT;

    /// Upper bound for the path of a listing, in bytes: a search, a text, a tag, 50 brands and 50 categories,
    /// percent-encoded.
    const LONGEST: usize = (3 + 50) * (MAX_TEXT * 12 + 10) + 50 * 80 + 200;

    fn paths(raw_query: &str) -> [String; 3] {
        let slug = Slug::parse("beauty").unwrap();
        let query = || ListingQuery::parse(raw_query);
        [
            Address::Preset(Preset::All, query()).path(),
            Address::Category(slug, query()).path(),
            Address::Search("red mug".into(), query()).path(),
        ]
    }

    #[test]
    fn the_length_of_a_path_is_bounded() {
        let brands: String =
            (0..80).map(|brand| format!("brand={brand}{}&", "\u{1f6d2}".repeat(300))).collect();
        let slugs: String = (0..80).map(|slug| format!("category={slug}{}&", "a".repeat(61))).collect();
        for path in paths(&format!("{brands}{slugs}q={}", "\u{1f6d2}".repeat(300))) {
            assert!((100_000..=LONGEST).contains(&path.len()), "{}", path.len());
        }
    }

    proptest! {
        #[test]
        fn equivalent_queries_have_the_same_canonical_path(
            text in "[a-z%&=+\u{e9} ]{0,12}",
            brands in prop::collection::btree_set("[A-Za-z&' ]{1,8}", 0..4),
            stars in 0_u8..8,
            page in 0_u32..5,
            unknown in "utm_[a-z]{1,5}=[a-z]{0,5}",
        ) {
            let plain = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let every_byte = |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
            let parameters = |encode: &dyn Fn(&str) -> String| -> Vec<String> {
                let brands = brands.iter().map(|brand| format!("brand={}", encode(brand)));
                let others = [format!("q={}", encode(&text)), format!("rating={stars}"), format!("page={page}")];
                brands.chain(others).collect()
            };
            let mut reversed = parameters(&every_byte);
            reversed.reverse();
            let reversed = format!("&{unknown}&&{}", reversed.join("&"));
            prop_assert_eq!(paths(&parameters(&plain).join("&")), paths(&reversed));
        }

        #[test]
        fn any_query_has_a_printable_path(raw_query in any::<String>(), parameter in "(q|max|rating|category|brand|tag|stock|sort|page)") {
            for path in paths(&format!("{parameter}={raw_query}")) {
                prop_assert!(path.bytes().all(|byte| byte.is_ascii_graphic()) && path.len() <= LONGEST, "{}", path);
            }
        }
    }
}
