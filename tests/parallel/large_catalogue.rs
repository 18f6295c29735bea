//! A catalogue whose list is too large for one answer is read in pages, and sold like any other.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use vitrine::catalogue::{
    Catalogue as _, CataloguePurge, MirrorPolicy, Outdated, PurgeMode, Remembered, Service, StateDir,
};

use crate::common::client::service_at;
use crate::common::days::{AGES, LIMITS, grow_stale};
use crate::common::large::{Large, PRODUCTS, open};
use crate::common::queries::Queries as _;
use crate::common::until::until;

async fn until_copied(shop: &Remembered<Service>) {
    until("a copy", async || shop.mirror().await.is_some()).await;
}

#[tokio::test]
async fn a_large_catalogue_is_sold_as_a_whole_and_read_again_only_where_it_has_changed() {
    let large = Large::default();
    let shop = open(&large.start().await);
    until_copied(&shop).await;
    let all = shop.all_products().await.unwrap();
    assert_eq!(all.len() as u64, PRODUCTS);
    let ids: HashSet<String> = all.products().map(|product| product.id.to_string()).collect();
    assert_eq!(ids.len() as u64, PRODUCTS);
    assert_eq!(shop.status().copy.map(|(products, _)| products as u64), Some(PRODUCTS));
    assert!(shop.status().pass.is_none(), "the pass has ended");

    // A pass that finds nothing new is answered without a body, and the copy stays the same one.
    let (first, _) = shop.last_mirror().unwrap();
    large.take_sent();
    let before = large.0.lock().unchanged;
    until("passes without news", async || {
        grow_stale().await;
        shop.mirror().await;
        large.0.lock().unchanged >= before + 14
    })
    .await;
    assert!(Arc::ptr_eq(&first, &shop.last_mirror().unwrap().0));
    assert_eq!(large.take_sent(), Vec::<String>::new());

    large.0.lock().last_title = Some("Renamed".into());
    until("the new title", async || {
        grow_stale().await;
        shop.mirror().await;
        shop.product(PRODUCTS).await.unwrap().is_some_and(|product| product.summary.title == "Renamed")
    })
    .await;

    let purge = CataloguePurge { outdated: Outdated::Everything, mode: PurgeMode::Soft, ago: Duration::ZERO };
    large.take_sent();
    shop.purge(&[purge]);
    until("everything again", async || {
        shop.mirror().await;
        large.take_sent().iter().any(|query| query == "limit=1000&skip=0")
    })
    .await;
}

#[tokio::test]
async fn a_saved_copy_of_a_large_catalogue_is_sold_while_the_service_is_away() {
    let large = Large::default();
    let base = large.start().await;
    let shop = open(&base);
    until_copied(&shop).await;
    let directory = tempfile::tempdir().unwrap();
    StateDir::new(directory.path(), "service").save(&shop).unwrap();

    let later = open(&"http://127.0.0.1:1".parse().unwrap());
    StateDir::new(directory.path(), "service").load(&later).unwrap();
    assert_eq!(later.all_products().await.unwrap().len() as u64, PRODUCTS);
}

#[tokio::test]
async fn a_catalogue_of_more_products_than_are_wanted_is_not_read() {
    let large = Large::default();
    let base = large.start().await;
    let shop = Remembered::new(service_at(base, LIMITS), AGES, MirrorPolicy::UpTo(PRODUCTS - 1));
    until("the number of products", async || {
        shop.mirror().await;
        large.0.lock().sent.iter().any(|query| query == "limit=1&select=id")
    })
    .await;
    grow_stale().await;
    assert!(shop.mirror().await.is_none());
    // What it began to ask is sent meanwhile.
    grow_stale().await;
    assert_eq!(large.take_sent(), ["limit=1&select=id"]);
}
