//! A catalogue service with a list that is too large for one answer.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use parking_lot::Mutex;
use serde_json::{Value, json};
use url::Url;
use vitrine::catalogue::{Followed, Service, ServiceLimits};

use super::client::service_at;
use super::days::{AGES, LIMITS};
use super::{follow, serve};

/// More products than one call asks for; together they are larger than an answer may be.
pub(crate) const PRODUCTS: u64 = 6_000;

/// A service that answers page by page, and says whether a page has changed.
#[derive(Clone, Default)]
pub(crate) struct Large(pub(crate) Arc<Mutex<Content>>);

#[derive(Default)]
pub(crate) struct Content {
    /// Replaces the title of the last product.
    pub(crate) last_title: Option<String>,
    /// How long each answer takes, and how much longer for each of its products.
    pub(crate) takes: (Duration, Duration),
    /// Pages after this many products fail.
    pub(crate) fails_behind: Option<u64>,
    /// The query strings whose answers had a body.
    pub(crate) sent: Vec<String>,
    pub(crate) unchanged: u64,
}

impl Content {
    fn product(&self, id: u64) -> Value {
        let own = self.last_title.as_deref().filter(|_| id == PRODUCTS);
        let title = own.map_or_else(|| format!("Product {id}"), str::to_owned);
        json!({
            "id": id, "title": title, "description": "d".repeat(300), "category": format!("c-{}", id % 24),
            "brand": format!("B{}", id % 100), "price": (id % 500) as f64 + 0.99, "rating": (id % 50) as f64 / 10.0,
            "stock": id % 7, "discountPercentage": id % 20, "thumbnail": "https://cdn.example/p.webp", "images": ["https://cdn.example/p.webp"],
        })
    }

    fn version(&self) -> String {
        format!("\"{}\"", self.last_title.as_deref().unwrap_or("first"))
    }
}

impl Large {
    pub(crate) async fn start(&self) -> Url {
        let router = Router::new()
            .route("/products", get(products))
            .route("/products/search", get(products))
            .route("/products/category/{slug}", get(category))
            .route("/products/categories", get(async || Json(json!([]))))
            .route("/products/{id}", get(product))
            .with_state(self.clone());
        format!("http://{}", serve(router).await).parse().unwrap()
    }

    /// The queries whose answers had a body since the last call of this.
    pub(crate) fn take_sent(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().sent)
    }
}

async fn products(State(large): State<Large>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let query = query.unwrap_or_default();
    let parameters: HashMap<_, _> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let number = |name: &str| parameters.get(name).map_or(0, |value| value.parse().unwrap());
    let limit = if number("limit") == 0 { PRODUCTS } else { number("limit") };
    let (answer, product) = large.0.lock().takes;
    tokio::time::sleep(answer + product * u32::try_from(limit.min(PRODUCTS - number("skip"))).unwrap()).await;
    let mut content = large.0.lock();
    let version = content.version();
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == *version) {
        content.unchanged += 1;
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, version)]).into_response();
    }
    if content.fails_behind.is_some_and(|most| number("skip") > most) {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let mut ids: Vec<u64> = (1..=PRODUCTS).collect();
    if let Some(field) = parameters.get("sortBy") {
        // No value has more than two digits after its point.
        ids.sort_by_cached_key(|id| (content.product(*id)[field].as_f64().unwrap() * 100.0).round() as i64);
        if parameters.get("order").is_some_and(|order| order == "desc") {
            ids.reverse();
        }
    }
    let ids = ids.into_iter().skip(usize::try_from(number("skip")).unwrap());
    let ids = ids.take(usize::try_from(limit).unwrap());
    let products: Vec<Value> = match parameters.get("select").map(String::as_str) {
        Some("id") => ids.map(|id| json!({ "id": id })).collect(),
        _ => ids.map(|id| content.product(id)).collect(),
    };
    content.sent.push(query.clone());
    let list =
        json!({ "products": products, "total": PRODUCTS, "skip": number("skip"), "limit": products.len() });
    ([(header::ETAG, version)], Json(list)).into_response()
}

async fn category(State(large): State<Large>, Path(slug): Path<String>) -> Json<Value> {
    let content = large.0.lock();
    let is_in = |product: &Value| product["category"] == slug;
    let products: Vec<Value> = (1..=PRODUCTS).map(|id| content.product(id)).filter(is_in).collect();
    Json(json!({ "total": products.len(), "products": products }))
}

async fn product(State(large): State<Large>, Path(id): Path<u64>) -> Json<Value> {
    Json(large.0.lock().product(id))
}

/// The catalogue of this service.
pub(crate) fn open(base: &Url) -> Arc<Followed<Service>> {
    // A list of 6,000 products has more than 2 MiB, a page of 1,000 less than 1 MiB.
    let limits = ServiceLimits { max_body: 1 << 20, ..LIMITS };
    follow(Followed::new(service_at(base.clone(), limits), AGES, 10_000))
}
