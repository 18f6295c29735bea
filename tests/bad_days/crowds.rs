//! Crowds arrive for one page.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use vitrine::catalogue::{
    Catalogue, Category, CategoryPreview, Product, ProductId, Result, Sample, Section, Slug, Summary,
};
use vitrine::render::{Bundle, Renderer};
use vitrine::shelf::Shelf;

use crate::common::{error_page, renderer_settings, sample, shop_settings};
use crate::days::{ONE_AT_A_TIME, get, grow_stale, open, settings, until};

/// The sample, but that products have another stock each time they are looked up.
struct Changing {
    sample: Arc<Sample>,
    look: AtomicU64,
}

#[async_trait]
impl Catalogue for Changing {
    async fn categories(&self) -> Result<Arc<[Category]>> {
        self.sample.categories().await
    }
    async fn category_preview(&self, category: &Slug) -> Result<CategoryPreview> {
        self.sample.category_preview(category).await
    }
    async fn category_products(&self, category: &Slug) -> Result<Arc<Shelf>> {
        self.sample.category_products(category).await
    }
    async fn all_products(&self) -> Result<Arc<Shelf>> {
        self.sample.all_products().await
    }
    async fn search(&self, text: &str) -> Result<Arc<Shelf>> {
        self.sample.search(text).await
    }
    async fn product(&self, id: ProductId) -> Result<Option<Arc<Product>>> {
        let Some(product) = self.sample.product(id).await? else { return Ok(None) };
        let look = u32::try_from(self.look.fetch_add(1, Ordering::SeqCst)).unwrap();
        let summary = Summary { stock: 1_000 + look, ..product.summary.clone() };
        Ok(Some(Arc::new(Product { summary, ..(*product).clone() })))
    }
    async fn section(&self, section: Section) -> Result<Arc<[Summary]>> {
        self.sample.section(section).await
    }
}

fn changing() -> Arc<Changing> {
    Arc::new(Changing { sample: sample(), look: AtomicU64::new(0) })
}

/// Its first page has stock 1,000; every later one does what `body` says.
async fn renderer_then(body: &str) -> Renderer {
    let source = format!(
        "globalThis.renderPage = (json) => {{
           if (!json.includes('\"stock\":1000') && json.includes('\"stock\":10')) {{ {body} }}
           return '<main>' + (json.match(/\"stock\":(10\\d\\d)/) || ['', 'warm'])[1] + '</main>';
         }};"
    );
    let bundle = Bundle { source: source.into(), source_map: b"" };
    Renderer::start(bundle, renderer_settings(1), error_page()).await.unwrap()
}

const CROWD: usize = 1_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_at_once_for_one_new_page_make_one_render() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let renderer = renderer_then("").await;
    // Long ages, and data that stays as it is, so that nothing but the crowd could make a second one.
    let shop = open(sample(), renderer.clone(), shop_settings()).await;
    let client = crate::common::client();
    let crowd = (0..CROWD).map(|_| client.get(format!("http://{shop}/product/1")).send());
    let answers = join_all(crowd).await;
    assert!(answers.into_iter().all(|answer| answer.unwrap().status() == 200));
    assert_eq!(renderer.counters().rendered.get(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_at_once_for_one_expired_page_get_the_old_one_when_its_render_dies() {
    let _turn = ONE_AT_A_TIME.lock().await;
    for death in [
        "for (;;) {}",
        "throw new Error('gone');",
        "const rows = []; for (;;) rows.push(new Array(1000).fill(1));",
    ] {
        let renderer = renderer_then(death).await;
        let shop = open(changing(), renderer.clone(), settings()).await;
        assert!(get(shop, "/product/1").await.text.contains("<main>1000</main>"));
        grow_stale().await;
        let client = crate::common::client();
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
        until("the failed render", || failed() > 0).await;
        assert!(failed() <= 4, "{death}: {} renders for one page", failed());
        // And it is still there for the next ones.
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(get(shop, "/product/1").await.text.contains("<main>1000</main>"), "{death}");
    }
}
