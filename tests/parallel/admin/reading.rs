//! Operators see how far a large catalogue is read.

use super::ShopWithAdmin;
use crate::common::days::settings;
use crate::common::large::{Large, open};
use crate::common::real_renderer;
use crate::common::until::until;

#[tokio::test(flavor = "multi_thread")]
async fn operators_see_how_far_a_large_catalogue_is_read() {
    let large = Large::default();
    large.0.lock().fails_behind = Some(1_500);
    let catalogue = open(&large.start().await);
    let watched = ShopWithAdmin::start(catalogue.clone(), real_renderer(1).await, settings()).await;
    // Two pages, which overlap by eight products.
    let read = "1992 of 6000 products";
    until("two pages", async || {
        catalogue.mirror().await;
        watched.ask("/readyz").await
            == (503.try_into().unwrap(), format!("render: ok\ncatalogue: empty so far, {read} are read\n"))
    })
    .await;
    assert!(watched.ask("/status").await.1.contains(read));
    assert_eq!(watched.scrape().await.sum("vitrine_catalogue_pass_products", ""), 1_992.0);

    large.0.lock().fails_behind = None;
    until("a copy", async || watched.ask("/readyz").await.0 == 200).await;
    assert!(watched.ask("/status").await.1.contains("6000 products"));
}
