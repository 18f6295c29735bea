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
}
