//! A catalogue whose list is too large for one answer is read in pages, and sold like any other.

use std::collections::HashSet;
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
use vitrine::catalogue::{
    Catalogue as _, CataloguePurge, MirrorPolicy, Outdated, PurgeMode, Remembered, Service, ServiceLimits,
    StateDir,
};

use crate::common::client::service_at;
use crate::common::days::{AGES, LIMITS, grow_stale};
use crate::common::queries::Queries as _;
use crate::common::serve;
use crate::common::until::until;

/// More products than are asked for in one answer, which together are larger than an answer may be.
const PRODUCTS: u64 = 6_000;

/// A service that answers pages, and says whether they have changed.
#[derive(Clone, Default)]
struct Large(Arc<Mutex<Content>>);

#[derive(Default)]
struct Content {
    /// A title that replaces that of the last product.
    last_title: Option<String>,
    /// How many answers had a body, by their query strings.
    sent: Vec<String>,
    unchanged: u64,
}

impl Content {
    fn product(&self, id: u64) -> Value {
        let own = self.last_title.as_deref().filter(|_| id == PRODUCTS);
        let title = own.map_or_else(|| format!("Product {id}"), str::to_owned);
        json!({
            "id": id, "title": title, "description": "d".repeat(300), "category": format!("c-{}", id % 24),
            "brand": format!("B{}", id % 100), "price": (id % 500) as f64 + 0.99, "rating": (id % 50) as f64 / 10.0,
            "stock": id % 7, "thumbnail": "https://cdn.example/p.webp", "images": ["https://cdn.example/p.webp"],
        })
    }

    fn version(&self) -> String {
        format!("\"{}\"", self.last_title.as_deref().unwrap_or("first"))
    }
}

impl Large {
    async fn start(&self) -> Url {
        let router = Router::new()
            .route("/products", get(products))
            .route("/products/category/{slug}", get(category))
            .route("/products/categories", get(async || Json(json!([]))))
            .with_state(self.clone());
        format!("http://{}", serve(router).await).parse().unwrap()
    }

    /// What was sent since this was asked last.
    fn take_sent(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().sent)
    }
}

async fn products(State(large): State<Large>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let query = query.unwrap_or_default();
    let mut content = large.0.lock();
    let version = content.version();
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == *version) {
        content.unchanged += 1;
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, version)]).into_response();
    }
    let number = |name: &str| {
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        pairs.into_iter().find(|(own, _)| own == name).map_or(0, |(_, value)| value.parse().unwrap())
    };
    let limit = if number("limit") == 0 { PRODUCTS } else { number("limit") };
    let ids =
        (1..=PRODUCTS).skip(usize::try_from(number("skip")).unwrap()).take(usize::try_from(limit).unwrap());
    let products: Vec<Value> = match query.ends_with("select=id") {
        true => ids.map(|id| json!({ "id": id })).collect(),
        false => ids.map(|id| content.product(id)).collect(),
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

fn open(base: &Url) -> Arc<Remembered<Service>> {
    // A list of 6,000 products has more than 2 MiB, a page of 1,000 less than 1 MiB.
    let limits = ServiceLimits { max_body: 1 << 20, ..LIMITS };
    Arc::new(Remembered::new(service_at(base.clone(), limits), AGES, MirrorPolicy::UpTo(10_000)))
}

async fn until_copied(shop: &Remembered<Service>) {
    until("a copy", async || shop.mirror().await.is_some()).await;
}

#[tokio::test]
async fn a_large_catalogue_is_sold_as_a_whole_and_read_again_only_where_it_has_changed() {
    let large = Large::default();
    let shop = open(&large.start().await);
    until_copied(&shop).await;
    let all = shop.all_products().await.unwrap();
    assert_eq!(all.len() as u64, PRODUCTS);
    let ids: HashSet<String> = all.products().map(|product| product.id.to_string()).collect();
    assert_eq!(ids.len() as u64, PRODUCTS);
    assert_eq!(shop.status().copy.map(|(products, _)| products as u64), Some(PRODUCTS));
    assert!(shop.status().pass.is_none(), "the pass has ended");

    // A pass that finds nothing new is answered without a body, and the copy stays the same one.
    let (first, _) = shop.last_mirror().unwrap();
    large.take_sent();
    let before = large.0.lock().unchanged;
    until("passes without news", async || {
        grow_stale().await;
        shop.mirror().await;
        large.0.lock().unchanged >= before + 14
    })
    .await;
    assert!(Arc::ptr_eq(&first, &shop.last_mirror().unwrap().0));
    assert_eq!(large.take_sent(), Vec::<String>::new());

    large.0.lock().last_title = Some("Renamed".into());
    until("the new title", async || {
        grow_stale().await;
        shop.mirror().await;
        shop.product(PRODUCTS).await.unwrap().is_some_and(|product| product.summary.title == "Renamed")
    })
    .await;

    let purge = CataloguePurge { outdated: Outdated::Everything, mode: PurgeMode::Soft, ago: Duration::ZERO };
    large.take_sent();
    shop.purge(&[purge]);
    until("everything again", async || {
        shop.mirror().await;
        large.take_sent().iter().any(|query| query == "limit=1000&skip=0")
    })
    .await;
}

#[tokio::test]
async fn a_saved_copy_of_a_large_catalogue_is_sold_while_the_service_is_away() {
    let large = Large::default();
    let base = large.start().await;
    let shop = open(&base);
    until_copied(&shop).await;
    let directory = tempfile::tempdir().unwrap();
    StateDir::new(directory.path(), "service").save(&shop).unwrap();

    let later = open(&"http://127.0.0.1:1".parse().unwrap());
    StateDir::new(directory.path(), "service").load(&later).unwrap();
    assert_eq!(later.all_products().await.unwrap().len() as u64, PRODUCTS);
}

#[tokio::test]
async fn a_catalogue_of_more_products_than_are_wanted_is_not_read() {
    let large = Large::default();
    let limits = ServiceLimits { max_body: 1 << 20, ..LIMITS };
    let base = large.start().await;
    let shop = Remembered::new(service_at(base, limits), AGES, MirrorPolicy::UpTo(PRODUCTS - 1));
    until("the number of products", async || {
        shop.mirror().await;
        large.0.lock().sent.iter().any(|query| query == "limit=1&select=id")
    })
    .await;
    grow_stale().await;
    assert!(shop.mirror().await.is_none());
    assert_eq!(large.take_sent(), ["limit=1&select=id"]);
}
