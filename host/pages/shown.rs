//! What a listing shows of its products: those of its page, the filter groups, and figures.

use std::sync::Arc;

use super::cards;
use super::listing_query::{ListingQuery, PAGE_SIZE};
use super::questions::Questions;
use super::quick_filters::quick_filters;
use super::shown_facets;
use super::story::story;
use crate::catalogue::ProductSet;
use crate::contract::{Facets, ListingFigures, ListingSource, ProductCard, QuickFilter};
use crate::facets::{self, Filtered};
use crate::process::compute::assert_off_runtime;
use crate::profile::NumberFormat;

/// What a listing shows of its products.
pub(super) struct Shown {
    /// The query, limited to what the products allow.
    pub(super) query: ListingQuery,
    /// The products of the page.
    pub(super) cards: Vec<ProductCard>,
    /// How many products match, on all pages.
    pub(super) total: usize,
    pub(super) page_count: usize,
    /// How many products the pages before have.
    pub(super) before: usize,
    pub(super) facets: Facets,
    pub(super) quick: Vec<QuickFilter>,
    pub(super) figures: Option<ListingFigures>,
}

/// What a listing shows of these products, arranged by `arrange`; `None` when too many listings wait already.
pub(super) async fn shown(
    questions: &Questions<'_>,
    products: Arc<ProductSet>,
    query: &ListingQuery,
    source: &ListingSource,
    arrange: impl FnOnce(&ProductSet) -> ProductSet + Send + 'static,
) -> Option<Shown> {
    let (query, source) = (query.clone(), source.clone());
    let (numbers, bytes) = (questions.numbers(), products.bytes_read());
    let is_rated = questions.has_ratings();
    let work = move || Shown::of(&numbers, &arrange(&products), query, &source, is_rated);
    questions.compute(bytes, work).await
}

impl Shown {
    /// What a listing shows of these products. The time for it grows with their number.
    fn of(
        numbers: &NumberFormat,
        products: &ProductSet,
        mut query: ListingQuery,
        source: &ListingSource,
        is_rated: bool,
    ) -> Self {
        assert_off_runtime();
        facets::limit(&mut query.filters, products, is_rated);
        let mut shown = Self::filtered(numbers, products, query, source);
        if !is_rated {
            shown.facets.remove(facets::RATING);
        }
        shown
    }

    /// No products. What the listing has is not known, so the query stays as it is.
    pub(super) fn nothing(numbers: &NumberFormat, query: &ListingQuery, source: &ListingSource) -> Self {
        Self {
            query: query.clone(),
            ..Self::filtered(numbers, &ProductSet::default(), query.clone(), source)
        }
    }

    fn filtered(
        numbers: &NumberFormat,
        products: &ProductSet,
        mut query: ListingQuery,
        source: &ListingSource,
    ) -> Self {
        let Filtered { matches, facets: mut groups, caps } = facets::apply(products, &query.filters, numbers);
        shown_facets::limit(&mut groups, query.filters.all_facets);
        let quick = quick_filters(numbers, source, &query.filters, &groups, &caps, matches.len());
        let page_count = matches.len().div_ceil(PAGE_SIZE).max(1);
        let page = (query.page as usize).min(page_count);
        query.page = u32::try_from(page).unwrap_or(u32::MAX);
        let before = (page - 1) * PAGE_SIZE;
        let shown = matches.iter().skip(before).take(PAGE_SIZE);
        let cards = cards::product_cards(numbers, shown.map(|&position| products.summary(position)));
        let figures = figures(numbers, products, source);
        let total = matches.len();
        Self { query, cards, total, page_count, before, facets: groups, quick, figures }
    }
}

/// All products in figures, if there are any.
fn figures(numbers: &NumberFormat, products: &ProductSet, source: &ListingSource) -> Option<ListingFigures> {
    let discount = products.deepest_discount();
    (!products.is_empty()).then(|| ListingFigures {
        story: story(numbers, source, products),
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
            let numbers = NumberFormat::default();
            let set = ProductSet::new(all.clone(), Currency::default());
            let mut filters = Filters::default().with(facets::TEXT, FilterValue::Text("a".into()));
            if in_stock {
                filters.set(facets::STOCK, FilterValue::Set);
            }
            let query = ListingQuery { filters, ..ListingQuery::default() };
            let shown = Shown::of(&numbers, &set, query, &ListingSource::All, true);
            let cards = cards::product_cards(&numbers, &all);
            let expected = (!all.is_empty()).then(|| ListingFigures {
                story: story(&numbers, &ListingSource::All, &set),
                deepest_discount: cards.iter().filter_map(|card| card.price.percent_off).max(),
            });
            prop_assert_eq!(shown.figures, expected);
        }
    }
}
