//! Documents that browsers ask for ahead of their visitors: they are served last.

use std::net::SocketAddr;

use axum::http::StatusCode;
use reqwest::Response;

use crate::common::renders::render_under_way;
use crate::common::{client, renderer_of, sample, start_shop, start_shop_with};

async fn get(shop: SocketAddr, path: &str, purpose: Option<&str>) -> Response {
    let request = client().get(format!("http://{shop}{path}"));
    let request = match purpose {
        Some(purpose) => request.header("sec-purpose", purpose),
        None => request,
    };
    request.send().await.unwrap()
}

async fn prefetch(shop: SocketAddr, path: &str) -> StatusCode {
    get(shop, path, Some("prefetch")).await.status()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_not_made_for_a_prefetch_while_every_isolate_is_taken() {
    let renderer = renderer_of("globalThis.renderPage = () => '<main>fine</main>';").await;
    let shop = start_shop_with(sample(), renderer.clone()).await;
    assert_eq!(get(shop, "/product/2", None).await.status(), StatusCode::OK);
    let visitor = render_under_way(&renderer).await;
    for purpose in ["prefetch", "prefetch;prerender", "prefetch;anonymous-client-ip"] {
        let refused = get(shop, "/product/3", Some(purpose)).await;
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS, "{purpose}");
        assert_eq!(refused.headers()["cache-control"], "no-store");
        assert_eq!(refused.headers()["retry-after"], "10");
        assert!(!refused.headers().contains_key("etag"));
    }
    // What costs no render is answered.
    assert_eq!(prefetch(shop, "/product/2").await, StatusCode::OK);
    assert_eq!(prefetch(shop, "/_data/product/3").await, StatusCode::OK);
    // The refusal was the prefetch's alone: the same page is made for a visitor.
    assert_eq!(get(shop, "/product/3", None).await.status(), StatusCode::OK);
    assert_eq!(prefetch(shop, "/product/3").await, StatusCode::OK);
    assert_eq!(prefetch(shop, "/product/4").await, StatusCode::TOO_MANY_REQUESTS);
    drop(visitor);
    assert_eq!(prefetch(shop, "/product/4").await, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_name_rules_that_lead_to_pages_only() {
    let shop = start_shop(sample()).await;
    for (path, has_rules) in
        [("/products", true), ("/missing", true), ("/_data/products", false), ("/feed.xml", false)]
    {
        let response = get(shop, path, None).await;
        let rules = response.headers().get("speculation-rules").map(|value| value.to_str().unwrap());
        assert_eq!(rules, has_rules.then_some("\"/speculation-rules.json\""), "{path}");
    }
    let rules = get(shop, "/speculation-rules.json", None).await;
    assert_eq!(rules.headers()["content-type"], "application/speculationrules+json");
    let rules: serde_json::Value = serde_json::from_slice(&rules.bytes().await.unwrap()).unwrap();
    let patterns = rules["prefetch"][0]["where"]["and"][0]["href_matches"].as_array().unwrap();
    let patterns: Vec<&str> = patterns.iter().map(|pattern| pattern.as_str().unwrap()).collect();
    for page in ["/", "/products", "/category/:slug", "/product/:id", "/search/:text"] {
        assert!(patterns.contains(&page), "{page} is not in {patterns:?}");
    }
    for other in ["/offline", "/search"] {
        assert!(!patterns.contains(&other), "{other}");
    }
    assert!(!patterns.iter().any(|pattern| pattern.contains(['*', '_'])), "{patterns:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_who_saves_data_gets_no_rules_and_the_same_pages() {
    let shop = start_shop(sample()).await;
    let saving = async |path: &str, value: &str| {
        client().get(format!("http://{shop}{path}")).header("save-data", value).send().await.unwrap()
    };
    let (none, rules) =
        (saving("/speculation-rules.json", "on").await, saving("/speculation-rules.json", "off").await);
    for response in [&none, &rules] {
        assert!(response.headers().get_all("vary").iter().any(|name| name == "save-data"));
    }
    assert_ne!(none.headers()["etag"], rules.headers()["etag"]);
    assert_eq!(none.text().await.unwrap(), "{}");
    assert!(rules.text().await.unwrap().contains("prefetch"));
    let tag = saving("/product/1", "on").await.headers()["etag"].clone();
    assert_eq!(tag, get(shop, "/product/1", None).await.headers()["etag"]);
}
