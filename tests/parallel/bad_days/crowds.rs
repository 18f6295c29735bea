//! Crowds arrive for one page.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use vitrine::catalogue::{Ask, Catalogue, Product, Query, Result, Sample};
use vitrine::render::{Renderer, RendererSettings};

use crate::common::days::{get, grow_stale, open, settings, until_whole};
use crate::common::renders::{ENDLESS, HEAP_BOMBS};
use crate::common::until::until;
use crate::common::{client, renderer_settings, renderer_with, sample, shop_settings};

/// The sample, but products have a minimum order of 1,000; once `changes` is set, each look finds a higher one.
struct Changing {
    sample: Arc<Sample>,
    changes: AtomicBool,
    looks: AtomicU32,
}

#[async_trait]
impl<Q: Query> Ask<Q> for Changing
where
    Sample: Ask<Q>,
{
    async fn ask(&self, query: &Q) -> Result<Q::Answer> {
        let mut answer = self.sample.ask(query).await?;
        if let Some(Some(product)) = (&mut answer as &mut dyn Any).downcast_mut::<Option<Arc<Product>>>() {
            let looks = match self.changes.load(Ordering::SeqCst) {
                true => 1 + self.looks.fetch_add(1, Ordering::SeqCst),
                false => 0,
            };
            Arc::make_mut(product).minimum_order_quantity = 1_000 + looks;
        }
        Ok(answer)
    }
}

impl Catalogue for Changing {}

/// A renderer that renders a minimum order of 1,000, and runs `body` for any other.
async fn renderer_then(body: &str) -> Renderer {
    let source = format!(
        "globalThis.renderPage = (json) => {{
           if (!json.includes('\"minimumOrderQuantity\":1000') && json.includes('\"minimumOrderQuantity\":10')) {{ {body} }}
           return '<main>' + (json.match(/\"minimumOrderQuantity\":(10\\d\\d)/) || ['', 'warm'])[1] + '</main>';
         }};"
    );
    // Long enough for a render that ends, and soon over for one that never does.
    let timeout = Duration::from_secs(2);
    renderer_with(&source, RendererSettings { timeout, ..renderer_settings(1) }).await
}

const CROWD: usize = 1_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_at_once_for_one_new_page_make_one_render() {
    let renderer =
        renderer_with("globalThis.renderPage = () => '<main></main>';", renderer_settings(1)).await;
    // Long ages and constant data, so that nothing but the crowd could cause a second render.
    let shop = open(sample(), renderer.clone(), shop_settings()).await;
    let client = client();
    let crowd = (0..CROWD).map(|_| client.get(format!("http://{shop}/product/1")).send());
    let answers = join_all(crowd).await;
    assert!(answers.into_iter().all(|answer| answer.unwrap().status() == 200));
    assert_eq!(renderer.counters().rendered.get(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_at_once_for_one_expired_page_get_the_old_one_when_its_render_dies() {
    for death in [ENDLESS[0], "throw new Error('gone');", HEAP_BOMBS[0]] {
        let renderer = renderer_then(death).await;
        let catalogue = Changing { sample: sample(), changes: false.into(), looks: 0.into() };
        let catalogue = Arc::new(catalogue);
        let shop = open(Arc::clone(&catalogue) as Arc<_>, renderer.clone(), settings()).await;
        assert!(until_whole(shop, "/product/1").await.text.contains("<main>1000</main>"));
        catalogue.changes.store(true, Ordering::SeqCst);
        grow_stale().await;
        let client = client();
        let crowd = (0..CROWD).map(|_| async {
            let answer = client.get(format!("http://{shop}/product/1")).send().await.unwrap();
            (answer.status().as_u16(), answer.text().await.unwrap())
        });
        for (status, text) in join_all(crowd).await {
            assert_eq!(status, 200, "{death}");
            assert!(text.contains("<main>1000</main>"), "{death}: not the last good page");
        }
        let counters = renderer.counters();
        let failed = || counters.timeouts.get() + counters.failed.get() + counters.out_of_memory.get();
        until("the failed render", async || failed() > 0).await;
        assert!(failed() <= 4, "{death}: {} renders for one page", failed());
        // The old page is still there for later visitors.
        assert!(get(shop, "/product/1").await.text.contains("<main>1000</main>"), "{death}");
    }
}
