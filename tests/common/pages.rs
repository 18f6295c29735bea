//! What a shop answers, and the elements of its documents.

use std::net::SocketAddr;

use reqwest::Response;
use scraper::{Html, Selector};
use serde_json::Value;

use super::client;

/// The answer to a request with these headers.
pub(crate) async fn ask(shop: SocketAddr, path: &str, headers: &[(&str, &str)]) -> Response {
    let request = client().get(format!("http://{shop}{path}"));
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    request.send().await.unwrap()
}

/// The body of an answer, whatever its status is.
pub(crate) async fn body(shop: SocketAddr, path: &str) -> String {
    client().get(format!("http://{shop}{path}")).send().await.unwrap().text().await.unwrap()
}

/// The body of a good answer, with its byte order mark if it has one.
pub(crate) async fn text(shop: SocketAddr, path: &str) -> String {
    let response = client().get(format!("http://{shop}{path}")).send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    String::from_utf8(response.bytes().await.unwrap().into()).unwrap()
}

/// The data of a page, whatever its status is.
pub(crate) async fn data(shop: SocketAddr, path: &str) -> Value {
    serde_json::from_str(&body(shop, &format!("/_data{path}")).await).unwrap()
}

/// The texts of the elements that a selector finds.
pub(crate) fn selected(html: &Html, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    html.select(&selector).map(|element| element.text().collect()).collect()
}

/// The texts of a document's elements that a selector finds.
pub(crate) fn texts(document: &str, selector: &str) -> Vec<String> {
    selected(&Html::parse_document(document), selector)
}

/// The values of an attribute, where the elements that a selector finds have it.
pub(crate) fn attributes(html: &Html, selector: &str, name: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    html.select(&selector).filter_map(|element| element.attr(name)).map(str::to_owned).collect()
}

/// An attribute of the first element that a selector finds; empty if there is none.
pub(crate) fn attribute(html: &Html, selector: &str, name: &str) -> String {
    let selector = Selector::parse(selector).unwrap();
    html.select(&selector).next().and_then(|element| element.attr(name)).unwrap_or_default().to_owned()
}
