//! Request ids, samples, and the headers that say how an answer was made.

use std::collections::HashSet;

use super::ShopWithAdmin;
use crate::common::program::{PATIENT, Program};
use crate::common::until::until;
use crate::common::{client, real_renderer, sample, shop_settings};

/// Asks for a page with an id of the visitor's own, and returns that of the answer.
async fn get(shop: &Program, path: &str, id: Option<&str>) -> String {
    let request = client().get(format!("http://{}{path}", shop.address));
    let headers = id.map(|id| ("x-request-id".parse().unwrap(), id.parse().unwrap()));
    let response = request.headers(headers.into_iter().collect()).send().await.unwrap();
    response.headers()["x-request-id"].to_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_and_its_log_line_have_the_same_id_and_a_visitor_s_is_logged_beside_it() {
    let shop = Program::start(&PATIENT);
    let mut ids = HashSet::new();
    // The second answer may be a repeated one.
    for path in ["/products", "/products", "/missing", "/healthz"] {
        for given in [None, Some("trace-7.a"), Some("a b\"c")] {
            let id = get(&shop, path, given).await;
            let line = shop.logged("request");
            assert_eq!(line["id"], *id, "{path}");
            assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
            assert_eq!(line["given_id"].as_str(), given.filter(|id| *id == "trace-7.a"), "{path}");
            assert!(ids.insert(id), "each request has its own");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_ordinary_requests_a_sample_is_logged_and_of_failures_every_one() {
    let shop = Program::start(&[&PATIENT[..], &["--log-sample", "1000000"]].concat());
    for (path, id) in
        [("/healthz", "first"), ("/healthz", "ordinary"), ("/missing", "failure"), ("/missing", "last")]
    {
        get(&shop, path, Some(id)).await;
    }
    for id in ["first", "failure", "last"] {
        assert_eq!(shop.logged("request")["given_id"], id);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_says_how_it_was_made() {
    let watched = ShopWithAdmin::start(sample(), real_renderer(1).await, shop_settings()).await;
    let headers = async || {
        let response = watched.visit("/product/1").await;
        let text = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
        (text("cache-status"), text("server-timing"), text("cache-tag"))
    };
    let (status, timing, tags) = headers().await;
    assert_eq!(status, "Vitrine; fwd=miss; stored");
    let parts: Vec<&str> = timing.split(", ").map(|part| part.split(";dur=").next().unwrap()).collect();
    assert_eq!(parts, ["catalogue", "render", "total"], "{timing}");
    assert!(tags.starts_with("page-product product-1 category-"), "{tags}");
    until("a repeated answer", async || {
        let (status, timing, same) = headers().await;
        assert!(status.starts_with("Vitrine; hit; ttl="), "{status}");
        assert_eq!(same, tags);
        timing == "cache;desc=repeated"
    })
    .await;
}
