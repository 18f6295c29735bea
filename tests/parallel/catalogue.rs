//! The catalogue over HTTP: it answers like the sample, and makes exactly the specified calls. What it does when the
//! service fails is in `service_faults.rs`.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::Redirect;
use axum::routing::get;
use vitrine::cache::Ages;
use vitrine::catalogue::{
    CatalogueError, MirrorPolicy, Product, Remembered, Service, Slug, Summary, Window, Windowed, sample::api,
};

use crate::common::client::{LIMITS, start};
use crate::common::faults::Fault;
use crate::common::queries::Queries as _;
use crate::common::upstream::Upstream;
use crate::common::{listed, sample, serve};

const AGES: Ages = Ages { fresh: Duration::from_secs(60), stale: Duration::from_secs(600) };

fn service(base: &str) -> Service {
    Service::new(base.parse().unwrap(), LIMITS).unwrap()
}

fn slug(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

#[tokio::test]
async fn both_implementations_answer_every_query_alike() {
    let sample = sample();
    let address = serve(api::router(sample.raw().to_vec())).await;
    let service = service(&format!("http://{address}"));

    let categories = sample.categories().await.unwrap();
    assert_eq!(service.categories().await.unwrap(), categories);
    for slug in categories.iter().map(|category| category.slug.clone()).chain([slug("unknown")]) {
        assert_eq!(
            service.category_preview(&slug).await.unwrap(),
            sample.category_preview(&slug).await.unwrap()
        );
        assert_eq!(
            service.category_products(&slug).await.unwrap(),
            listed(&sample.category_products(&slug).await.unwrap())
        );
    }
    assert_eq!(service.all_products().await.unwrap(), listed(&sample.all_products().await.unwrap()));
    for text in ["red", "  Lipstick ", "all-day", "%", "a/b?c#d&e=f", "\u{e9}", "zzzz", "'"] {
        // The sample, like a copy, also finds what differs in spelling alone.
        let found = listed(&sample.search(text).await.unwrap());
        let of_service = service.search(text).await.unwrap();
        let found: Vec<Product> = found.whole().map(Result::unwrap).collect();
        assert!(of_service.whole().all(|product| found.contains(&product.unwrap())), "{text}");
    }
    for section in [Window::featured(), Window::best_sellers(), Window::new_arrivals()] {
        let of_sample = sample.window(section.clone()).await.unwrap();
        assert_eq!(
            *service.window(section.clone()).await.unwrap(),
            Windowed {
                total: of_sample.total,
                entries: of_sample.entries,
                // What these calls do not select.
                products: of_sample
                    .products
                    .iter()
                    .map(|product| Summary { second: None, is_from: false, ..product.clone() })
                    .collect(),
            },
            "{section:?}"
        );
    }
    for id in [1, 7, u64::try_from(sample.products().len()).unwrap(), 9_999] {
        assert_eq!(service.product(id).await.unwrap(), sample.product(id).await.unwrap(), "{id}");
    }
}

#[tokio::test]
async fn exactly_the_specified_calls_are_made() {
    let upstream = Upstream::start().await;
    // A status that is not tried again and does not open the breaker.
    upstream.set(Fault::Status(400)).await;
    let service = service(upstream.base().join("api/").unwrap().as_str());
    let _ = service.categories().await;
    let _ = service.category_preview(&slug("tops")).await;
    let _ = service.category_products(&slug("tops")).await;
    let _ = service.all_products().await;
    let _ = service.search("../a b/50%?x=1#é&limit=1").await;
    let _ = service.product(12).await;
    let _ = service.window(Window::featured()).await;
    let _ = service.window(Window::best_sellers()).await;
    let _ = service.window(Window::new_arrivals()).await;

    let card = "select=title%2Ccategory%2Cprice%2CdiscountPercentage%2Crating%2Cstock%2Cbrand%2Cthumbnail";
    let listing = "limit=0&select=title%2Cdescription%2Ccategory%2Cprice%2CdiscountPercentage%2Crating%2Cstock%2Cbrand%2Cthumbnail";
    let expected = [
        "/api/products/categories".to_owned(),
        "/api/products/category/tops?limit=1&select=thumbnail".into(),
        format!("/api/products/category/tops?{listing}"),
        format!("/api/products?{listing}"),
        format!("/api/products/search?q=..%2Fa+b%2F50%25%3Fx%3D1%23%C3%A9%26limit%3D1&{listing}"),
        "/api/products/12".into(),
        format!("/api/products?limit=8&skip=8&{card}"),
        format!("/api/products?limit=8&skip=0&{card}&sortBy=rating&order=desc"),
        format!("/api/products?limit=8&skip=0&{card}&sortBy=id&order=desc"),
    ];
    // The service records GET requests only.
    let made: Vec<String> = upstream.calls().into_iter().map(|call| call.target).collect();
    assert_eq!(made, expected);
}

#[tokio::test]
async fn a_404_is_an_unknown_product_only_if_the_api_says_so_of_one() {
    let (upstream, service) = start(LIMITS).await;
    let page = b"<h1>404".as_slice().into();
    upstream.set(Fault::Fixed { status: 404, content_type: "text/html", body: page }).await;
    assert!(matches!(service.product(1).await, Err(CatalogueError::Status(404))));
    upstream.set(Fault::Status(404)).await;
    assert!(matches!(service.all_products().await, Err(CatalogueError::Status(404))));
}

#[tokio::test]
async fn redirects_stay_within_the_service() {
    let elsewhere = Upstream::start().await;
    let away = elsewhere.base().join("products/categories").unwrap();
    let upstream = Router::new()
        .route("/products/categories", get(async move || Redirect::permanent(away.as_str())))
        .route("/products/1", get(async || Redirect::permanent("/moved/1")))
        .route("/moved/1", get(async || r#"{"id":1,"title":"Moved","price":1}"#))
        .fallback(async || StatusCode::IM_A_TEAPOT);
    let service = service(&format!("http://{}", serve(upstream).await));
    assert!(matches!(service.categories().await, Err(CatalogueError::Status(308))));
    assert!(elsewhere.calls().is_empty());
    assert_eq!(service.product(1).await.unwrap().unwrap().summary.title, "Moved");
}

#[tokio::test]
async fn a_crowd_makes_one_call_and_an_error_is_not_remembered() {
    let (upstream, service) = start(LIMITS).await;
    // A status that is not tried again.
    upstream.set(Fault::Status(403)).await;
    let catalogue = Arc::new(Remembered::new(service, AGES, MirrorPolicy::Never));
    assert!(catalogue.categories().await.is_err());
    upstream.set(Fault::Held).await;
    let crowd = futures_util::future::join_all((0..100).map(|_| catalogue.categories()));
    let answer = async {
        upstream.wait_for_calls(2).await;
        upstream.set(Fault::None).await;
    };
    let (answers, ()) = tokio::join!(crowd, answer);
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(upstream.calls().len(), 2);
}
