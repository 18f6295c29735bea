//! The catalogue over HTTP: it answers like the sample. What it does when the service fails is in `service_faults.rs`.

use vitrine::catalogue::{CatalogueError, Product, Section, Slug, sample::api};

use crate::common::client::{LIMITS, service_at, start};
use crate::common::faults::Fault;
use crate::common::queries::{Calls as _, Sold as _};
use crate::common::upstream::Upstream;
use crate::common::{listed, sample, serve};

fn slug(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

#[tokio::test]
async fn both_implementations_answer_every_query_alike() {
    let sample = sample();
    let address = serve(api::router(sample.raw().to_vec())).await;
    let service = service_at(format!("http://{address}").parse().unwrap(), LIMITS);

    let categories = sample.categories().await.unwrap();
    assert_eq!(service.categories().await.unwrap(), categories);
    for slug in categories.iter().map(|category| category.slug.clone()).chain([slug("unknown")]) {
        let (preview, products) =
            (sample.category_preview(&slug).await, sample.category_products(&slug).await);
        assert_eq!(service.category_preview(&slug).await.unwrap(), preview.unwrap());
        assert_eq!(service.category_products(&slug).await.unwrap(), listed(&products.unwrap()));
    }
    assert_eq!(service.all_products().await.unwrap(), listed(&sample.all_products().await.unwrap()));
    for text in ["red", "  Lipstick ", "all-day", "%", "a/b?c#d&e=f", "\u{e9}", "zzzz", "'"] {
        // The sample, like a copy, also finds what differs in spelling alone.
        let found = listed(&sample.search(text).await.unwrap());
        let of_service = service.search(text).await.unwrap();
        let found: Vec<Product> = found.whole().map(Result::unwrap).collect();
        assert!(of_service.whole().all(|product| found.contains(&product.unwrap())), "{text}");
    }
    for section in [Section::First, Section::Featured, Section::BestSellers, Section::NewArrivals] {
        let mut of_sample = sample.section(section).await.unwrap().to_vec();
        // What these calls do not select.
        for product in &mut of_sample {
            (product.second, product.is_from, product.colours) = (None, false, Vec::new());
            product.content = None;
        }
        assert_eq!(*service.section(section).await.unwrap(), of_sample, "{section:?}");
    }
    for id in [1, 7, u64::try_from(sample.products().len()).unwrap(), 9_999] {
        assert_eq!(service.product(id).await.unwrap(), sample.product(id).await.unwrap(), "{id}");
    }
}

/// Which calls a shop makes is asserted in `browser/specialShops/calls.spec.ts`.
#[tokio::test]
async fn calls_stay_below_the_base_address_and_select_what_cards_show() {
    let upstream = Upstream::start().await;
    // A status that is not tried again and does not open the breaker.
    upstream.set(Fault::Status(400)).await;
    let service = service_at(upstream.base().join("api/").unwrap(), LIMITS);
    let _ = service.search("../a b/50%?x=1#é&limit=1").await;
    let _ = service.category_products(&slug("tops")).await;
    let _ = service.product(12).await;

    let listing = "limit=0&select=title%2Cdescription%2Ccategory%2Cprice%2CdiscountPercentage%2Crating%2Cstock%2Cbrand%2Cthumbnail";
    let expected = [
        format!("/api/products/search?q=..%2Fa+b%2F50%25%3Fx%3D1%23%C3%A9%26limit%3D1&{listing}"),
        format!("/api/products/category/tops?{listing}"),
        "/api/products/12".into(),
    ];
    // The service records GET requests only.
    let made: Vec<String> = upstream.calls().into_iter().map(|call| call.target).collect();
    assert_eq!(made, expected);
}

#[tokio::test]
async fn a_404_is_an_unknown_product_only_if_the_api_says_so() {
    let (upstream, service) = start(LIMITS).await;
    let page = b"<h1>404".as_slice().into();
    upstream.set(Fault::Fixed { status: 404, content_type: "text/html", body: page }).await;
    assert!(matches!(service.product(1).await, Err(CatalogueError::Status(404))));
}
