//! What operators see of long files of all products.

use std::sync::Arc;

use axum::http::header;
use futures_util::future::join_all;
use vitrine::catalogue::Catalogue as _;
use vitrine::shop::ShopSettings;

use super::ShopWithAdmin;
use crate::common::days::{settings, until_read};
use crate::common::large::{Large, open};
use crate::common::pages::ask;
use crate::common::real_renderer;
use crate::common::until::until;

const MADE: &str = "vitrine_exports_made_total";
const KEPT: &str = "vitrine_exports_kept_bytes";

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_at_the_same_time_for_a_new_version_gets_one_file_of_it() {
    let large = Large::default();
    let catalogue = open(&large.start().await);
    until_read(&catalogue).await;
    let folder = tempfile::tempdir().unwrap();
    let settings = ShopSettings { state_dir: Some(folder.path().into()), ..settings() };
    let shop = &ShopWithAdmin::start(catalogue.clone(), real_renderer(1).await, settings).await;
    assert_eq!(shop.figure(MADE, "").await, 0.0);
    let mut last = 0.0;
    for (made, title) in [(1.0, "Product 5999"), (2.0, "Renamed")] {
        if made > 1.0 {
            let old = catalogue.version().unwrap();
            large.0.lock().last_title = Some(title.into());
            until("the next version", async || !Arc::ptr_eq(&old, &catalogue.version().unwrap())).await;
        }
        let asked = (0..20).map(|number| async move {
            let coding = if number % 2 == 0 { "gzip" } else { "identity" };
            ask(shop.visitors, "/merchant.xml", &[("accept-encoding", coding)]).await
        });
        for answer in join_all(asked).await {
            assert_eq!(answer.status(), 200);
            let is_packed = answer.headers().contains_key(header::CONTENT_ENCODING);
            let body = answer.bytes().await.unwrap();
            assert!(is_packed || String::from_utf8_lossy(&body).contains(title));
        }
        assert_eq!(shop.figure(MADE, "").await, made);
        let kept = shop.figure(KEPT, "place=\"disk\"").await;
        assert!(kept > 0.0 && shop.figure(KEPT, "place=\"memory\"").await == 0.0);
        last = kept;
    }
    // Nothing reads the first version any more.
    until("room", async || shop.figure(KEPT, "").await < 1.5 * last).await;
}
