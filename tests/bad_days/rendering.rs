//! Renders hang, throw, and take every isolate with them.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use vitrine::memory::Ages;
use vitrine::pages::ShopSettings;
use vitrine::pressure::Pressure;
use vitrine::render::{Bundle, Renderer};

use crate::common::{error_page, real_renderer, renderer_settings, sample, shop_settings};
use crate::days::{ONE_AT_A_TIME, get, open, settings, until};

/// Renders every page but those of the products that `poisoned` tells, in JavaScript, for `id`.
async fn renderer_with(poisoned: &str, body: &str, isolates: usize, queue: usize) -> Renderer {
    let source = format!(
        "globalThis.renderPage = (json) => {{
           const page = JSON.parse(json);
           const id = Number(page.path.split('/')[2]);
           if (page.path.startsWith('/product/') && ({poisoned})) {{ {body} }}
           return '<main>fine</main>';
         }};"
    );
    let bundle = Bundle { source: source.into(), source_map: b"" };
    let settings = vitrine::render::RendererSettings { queue, ..renderer_settings(isolates) };
    Renderer::start(bundle, settings, error_page()).await.unwrap()
}

/// Generous: the render's budget, and a busy machine.
const SOON: Duration = Duration::from_millis(1_500);

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_cannot_be_rendered_is_a_shell_with_its_data() {
    let _turn = ONE_AT_A_TIME.lock().await;
    for body in [
        "for (;;) {}",
        "/^(a+)+$/.test('a'.repeat(60) + 'b');",
        "const deeper = (n) => deeper(n + 1) + 1; deeper(0);",
        "throw new Error('a component throws');",
        "return '<main><!--$!--></main>';",
        "const rows = []; for (;;) rows.push(new Array(1000).fill(rows.length));",
    ] {
        let renderer = renderer_with("id === 1", body, 1, 64).await;
        let shop = open(sample(), renderer, settings()).await;
        let answer = get(shop, "/product/1").await;
        assert_eq!((answer.status, answer.caching()), (200, "no-store"), "{body}");
        assert!(answer.is_shell() && answer.took < SOON, "{body}: {:?}", answer.took);
        // The next page finds an isolate again, at the latest once it is replaced.
        let whole = tokio::time::timeout(Duration::from_secs(10), async {
            let mut id = 2;
            while get(shop, &format!("/product/{id}")).await.is_shell() {
                id += 1;
            }
        });
        assert!(whole.await.is_ok(), "no isolate is left after {body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_keeps_failing_is_a_shell_without_a_try() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let renderer = renderer_with("id === 1", "for (;;) {}", 1, 64).await;
    let shop = open(sample(), renderer.clone(), settings()).await;
    let mut tries = 0;
    while renderer.counters().timeouts.get() < 3 {
        assert!(get(shop, "/product/1").await.is_shell());
        tries += 1;
        assert!(tries < 30, "the page was tried {tries} times");
    }
    // An isolate that is starting anew is not what the page is answered from any more.
    for _ in 0..20 {
        let answer = get(shop, "/product/1").await;
        assert!(answer.is_shell() && answer.status == 200);
        assert!(answer.took < Duration::from_millis(400), "{:?}", answer.took);
    }
    assert_eq!(renderer.counters().timeouts.get(), 3);
    let fine = tokio::time::timeout(Duration::from_secs(10), async {
        let mut id = 2;
        while get(shop, &format!("/product/{id}")).await.is_shell() {
            id += 1;
        }
    });
    assert!(fine.await.is_ok(), "other pages suffer");
}

#[tokio::test(flavor = "multi_thread")]
async fn remembered_pages_do_not_wait_while_every_isolate_hangs() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let renderer = renderer_with("id > 5", "for (;;) {}", 2, 8).await;
    let long = ShopSettings {
        ages: Ages { fresh: Duration::from_secs(60), stale: Duration::from_secs(60) },
        ..shop_settings()
    };
    let shop = open(sample(), renderer.clone(), long).await;
    assert!(!get(shop, "/product/1").await.is_shell());
    let hanging = tokio::spawn(async move {
        join_all((6..60).map(|id| async move { get(shop, &format!("/product/{id}")).await })).await
    });
    until("a hanging render", || renderer.counters().refused.get() > 0).await;
    let mut slowest = Duration::ZERO;
    while !hanging.is_finished() {
        let answer = get(shop, "/product/1").await;
        assert_eq!((answer.status, answer.is_shell()), (200, false));
        slowest = slowest.max(answer.took);
    }
    assert!(slowest < Duration::from_millis(400), "a remembered page took {slowest:?}");
    for answer in hanging.await.unwrap() {
        assert!(answer.is_shell(), "{}", answer.status);
        match answer.status {
            200 => assert!(answer.took < SOON, "{:?}", answer.took),
            503 => assert!(answer.headers.contains_key("retry-after")),
            other => panic!("{other}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_renders_are_refused_early_with_a_document_that_draws_itself() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let renderer = renderer_with("true", "for (;;) {}", 1, 2).await;
    let shop = open(sample(), renderer.clone(), settings()).await;
    let answers = join_all((1..40).map(|id| async move { get(shop, &format!("/product/{id}")).await })).await;
    let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 503).collect();
    assert!(refused.len() >= 30, "{} of 39 were refused", refused.len());
    for answer in refused {
        assert!(answer.is_shell(), "the browser cannot draw the page");
        assert_eq!((answer.caching(), &answer.headers["retry-after"]), ("no-store", &"10".parse().unwrap()));
    }
    assert!(renderer.counters().refused.get() >= 30);
}

#[tokio::test(flavor = "multi_thread")]
async fn when_memory_runs_out_no_new_page_is_made() {
    // One byte is less than any process takes.
    let pressure = Pressure::watch(Some(1));
    let tight = ShopSettings {
        ages: Ages { fresh: Duration::from_secs(60), stale: Duration::from_secs(60) },
        pressure: pressure.clone(),
        ..shop_settings()
    };
    let shop = open(sample(), real_renderer(1).await, tight).await;
    until("the watch over memory", || pressure.is_tight()).await;
    let answer = get(shop, "/product/1").await;
    assert_eq!((answer.status, answer.is_shell()), (503, true));
    assert_eq!(get(shop, "/_data/product/1").await.status, 200, "data needs no render");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_rendered_again_only_when_its_data_has_changed() {
    let renderer = real_renderer(1).await;
    let shop = open(sample(), renderer.clone(), settings()).await;
    let first = get(shop, "/product/1").await;
    for _ in 0..10 {
        crate::days::grow_stale().await;
        let again = get(shop, "/product/1").await;
        assert_eq!(again.headers["etag"], first.headers["etag"]);
        assert_eq!(again.headers["last-modified"], first.headers["last-modified"]);
    }
    assert_eq!(renderer.counters().rendered.get(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_unknown_parameters_nor_random_searches_push_out_what_is_popular() {
    let renderer = real_renderer(1).await;
    let small = ShopSettings {
        ages: Ages { fresh: Duration::from_secs(60), stale: Duration::from_secs(60) },
        page_memory: 2 << 20,
        ..shop_settings()
    };
    let shop = open(Arc::clone(&sample()) as Arc<_>, renderer.clone(), small).await;
    for round in 0..30 {
        get(shop, &format!("/product/1?tracking={round}")).await;
    }
    assert_eq!(renderer.counters().rendered.get(), 1, "an unknown parameter makes another page");
    for number in 0..300 {
        get(shop, &format!("/search/nothing%20{number}")).await;
        if number % 10 == 0 {
            get(shop, "/product/1").await;
        }
    }
    assert_eq!(renderer.counters().rendered.get(), 301, "the popular page was pushed out");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_asks_for_more_than_there_is_makes_no_page_of_its_own() {
    let renderer = real_renderer(1).await;
    let shop = open(sample(), renderer.clone(), shop_settings()).await;
    for (beyond, right) in [
        ("/products?max=999999", "/products"),
        ("/products?page=77", "/products?page=4"),
        ("/products?max=777777&page=77", "/products?page=4"),
        ("/_data/products?max=888888", "/_data/products"),
    ] {
        let answer = get(shop, beyond).await;
        assert_eq!((answer.status, &answer.headers["location"]), (308, &right.parse().unwrap()), "{beyond}");
    }
    assert_eq!(renderer.counters().rendered.get(), 0);

    let campaign = get(shop, "/products?max=999999&utm_source=letter").await;
    assert_eq!((campaign.status, campaign.is_shell()), (200, false));
    let plain = get(shop, "/products").await;
    assert_eq!(campaign.headers["etag"], plain.headers["etag"]);
    assert_eq!(renderer.counters().rendered.get(), 1);
}
