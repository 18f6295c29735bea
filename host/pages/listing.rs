//! Every listing: `/products`, its presets, `/category/{slug}` and `/search/{text}`.

use std::sync::Arc;

use super::address::{Address, Located};
use super::queries::Queries;
use super::query::{ListingQuery, clean, encode};
use super::{Draft, cards};
use crate::catalogue::{Slug, Summary};
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
    pub fn path(self) -> &'static str {
        self.describe().0
    }

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

pub fn locate_preset(preset: Preset, raw_query: &str) -> Located {
    Located::Page(Address::Preset(preset, ListingQuery::parse(raw_query)))
}

pub fn locate_category(text: &str, raw_query: &str) -> Option<Located> {
    let slug = Slug::parse(&text.to_ascii_lowercase())?;
    if slug.as_str() != text {
        return Some(Located::moved(&category_path(&slug), raw_query));
    }
    let mut query = ListingQuery::parse(raw_query);
    // There is only this one to choose.
    query.filters.categories.clear();
    Some(Located::Page(Address::Category(slug, query)))
}

pub fn locate_search(text: &str, raw_query: &str) -> Option<Located> {
    let wanted = clean(text);
    if wanted.is_empty() {
        return None;
    }
    // The two that a client resolves before it asks can only come from one that does not.
    if wanted != text || matches!(text, "." | "..") {
        return Some(Located::moved(&address_of_search(&wanted)?, raw_query));
    }
    Some(Located::Page(Address::Search(wanted, ListingQuery::parse(raw_query))))
}

/// `/search?q=…`, the search form without JavaScript.
pub fn locate_search_form(raw_query: &str) -> Located {
    let text = ListingQuery::parse(raw_query).filters.query;
    Located::SeeOther(address_of_search(&text).unwrap_or_else(|| "/products".into()))
}

/// Where a search text's results are; nothing for a blank one.
fn address_of_search(text: &str) -> Option<String> {
    match text {
        "" => None,
        // These two mean "this folder" and "the one above" in a path, however they are encoded.
        "." | ".." => Some(format!("/products?q={text}")),
        text => Some(search_path(text)),
    }
}

pub fn search_path(text: &str) -> String {
    format!("/search/{}", encode(text))
}

pub fn category_path(slug: &Slug) -> String {
    format!("/category/{slug}")
}

pub async fn preset(queries: &Queries<'_>, preset: Preset, query: &ListingQuery) -> Draft {
    let (base_path, heading, source) = preset.describe();
    let shelf = queries.ask("all products", queries.catalogue.all_products()).await;
    let frame = Frame { base_path: base_path.into(), heading: heading.into(), source };
    frame.fill(shelf.map(|all| preset.arrange(all)), query.clone())
}

pub async fn category(queries: &Queries<'_>, slug: &Slug, query: &ListingQuery) -> Draft {
    let shelf = queries.ask("category", queries.catalogue.category_products(slug)).await;
    let frame = Frame {
        base_path: category_path(slug),
        heading: slug.title(),
        source: ListingSource::Category { slug: slug.to_string() },
    };
    // A category lists at least one product; the service answers an unknown one with none.
    if shelf.as_ref().is_some_and(|shelf| shelf.is_empty()) {
        return frame.fill(shelf, ListingQuery::parse("")).not_found();
    }
    frame.fill(shelf, query.clone())
}

pub async fn search(queries: &Queries<'_>, text: &str, query: &ListingQuery) -> Draft {
    let shelf = queries.ask("search", queries.catalogue.search(text)).await;
    let frame = Frame {
        base_path: search_path(text),
        heading: format!("Search Results for \"{text}\""),
        source: ListingSource::Search { text: text.into() },
    };
    frame.fill(shelf, query.clone())
}

/// A listing without its products.
struct Frame {
    base_path: String,
    heading: String,
    source: ListingSource,
}

impl Frame {
    /// The listing of a shelf, or of nothing when the catalogue did not answer.
    fn fill(self, shelf: Option<Arc<Shelf>>, mut query: ListingQuery) -> Draft {
        let Self { base_path, heading, source } = self;
        let failed = shelf.is_none();
        let shelf = shelf.unwrap_or_default();

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_search_is_no_page() {
        for blank in ["", " ", "\u{0}", "\u{a0}"] {
            assert_eq!(locate_search(blank, ""), None, "{blank:?}");
        }
    }
}
