//! Every listing: `/products`, its presets, `/category/{slug}` and `/search/{text}`.

use std::sync::Arc;

use super::address::{Address, Preset, is_linked};
use super::draft::{Draft, Metadata};
use super::listing_query::ListingQuery;
use super::prices_in_words::{Priced, priced};
use super::questions::Questions;
use super::shown::{shown, unknown};
use super::suggestions::suggestions;
use crate::catalogue::search::fold;
use crate::catalogue::{self, ProductOrder, ProductSet, Slug};
use crate::contract::{Content, Corrected, FilterValue, Filters, Listing, ListingSource};
use crate::facets;
use crate::process::compute::OffRuntime;
use crate::profile::Profile;
use crate::texts::{Key, Texts};

/// Number of products in the deals: those in stock with the deepest discounts, then those sold out.
const DEALS: usize = 24;

pub(crate) async fn preset(questions: &Questions<'_>, preset: Preset, query: &ListingQuery) -> Draft {
    let (heading, source) = match preset {
        Preset::All => (Key::AllProducts, ListingSource::All),
        Preset::Sale => (Key::Sale, ListingSource::Sale),
        Preset::NewArrivals => (Key::NewArrivals, ListingSource::NewArrivals),
        Preset::BestSellers => (Key::BestSellers, ListingSource::BestSellers),
        Preset::Deals => (Key::Deals, ListingSource::Deals),
    };
    if !preset.exists(questions.stock.has_ratings()) {
        return Draft::unknown_path(questions.texts(), preset.path());
    }
    let all = match preset {
        Preset::All => questions.list(catalogue::Listing::All).await,
        // Only a version has their orders.
        _ => match questions.stock.version() {
            Some(version) => Ok(version.listing(&catalogue::Listing::All)),
            None => Err(questions.stock.reading()),
        },
    };
    let address = Address::Preset(preset, query.clone());
    let unknown = unknown(&address, query, source, questions.texts().text(heading));
    draft(questions, &address, query, shown(questions, &unknown, all, move |all| arrange(preset, all)).await)
}

/// The products of a preset, in its order.
fn arrange(preset: Preset, all: &ProductSet) -> ProductSet {
    match preset {
        Preset::All => all.in_order(ProductOrder::Own),
        Preset::Sale => all.in_order(ProductOrder::DeepestDiscounts),
        Preset::NewArrivals => all.in_order(ProductOrder::Newest),
        Preset::BestSellers => all.in_order(ProductOrder::BestRated),
        Preset::Deals => all.in_order(ProductOrder::DeepestDiscounts).first(DEALS),
    }
}

/// Whether a preset has no products, so that search engines may not list it.
pub(crate) fn is_empty(preset: Preset, all: &ProductSet) -> bool {
    arrange(preset, all).is_empty()
}

pub(crate) async fn category(questions: &Questions<'_>, slug: &Slug, query: &ListingQuery) -> Draft {
    let products = questions.list(catalogue::Listing::Category(slug.clone())).await;
    // The service answers an unknown category with an empty list; known ones are never empty.
    let is_unknown = products.as_ref().is_ok_and(|products| products.is_empty());
    let plain = ListingQuery::default();
    let query = if is_unknown { &plain } else { query };
    let address = Address::Category(slug.clone(), query.clone());
    let source = ListingSource::Category { slug: slug.to_string() };
    let unknown = unknown(&address, query, source, heading(slug, products.as_deref().ok()));
    let draft =
        draft(questions, &address, query, shown(questions, &unknown, products, ProductSet::clone).await);
    if is_unknown { draft.not_found() } else { draft }
}

/// The category's title. Unlike the address, its products have the name that the slug was made from.
fn heading(slug: &Slug, products: Option<&ProductSet>) -> String {
    let first = products.and_then(|products| products.products().next());
    first.and_then(|product| product.category).filter(|own| own == slug).as_ref().unwrap_or(slug).title()
}

