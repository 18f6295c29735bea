//! Listings that are too large to be known before the catalogue is read: one page at a time, in an order that the
//! service makes, and without filters.

use std::cmp::Reverse;

use super::cards;
use super::listing_query::ListingQuery;
use super::questions::Questions;
use super::shown::Shown;
use crate::catalogue::{Listing, Summary, Window, WindowOrder, Windowed};
use crate::contract::{ListingSource, Sort};

/// A listing whose products are not known as a whole.
pub(super) struct Unread {
    pub(super) listing: Listing,
    /// The order that it has without a choice of the visitor; `None` for the service's own.
    pub(super) order: Option<WindowOrder>,
    /// How many of the products belong to it, where it is not all of them. They fit on one page.
    pub(super) most: Option<u32>,
}

/// One page of a listing.
struct Page {
    products: Vec<Summary>,
    /// How many products the listing has.
    total: u64,
    page_count: u64,
    /// How many products the pages before have.
    before: u64,
}

impl Unread {
    /// What the listing shows; `None` if the catalogue did not answer.
    pub(super) async fn shown(
        self,
        questions: &Questions<'_>,
        query: &ListingQuery,
        source: &ListingSource,
    ) -> Option<Shown> {
        let sort = query.filters.sort;
        let Page { mut products, total, page_count, before } = match self.most {
            Some(most) => {
                let Windowed { products, total, .. } = self.window(questions, self.order, 0, most).await?;
                // The service may send fewer than it was asked for.
                let total = total.unwrap_or(u64::MAX).min(products.len() as u64);
                Page { products, total, page_count: 1, before: 0 }
            }
            None => self.page_or_last(questions, sort.map(order_of).or(self.order), query.page).await?,
        };
        if let (Some(_), Some(sort)) = (self.most, sort) {
            sort_by(&mut products, sort);
        }
        let nothing = Shown::nothing(&questions.numbers(), query, source);
        Some(Shown {
            cards: cards::product_cards(&questions.numbers(), &products),
            total: usize::try_from(total).unwrap_or(usize::MAX),
            page_count: usize::try_from(page_count).unwrap_or(usize::MAX),
            before: usize::try_from(before).unwrap_or(usize::MAX),
            // The filters stay in the address: they apply once the catalogue is read.
            query: ListingQuery { page: page_of(query.page, page_count), ..query.clone() },
            is_unread: true,
            ..nothing
        })
    }

    /// This page, or the last one if there are fewer. The first page, which is cached, says how many pages there are,
    /// so that one beyond the last costs no call. It also says how many products the service gives at most.
    async fn page_or_last(
        &self,
        questions: &Questions<'_>,
        order: Option<WindowOrder>,
        page: u32,
    ) -> Option<Page> {
        let Windowed { products, total, entries } = self.window(questions, order, 0, Window::PAGE).await?;
        let (total, size) = (total?, u64::from(entries.clamp(1, Window::PAGE)));
        let page_count = total.div_ceil(size).max(1);
        let before = u64::from(page_of(page, page_count).saturating_sub(1)) * size;
        let products = match before {
            0 => products,
            skip => self.window(questions, order, skip, Window::PAGE).await?.products,
        };
        Some(Page { products, total, page_count, before })
    }

    async fn window(
        &self,
        questions: &Questions<'_>,
        order: Option<WindowOrder>,
        skip: u64,
        limit: u32,
    ) -> Option<Windowed> {
        let window = Window { listing: self.listing.clone(), order, skip, limit };
        let mut window = (*questions.ask(window).await?).clone();
        // The service may send more than it was asked for.
        window.products.truncate(limit as usize);
        Some(window)
    }
}

fn page_of(page: u32, page_count: u64) -> u32 {
    u32::try_from(page_count).map_or(page, |count| page.min(count))
}

fn order_of(sort: Sort) -> WindowOrder {
    match sort {
        Sort::PriceAsc => WindowOrder::Cheapest,
        Sort::PriceDesc => WindowOrder::MostExpensive,
        Sort::RatingDesc => WindowOrder::BestRated,
    }
}

fn sort_by(products: &mut [Summary], sort: Sort) {
    match sort {
        Sort::PriceAsc => products.sort_by_key(|product| product.price),
        Sort::PriceDesc => products.sort_by_key(|product| Reverse(product.price)),
        Sort::RatingDesc => products.sort_by(|left, right| {
            right.rating.unwrap_or_default().total_cmp(&left.rating.unwrap_or_default())
        }),
    }
}
