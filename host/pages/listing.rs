//! Every listing: `/products`, its presets, `/category/{slug}` and `/search/{text}`.

use std::sync::Arc;

use super::address::{Address, Preset};
use super::cards;
use super::draft::{Draft, Metadata};
use super::filter::{self, Filtered};
use super::listing_query::ListingQuery;
use super::questions::Questions;
use super::shown_facets;
use crate::catalogue::{self, ProductSet, Slug, Summary};
use crate::contract::{Content, Filters, Listing, ListingSource};

/// Most cards on one page.
const PAGE_SIZE: usize = 48;
/// Number of products in the deals: those with the deepest discounts.
const DEALS: usize = 24;

pub(crate) async fn preset(questions: &Questions<'_>, preset: Preset, query: &ListingQuery) -> Draft {
    let (heading, source) = match preset {
        Preset::All => ("All Products", ListingSource::All),
        Preset::Sale => ("Sale", ListingSource::Sale),
        Preset::NewArrivals => ("New Arrivals", ListingSource::NewArrivals),
        Preset::BestSellers => ("Best Sellers", ListingSource::BestSellers),
        Preset::Deals => ("Deals", ListingSource::Deals),
    };
    let products = questions.ask(catalogue::Listing::All).await.map(|all| arrange(preset, all));
    let address = Address::Preset(preset, query.clone());
    Frame { address, heading: heading.into(), source }.fill(products, query.clone())
}

/// The products of a preset, in its order.
fn arrange(preset: Preset, all: Arc<ProductSet>) -> Arc<ProductSet> {
    let discounted = |product: &Summary| product.discount_percentage.round() >= 1.0;
    let deepest_first =
        |left: &Summary, right: &Summary| right.discount_percentage.total_cmp(&left.discount_percentage);
    match preset {
        Preset::All => all,
        Preset::Sale => all.only(discounted).sorted_by(deepest_first).into(),
        Preset::NewArrivals => all.sorted_by(|left, right| right.id.cmp(&left.id)).into(),
        Preset::BestSellers => all.sorted_by(|left, right| right.rating.total_cmp(&left.rating)).into(),
        Preset::Deals => all.only(discounted).sorted_by(deepest_first).first(DEALS).into(),
    }
}

pub(crate) async fn category(questions: &Questions<'_>, slug: &Slug, query: &ListingQuery) -> Draft {
    let products = questions.ask(catalogue::Listing::Category(slug.clone())).await;
    let frame = Frame {
        address: Address::Category(slug.clone(), query.clone()),
        heading: slug.title(),
        source: ListingSource::Category { slug: slug.to_string() },
    };
    // The service answers an unknown category with an empty list; known ones are never empty.
    if products.as_ref().is_some_and(|products| products.is_empty()) {
        return frame.fill(products, ListingQuery::default()).not_found();
    }
    frame.fill(products, query.clone())
}

pub(crate) async fn search(questions: &Questions<'_>, text: &str, query: &ListingQuery) -> Draft {
    let products = questions.ask(catalogue::Listing::Search(text.into())).await;
    let frame = Frame {
        address: Address::Search(text.into(), query.clone()),
        heading: format!("Search Results for \"{text}\""),
        source: ListingSource::Search { text: text.into() },
    };
    frame.fill(products, query.clone())
}

/// A listing without its products.
struct Frame {
    address: Address,
    heading: String,
    source: ListingSource,
}

impl Frame {
    /// The listing of these products; `None` means that the catalogue did not answer.
    fn fill(self, products: Option<Arc<ProductSet>>, mut query: ListingQuery) -> Draft {
        let Self { address, heading, source } = self;
        let failed = products.is_none();
        let products = products.unwrap_or_default();

        // Without the products it is not known what the listing has.
        if !failed {
            query.limit_to(&products);
        }
        let Filtered { matches, mut facets } = filter::apply(&products, &query.filters);
        shown_facets::limit(&mut facets, query.filters.all_facets);
        let page_count = matches.len().div_ceil(PAGE_SIZE).max(1);
        let page = (query.page as usize).min(page_count);
        query.page = u32::try_from(page).unwrap_or(u32::MAX);

        let shown = matches.iter().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE);
        let shown = shown.map(|&position| &products.products()[position as usize]);
        let address = address.with_query(query.clone());
        let canonical = canonical(&address, &query);
        let title = heading.clone();
        let listing = Listing {
            source,
            heading,
            base_path: address.base_path(),
            products: cards::product_cards(shown),
            total: u32::try_from(matches.len()).unwrap_or(u32::MAX),
            page: query.page,
            page_count: u32::try_from(page_count).unwrap_or(u32::MAX),
            filters: query.filters,
            facets,
            failed,
        };
        let metadata = metadata(&listing);
        let content = Content::Listing(Box::new(listing));
        let draft = Draft { canonical, ..Draft::new(address, title, content, metadata) };
        if failed { draft.unavailable() } else { draft }
    }
}

fn metadata(listing: &Listing) -> Metadata {
    let titles: Vec<&str> = listing.products.iter().take(4).map(|product| product.title.as_str()).collect();
    let (heading, titles) = (&listing.heading, titles.join(", "));
    let description = match listing.total {
        0 => format!("{heading}: no products found."),
        1 => format!("{heading}: {titles}."),
        total => format!("{heading}: {total} products, among them {titles}."),
    };
    let is_search = matches!(listing.source, ListingSource::Search { .. });
    Metadata {
        picture: listing.products.first().and_then(|product| product.thumbnail.clone()),
        is_indexable: !is_search && listing.filters == Filters::default() && listing.total > 0,
        ..Metadata::new(description)
    }
}

/// The canonical address: of a filtered listing, the unfiltered one; of any page without filters, itself.
fn canonical(address: &Address, query: &ListingQuery) -> Address {
    if query.filters == Filters::default() {
        address.clone()
    } else {
        address.with_query(ListingQuery::default())
    }
}
