//! Documents that browsers ask for ahead of their visitors: they are served last.

use std::net::SocketAddr;

use axum::http::StatusCode;

use crate::common::pages::ask;
use crate::common::renders::render_under_way;
use crate::common::{renderer_of, sample, start_shop, start_shop_with};

async fn prefetch(shop: SocketAddr, path: &str) -> StatusCode {
    ask(shop, path, &[("sec-purpose", "prefetch")]).await.status()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_not_made_for_a_prefetch_while_every_isolate_is_taken() {
    let renderer = renderer_of("globalThis.renderPage = () => '<main>fine</main>';").await;
    let shop = start_shop_with(sample(), renderer.clone()).await;
    assert_eq!(ask(shop, "/product/2", &[]).await.status(), StatusCode::OK);
    let visitor = render_under_way(&renderer).await;
    let refused = ask(shop, "/product/3", &[("sec-purpose", "prefetch")]).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    let header = |name: &str| refused.headers().get(name).map(|value| value.to_str().unwrap());
    let headers = ["cache-control", "retry-after", "etag"].map(header);
    assert_eq!(headers, [Some("no-store"), Some("10"), None]);
    // What costs no render is answered.
    assert_eq!(prefetch(shop, "/product/2").await, StatusCode::OK);
    assert_eq!(prefetch(shop, "/_data/product/3").await, StatusCode::OK);
    // The refusal was the prefetch's alone: the same page is made for a visitor.
    assert_eq!(ask(shop, "/product/3", &[]).await.status(), StatusCode::OK);
    assert_eq!(prefetch(shop, "/product/3").await, StatusCode::OK);
    assert_eq!(prefetch(shop, "/product/4").await, StatusCode::TOO_MANY_REQUESTS);
    drop(visitor);
    assert_eq!(prefetch(shop, "/product/4").await, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_name_rules_that_lead_to_pages_only_and_are_empty_for_a_visitor_who_saves_data() {
    const RULES: &str = "/speculation-rules.json";
    let shop = start_shop(sample()).await;
    for (path, has_rules) in
        [("/products", true), ("/missing", true), ("/_data/products", false), ("/feed.xml", false)]
    {
        let response = ask(shop, path, &[]).await;
        let rules = response.headers().get("speculation-rules").map(|value| value.to_str().unwrap());
        assert_eq!(rules, has_rules.then_some("\"/speculation-rules.json\""), "{path}");
    }
    let saving = async |path: &str, value: &str| ask(shop, path, &[("save-data", value)]).await;
    let (none, rules) = (saving(RULES, "on").await, saving(RULES, "off").await);
    for response in [&none, &rules] {
        assert!(response.headers().get_all("vary").iter().any(|name| name == "save-data"));
    }
    assert_ne!(none.headers()["etag"], rules.headers()["etag"]);
    assert_eq!(none.text().await.unwrap(), "{}");
    let rules: serde_json::Value = serde_json::from_slice(&rules.bytes().await.unwrap()).unwrap();
    let patterns = rules["prefetch"][0]["where"]["and"][0]["href_matches"].as_array().unwrap();
    let patterns: Vec<&str> = patterns.iter().map(|pattern| pattern.as_str().unwrap()).collect();
    for page in ["/", "/products", "/category/:slug", "/product/:id", "/search/:text"] {
        assert!(patterns.contains(&page), "{page} is not in {patterns:?}");
    }
    let is_other = |pattern: &&str| ["/offline", "/search"].contains(pattern) || pattern.contains(['*', '_']);
    assert!(!patterns.iter().any(is_other), "{patterns:?}");
    let tag = saving("/product/1", "on").await.headers()["etag"].clone();
    assert_eq!(tag, ask(shop, "/product/1", &[]).await.headers()["etag"], "pages are the same");
}
