//! Floods of requests: a few connections, each of which asks again as soon as it is answered.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result};
use futures_util::future::join_all;

use super::client::{Client, get};
use super::{PAGE, PRODUCTS, Tally};

/// Connections of one flood.
const CONNECTIONS: usize = 16;

/// The nth set of filters, in the order of the shop or in another one.
fn filters(number: u64, is_canonical: bool) -> String {
    let sort = ["price-asc", "price-desc", "rating-desc"][(number % 3) as usize];
    let (max, rating, stock) = (10 + number / 3 % 800, 1 + number / 2_400 % 4, number / 9_600 % 2);
    let stock = if stock == 1 { "&stock=1" } else { "" };
    if is_canonical {
        format!("/products?max={max}&rating={rating}{stock}&sort={sort}")
    } else {
        format!("/products?sort={sort}&rating={rating}{stock}&max={max}")
    }
}

pub(super) async fn distinct_filters(shop: SocketAddr, end: Instant) -> Result<Tally> {
    flood(shop, end, "", |number| filters(number, true)).await
}

/// Addresses in another order than the shop's, which are answered with a redirect.
pub(super) async fn other_spellings(shop: SocketAddr, end: Instant) -> Result<Tally> {
    flood(shop, end, "", |number| filters(number, false)).await
}

pub(super) async fn distinct_searches(shop: SocketAddr, end: Instant) -> Result<Tally> {
    flood(shop, end, "", |number| format!("/search/lamp%20{number}")).await
}

/// One product after the other, each for the first time.
pub(super) async fn cold_products(shop: SocketAddr, end: Instant) -> Result<Tally> {
    flood(shop, end, "", |number| format!("/product/{}", 2 + number % (PRODUCTS as u64 - 1))).await
}

/// A page that every client knows already.
pub(super) async fn not_modified(shop: SocketAddr, end: Instant) -> Result<Tally> {
    let tag = Client::of(shop).ask(&get(PAGE, "")).await?.tag.context("a page without a tag")?;
    flood(shop, end, &format!("if-none-match: {tag}\r\n"), |_| PAGE.to_owned()).await
}

/// A flood's requests are numbered in the order in which they are made.
async fn flood(shop: SocketAddr, end: Instant, headers: &str, path: impl Fn(u64) -> String) -> Result<Tally> {
    let next = AtomicU64::new(0);
    let (answers, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    let connections = (0..CONNECTIONS).map(|_| async {
        let mut client = Client::of(shop);
        while Instant::now() < end {
            let request = get(&path(next.fetch_add(1, Ordering::Relaxed)), headers);
            let answer = client.ask(&request).await?;
            answers.fetch_add(1, Ordering::Relaxed);
            refused.fetch_add(u64::from(answer.status == 503), Ordering::Relaxed);
        }
        anyhow::Ok(())
    });
    join_all(connections).await.into_iter().collect::<Result<()>>()?;
    Ok(Tally::per_second(answers.into_inner(), "answers", refused.into_inner()))
}

/// The requests of a pipeline of [`super::connections`].
pub(super) fn pipeline(first: u64, length: u64) -> Vec<u8> {
    (first..first + length).flat_map(|number| get(&filters(number, true), "")).collect()
}
