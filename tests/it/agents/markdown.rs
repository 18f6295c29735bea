//! Pages as Markdown.

use std::collections::HashSet;

use vitrine::catalogue::{Catalogue, ProductKey};

use crate::common::pages::{ask, text};
use crate::common::{sample, start_shop};

const PAGES: [(&str, &str); 5] = [
    ("/", "/index.md"),
    ("/products", "/products.md"),
    ("/categories", "/categories.md"),
    ("/category/beauty", "/category/beauty.md"),
    ("/product/1", "/product/1.md"),
];
const MARKDOWN: &str = "text/markdown; charset=utf-8";

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_markdown_at_an_address_of_its_own_and_for_who_would_rather_have_it() {
    let shop = start_shop(sample()).await;
    for (page, own) in PAGES {
        let answer = ask(shop, own, &[]).await;
        let headers = answer.headers().clone();
        assert_eq!(
            (answer.status().as_u16(), &headers["content-type"]),
            (200, &MARKDOWN.parse().unwrap()),
            "{own}"
        );
        assert_eq!(headers["x-robots-tag"], "noindex");
        assert_eq!(headers["link"], format!("<https://shop.example{page}>; rel=\"canonical\"").as_str());
        let whole = answer.text().await.unwrap();
        assert!(whole.starts_with("# "), "{whole}");
        let wanted = ask(shop, page, &[("accept", "text/markdown, text/html;q=0.9")]).await;
        assert_eq!(wanted.headers()["cache-control"], "private, no-cache", "{page}");
        let vary: HashSet<&str> =
            wanted.headers().get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
        assert!(vary.contains(&"accept"), "{page}");
        assert_eq!(wanted.text().await.unwrap(), whole, "{page}");
        // Who asks right after that gets HTML, which names the Markdown.
        let html = ask(shop, page, &[("accept", "text/html")]).await;
        assert_eq!(html.headers()["vary"], "accept-encoding");
        let html = html.text().await.unwrap();
        assert!(
            html.contains(&format!(r#"<link rel="alternate" type="text/markdown" href="{own}">"#)),
            "{page}"
        );
        let again = ask(shop, page, &[("accept", "text/markdown")]).await;
        assert_eq!(again.headers()["content-type"], MARKDOWN);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn markdown_says_what_the_page_says_with_its_status() {
    let shop = start_shop(sample()).await;
    let page = text(shop, "/product/1.md").await;
    let data = crate::common::pages::data(shop, "/product/1").await;
    let product = &data["content"]["product"];
    for field in [&product["title"], &product["price"]["current"], &product["brand"]] {
        assert!(page.contains(field.as_str().unwrap()), "{field}: {page}");
    }
    let second = text(shop, "/products.md?page=2").await;
    assert_ne!(second, text(shop, "/products.md").await);
    for missing in ["/product/99999.md", "/category/nothing-here.md", "/page/nothing.md", "/product/.md"] {
        assert_eq!(ask(shop, missing, &[]).await.status(), 404, "{missing}");
    }
    assert_eq!(
        ask(shop, "/search/red", &[("accept", "text/markdown")]).await.headers()["vary"],
        "accept-encoding"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_ends_like_markdown_keeps_its_page() {
    let catalogue = sample();
    let mut products = catalogue.products();
    products[0].summary.id = ProductKey::parse("guide.md").unwrap();
    products[1].summary.id = ProductKey::parse("guide").unwrap();
    let catalogue = catalogue.with_products(&products);
    assert!(catalogue.version().is_some());
    let shop = start_shop(std::sync::Arc::new(catalogue)).await;
    let page = ask(shop, "/product/guide.md", &[]).await;
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    assert!(page.text().await.unwrap().contains(r#"href="/product/guide.md.md""#));
    assert!(text(shop, "/product/guide.md.md").await.contains(&products[0].summary.title));
    assert!(!text(shop, "/product/guide").await.contains("text/markdown"));
}