pub(crate) async fn search(questions: &Questions<'_>, text: &str, query: &ListingQuery) -> Draft {
    match priced_search(questions, text, query).await {
        Some((rest, query)) => results(questions, &rest, &query).await,
        None => results(questions, text, query).await,
    }
}

/// The search whose price is a filter instead of words, if its language has words for that and the products are known,
/// unless the words are in a title.
async fn priced_search(
    questions: &Questions<'_>,
    text: &str,
    query: &ListingQuery,
) -> Option<(String, ListingQuery)> {
    let profile = questions.profile;
    let has_price = [facets::LOWEST_PRICE, facets::PRICE].iter().any(|price| query.filters.is_set(price));
    if query.is_as_typed || has_price {
        return None;
    }
    priced(text, profile)?;
    let all = Arc::clone(questions.stock.version()?.products());
    questions.until_searchable(&all).await?;
    let (profile, wanted) = (Arc::clone(profile), text.to_owned());
    let meant = move |off: &OffRuntime| meant_price(off, &profile, &all, &wanted);
    let Priced { rest, least, most } = questions.compute_optional(meant).await??;
    let mut query = query.clone();
    for (parameter, price) in [(facets::LOWEST_PRICE, least), (facets::PRICE, most)] {
        if let Some(price) = price {
            query.filters.set(parameter, FilterValue::Number(price));
        }
    }
    Some((rest, query))
}

/// As [`priced`], unless the words are in the title of the best product that they find.
pub(crate) fn meant_price(
    off: &OffRuntime,
    profile: &Profile,
    all: &ProductSet,
    text: &str,
) -> Option<Priced> {
    let priced = priced(text, profile)?;
    let wanted = fold(text);
    let best = all.best_found(off, &wanted, &profile.searches, 1).next();
    let is_title = best.is_some_and(|product| fold(&product.title).contains(&wanted));
    (!is_title).then_some(priced)
}

/// The results of a search.
async fn results(questions: &Questions<'_>, text: &str, query: &ListingQuery) -> Draft {
    let rules = Arc::clone(&questions.profile.searches);
    let products = match questions.stock.version() {
        Some(version) => {
            let all = version.products();
            let is_searchable = questions.until_searchable(all).await;
            is_searchable.map(|()| Arc::new(all.containing(text, &rules))).ok_or(None)
        }
        None => questions.list(catalogue::Listing::Search(text.into())).await,
    };
    let address = Address::Search(text.into(), query.clone());
    let source = ListingSource::Search { text: text.into() };
    let unknown = unknown(&address, query, source, questions.texts().with(Key::SearchResults, &[&text]));
    let mut listing = shown(questions, &unknown, products.clone(), ProductSet::clone).await;
    if let (0, false, Ok(products)) = (listing.total, listing.failed, products) {
        let corrected = if query.is_as_typed { None } else { correction(questions, text, &products).await };
        match (corrected, questions.stock.version()) {
            (Some(meant), Some(version)) => {
                let products = Arc::new(version.products().containing(&meant.text, &rules));
                listing = shown(questions, &unknown, Ok(products), ProductSet::clone).await;
                listing.corrected = Some(meant);
            }
            _ => listing.suggestions = suggestions(questions, text, products).await,
        }
    }
    draft(questions, &address, query, listing)
}

/// The search that is meant by one for `text`, if that finds nothing and the catalogue is known as a whole.
async fn correction(questions: &Questions<'_>, text: &str, found: &Arc<ProductSet>) -> Option<Corrected> {
    let (all, found) = (Arc::clone(questions.stock.version()?.products()), Arc::clone(found));
    let (rules, wanted) = (Arc::clone(&questions.profile.searches), text.to_owned());
    let correct = move |off: &OffRuntime| match found.is_empty() {
        true => all.corrections(off, &wanted, &rules, 1).into_iter().next(),
        false => None,
    };
    let corrected = questions.compute_optional(correct).await??;
    let query = ListingQuery { is_as_typed: true, ..ListingQuery::default() };
    Some(Corrected { text: corrected, typed_href: Address::Search(text.into(), query).path() })
}

