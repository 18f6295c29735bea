//! The markup that isolates remember between renders: the same bytes as the plain components give in Node, on every
//! page, and as much of it as the heap allows.

use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::process::Command;

use serde_json::Value;

use vitrine::contract::PageJson;
use vitrine::render::{Bundle, Renderer, RendererSettings};

use crate::common::pages::data;
use crate::common::shops::{real_products, shop_of};
use crate::common::until::until;
use crate::common::{
    PATHS, error_page, real_renderer, renderer_of, renderer_settings, renderer_with, sample, start_shop,
};

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

/// What Node makes of the pages with the components as the browser has them: without the `.server.tsx` modules. It is the
/// reference that both engines are compared with, and so with each other.
fn rendered_by_node(pages: &[PageJson]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let [bundle, script, input] = ["plain.js", "render.cjs", "pages"].map(|name| folder.path().join(name));
    let mut bundler = Command::new("node");
    bundler.current_dir(env!("CARGO_MANIFEST_DIR")).arg("scripts/bundle-server.mjs");
    bundler.arg(&bundle).arg("plain");
    assert!(bundler.status().unwrap().success());
    let program = format!(
        "{}\nconst lines = require('fs').readFileSync(process.argv[2], 'utf8').split('\\n');\n\
         process.stdout.write(JSON.stringify(lines.map((line) => renderPage(line))));",
        fs::read_to_string(&bundle).unwrap()
    );
    fs::write(&script, program).unwrap();
    fs::write(&input, pages.iter().map(PageJson::as_str).collect::<Vec<_>>().join("\n")).unwrap();
    let output = Command::new("node").arg(script).arg(input).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Renders every page with an empty memo, with one that knows the keys, with a full one, and after the isolate had to
/// forget. Other pages come before it than in Node, so that nothing that a render leaves behind stays unnoticed.
async fn assert_plain(pages: &[PageJson]) {
    let expected = rendered_by_node(pages);
    let renderer = real_renderer(1).await;
    let mut order: Vec<usize> = (0..pages.len()).rev().collect();
    for round in ["empty", "known keys", "full", "forgotten"] {
        for &index in &order {
            let markup = renderer.render(pages[index].clone()).await.unwrap().markup;
            assert!(markup == expected[index], "{round}: {}", pages[index].as_str());
        }
        // Now every seventh page, then those behind them, and so on.
        order.sort_by_key(|index| index % 7);
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
    let shop = shop_of(products.clone(), 5_000).await;
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
