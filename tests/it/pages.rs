//! The storefront over HTTP: what the client and the host know of its addresses is the same. Statuses and headers are in
//! `http.rs`, titles and contents in `browser/everyShop/routes.spec.ts`.

use axum::http::header;
use serde_json::Value;

use crate::common::days::get;
use crate::common::pages::{ask, attribute, texts};
use crate::common::raw::good_request;
use crate::common::{PATHS, sample, start_shop};

/// The paths of the URL table, as it is generated for the client, which are pages as they are: a path with a parameter
/// needs a value, and the search form only leads elsewhere.
fn url_table() -> Vec<&'static str> {
    let rows = include_str!("../../client/routes.gen.ts").lines();
    let paths = rows.filter_map(|row| row.trim().strip_prefix('"')?.strip_suffix("\","));
    // The saved list is a page of shops of an operator's own products.
    paths.filter(|path| !path.contains(':') && !["/search", "/saved"].contains(path)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_row_of_the_url_table_is_a_page() {
    let shop = start_shop(sample()).await;
    let table = url_table();
    assert!(table.len() >= 8, "only {table:?} were found");
    for path in table.iter().copied().chain(PATHS).chain(["/product/0", "/category/none"]) {
        // The data is the inlined data, with the page's status.
        let data = get(shop, &format!("/_data{path}")).await;
        assert_eq!(data.headers[header::CONTENT_TYPE], "application/json");
        let page: Value = serde_json::from_str(&data.text).unwrap();
        let document = get(shop, path).await;
        assert_eq!((document.status, &page["status"]), (data.status, &data.status.into()), "{path}");
        // The home page's categories are drawn anew for every answer.
        if path != "/" {
            let inlined = format!(r#"id="page-data">{}</script>"#, data.text);
            assert!(document.text.contains(&inlined), "{path}");
        }
        if table.contains(&path) {
            assert_eq!((document.status, &page["path"]), (200, &path.into()));
            let title = texts(&document.text, "title").concat();
            assert!(path == "/" || title.ends_with(" | Vitrine"), "{path}: {title}");
            let (_, markup) = document.text.split_once(r#"<div id="root">"#).unwrap();
            assert!(markup.contains("<h1") && markup.contains("<main"), "{path} has no heading");
            let html = scraper::Html::parse_document(&document.text);
            assert_ne!(attribute(&html, "meta[name=description]", "content"), "", "{path}");
        }
    }
}

/// Assets are hashed, compressed, and cached for ever.
#[tokio::test(flavor = "multi_thread")]
async fn assets_are_compressed_and_kept() {
    let shop = start_shop(sample()).await;
    assert_eq!(get(shop, "/sample-images/..%2F..%2Fx-rose-1.svg").await.status, 404);
    let home = get(shop, "/").await.text;
    let asset = home[home.find("/assets/entry-").unwrap()..].split('"').next().unwrap();
    for encoding in ["br", "gzip", "identity"] {
        let response = ask(shop, asset, &[("accept-encoding", encoding)]).await;
        assert_eq!(response.status(), 200);
        let headers = response.headers();
        assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
        assert_eq!(headers[header::VARY], "accept-encoding");
        let named = headers.get(header::CONTENT_ENCODING).map_or("identity", |name| name.to_str().unwrap());
        assert_eq!(named, encoding);
        let tag = &headers[header::ETAG];
        let known = [("accept-encoding", encoding), ("if-none-match", tag.to_str().unwrap())];
        let again = ask(shop, asset, &known).await;
        assert_eq!((again.status().as_u16(), &again.headers()[header::ETAG]), (304, tag));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slash_after_a_dot_leads_to_no_other_folder() {
    let shop = start_shop(sample()).await;
    // No client library would send these.
    for path in ["/product/../", "/product/%2E%2E/", "/_data/product/./", "/category/../", "/product/a%20b/"]
    {
        let answer = good_request(shop, path).await;
        assert!(answer.starts_with("HTTP/1.1 404 Not Found\r\n"), "{path}");
        assert!(!answer.contains("\r\nlocation"), "{path}");
    }
    assert!(good_request(shop, "/search/%2E%2E/").await.contains("\r\nlocation: /products?q=..\r\n"));
}
