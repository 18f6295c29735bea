//! Probes, the status page for people, and who may purge.

use axum::http::{Method, header};

use vitrine::http::connections::ConnectionLimits;

use super::ShopWithAdmin;
use crate::common::days::{followed, settings, until_read};
use crate::common::operators::TOKEN;
use crate::common::program::Program;
use crate::common::upstream::Upstream;
use crate::common::{client, real_renderer, renderer_of, sample, shop_settings, shop_under};

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_sells_is_ready_at_the_price_of_one_render_and_says_so_on_a_page_that_needs_nothing_else()
{
    let upstream = Upstream::start().await;
    let catalogue = followed(&upstream, 5_000);
    until_read(&catalogue).await;
    let watched = ShopWithAdmin::start(catalogue, real_renderer(1).await, settings()).await;
    watched.answers("/livez", 200, "ok\n").await;
    watched.answers("/readyz", 200, "render: ok\ncatalogue: ok\n").await;
    let renders = async || watched.figure("vitrine_render_duration_seconds", "").await;
    let (before, started) = (renders().await, std::time::Instant::now());
    for _ in 0..50 {
        assert_eq!(watched.ask("/readyz").await.0, 200);
    }
    let renders = renders().await - before;
    assert!(renders <= 1.0 + started.elapsed().as_secs_f64() / 2.0, "{renders}");

    // Visitors do not reach what is for operators.
    for path in ["/metrics", "/livez", "/readyz", "/status", "/purge?all=1"] {
        assert_eq!(watched.visit(path).await.status(), 404, "{path}");
    }
    watched.visit("/products").await;
    let response = client().get(format!("http://{}/status", watched.operators)).send().await.unwrap();
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    let page = response.text().await.unwrap();
    for text in ["Open for visitors", "1 2xx", " products, ", "engine "] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("<script") && !page.contains("<link"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_cannot_render_is_not_ready() {
    // Renders once, to warm up.
    let source = "let first = true; globalThis.renderPage = () => { if (first) { first = false; return 'x'; } throw 1; };";
    let watched = ShopWithAdmin::start(sample(), renderer_of(source).await, shop_settings()).await;
    watched.answers("/readyz", 503, "render: failed\ncatalogue: ok\n").await;
    let (status, page) = watched.ask("/status").await;
    assert_eq!(status, 200);
    assert!(page.contains("Not ready for visitors") && page.contains("No page can be rendered."), "{page}");
    assert_eq!(watched.ask("/livez").await.0, 200, "a restart would not help");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purge_needs_the_token_and_a_valid_order() {
    let watched = ShopWithAdmin::start(sample(), real_renderer(1).await, shop_settings()).await;
    let (right, long) = (format!("Bearer {TOKEN}"), format!("address=/{}", "x".repeat(5_000)));
    for (authorization, order, expected) in [
        ("", "all=1", 401),
        ("Bearer wrong horse battery staple", "all=1", 401),
        (&right, "all=1", 200),
        (&right, "", 400),
        (&right, &long, 400),
    ] {
        let request = client().post(format!("http://{}/purge?{order}", watched.operators));
        let request = match authorization {
            "" => request,
            some => request.header(header::AUTHORIZATION, some),
        };
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), expected, "{authorization} {order}");
        let is_asked = response.headers().contains_key(header::WWW_AUTHENTICATE);
        assert_eq!(is_asked, expected == 401, "{authorization} {order}");
    }
    let (status, text) = watched.purge("product=a+b").await;
    assert_eq!((status.as_u16(), &*text), (400, "The order is wrong: product is a key, such as 7.\n"));
    assert_eq!(watched.ask("/purge?all=1").await.0, 405, "a link does not purge");

    // Without a token of the shop nobody may purge.
    let shop = shop_under(sample(), real_renderer(1).await, shop_settings());
    let watched = ShopWithAdmin::open(shop, ConnectionLimits::default(), None).await;
    assert_eq!(watched.purge("all=1").await.0, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_whose_name_leads_to_the_listener_is_refused() {
    let shop = Program::quiet(&["--isolates", "1", "--admin", "127.0.0.1:0"]);
    let operators = shop.logged("listening for operators")["address"].as_str().unwrap().to_owned();
    for (method, path, host, expected) in [
        // The listener is opened before requests to it are answered.
        (Method::GET, "/livez", &*operators, 200),
        (Method::GET, "/metrics", "rebound.example:3100", 421),
        (Method::POST, "/purge?all=1", "rebound.example:3100", 421),
        // Probes of a cluster ask like this; further names are in the tests of `admin/own_names.rs`.
        (Method::GET, "/livez", "10.1.2.3:3100", 200),
    ] {
        let request = client().request(method, format!("http://{operators}{path}")).header("host", host);
        assert_eq!(request.send().await.unwrap().status(), expected, "{path} of {host}");
    }
}
