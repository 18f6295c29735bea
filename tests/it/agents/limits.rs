//! What is refused, and how.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Answer, JSON, post};
use crate::common::pages::ask;
use crate::common::raw::Raw;
use crate::common::{NoCatalogue, sample, start_shop};

const SEARCH: &str = "/ucp/catalog/search";

fn check(answer: &Answer, status: u16, code: &str) {
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].as_str()),
        (status, Some(code)),
        "{}",
        answer.body
    );
    assert!(answer.json()["content"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_much_or_wrong_is_refused_with_its_reason() {
    let shop = start_shop(sample()).await;
    let large = json!({ "query": "a".repeat(16 << 10) }).to_string();
    for (headers, body, status, code) in [
        (&[JSON][..], large.as_str(), 413, "body_too_large"),
        (&[JSON], "{", 400, "invalid_request"),
        (&[JSON], "{}", 400, "invalid_request"),
        (&[JSON], "[]", 400, "invalid_request"),
        (&[JSON], r#"{"query":7}"#, 400, "invalid_request"),
        (&[JSON], r#"{"query":" "}"#, 400, "invalid_request"),
        (&[JSON], r#"{"query":"a","pagination":{"limit":0}}"#, 400, "invalid_request"),
        (&[JSON], r#"{"query":"a","pagination":{"cursor":"AAAA"}}"#, 400, "invalid_request"),
        (&[JSON], r#"{"filters":{"price":{"min":-1}}}"#, 400, "invalid_request"),
        (&[], r#"{"query":"a"}"#, 415, "unsupported_media_type"),
        (&[("content-type", "text/plain")], "{}", 415, "unsupported_media_type"),
        (&[JSON, ("content-encoding", "gzip")], "{}", 415, "unsupported_encoding"),
        (&[JSON, ("origin", "https://evil.example")], r#"{"query":"a"}"#, 403, "foreign_origin"),
        (&[JSON, ("origin", "null")], r#"{"query":"a"}"#, 403, "foreign_origin"),
    ] {
        check(&post(shop, SEARCH, headers, body).await, status, code);
    }
    let own = [("content-type", "Application/JSON; charset=utf-8"), ("origin", "https://shop.example")];
    assert_eq!(post(shop, SEARCH, &own, r#"{"query":"a"}"#).await.status, 200);
    for (levels, status) in [(16, 200), (17, 400)] {
        let deep =
            format!(r#"{{"query":"a","signals":{}{}}}"#, "[".repeat(levels - 1), "]".repeat(levels - 1));
        assert_eq!(post(shop, SEARCH, &[JSON], deep).await.status, status, "{levels}");
    }
    let ids: Vec<String> = (0..51).map(|id| id.to_string()).collect();
    let many = post(shop, "/ucp/catalog/lookup", &[JSON], json!({ "ids": ids }).to_string()).await;
    check(&many, 400, "request_too_large");
    check(&post(shop, "/ucp/catalog/order", &[JSON], "{}").await, 404, "unknown_call");
    for path in [SEARCH, "/ucp/mcp"] {
        assert_eq!(ask(shop, path, &[]).await.status(), 405);
    }
    assert_eq!(post(shop, "/products", &[JSON], "{}").await.status, 405, "only below /ucp/");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_goes_on_after_an_answer_and_not_after_a_refusal() {
    let shop = start_shop(sample()).await;
    let request = |body: &str| {
        format!(
            "POST /ucp/catalog/lookup HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let mut raw = Raw::connect(shop).await;
    for id in ["1", "2"] {
        let body = json!({ "ids": [id] }).to_string();
        let expected = post(shop, "/ucp/catalog/lookup", &[JSON], body.clone()).await.body;
        raw.send(request(&body)).await;
        let answer = raw.read_answer(&expected).await.to_lowercase();
        assert!(answer.starts_with("http/1.1 200"), "{answer}");
        assert!(!answer.contains("connection: close"), "{answer}");
    }
    raw.send(request("{")).await;
    let refused = raw.read_text().await.to_lowercase();
    assert!(refused.contains("connection: close"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_copy_of_the_catalogue_callers_are_told_to_come_again() {
    let shop = start_shop(Arc::new(NoCatalogue)).await;
    let answer = post(shop, SEARCH, &[JSON], r#"{"query":"a"}"#).await;
    check(&answer, 503, "catalog_unavailable");
    assert!(answer.headers.contains_key("retry-after"));
    let by_tool = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "get_product", "arguments": { "catalog": { "id": "1" } } },
    });
    let answer = post(shop, "/ucp/mcp", &[JSON], by_tool.to_string()).await;
    assert_eq!(answer.status, 503);
    assert!(answer.headers.contains_key("retry-after") && answer.json()["error"] != Value::Null);
    assert_eq!(ask(shop, "/product/1.md", &[]).await.status(), 503);
}
