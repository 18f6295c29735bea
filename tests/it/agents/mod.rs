//! What assistants that shop for people are answered.

mod calls;
mod limits;
mod markdown;
mod mcp;
mod schema;
mod schemas;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode};
use serde_json::Value;
use vitrine::document::Agents;
use vitrine::shop::ShopSettings;

use crate::common::pages::ask;
use crate::common::{client, real_renderer, sample, serve, shop_settings, shop_under, start_shop};

/// An answer: status, headers and body.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// The answer to a body that is sent to a path.
async fn post(shop: SocketAddr, path: &str, headers: &[(&str, &str)], body: impl Into<String>) -> Answer {
    let request = client().post(format!("http://{shop}{path}")).body(body.into());
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    Answer { status, headers, body: response.text().await.unwrap() }
}

const JSON: (&str, &str) = ("content-type", "application/json");

/// The answer to a call by REST.
async fn call(shop: SocketAddr, name: &str, request: &Value) -> Value {
    let answer = post(shop, &format!("/ucp/catalog/{name}"), &[JSON], request.to_string()).await;
    assert_eq!(answer.status, 200, "{request}: {}", answer.body);
    assert_eq!(answer.headers["cache-control"], "no-store");
    answer.json()
}

/// The codes of an answer's messages.
fn codes(answer: &Value) -> Vec<&str> {
    let messages = answer["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    messages.iter().filter_map(|message| message["code"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_profile_names_both_transports_and_the_files_say_how_they_are_called() {
    let shop = start_shop(sample()).await;
    let profile = ask(shop, "/.well-known/ucp", &[]).await;
    assert_eq!(profile.headers()["cache-control"], "public, max-age=3600");
    assert!(profile.headers().contains_key("etag"));
    let profile: Value = profile.json().await.unwrap();
    let services = profile["ucp"]["services"]["dev.ucp.shopping"].as_array().unwrap();
    let endpoints: Vec<_> = services.iter().map(|service| service["endpoint"].as_str().unwrap()).collect();
    assert_eq!(endpoints, ["https://shop.example/ucp", "https://shop.example/ucp/mcp"]);
    let llms = ask(shop, "/llms.txt", &[]).await.text().await.unwrap();
    assert_eq!(ask(shop, "/agents.md", &[]).await.text().await.unwrap(), llms);
    for named in ["/.well-known/ucp", "/ucp/catalog/search", "/ucp/mcp", "/index.md"] {
        assert!(llms.contains(&format!("https://shop.example{named}")), "{named}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_answers_no_assistants_has_none_of_it() {
    let settings = ShopSettings { agents: Agents::Off, ..shop_settings() };
    let router = vitrine::server::app(Arc::new(shop_under(sample(), real_renderer(1).await, settings)));
    let shop = serve(router.unwrap()).await;
    for path in ["/.well-known/ucp", "/agents.md", "/product/1.md", "/index.md", "/products.md"] {
        assert_eq!(ask(shop, path, &[]).await.status(), 404, "{path}");
    }
    for path in ["/ucp/catalog/search", "/ucp/catalog/lookup", "/ucp/mcp", "/ucp/other"] {
        assert_eq!(post(shop, path, &[JSON], r#"{"query":"red"}"#).await.status, 404, "{path}");
    }
    let page = ask(shop, "/product/1", &[("accept", "text/markdown")]).await;
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    assert!(!page.text().await.unwrap().contains("text/markdown"));
    assert!(!ask(shop, "/llms.txt", &[]).await.text().await.unwrap().contains("/ucp"));
}
