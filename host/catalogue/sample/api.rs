//! The sample catalogue with the real service's HTTP API: the five paths that the shop calls, the parameters
//! `limit`, `skip`, `select`, `sortBy`, `order`, `q` and `delay`, and errors as JSON.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::bounded_file::read_any;
use crate::catalogue::slug::Slug;

/// Number of products in a list without `limit`.
const DEFAULT_LIMIT: usize = 30;
/// Longest `delay`, in milliseconds.
const MAX_DELAY: u64 = 5_000;

type Products = Arc<[Value]>;

/// The API for `products`, which are in the service's JSON schema.
pub fn router(products: Vec<Value>) -> Router {
    Router::new()
        .route("/products", get(all))
        .route("/products/search", get(search))
        .route("/products/categories", get(categories))
        .route("/products/category/{slug}", get(category))
        .route("/products/{id}", get(one))
        .fallback(|| async { message(StatusCode::NOT_FOUND, "Route not found") })
        .with_state(Products::from(products))
}

/// Largest file of products, in bytes.
const LARGEST_FILE: u64 = 512 << 20;

/// Reads the products of a file: a JSON array, or a list as the API sends it.
///
/// # Errors
/// Fails when the file cannot be read or has another schema.
pub fn read_products(file: &std::path::Path) -> anyhow::Result<Vec<Value>> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum ProductsFile {
        Array(Vec<Value>),
        List { products: Vec<Value> },
    }
    Ok(match serde_json::from_slice(&read_any(file, LARGEST_FILE)?)? {
        ProductsFile::Array(products) | ProductsFile::List { products } => products,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListQuery {
    limit: Option<String>,
    skip: Option<String>,
    select: Option<String>,
    sort_by: Option<String>,
    order: Option<String>,
    q: Option<String>,
    delay: Option<String>,
}

async fn all(State(products): State<Products>, Query(query): Query<ListQuery>) -> Response {
    list(&products, &query, |_| true).await
}

async fn search(State(products): State<Products>, Query(query): Query<ListQuery>) -> Response {
    let needle = query.q.as_deref().unwrap_or_default().trim().to_lowercase().replace('-', " ");
    let contains = |product: &Value, field: &str| {
        product[field].as_str().is_some_and(|text| text.to_lowercase().contains(&needle))
    };
    list(&products, &query, |product| contains(product, "title") || contains(product, "description")).await
}

async fn category(
    State(products): State<Products>,
    Path(slug): Path<String>,
    Query(query): Query<ListQuery>,
) -> Response {
    list(&products, &query, |product| {
        product["category"].as_str().is_some_and(|category| category.eq_ignore_ascii_case(&slug))
    })
    .await
}

async fn categories(State(products): State<Products>) -> Json<Value> {
    let mut slugs: Vec<&str> = Vec::new();
    for slug in products.iter().filter_map(|product| product["category"].as_str()) {
        if !slugs.contains(&slug) {
            slugs.push(slug);
        }
    }
    let name = |slug: &str| Slug::parse(slug).map_or_else(|| slug.to_owned(), |slug| slug.title());
    Json(slugs.into_iter().map(|slug| json!({ "slug": slug, "name": name(slug), "url": format!("/products/category/{slug}") })).collect())
}

async fn one(
    State(products): State<Products>,
    Path(id): Path<String>,
    Query(query): Query<ListQuery>,
) -> Response {
    wait(&query).await;
    let number = id.parse::<u64>().ok();
    match products.iter().find(|product| number.is_some() && product["id"].as_u64() == number) {
        Some(product) => Json(selected(product, query.select.as_deref())).into_response(),
        None => message(StatusCode::NOT_FOUND, &format!("Product with id '{id}' not found")),
    }
}

async fn list(products: &[Value], query: &ListQuery, keep: impl Fn(&Value) -> bool) -> Response {
    wait(query).await;
    let (Ok(limit), Ok(skip)) =
        (number(query.limit.as_deref(), DEFAULT_LIMIT), number(query.skip.as_deref(), 0))
    else {
        return message(StatusCode::BAD_REQUEST, "Invalid limit or skip");
    };
    let mut matching: Vec<&Value> = products.iter().filter(|product| keep(product)).collect();
    if let Some(field) = &query.sort_by {
        match query.order.as_deref() {
            None | Some("asc") => matching.sort_by(|left, right| compare(&left[field], &right[field])),
            Some("desc") => matching.sort_by(|left, right| compare(&right[field], &left[field])),
            Some(_) => return message(StatusCode::BAD_REQUEST, "Order can be: 'asc' or 'desc'"),
        }
    }
    let total = matching.len();
    let limit = if limit == 0 { total } else { limit };
    let page: Vec<Value> = matching
        .into_iter()
        .skip(skip)
        .take(limit)
        .map(|product| selected(product, query.select.as_deref()))
        .collect();
    Json(json!({ "limit": page.len(), "products": page, "total": total, "skip": skip })).into_response()
}

async fn wait(query: &ListQuery) {
    let delay = query.delay.as_deref().and_then(|delay| delay.parse().ok()).unwrap_or(0_u64);
    if delay > 0 {
        tokio::time::sleep(Duration::from_millis(delay.min(MAX_DELAY))).await;
    }
}

fn number(text: Option<&str>, default: usize) -> Result<usize, std::num::ParseIntError> {
    text.map_or(Ok(default), str::parse)
}

/// Orders missing values and other types first, then numbers by value, then strings by code points.
fn compare(left: &Value, right: &Value) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Number(_) => 1,
        Value::String(_) => 2,
        _ => 0,
    };
    rank(left).cmp(&rank(right)).then_with(|| match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left.as_f64().unwrap_or(0.0).total_cmp(&right.as_f64().unwrap_or(0.0))
        }
        (Value::String(left), Value::String(right)) => left.cmp(right),
        _ => Ordering::Equal,
    })
}

/// The selected fields of a product, and always its id.
fn selected(product: &Value, select: Option<&str>) -> Value {
    let (Some(select), Some(fields)) = (select, product.as_object()) else { return product.clone() };
    let chosen: Map<String, Value> = std::iter::once("id")
        .chain(select.split(',').map(str::trim))
        .filter_map(|field| Some((field.to_owned(), fields.get(field)?.clone())))
        .collect();
    Value::Object(chosen)
}

fn message(status: StatusCode, text: &str) -> Response {
    (status, Json(json!({ "message": text }))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_can_be_sorted_by_fields_of_any_type() {
        let mut values = vec![json!("b"), Value::Null, json!(2), json!("a"), json!([]), json!(1.5)];
        values.sort_by(compare);
        assert_eq!(values, vec![Value::Null, json!([]), json!(1.5), json!(2), json!("a"), json!("b")]);
    }
}
