//! The markup that isolates remember between renders: the same bytes as the plain components give, on every
//! page, and as much of it as the heap allows.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use serde_json::Value;
use vitrine::catalogue::MirrorPolicy;
use vitrine::contract::PageJson;
use vitrine::render::{Bundle, Renderer, RendererSettings};

use crate::common::pages::data;
use crate::common::shops::{real_products, shop_of};
use crate::common::until::until;
use crate::common::{
    PATHS, error_page, real_renderer, renderer_of, renderer_settings, renderer_with, sample, start_shop,
};
use crate::node::{plain_bundle, render_with_node};

/// The pages of every product and category, and those of every kind.
async fn all_pages(shop: SocketAddr, products: &[Value]) -> Vec<PageJson> {
    let categories: BTreeSet<&str> =
        products.iter().filter_map(|product| product["category"].as_str()).collect();
    let paths = PATHS
        .iter()
        .map(ToString::to_string)
        .chain(categories.into_iter().map(|slug| format!("/category/{slug}")))
        .chain(products.iter().map(|product| format!("/product/{}", product["id"])));
    let mut pages = Vec::new();
    for path in paths {
        pages.push(PageJson::new(&data(shop, &path).await).unwrap());
    }
    pages
}

/// Renders every page with an empty memo, with one that knows the keys, with a full one, and after the isolate had to
/// forget.
async fn assert_plain(pages: &[PageJson]) {
    let expected = render_with_node(&plain_bundle().await, pages).await;
    let renderer = real_renderer(1).await;
    for round in ["empty", "known keys", "full", "forgotten"] {
        for (page, expected) in pages.iter().zip(&expected) {
            let markup = renderer.render(page.clone()).await.unwrap().markup;
            assert!(markup == *expected, "{round}: {}", page.as_str());
        }
        if round == "full" {
            renderer.collect_garbage();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn remembered_markup_is_that_of_the_plain_components_on_every_page() {
    let sample = sample();
    assert_plain(&all_pages(start_shop(sample.clone()).await, sample.raw()).await).await;
}

/// With the real service's data, where it lies beside the project.
#[tokio::test(flavor = "multi_thread")]
async fn remembered_markup_is_that_of_the_plain_components_on_real_products() {
    let Some(products) = real_products() else { return };
    let shop = shop_of(products.clone(), MirrorPolicy::UpTo(5_000)).await;
    assert_plain(&all_pages(shop, &products).await).await;
}

/// Without a limit the markup of all these cards would fill the heap twice.
#[tokio::test(flavor = "multi_thread")]
async fn products_that_always_change_do_not_fill_the_heap() {
    let shop = start_shop(sample()).await;
    let mut page = data(shop, "/products").await;
    let settings = RendererSettings { heap_limit: 32 << 20, ..renderer_settings(1) };
    let renderer = Renderer::start(Bundle::embedded(), settings, error_page()).await.unwrap();
    let (mut cards, length) = (0, 2_000);
    while cards * 3 * length < 64 << 20 {
        for product in page["content"]["products"].as_array_mut().unwrap() {
            cards += 1;
            // The title is in a card's key once, and three times in its markup.
            product["title"] = format!("{cards} {}", "x".repeat(length)).into();
        }
        renderer.render(PageJson::new(&page).unwrap()).await.unwrap();
    }
    assert_eq!(renderer.counters().lost_isolates.get(), 0);
}

async fn text(renderer: &Renderer) -> String {
    renderer.render(error_page()).await.unwrap().markup
}

#[tokio::test(flavor = "multi_thread")]
async fn an_isolate_forgets_its_markup_when_it_collects_garbage() {
    let renderer = renderer_of(
        "let text = 'remembered';
         globalThis.renderPage = () => text;
         globalThis.forgetMarkup = () => { text = 'forgotten'; };",
    )
    .await;
    assert_eq!(text(&renderer).await, "remembered");
    renderer.collect_garbage();
    // An isolate collects garbage between two renders, at the latest when it has been idle for a while.
    until("a forgotten text", async || text(&renderer).await == "forgotten").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_heap_limit_decides_how_much_markup_is_remembered() {
    let share = if cfg!(feature = "quickjs") { 64 } else { 32 };
    for heap_limit in [64 << 20, 256 << 20] {
        let renderer = renderer_with(
            "let budget; globalThis.limitMarkup = (given) => { budget = given; };
             globalThis.renderPage = () => String(budget);",
            RendererSettings { heap_limit, ..renderer_settings(1) },
        )
        .await;
        assert_eq!(text(&renderer).await, (heap_limit / share).to_string());
    }
}
