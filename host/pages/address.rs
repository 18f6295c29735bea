//! Addresses, typed: everything in a URL that decides what its page shows, and nothing else.

use super::listing::Preset;
use super::queries::Queries;
use super::query::{ListingQuery, encode};
use super::{Draft, brands, categories, home, listing, product};
use crate::catalogue::{ProductId, Slug};

/// The address of one page.
#[derive(Clone, Debug, PartialEq)]
pub enum Address {
    /// `/`, with the number of the drawing that decides its six categories.
    Home { drawing: u64 },
    /// `/categories`
    Categories { query: String },
    /// `/brands`
    Brands,
    /// `/products` and its presets.
    Preset(Preset, ListingQuery),
    /// `/category/{slug}`
    Category(Slug, ListingQuery),
    /// `/search/{text}`
    Search(String, ListingQuery),
    /// `/product/{id}`
    Product(ProductId),
    /// `/product/{text}` with a text that is no product's number.
    NoProduct(String),
    /// A path that names nothing.
    Nowhere(String),
}

/// What a request line leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Located {
    Page(Address),
    /// 308: the one right spelling of this address.
    Moved(String),
    /// 303: where a form's answer is.
    SeeOther(String),
}

impl Located {
    /// 308 to `path`, with the query as it was.
    pub fn moved(path: &str, raw_query: &str) -> Self {
        let separator = if path.contains('?') { '&' } else { '?' };
        Self::Moved(if raw_query.is_empty() { path.into() } else { format!("{path}{separator}{raw_query}") })
    }
}

impl Address {
    /// The page without what all pages have, from the catalogue's answers.
    pub async fn draft(&self, queries: &Queries<'_>) -> Draft {
        match self {
            Self::Home { drawing } => home::draft(queries, *drawing).await,
            Self::Categories { query } => categories::draft(queries, query).await,
            Self::Brands => brands::draft(queries).await,
            Self::Preset(preset, query) => listing::preset(queries, *preset, query).await,
            Self::Category(slug, query) => listing::category(queries, slug, query).await,
            Self::Search(text, query) => listing::search(queries, text, query).await,
            Self::Product(id) => product::draft(queries, *id).await,
            Self::NoProduct(text) => product::missing(format!("/product/{}", encode(text)), false),
            Self::Nowhere(path) => Draft::nowhere(path),
        }
    }

    /// The spelling that all requests for this page share. It is known before any data is, so it
    /// may differ from the page's own path, which is kept within what the data allows.
    pub fn key(&self) -> String {
        match self {
            Self::Home { drawing } => format!("/#{drawing}"),
            Self::Categories { query } => categories::path(query),
            Self::Brands => "/brands".into(),
            Self::Preset(preset, query) => query.href(preset.path()),
            Self::Category(slug, query) => query.href(&listing::category_path(slug)),
            Self::Search(text, query) => query.href(&listing::search_path(text)),
            Self::Product(id) => format!("/product/{id}"),
            Self::NoProduct(text) => format!("/product/{}", encode(text)),
            Self::Nowhere(path) => path.clone(),
        }
    }

    /// Whether the query string has one right spelling.
    pub fn is_listing(&self) -> bool {
        matches!(self, Self::Preset(..) | Self::Category(..) | Self::Search(..))
    }

    /// The same listing with the query of `path`, which is its own path kept within what the data
    /// allows.
    pub fn within(&self, path: &str) -> Self {
        let query = ListingQuery::parse(path.split_once('?').map_or("", |(_, query)| query));
        match self {
            Self::Preset(preset, _) => Self::Preset(*preset, query),
            Self::Category(slug, _) => Self::Category(slug.clone(), query),
            Self::Search(text, _) => Self::Search(text.clone(), query),
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pages::query::MAX_TEXT;

    /// The longest key of a listing: two texts, fifty brands and fifty categories, in escapes.
    const LONGEST: usize = (2 + 50) * (MAX_TEXT * 12 + 10) + 50 * 80 + 200;

    fn keys(raw_query: &str) -> [String; 3] {
        let slug = Slug::parse("beauty").unwrap();
        let query = || ListingQuery::parse(raw_query);
        [
            Address::Preset(Preset::All, query()).key(),
            Address::Category(slug, query()).key(),
            Address::Search("red mug".into(), query()).key(),
        ]
    }

    #[test]
    fn a_key_is_bounded_however_much_is_asked_for() {
        let brands: String =
            (0..80).map(|brand| format!("brand={brand}{}&", "\u{1f6d2}".repeat(300))).collect();
        let slugs: String = (0..80).map(|slug| format!("category={slug}{}&", "a".repeat(61))).collect();
        for key in keys(&format!("{brands}{slugs}q={}", "\u{1f6d2}".repeat(300))) {
            assert!((100_000..=LONGEST).contains(&key.len()), "{}", key.len());
        }
    }

    proptest! {
        #[test]
        fn two_spellings_of_the_same_have_one_key(
            text in "[a-z%&=+\u{e9} ]{0,12}",
            brands in prop::collection::btree_set("[A-Za-z&' ]{1,8}", 0..4),
            stars in 0_u8..8,
            page in 0_u32..5,
            unknown in "utm_[a-z]{1,5}=[a-z]{0,5}",
        ) {
            let plain = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let every_byte = |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
            let spelled = |encode: &dyn Fn(&str) -> String| -> Vec<String> {
                let brands = brands.iter().map(|brand| format!("brand={}", encode(brand)));
                let others = [format!("q={}", encode(&text)), format!("rating={stars}"), format!("page={page}")];
                brands.chain(others).collect()
            };
            let mut backwards = spelled(&every_byte);
            backwards.reverse();
            let backwards = format!("&{unknown}&&{}", backwards.join("&"));
            prop_assert_eq!(keys(&spelled(&plain).join("&")), keys(&backwards));
        }

        #[test]
        fn any_query_has_a_printable_key(raw_query in any::<String>(), parameter in "(q|max|rating|category|brand|stock|sort|page)") {
            for key in keys(&format!("{parameter}={raw_query}")) {
                prop_assert!(key.bytes().all(|byte| byte.is_ascii_graphic()) && key.len() <= LONGEST, "{}", key);
            }
        }
    }
}
