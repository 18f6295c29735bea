//! What each URL shows: content and status of every page, decided apart from how it is rendered and delivered.
//!
//! It promises that the address is known before any data is asked for; that addresses of pages are built here and
//! nowhere else in the host; that a page is marked as incomplete if a query failed, so that it is not cached; and that
//! a page claims nothing that the catalogue does not say. The reasons are in `docs/decisions/`: `0005-presets.md`,
//! `0009-finished-pages-are-remembered.md` and `0038-unknown-is-not-zero.md`.
//!
//! `resolve.rs` turns a path parameter and a query string into a typed [`Address`] or a redirect. The
//! page's module queries the catalogue and returns a draft: content and status, decided before
//! anything is rendered. `facets/` filters all listings.

pub(crate) mod address;
pub(crate) mod autocomplete;
mod availability;
mod banner_picture;
mod brands;
pub(crate) mod cards;
mod categories;
pub(crate) mod draft;
pub(crate) mod elsewhere;
pub(crate) mod enquiry;
mod facts;
mod home;
pub(crate) mod listing;
pub(crate) mod listing_query;
mod named;
mod offline;
mod pages_of;
pub(crate) mod percent_encode;
pub(crate) mod prices;
mod prices_in_words;
mod product;
pub(crate) mod questions;
mod quick_filters;
pub(crate) mod resolve;
pub(crate) mod saved;
mod shortened;
mod shown;
mod shown_facets;
mod similar_searches;
mod story;
mod suggestions;
mod text_page;
mod tint;
mod variants;

use self::address::Address;
use self::draft::Draft;
use self::questions::Questions;

/// The page of an address, without the parts that all pages share, from the catalogue's answers.
pub(crate) async fn draft(address: &Address, questions: &Questions<'_>) -> Draft {
    match address {
        Address::Home { seed } => home::draft(questions, *seed).await,
        Address::Categories { query, page } => categories::draft(questions, query, *page).await,
        Address::Brands { page } => brands::draft(questions, *page).await,
        Address::Preset(preset, query) => listing::preset(questions, *preset, query).await,
        Address::Category(slug, query) => listing::category(questions, slug, query).await,
        Address::Search(text, query) => listing::search(questions, text, query).await,
        Address::Saved => saved::draft(questions.texts()),
        Address::Offline => offline::draft(questions.texts()),
        Address::TextPage(slug) => text_page::draft(questions.profile, slug),
        Address::Product(key) => product::draft(questions, key.clone(), None).await,
        Address::Variant(key, id) => product::draft(questions, key.clone(), Some(id)).await,
        Address::InvalidProduct(_) => product::missing(questions.texts(), address.clone()),
        Address::UnknownPath(path) => Draft::unknown_path(questions.texts(), path),
    }
}
