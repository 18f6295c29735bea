//! Request ids, samples, and the headers that say how an answer was made.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::Value;

use super::ShopWithAdmin;
use crate::common::program::{PATIENT, Program};
use crate::common::until::until;
use crate::common::{client, real_renderer, sample, shop_settings};

async fn get(shop: &Program, path: &str, id: Option<&str>) -> String {
    let mut request = client().get(format!("http://{}{path}", shop.address));
    if let Some(id) = id {
        request = request.header("x-request-id", id);
    }
    let response = request.send().await.unwrap();
    response.headers()["x-request-id"].to_str().unwrap().to_owned()
}

/// The next line of the request log.
fn request_line(shop: &Program) -> Value {
    shop.logged("request")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_and_its_log_line_have_the_same_id_and_a_visitor_s_is_logged_beside_it() {
    let shop = Program::start(&PATIENT);
    let mut ids = HashSet::new();
    // The second answer may be a repeated one.
    for path in ["/products", "/products", "/missing", "/healthz"] {
        for given in [None, Some("trace-7.a"), Some("a b\"c")] {
            let id = get(&shop, path, given).await;
            let line = request_line(&shop);
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
    get(&shop, "/healthz", Some("first")).await;
    for _ in 0..20 {
        get(&shop, "/healthz", Some("ordinary")).await;
        get(&shop, "/missing", Some("failure")).await;
    }
    get(&shop, "/assets/none.js", Some("last")).await;
    let mut ids = Vec::new();
    while ids.last().is_none_or(|id| id != "last") {
        ids.push(request_line(&shop)["given_id"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids[0], "first");
    assert_eq!(ids.iter().filter(|id| *id == "failure").count(), 20);
    assert!(!ids.iter().any(|id| id == "ordinary"), "{ids:?}");
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
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let (_, timing, _) = headers().await;
    assert!(timing.starts_with("total;dur="), "{timing}");
}