/// The page of a listing that was asked for at `address` with `query`.
fn draft(questions: &Questions<'_>, address: &Address, query: &ListingQuery, listing: Listing) -> Draft {
    let (failed, title, mut metadata) =
        (listing.failed, listing.heading.clone(), metadata(questions.texts(), &listing));
    metadata.is_indexable &= is_linked(&listing.base_path, questions.stock.features());
    let limited =
        ListingQuery { filters: listing.filters.clone(), page: listing.page, is_as_typed: query.is_as_typed };
    // The canonical address: of a filtered listing, the unfiltered one; of any page without filters, itself.
    let is_filtered = limited.filters != Filters::default();
    let address = address.with_query(limited);
    let canonical = if is_filtered { address.with_query(ListingQuery::default()) } else { address.clone() };
    let content = Content::Listing(Box::new(listing));
    let draft = Draft { canonical, ..Draft::new(address, title, content, metadata) };
    if failed { draft.unavailable() } else { draft }
}

fn metadata(texts: &Texts, listing: &Listing) -> Metadata {
    let titles: Vec<&str> = listing.products.iter().take(4).map(|product| product.title.as_str()).collect();
    let (heading, titles) = (&listing.heading, titles.join(texts.text(Key::ListSeparator)));
    let description = match listing.total {
        _ if listing.reading.is_some() => format!("{heading}: {}", texts.text(Key::Reading)),
        _ if listing.failed => format!("{heading}: {}", texts.text(Key::CouldNotReach)),
        0 => texts.with(Key::AboutNothing, &[heading]),
        1 => texts.with(Key::AboutOne, &[heading, &titles]),
        total => texts.count(Key::AboutListing, total as usize, &[heading, &titles]),
    };
    let is_search = matches!(listing.source, ListingSource::Search { .. });
    Metadata {
        picture: listing.products.first().and_then(|product| product.thumbnail.clone()),
        is_indexable: !is_search && listing.filters == Filters::default() && listing.total > 0,
        ..Metadata::new(description)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Availability, Summary};
    use crate::profile::Currency;

    /// `count` products, of which later ones have deeper discounts, with these stocks over and over.
    fn discounted(count: u32, stocks: &[Option<u32>]) -> ProductSet {
        let product = |(id, stock): (u32, &Option<u32>)| Summary {
            id: u64::from(id).into(),
            availability: stock.map_or(Availability::Unknown, Availability::of_stock),
            discount_percentage: 10.0 + f64::from(id),
            ..Summary::default()
        };
        ProductSet::new((0..count).zip(stocks.iter().cycle()).map(product).collect(), Currency::default())
    }

    fn ids(set: &ProductSet) -> Vec<u64> {
        set.products().filter_map(|product| product.id.number()).collect()
    }

    #[test]
    fn the_sale_and_the_deals_end_with_what_is_sold_out() {
        let all = discounted(6, &[Some(0), Some(3), None]);
        assert_eq!(ids(&arrange(Preset::Sale, &all)), [5, 4, 2, 1, 3, 0]);
        assert_eq!(ids(&arrange(Preset::Deals, &all)), [5, 4, 2, 1, 3, 0]);
        assert_eq!(ids(&arrange(Preset::NewArrivals, &all)), [5, 4, 3, 2, 1, 0]);
        assert_eq!(ids(&arrange(Preset::All, &all)), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn deals_are_chosen_among_what_is_in_stock_before_what_is_sold_out() {
        let many = ids(&arrange(Preset::Deals, &discounted(60, &[Some(1), Some(0)])));
        assert_eq!(many, (6..30).rev().map(|half| 2 * half).collect::<Vec<_>>());
        let few = ids(&arrange(Preset::Deals, &discounted(30, &[Some(1), Some(0)])));
        let (in_stock, sold_out) = few.split_at(15);
        assert_eq!(in_stock, (0..15).rev().map(|half| 2 * half).collect::<Vec<_>>());
        assert_eq!(sold_out, (6..15).rev().map(|half| 2 * half + 1).collect::<Vec<_>>());
    }
}
