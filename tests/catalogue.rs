//! The catalogue over HTTP: it answers like the sample, makes exactly the specified calls, and
//! takes nothing that it should not.

mod common;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::Redirect;
use axum::routing::get;
use common::{sample, serve};
use vitrine::catalogue::{
    Catalogue, CatalogueError, MirrorPolicy, Remembered, Section, Service, ServiceLimits, Slug, sample::api,
};
use vitrine::memory::Ages;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

const LIMITS: ServiceLimits = ServiceLimits {
    connect_timeout: Duration::from_millis(300),
    read_timeout: Duration::from_millis(300),
    total_timeout: Duration::from_millis(600),
    max_body: 1 << 20,
    // The guard has tests of its own.
    calls_per_second: 1_000.0,
    call_burst: 1_000,
    ..ServiceLimits::DEFAULT
};

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
            sample.category_products(&slug).await.unwrap()
        );
    }
    assert_eq!(service.all_products().await.unwrap(), sample.all_products().await.unwrap());
    for text in ["red", "  Lipstick ", "all-day", "%", "a/b?c#d&e=f", "\u{e9}", "zzzz", "'"] {
        assert_eq!(service.search(text).await.unwrap(), sample.search(text).await.unwrap(), "{text}");
    }
    for section in [Section::Featured, Section::BestSellers, Section::NewArrivals] {
        assert_eq!(
            service.section(section).await.unwrap(),
            sample.section(section).await.unwrap(),
            "{section:?}"
        );
    }
    for id in [1, 7, u32::try_from(sample.products().len()).unwrap(), 9_999] {
        assert_eq!(service.product(id).await.unwrap(), sample.product(id).await.unwrap(), "{id}");
    }
}

#[tokio::test]
async fn exactly_the_specified_calls_are_made() {
    let upstream = MockServer::start().await;
    // A status that neither is tried again nor speaks against the service.
    Mock::given(any()).respond_with(ResponseTemplate::new(400)).mount(&upstream).await;
    let service = service(&format!("{}/api/", upstream.uri()));
    let _ = service.categories().await;
    let _ = service.category_preview(&slug("tops")).await;
    let _ = service.category_products(&slug("tops")).await;
    let _ = service.all_products().await;
    let _ = service.search("../a b/50%?x=1#é&limit=1").await;
    let _ = service.product(12).await;
    let _ = service.section(Section::Featured).await;
    let _ = service.section(Section::BestSellers).await;
    let _ = service.section(Section::NewArrivals).await;

    let card = "select=title%2Cprice%2Crating%2Cthumbnail%2Cbrand%2CdiscountPercentage%2Cstock";
    let listing = "limit=0&select=title%2Cdescription%2Ccategory%2Cprice%2CdiscountPercentage%2Crating%2Cstock%2Cbrand%2Cthumbnail";
    let expected = [
        "/api/products/categories".to_owned(),
        "/api/products/category/tops?limit=1&select=thumbnail".into(),
        format!("/api/products/category/tops?{listing}"),
        format!("/api/products?{listing}"),
        format!("/api/products/search?q=..%2Fa+b%2F50%25%3Fx%3D1%23%C3%A9%26limit%3D1&{listing}"),
        "/api/products/12".into(),
        format!("/api/products?limit=8&{card}&skip=8"),
        format!("/api/products?limit=8&{card}&sortBy=rating&order=desc"),
        format!("/api/products?limit=8&{card}&sortBy=id&order=desc"),
    ];
    let requests = upstream.received_requests().await.unwrap();
    let made: Vec<String> = requests
        .iter()
        .map(|request| {
            assert_eq!(request.method.as_str(), "GET");
            let query = request.url.query().map(|query| format!("?{query}")).unwrap_or_default();
            format!("{}{query}", request.url.path())
        })
        .collect();
    assert_eq!(made, expected);
}

/// The error that an upstream answer leads to.
async fn error_of(answer: ResponseTemplate) -> CatalogueError {
    let upstream = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&upstream).await;
    service(&upstream.uri()).all_products().await.unwrap_err()
}

