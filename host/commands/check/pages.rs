//! The pages: one of every kind is made as a visitor would get it, with the real renderer.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use tower::ServiceExt as _;

use super::catalogue::Reached;
use super::report::Report;
use super::shop;
use crate::document::Site;
use crate::pages::address::text_page;
use crate::process::pressure::Pressure;
use crate::profile::ShopFile;
use crate::serve::{profile_of, start_renderer};
use crate::server;
use crate::settings::ServeSettings;
use crate::shop::Shop;

/// Longest time that a page may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// Largest page that is read, in bytes.
const LARGEST_PAGE: usize = 16 << 20;

/// Makes the shop, and a page of every kind.
pub(super) async fn check_pages(
    settings: &ServeSettings,
    reached: Reached,
    site: Site,
    robots: Option<String>,
    file: Option<&ShopFile>,
    report: &mut Report,
) -> anyhow::Result<()> {
    let renderer = start_renderer(settings.renderer()).await?;
    let profile = profile_of(settings, file, reached.catalogue.currency());
    let texts = profile.pages.iter().map(|page| ("text", text_page(&page.slug), 200));
    let paths: Vec<_> = paths(&reached).into_iter().chain(texts).collect();
    let shop =
        Shop::new(reached.catalogue, renderer, site, settings.shop(profile, robots), Pressure::default())
            .context("the threads for listings cannot be started")?;
    shop::check_links(&shop, report);
    let router = server::router(shop).context("an image host cannot stand in a header")?;
    for (kind, path, status) in paths {
        let began = Instant::now();
        let made = tokio::time::timeout(ANSWER_WITHIN, make(router.clone(), &path, status)).await;
        let path = crate::observe::Bounded(&path);
        match made {
            Ok(Ok(size)) => {
                let (size, time) = (size >> 10, began.elapsed().as_millis());
                report.ok("page", format!("{kind}, {path}: {size} KiB in {time} ms"));
            }
            Ok(Err(problem)) => report.error("page", format!("{kind}, {path}: {problem:#}")),
            Err(_) => {
                report
                    .error("page", format!("{kind}, {path}: not there after {} s", ANSWER_WITHIN.as_secs()));
            }
        }
    }
    Ok(())
}

/// Each kind of page, with a path and the expected status.
fn paths(reached: &Reached) -> Vec<(&'static str, String, u16)> {
    let mut paths = vec![
        ("home", "/".to_owned(), 200),
        ("categories", "/categories".into(), 200),
        ("all products", "/products".into(), 200),
        ("search", "/search/red".into(), 200),
        ("offline", "/offline".into(), 200),
        ("error", "/there-is-no-such-page".into(), 404),
    ];
    // It is a 503 as long as the catalogue is not read as a whole.
    if reached.catalogue.version().is_some() {
        paths.push(("brands", "/brands".into(), 200));
    }
    if let Some(product) = reached.products.products().next() {
        paths.push(("product", format!("/product/{}", product.id), 200));
    }
    if let Some(category) = reached.products.products().find_map(|product| product.category) {
        paths.push(("category", format!("/category/{}", category.as_str()), 200));
    }
    paths
}

/// Asks for a page, which has to be rendered. Returns its size in bytes.
async fn make(router: Router, path: &str, expected: u16) -> anyhow::Result<usize> {
    let mut request = Request::builder().uri(path).body(Body::empty())?;
    request.headers_mut().insert(header::HOST, HeaderValue::from_static("localhost"));
    let answer = match router.oneshot(request).await {
        Ok(answer) => answer,
        Err(never) => match never {},
    };
    let status = answer.status();
    ensure!(status == expected, "it answers {status}");
    let body = to_bytes(answer.into_body(), LARGEST_PAGE).await.context("it cannot be read")?;
    // A page that the browser has to draw has no markup.
    let is_rendered = memchr::memmem::find(&body, b"<main").is_some();
    ensure!(
        is_rendered,
        "it was not rendered: raise --render-timeout or --isolate-heap, or see the log of a start"
    );
    Ok(body.len())
}
