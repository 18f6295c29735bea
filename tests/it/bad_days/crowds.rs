//! Crowds arrive for one page.

use std::time::Duration;

use futures_util::future::join_all;

use vitrine::render::{Renderer, RendererSettings};

use crate::common::days::{followed, get, grow_stale, open, settings, until_whole};
use crate::common::faults::Fault;
use crate::common::renders::{ENDLESS, HEAP_BOMBS};
use crate::common::until::until;
use crate::common::upstream::Upstream;
use crate::common::{client, renderer_settings, renderer_with};

const CROWD: usize = 1_000;

/// A renderer for which products with a new title are fatal.
async fn renderer_then(death: &str) -> Renderer {
    let source = format!(
        "globalThis.renderPage = (json) => {{ if (json.includes(' (new)')) {{ {death} }} return '<main>old</main>'; }};"
    );
    // Long enough for a render that ends, and soon over for one that never does.
    let timeout = Duration::from_secs(2);
    renderer_with(&source, RendererSettings { timeout, ..renderer_settings(1) }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_at_once_for_one_expired_page_get_the_old_one_when_its_render_dies() {
    for death in [ENDLESS[0], "throw new Error('gone');", HEAP_BOMBS[0]] {
        let (upstream, renderer) = (Upstream::start().await, renderer_then(death).await);
        let shop = open(followed(&upstream, 0), renderer.clone(), settings()).await;
        assert!(until_whole(shop, "/product/1").await.text.contains("<main>old</main>"));
        upstream.set(Fault::Retitled(" (new)".into())).await;
        grow_stale().await;
        let client = client();
        let crowd = (0..CROWD).map(|_| async {
            let answer = client.get(format!("http://{shop}/product/1")).send().await.unwrap();
            (answer.status().as_u16(), answer.text().await.unwrap())
        });
        for (status, text) in join_all(crowd).await {
            assert_eq!(status, 200, "{death}");
            assert!(text.contains("<main>old</main>"), "{death}: not the last good page");
        }
        let counters = renderer.counters();
        let failed = || counters.timeouts.get() + counters.failed.get() + counters.out_of_memory.get();
        until("the failed render", async || {
            // The old page is still there for later visitors.
            assert!(get(shop, "/product/1").await.text.contains("<main>old</main>"), "{death}");
            failed() > 0
        })
        .await;
        assert!(failed() <= 4, "{death}: {} renders for one page", failed());
    }
}