#[tokio::test]
async fn answers_that_are_none_are_typed_errors() {
    use CatalogueError::{Malformed, RateLimited, Status, TimedOut, TooLarge};
    assert!(matches!(error_of(ResponseTemplate::new(500)).await, Status(500)));
    assert!(matches!(error_of(ResponseTemplate::new(404)).await, Status(404)));
    assert!(matches!(
        error_of(ResponseTemplate::new(429).insert_header("retry-after", "120")).await,
        RateLimited { retry_after: after } if after == Duration::from_secs(120)
    ));
    for body in ["<!doctype html><p>Hello", "{\"products\":[", "{\"products\":{}}", "null", ""] {
        assert!(
            matches!(error_of(ResponseTemplate::new(200).set_body_string(body)).await, Malformed(_)),
            "{body}"
        );
    }
    let deep = format!("{{\"products\":{}", "[".repeat(10_000));
    assert!(matches!(error_of(ResponseTemplate::new(200).set_body_string(deep)).await, Malformed(_)));
    let large = vec![b' '; LIMITS.max_body + 1];
    assert!(matches!(error_of(ResponseTemplate::new(200).set_body_bytes(large)).await, TooLarge { .. }));
    let slow = ResponseTemplate::new(200).set_delay(Duration::from_secs(30));
    assert!(matches!(error_of(slow).await, TimedOut(_)));
}

#[tokio::test]
async fn nobody_listening_is_a_transport_error() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = service(&format!("http://{free}")).categories().await.unwrap_err();
    assert!(matches!(error, CatalogueError::Transport(_)));
}

#[tokio::test]
async fn a_404_of_a_proxy_is_not_an_unknown_product() {
    let upstream = MockServer::start().await;
    Mock::given(any())
        .respond_with(ResponseTemplate::new(404).set_body_string("<h1>404"))
        .mount(&upstream)
        .await;
    assert!(matches!(service(&upstream.uri()).product(1).await, Err(CatalogueError::Status(404))));
}

#[tokio::test]
async fn redirects_stay_within_the_service() {
    let elsewhere = MockServer::start().await;
    Mock::given(any()).respond_with(ResponseTemplate::new(200).set_body_string("[]")).mount(&elsewhere).await;
    let away = format!("{}/products/categories", elsewhere.uri());
    let upstream = Router::new()
        .route("/products/categories", get(async move || Redirect::permanent(&away)))
        .route("/products/1", get(async || Redirect::permanent("/moved/1")))
        .route("/moved/1", get(async || r#"{"id":1,"title":"Moved","price":1}"#))
        .fallback(async || StatusCode::IM_A_TEAPOT);
    let service = service(&format!("http://{}", serve(upstream).await));
    assert!(matches!(service.categories().await, Err(CatalogueError::Status(308))));
    assert!(elsewhere.received_requests().await.unwrap().is_empty());
    assert_eq!(service.product(1).await.unwrap().unwrap().summary.title, "Moved");
}

#[tokio::test]
async fn a_crowd_makes_one_call_and_an_error_is_not_remembered() {
    let upstream = MockServer::start().await;
    let answer = ResponseTemplate::new(200).set_body_string("[]").set_delay(Duration::from_millis(100));
    // A status that is not tried again.
    Mock::given(any()).respond_with(ResponseTemplate::new(403)).up_to_n_times(1).mount(&upstream).await;
    Mock::given(any()).respond_with(answer).mount(&upstream).await;
    let catalogue = Arc::new(Remembered::new(service(&upstream.uri()), AGES, MirrorPolicy::Never));
    assert!(catalogue.categories().await.is_err());
    let crowd = (0..100).map(|_| catalogue.categories());
    assert!(futures_util::future::join_all(crowd).await.iter().all(std::result::Result::is_ok));
    assert_eq!(upstream.received_requests().await.unwrap().len(), 2);
}
