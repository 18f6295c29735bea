//! What a listing shows of its products: those of its page, the filter groups, and figures.

use std::sync::Arc;

use super::address::Address;
use super::cards;
use super::facts;
use super::listing_query::{ListingQuery, PAGE_SIZE};
use super::questions::{Listed, Questions};
use super::quick_filters::quick_filters;
use super::shown_facets;
use super::story::story;
use super::tint;
use crate::catalogue::ProductSet;
use crate::contract::{Listing, ListingFigures, ListingSource, ProductCard};
use crate::facets::{self, Filtered};
use crate::process::compute::OffRuntime;
use crate::profile::Profile;
use crate::texts::Key;

/// A listing of which only its address is known.
pub(super) fn unknown(
    address: &Address,
    ListingQuery { filters, page, .. }: &ListingQuery,
    source: ListingSource,
    heading: impl Into<String>,
) -> Listing {
    let tint = match &source {
        ListingSource::Category { slug } => Some(tint::of_category(slug)),
        _ => None,
    };
    let (base_path, heading) = (address.base_path(), heading.into());
    Listing { source, tint, heading, base_path, filters: filters.clone(), page: *page, ..Listing::default() }
}

/// The listing `unknown` with these products, arranged by `arrange`. It has failed when too many listings wait already.
pub(super) async fn shown(
    questions: &Questions<'_>,
    unknown: &Listing,
    products: Listed,
    arrange: impl FnOnce(&ProductSet) -> ProductSet + Send + 'static,
) -> Listing {
    let (profile, is_rated) = (Arc::clone(questions.profile), questions.stock.has_ratings());
    let listing = match products {
        Ok(products) => {
            let (bytes, listing) = (products.bytes_read(), unknown.clone());
            let work = move |off: &OffRuntime| limited(off, &profile, &arrange(&products), listing, is_rated);
            questions.compute(bytes, work).await.ok_or(None)
        }
        Err(reading) => Err(reading),
    };
    listing.unwrap_or_else(|reading| {
        let empty = filtered(questions.profile, &ProductSet::default(), unknown.clone());
        // What the listing has is not known, so the query stays as it is.
        Listing { page: unknown.page, reading, failed: true, ..empty }
    })
}

/// The listing with these products, its query limited to what they allow.
fn limited(
    _: &OffRuntime,
    profile: &Profile,
    products: &ProductSet,
    mut listing: Listing,
    is_rated: bool,
) -> Listing {
    facets::limit(&mut listing.filters, products, is_rated);
    let mut listing = filtered(profile, products, listing);
    if !is_rated {
        listing.facets.remove(facets::RATING);
    }
    listing
}

fn filtered(profile: &Profile, all: &ProductSet, listing: Listing) -> Listing {
    let Listing { source, filters, page, .. } = &listing;
    let Filtered { matches, mut facets, caps } = facets::apply(all, filters, &profile.numbers);
    shown_facets::limit(&mut facets, filters.all_facets);
    let page_count = matches.len().div_ceil(PAGE_SIZE).max(1);
    let page = (*page as usize).min(page_count);
    let before = (page - 1) * PAGE_SIZE;
    let shown = matches.iter().skip(before).take(PAGE_SIZE);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let tag = filters.text(facets::TAG);
    Listing {
        products: cards_of(profile, all, shown.copied()),
        total: number(matches.len()),
        page: number(page),
        page_count: number(page_count),
        before,
        quick: quick_filters(profile, source, filters, &facets, &caps, matches.len()),
        facets,
        // The figures describe all products, but the heading of a tag names only some of them.
        figures: figures(profile, all, source).filter(|_| tag.is_empty()),
        heading: match source {
            // The links of tags lead here.
            ListingSource::All if !tag.is_empty() => profile.texts.with(Key::TaggedProducts, &[&tag]),
            _ => listing.heading.clone(),
        },
        ..listing
    }
}

/// The cards of the products at these positions. Listings that hardly have pictures are shown as rows of text, which have
/// more of it.
fn cards_of(
    profile: &Profile,
    all: &ProductSet,
    positions: impl Iterator<Item = u32> + Clone,
) -> Vec<ProductCard> {
    let mut cards = cards::product_cards(profile, positions.clone().map(|position| all.summary(position)));
    if 2 * cards.iter().filter(|card| card.thumbnail.is_none()).count() > cards.len() {
        for (card, position) in cards.iter_mut().zip(positions) {
            let product = all.whole_at(position);
            card.number = product.as_ref().map(|product| product.sku.clone()).filter(|sku| !sku.is_empty());
            card.facts = product.as_ref().and_then(|product| facts::measures(&profile.numbers, product));
        }
    }
    cards
}

/// All products in figures, if there are any.
fn figures(profile: &Profile, products: &ProductSet, source: &ListingSource) -> Option<ListingFigures> {
    let discount = products.deepest_discount();
    (!products.is_empty()).then(|| ListingFigures {
        story: story(profile, source, products),
        deepest_discount: (discount > 0).then_some(discount),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::any_products;
    use crate::contract::{FilterValue, Filters};
    use crate::profile::Currency;

    proptest! {
        #[test]
        fn the_figures_are_those_of_all_cards_whatever_the_filters(all in any_products(), in_stock: bool) {
            let profile = Profile::default();
            let set = ProductSet::new(all.clone(), Currency::default());
            let mut filters = Filters::default().with(facets::TEXT, FilterValue::Text("a".into()));
            if in_stock {
                filters.set(facets::STOCK, FilterValue::Set);
            }
            let shown = limited(&OffRuntime::of_own_thread(), &profile, &set, Listing { filters, page: 1, ..Listing::default() }, true);
            let cards = cards::product_cards(&profile, &all);
            let expected = (!all.is_empty()).then(|| ListingFigures {
                story: story(&profile, &ListingSource::All, &set),
                deepest_discount: cards.iter().filter_map(|card| card.price.percent_off).max(),
            });
            prop_assert_eq!(shown.figures, expected);
        }
    }
}
