//! Probes, the status page for people, and who may purge.

use std::sync::Arc;

use axum::http::{Method, header};
use vitrine::catalogue::MirrorPolicy;
use vitrine::http::connections::ConnectionLimits;

use super::ShopWithAdmin;
use crate::common::days::{remembered, settings, until_mirrored};
use crate::common::faults::Fault;
use crate::common::operators::TOKEN;
use crate::common::program::Program;
use crate::common::until::until;
use crate::common::upstream::Upstream;
use crate::common::{NoCatalogue, client, real_renderer, renderer_of, sample, shop_settings};

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_renders_and_has_products_is_ready() {
    let watched = ShopWithAdmin::start(sample(), real_renderer(1).await, shop_settings()).await;
    assert_eq!(watched.ask("/livez").await, (200.try_into().unwrap(), "ok\n".into()));
    assert_eq!(watched.ask("/readyz").await, (200.try_into().unwrap(), "render: ok\ncatalogue: ok\n".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_probes_cost_one_render() {
    let watched = ShopWithAdmin::start(sample(), real_renderer(1).await, shop_settings()).await;
    let before = watched.scrape().await.sum("vitrine_render_duration_seconds", "");
    let started = std::time::Instant::now();
    for _ in 0..50 {
        assert_eq!(watched.ask("/readyz").await.0, 200);
    }
    let renders = watched.scrape().await.sum("vitrine_render_duration_seconds", "") - before;
    assert!(renders <= 1.0 + started.elapsed().as_secs_f64() / 2.0, "{renders}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_cannot_render_is_not_ready() {
    // Renders once, to warm up.
    let source = "let first = true; globalThis.renderPage = () => { if (first) { first = false; return 'x'; } throw 1; };";
    let watched = ShopWithAdmin::start(sample(), renderer_of(source).await, shop_settings()).await;
    assert_eq!(
        watched.ask("/readyz").await,
        (503.try_into().unwrap(), "render: failed\ncatalogue: ok\n".into())
    );
    let (status, page) = watched.ask("/status").await;
    assert!(
        status == 200 && page.contains("Not ready for visitors") && page.contains("No page can be rendered.")
    );
    assert_eq!(watched.ask("/livez").await.0, 200, "a restart would not help");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_is_ready_once_it_has_products_and_stays_so_in_an_outage() {
    let upstream = Upstream::start().await;
    upstream.set(Fault::Status(500)).await;
    let catalogue = remembered(&upstream, MirrorPolicy::UpTo(5_000));
    let watched = ShopWithAdmin::start(catalogue.clone(), real_renderer(1).await, settings()).await;
    assert_eq!(
        watched.ask("/readyz").await,
        (503.try_into().unwrap(), "render: ok\ncatalogue: empty\n".into())
    );
    upstream.set(Fault::None).await;
    // As a started shop does by itself: it needs no visitor.
    until("something to sell", async || {
        catalogue.warm_up().await;
        watched.ask("/readyz").await.0 == 200
    })
    .await;
    drop(catalogue);
    upstream.set(Fault::RefuseConnections).await;
    assert_eq!(watched.ask("/readyz").await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_is_a_page_that_needs_nothing_else() {
    let upstream = Upstream::start().await;
    let catalogue = remembered(&upstream, MirrorPolicy::UpTo(5_000));
    until_mirrored(&catalogue).await;
    let watched = ShopWithAdmin::start(catalogue, real_renderer(1).await, settings()).await;
    watched.visit("/products").await;
    let response = client().get(format!("http://{}/status", watched.operators)).send().await.unwrap();
    assert!(
        response.headers()[header::CONTENT_SECURITY_POLICY]
            .to_str()
            .unwrap()
            .starts_with("default-src 'none'")
    );
    let page = response.text().await.unwrap();
    for text in ["Open for visitors", "1 2xx", "194 products", "engine "] {
        assert!(
            page.contains(text) || text == "194 products" && page.contains(" products, "),
            "{text}: {page}"
        );
    }
    assert!(!page.contains("<script") && !page.contains("<link"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purge_needs_the_token_and_a_valid_order() {
    let watched = ShopWithAdmin::start(sample(), real_renderer(1).await, shop_settings()).await;
    let post = async |authorization: Option<&str>, order: &str| {
        let mut request = client().post(format!("http://{}/purge?{order}", watched.operators));
        if let Some(authorization) = authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.headers().contains_key(header::WWW_AUTHENTICATE))
    };
    assert_eq!(post(None, "all=1").await, (401, true));
    assert_eq!(post(Some("Bearer wrong horse battery staple"), "all=1").await, (401, true));
    assert_eq!(post(Some(&format!("Basic {TOKEN}")), "all=1").await, (401, true));
    let right = format!("Bearer {TOKEN}");
    assert_eq!(post(Some(&right), "all=1").await, (200, false));
    assert_eq!(post(Some(&right), "").await, (400, false));
    assert_eq!(post(Some(&right), &format!("address=/{}", "x".repeat(5_000))).await, (400, false));
    let (status, text) = watched.purge("product=a+b").await;
    assert_eq!((status.as_u16(), &*text), (400, "The order is wrong: product is a key, such as 7.\n"));
    assert_eq!(watched.ask("/purge?all=1").await.0, 405, "a link does not purge");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_token_of_the_shop_nobody_may_purge() {
    let catalogue = Arc::new(NoCatalogue);
    let limits = ConnectionLimits::default();
    let watched =
        ShopWithAdmin::start_with(catalogue, real_renderer(1).await, shop_settings(), limits, None).await;
    assert_eq!(watched.purge("all=1").await.0, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_do_not_reach_what_is_for_operators() {
    let watched = ShopWithAdmin::start(sample(), real_renderer(1).await, shop_settings()).await;
    for path in ["/metrics", "/livez", "/readyz", "/status", "/purge?all=1"] {
        assert_eq!(watched.visit(path).await.status(), 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_whose_name_leads_to_the_listener_is_refused() {
    let shop = Program::quiet(&["--isolates", "1", "--admin", "127.0.0.1:0"]);
    let operators = shop.logged("listening for operators")["address"].as_str().unwrap().to_owned();
    let status = async |method: Method, path: &str, host: &str| {
        let request = client().request(method, format!("http://{operators}{path}")).header("host", host);
        request.send().await.unwrap().status().as_u16()
    };
    // The listener is opened before requests to it are answered.
    assert_eq!(status(Method::GET, "/livez", &operators).await, 200);
    for (method, path) in [
        (Method::GET, "/metrics"),
        (Method::GET, "/status"),
        (Method::GET, "/livez"),
        (Method::POST, "/purge?all=1"),
        (Method::GET, "/none"),
    ] {
        assert_eq!(status(method, path, "rebound.example:3100").await, 421, "{path}");
    }
    // Probes of a cluster and forwarded ports ask like this.
    for host in ["10.1.2.3:3100", "localhost:3100", "[::1]:3100"] {
        assert_eq!(status(Method::GET, "/livez", host).await, 200, "{host}");
    }
}
