//! Every listing: `/products`, its presets, `/category/{slug}` and `/search/{text}`.

use std::sync::Arc;

use axum::http::StatusCode;

use super::query::{ListingQuery, clean, encode, is_misspelled};
use super::{Answer, Draft, cards, or_logged};
use crate::catalogue::{Catalogue, Result, Slug, Summary};
use crate::contract::{Content, Filters, Listing, ListingSource};
use crate::filter::{self, Filtered};
use crate::shelf::Shelf;

/// Most cards on one page.
const PAGE_SIZE: usize = 48;
/// How many products the deepest discounts are.
const DEALS: usize = 24;

/// A listing with an address of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    All,
    Sale,
    NewArrivals,
    BestSellers,
    Deals,
}

impl Preset {
    fn describe(self) -> (&'static str, &'static str, ListingSource) {
        match self {
            Self::All => ("/products", "All Products", ListingSource::All),
            Self::Sale => ("/sale", "Sale", ListingSource::Sale),
            Self::NewArrivals => ("/new-arrivals", "New Arrivals", ListingSource::NewArrivals),
            Self::BestSellers => ("/best-sellers", "Best Sellers", ListingSource::BestSellers),
            Self::Deals => ("/deals", "Deals", ListingSource::Deals),
        }
    }

    fn arrange(self, all: Arc<Shelf>) -> Arc<Shelf> {
        let discounted = |product: &Summary| product.discount_percentage.round() >= 1.0;
        let deepest_first =
            |left: &Summary, right: &Summary| right.discount_percentage.total_cmp(&left.discount_percentage);
        match self {
            Self::All => all,
            Self::Sale => all.only(discounted).sorted_by(deepest_first).into(),
            Self::NewArrivals => all.sorted_by(|left, right| right.id.cmp(&left.id)).into(),
            Self::BestSellers => all.sorted_by(|left, right| right.rating.total_cmp(&left.rating)).into(),
            Self::Deals => all.only(discounted).sorted_by(deepest_first).first(DEALS).into(),
        }
    }
}

pub async fn preset(catalogue: &dyn Catalogue, preset: Preset, raw_query: &str) -> Answer {
    let (base_path, heading, source) = preset.describe();
    let shelf = catalogue.all_products().await.map(|all| preset.arrange(all));
    let frame = Frame { base_path: base_path.into(), heading: heading.into(), source };
    frame.answer(shelf, raw_query)
}

pub async fn category(catalogue: &dyn Catalogue, text: &str, raw_query: &str) -> Answer {
    let Some(slug) = Slug::parse(&text.to_ascii_lowercase()) else { return Answer::NotFound };
    let base_path = format!("/category/{slug}");
    if slug.as_str() != text {
        return Answer::moved(base_path, raw_query);
    }
    let shelf = catalogue.category_products(&slug).await;
    // A category lists at least one product; the service answers an unknown one with none.
    let unknown = shelf.as_ref().is_ok_and(|shelf| shelf.is_empty());
    let source = ListingSource::Category { slug: slug.to_string() };
    let frame = Frame { base_path, heading: slug.title(), source };
    if unknown {
        return Answer::Page(frame.fill(shelf, ListingQuery::parse("")).not_found());
    }
    frame.answer(shelf, raw_query)
}

pub async fn search(catalogue: &dyn Catalogue, text: &str, raw_query: &str) -> Answer {
    let wanted = clean(text);
    if wanted != text {
        return match address_of_search(&wanted) {
            Some(address) => Answer::moved(address, raw_query),
            None => Answer::NotFound,
        };
    }
    let shelf = catalogue.search(&wanted).await;
    let frame = Frame {
        base_path: format!("/search/{}", encode(&wanted)),
        heading: format!("Search Results for \"{wanted}\""),
        source: ListingSource::Search { text: wanted },
    };
    frame.answer(shelf, raw_query)
}

/// `/search?q=…`, the search form without JavaScript.
pub fn search_form(raw_query: &str) -> Answer {
    let text = ListingQuery::parse(raw_query).filters.query;
    Answer::SeeOther(address_of_search(&text).unwrap_or_else(|| "/products".into()))
}

/// Where a search text's results are; nothing for a blank one.
fn address_of_search(text: &str) -> Option<String> {
    match text {
        "" => None,
        // These two mean "this folder" and "the one above" in a path, however they are encoded.
        "." | ".." => Some(format!("/products?q={text}")),
        text => Some(format!("/search/{}", encode(text))),
    }
}

/// A listing without its products.
struct Frame {
    base_path: String,
    heading: String,
    source: ListingSource,
}

impl Frame {
    /// The listing, or a redirect when its address is spelled in another way than its own.
    fn answer(self, shelf: Result<Arc<Shelf>>, raw_query: &str) -> Answer {
        let mut query = ListingQuery::parse(raw_query);
        if matches!(self.source, ListingSource::Category { .. }) {
            // There is only this one to choose.
            query.filters.categories.clear();
        }
        let draft = self.fill(shelf, query);
        if draft.status == StatusCode::OK && is_misspelled(raw_query, &draft.path) {
            Answer::Moved(draft.path)
        } else {
            Answer::Page(draft)
        }
    }

    fn fill(self, shelf: Result<Arc<Shelf>>, mut query: ListingQuery) -> Draft {
        let Self { base_path, heading, source } = self;
        let found = or_logged("listing", shelf);
        let failed = found.is_none();
        let shelf = found.unwrap_or_default();

        // A cap at or above the highest price filters nothing, which is the default.
        query.filters.max_price =
            query.filters.max_price.filter(|max| failed || *max < shelf.price_ceiling());
        let Filtered { matches, facets } = filter::apply(&shelf, &query.filters);
        let page_count = matches.len().div_ceil(PAGE_SIZE).max(1);
        let page = (query.page as usize).min(page_count);
        query.page = u32::try_from(page).unwrap_or(u32::MAX);

        let shown = matches.iter().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE);
        let products = cards::product_cards(shown.map(|&position| &shelf.products()[position as usize]));
        let path = query.href(&base_path);
        // Filtered listings stand for the whole one; a further page stands for itself.
        let unfiltered = query.filters == Filters::default();
        let canonical = if unfiltered { path.clone() } else { ListingQuery::parse("").href(&base_path) };
        let title = heading.clone();
        let content = Content::Listing(Box::new(Listing {
            source,
            heading,
            base_path,
            products,
            total: u32::try_from(matches.len()).unwrap_or(u32::MAX),
            page: query.page,
            page_count: u32::try_from(page_count).unwrap_or(u32::MAX),
            filters: query.filters,
            facets,
            failed,
        }));
        let draft = Draft { canonical, ..Draft::new(path, title, content) };
        if failed { draft.unavailable() } else { draft }
    }
}
