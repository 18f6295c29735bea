//! A catalogue service of any number of products, which it makes when they are asked for.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::iter;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use futures_util::stream;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;

const CATEGORIES: u64 = 24;
/// Products that are made at a time.
const PART: u64 = 200;
pub(crate) const WORDS: [&str; 24] = [
    "oak", "lamp", "linen", "shade", "tall", "small", "red", "blue", "green", "copper", "glass", "steel",
    "cotton", "wool", "leather", "chair", "table", "desk", "mirror", "shelf", "rug", "vase", "bowl",
    "kettle",
];

/// The service, for as long as the runtime lives.
#[derive(Clone)]
pub(crate) struct Many {
    pub(crate) address: SocketAddr,
    content: Arc<Content>,
}

struct Content {
    count: u64,
    /// Part of every title of the first page.
    version: AtomicU64,
}

#[derive(Deserialize)]
struct Range {
    limit: Option<u64>,
    skip: Option<u64>,
    select: Option<String>,
}

impl Many {
    pub(crate) async fn serve(count: u64) -> Result<Self> {
        let content = Arc::new(Content { count, version: AtomicU64::new(1) });
        let router = Router::new()
            .route("/products", get(products))
            .route("/products/categories", get(categories))
            .route("/products/{id}", get(one))
            .with_state(Arc::clone(&content));
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, content })
    }

    /// Gives the first products other titles. Returns the end of these.
    pub(crate) fn change(&self) -> String {
        format!("edition {}", self.content.version.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

async fn products(
    State(content): State<Arc<Content>>,
    Query(range): Query<Range>,
    headers: HeaderMap,
) -> Response {
    let version = content.version.load(Ordering::Relaxed);
    let (skip, limit) = (range.skip.unwrap_or(0), range.limit.unwrap_or(30));
    let end = if limit == 0 { content.count } else { content.count.min(skip.saturating_add(limit)) };
    // Only the first page changes.
    let tag = format!("\"{skip}-{end}-{}\"", if skip == 0 { version } else { 0 });
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    let is_ids = range.select.as_deref() == Some("id");
    // The list of all products is made while it is read. A shop stops reading at its limit.
    let part = move |first: u64| {
        let mut text = String::new();
        for id in first + 1..=end.min(first + PART) {
            let separator = if id == end { "" } else { "," };
            // Writing to a string cannot fail.
            let _ = match is_ids {
                true => write!(text, "{{\"id\":{id}}}{separator}"),
                false => write!(text, "{}{separator}", product(id, version)),
            };
        }
        text
    };
    let count = end.saturating_sub(skip);
    let last = format!("],\"total\":{},\"skip\":{skip},\"limit\":{count}}}", content.count);
    let parts = (0..count.div_ceil(PART)).map(move |number| part(skip + number * PART));
    let text = iter::once("{\"products\":[".into()).chain(parts).chain([last]);
    let body = Body::from_stream(stream::iter(text.map(Ok::<_, Infallible>)));
    ([(header::ETAG, tag), (header::CONTENT_TYPE, "application/json".into())], body).into_response()
}

async fn categories() -> axum::Json<Value> {
    let category =
        |number| json!({ "slug": format!("category-{number}"), "name": format!("Category {number}") });
    axum::Json((0..CATEGORIES).map(category).collect())
}

async fn one(State(content): State<Arc<Content>>, Path(id): Path<u64>) -> Response {
    if !(1..=content.count).contains(&id) {
        return (StatusCode::NOT_FOUND, axum::Json(json!({ "message": "not found" }))).into_response();
    }
    axum::Json(product(id, content.version.load(Ordering::Relaxed))).into_response()
}

/// A product with three variants, as long as those of the real service.
fn product(id: u64, version: u64) -> Value {
    let mut random = fastrand::Rng::with_seed(id);
    let mut words = |count: usize| {
        let words: Vec<&str> = (0..count).map(|_| WORDS[random.usize(..WORDS.len())]).collect();
        words.join(" ")
    };
    let edition = if id <= 1_000 { format!(" edition {version}") } else { String::new() };
    let (title, description, tags) = (words(3), words(45), [words(1), words(1)]);
    let reviews: Vec<Value> = (0..3)
        .map(|number| {
            json!({
                "rating": 1 + (id + number) % 5, "comment": words(4), "date": "2025-04-30T09:41:02.053Z",
                "reviewerName": words(2), "reviewerEmail": "someone@mail.example",
            })
        })
        .collect();
    let category = id % CATEGORIES;
    let price = random.u32(100..50_000);
    let picture =
        |name: &str| format!("https://cdn.example/product-images/category-{category}/{id}/{name}.webp");
    // Hardly any two products have the same variants, so counting their sizes and colours takes longest.
    let mut options = fastrand::Rng::with_seed(!id);
    let variant = |number: u32| {
        let (size, colour) = (options.u32(30..70), options.u32(1..=20));
        json!({
            "options": [
                { "name": "Size", "value": size.to_string() }, { "name": "Colour", "value": format!("Colour {colour}") },
            ],
            "price": f64::from(price + 100 * number) / 100.0,
            "stock": (id + u64::from(number)) % 9, "sku": format!("SKU-{id}-{}", ["S", "M", "L"][number as usize]),
        })
    };
    json!({
        "id": id, "title": format!("{title} {id}{edition}"), "description": description,
        "category": format!("category-{category}"), "brand": format!("Brand {}", id * 7_919 % 500),
        "price": f64::from(price) / 100.0, "discountPercentage": (id % 2_000) as f64 / 100.0,
        "rating": (id * 31 % 501) as f64 / 100.0, "stock": id % 100, "tags": tags, "sku": format!("SKU-{id}"),
        "weight": 1 + id % 9, "dimensions": { "width": 10.25, "height": (id % 40) as f64 + 1.5, "depth": 7.0 },
        "warrantyInformation": "2 year warranty", "shippingInformation": "Ships in 1 week",
        "returnPolicy": "30 days return policy", "minimumOrderQuantity": 1, "reviews": reviews,
        "meta": { "createdAt": "2025-04-30T09:41:02.053Z", "updatedAt": "2025-04-30T09:41:02.053Z" },
        "variants": (0..3).map(variant).collect::<Vec<_>>(),
        "images": [picture("1"), picture("2"), picture("3")], "thumbnail": picture("thumbnail"),
    })
}
