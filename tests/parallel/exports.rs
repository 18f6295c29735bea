//! The shop's products as files for other programs.

use std::collections::HashSet;
use std::fs;
use std::io::Read as _;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, header};
use bytes::Bytes;
use reqwest::{Method, Response};
use vitrine::catalogue::{Catalogue, MirrorPolicy, Product, StateDir, products_of};
use vitrine::exports::Exports;
use vitrine::shop::ShopSettings;

use crate::common::days::{grow_stale, open as serve_shop, settings, until_mirrored};
use crate::common::large::{Large, PRODUCTS, open, open_with};
use crate::common::pages::text;
use crate::common::program::{Program, check_file};
use crate::common::until::until;
use crate::common::{PUBLIC_URL, client, real_renderer, sample, shop_settings, start_shop};

/// The addresses with their content types.
const FILES: [(&str, &str); 3] = [
    ("/merchant.xml", "application/rss+xml"),
    ("/products.jsonl", "application/jsonl; charset=utf-8"),
    ("/products.csv", "text/csv; charset=utf-8"),
];

async fn ask(shop: SocketAddr, path: &str, headers: &[(HeaderName, &str)]) -> Response {
    let mut request = client().get(format!("http://{shop}{path}"));
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    request.send().await.unwrap()
}

/// The body, with its byte order mark if it has one.
async fn whole_text(response: Response) -> String {
    String::from_utf8(response.bytes().await.unwrap().into()).unwrap()
}

fn header_of(headers: &HeaderMap, name: HeaderName) -> String {
    headers.get(&name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

fn read(text: String) -> Vec<Product> {
    products_of(Bytes::from(text), 0).unwrap().into_iter().map(|product| *product).collect()
}

fn unpacked(coding: &str, body: &[u8]) -> String {
    let mut unpacked = String::new();
    match coding {
        "br" => brotli::Decompressor::new(body, 4096).read_to_string(&mut unpacked).unwrap(),
        "zstd" => zstd::Decoder::new(body).unwrap().read_to_string(&mut unpacked).unwrap(),
        // Like clients, this reads one member of the file.
        _ => flate2::read::GzDecoder::new(body).read_to_string(&mut unpacked).unwrap(),
    };
    unpacked
}

/// The answers for a file have one content in every coding, and say when a client has it already.
async fn check_answers(shop: SocketAddr, path: &str, content_type: &str) -> String {
    let whole = ask(shop, path, &[]).await;
    assert_eq!(whole.status(), 200, "{path}");
    let headers = whole.headers().clone();
    assert_eq!(header_of(&headers, header::CONTENT_TYPE), content_type);
    let caching = header_of(&headers, header::CACHE_CONTROL);
    let age = caching.strip_prefix("public, max-age=").unwrap().parse::<u32>().unwrap();
    assert!(age <= 60, "{path} may be older than a page: {age}");
    assert_eq!(headers["x-robots-tag"], "noindex", "{path}");
    let text = whole_text(whole).await;
    let mut tags = HashSet::from([header_of(&headers, header::ETAG)]);
    for coding in ["br", "gzip", "zstd"] {
        let packed = ask(shop, path, &[(header::ACCEPT_ENCODING, coding)]).await;
        assert_eq!(header_of(packed.headers(), header::CONTENT_ENCODING), coding, "{path}");
        assert_eq!(header_of(packed.headers(), header::VARY), "accept-encoding", "{path}");
        let tag = header_of(packed.headers(), header::ETAG);
        let body = packed.bytes().await.unwrap();
        assert!(body.len() < text.len() / 3, "{path} has {} of {} bytes", body.len(), text.len());
        assert!(unpacked(coding, &body) == text, "{path} in {coding}");
        let condition = [(header::ACCEPT_ENCODING, coding), (header::IF_NONE_MATCH, &*tag)];
        let unchanged = ask(shop, path, &condition).await;
        assert_eq!(
            (unchanged.status().as_u16(), header_of(unchanged.headers(), header::ETAG)),
            (304, tag.clone())
        );
        assert_eq!(unchanged.headers()["x-robots-tag"], "noindex", "{path}");
        assert!(unchanged.bytes().await.unwrap().is_empty());
        tags.insert(tag);
    }
    assert!(tags.len() == 4 && !tags.contains(""), "each coding has its own tag: {tags:?}");
    let other = ask(shop, path, &[(header::IF_NONE_MATCH, "\"other\"")]).await;
    assert!(other.status() == 200 && whole_text(other).await == text, "{path}");
    let head = client().request(Method::HEAD, format!("http://{shop}{path}")).send().await.unwrap();
    assert_eq!(head.headers()[header::ETAG], headers[header::ETAG], "{path}");
    assert!(head.bytes().await.unwrap().is_empty());
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn the_products_are_offered_in_every_form_and_named_where_programs_look() {
    let sample = sample();
    let shop = start_shop(sample.clone()).await;
    let [llms, robots] = [text(shop, "/llms.txt").await, text(shop, "/robots.txt").await];
    for (path, content_type) in FILES {
        let text = check_answers(shop, path, content_type).await;
        assert!(text.contains(PUBLIC_URL), "pictures have absolute addresses");
        assert_eq!(read(text).len(), sample.products().len(), "{path}");
        assert!(llms.contains(&format!("]({PUBLIC_URL}{path})")), "{llms}");
        assert!(robots.contains(&format!("Allow: {path}\n")), "{robots}");
        assert!(!text_of_sitemap(shop).await.contains(path), "a file is no page");
    }
    // Another replica has the same files.
    let other = start_shop(crate::common::sample()).await;
    for (path, _) in FILES {
        let [own, other] = [ask(shop, path, &[]).await, ask(other, path, &[]).await];
        assert_eq!(own.headers()[header::ETAG], other.headers()[header::ETAG], "{path}");
    }
}

async fn text_of_sitemap(shop: SocketAddr) -> String {
    text(shop, "/sitemap.xml").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_offers_no_files_names_none() {
    let shop_with =
        async |settings: ShopSettings| serve_shop(sample(), real_renderer(1).await, settings).await;
    let off = shop_with(ShopSettings { exports: Exports::Off, ..shop_settings() }).await;
    let missing = ask(off, "/missing", &[]).await;
    for (path, _) in FILES {
        let answer = ask(off, path, &[]).await;
        assert_eq!(answer.status(), 404, "{path}");
        for name in [header::CONTENT_TYPE, header::CACHE_CONTROL, HeaderName::from_static("x-robots-tag")] {
            assert_eq!(answer.headers().get(&name), missing.headers().get(&name), "{path}");
        }
        for named in ["/llms.txt", "/robots.txt", "/sitemap.xml", "/"] {
            assert!(!text(off, named).await.contains(path), "{named} names {path}");
        }
    }
    let own = "User-agent: *\nDisallow: /\n";
    let shop = shop_with(ShopSettings { robots: Some(own.into()), ..shop_settings() }).await;
    assert_eq!(text(shop, "/robots.txt").await, own, "the operator's file stays as it is");
}

async fn shop_of(catalogue: Arc<dyn Catalogue>) -> SocketAddr {
    serve_shop(catalogue, real_renderer(1).await, settings()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_copy_of_the_whole_catalogue_there_is_no_file_yet() {
    let large = Large::default();
    let shop = shop_of(open_with(&large.start().await, MirrorPolicy::Never)).await;
    for (path, _) in FILES {
        let answer = ask(shop, path, &[]).await;
        assert_eq!(answer.status(), 503, "{path}");
        assert!(answer.headers().contains_key(header::RETRY_AFTER), "{path}");
        assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store", "{path}");
        let text = answer.text().await.unwrap();
        assert!(text.contains("no copy of the whole catalogue"), "{text}");
    }
}

/// A shop of a large catalogue, whose merchant data are too long to be kept.
async fn large_shop() -> SocketAddr {
    let catalogue = open(&Large::default().start().await);
    until_mirrored(&catalogue).await;
    shop_of(catalogue).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_file_is_sent_while_it_is_made() {
    let shop = large_shop().await;
    let announced = ask(shop, "/merchant.xml", &[]).await;
    assert_eq!(announced.content_length(), None, "it is not made yet");
    let tag = announced.headers()[header::ETAG].clone();
    drop(announced);
    let text = check_answers(shop, FILES[0].0, FILES[0].1).await;
    assert!(text.len() > 2 << 20, "{} bytes", text.len());
    assert_eq!(read(text).len() as u64, PRODUCTS);
    let lines = check_answers(shop, FILES[1].0, FILES[1].1).await;
    assert_eq!(lines.lines().count() as u64, PRODUCTS);
    assert!(check_answers(shop, FILES[2].0, FILES[2].1).await.starts_with("\u{feff}id,"));
    let other = ask(large_shop().await, "/merchant.xml", &[]).await;
    assert_eq!(other.headers()[header::ETAG], tag, "as of another replica");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_few_long_files_are_sent_at_a_time_and_listings_go_on() {
    let shop = large_shop().await;
    let mut open = Vec::new();
    let refused = loop {
        let answer = ask(shop, "/merchant.xml", &[]).await;
        if answer.status() != 200 {
            break answer;
        }
        // Nothing of it is read.
        open.push(answer);
        assert!(open.len() < 20, "there is no limit");
    };
    assert_eq!((refused.status().as_u16(), open.len()), (503, 4));
    assert!(refused.headers().contains_key(header::RETRY_AFTER));
    assert!(refused.text().await.unwrap().starts_with("Too many files"));
    // What is unchanged needs no place, and neither do listings.
    let tag = open[0].headers()[header::ETAG].clone();
    let unchanged = ask(shop, "/merchant.xml", &[(header::IF_NONE_MATCH, tag.to_str().unwrap())]).await;
    assert_eq!(unchanged.status(), 304);
    assert_eq!(ask(shop, "/products?brand=B1", &[]).await.status(), 200);
    open.pop();
    until("a place", async || ask(shop, "/merchant.xml", &[]).await.status() == 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_damaged_products_is_never_whole() {
    let large = Large::default();
    let first = open(&large.start().await);
    until_mirrored(&first).await;
    let directory = tempfile::tempdir().unwrap();
    StateDir::new(directory.path(), "service").save(&first).unwrap();
    let restored = open(&"http://127.0.0.1:1".parse().unwrap());
    StateDir::new(directory.path(), "service").load(&restored).unwrap();
    grow_stale().await;
    let shop = shop_of(restored).await;
    let whole = text(shop, "/merchant.xml").await;
    assert_eq!(read(whole).len() as u64, PRODUCTS);
    // The last products' details are at the end of the file.
    let saved = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path());
    let saved =
        saved.filter(|path| path.is_file()).max_by_key(|path| path.metadata().unwrap().len()).unwrap();
    let mut bytes = fs::read(&saved).unwrap();
    let end = bytes.len() - 100;
    bytes[end..].iter_mut().for_each(|byte| *byte ^= 0x55);
    let file = fs::OpenOptions::new().write(true).open(&saved).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &bytes[end..], end as u64).unwrap();
    let answer = ask(shop, "/merchant.xml", &[]).await;
    assert_eq!(answer.status(), 200);
    answer.bytes().await.expect_err("the connection breaks");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_opens_again_with_what_it_offers() {
    let folder = tempfile::tempdir().unwrap();
    let shop = Program::quiet(&["--isolates", "1", "--public-url", PUBLIC_URL]);
    let products = sample().products();
    for (path, _) in FILES {
        let file = folder.path().join(path.trim_start_matches('/'));
        fs::write(&file, text(shop.address, path).await).unwrap();
        let (code, said) = tokio::task::spawn_blocking(move || check_file(&file, &[])).await.unwrap();
        assert!(said.contains(&format!(" rows, {} products, ", products.len())), "{said}");
        // Google knows four options: variants that differ in other options alone are one.
        if path != "/merchant.xml" {
            assert_eq!(code, Some(0), "{path}: {said}");
            assert!(!said.contains("left out:"), "{said}");
        }
        assert!(
            said.contains(&format!("exports       /merchant.xml has all of {} products", products.len())),
            "{said}"
        );
    }
}

#[test]
fn a_check_counts_what_merchant_data_would_lack() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("products.csv");
    let table = "id,title,price,stock,images\n1,Cup,5,3,https://cdn.example/a.webp\n2,Bowl,5,,https://cdn.example/b.webp\n\
                 3,Tray,5,3,\n4,Jug,free,3,https://cdn.example/c.webp\n5,Mug,5,,\n";
    fs::write(&file, table).unwrap();
    let (_, said) = check_file(&file, &[]);
    let expected = "/merchant.xml leaves 4 products out: 2 without a known availability, 1 without a price above zero, \
                    1 without a picture";
    assert!(said.contains(expected), "{said}");
    assert!(!check_file(&file, &["--exports", "off"]).1.contains("/merchant.xml"));
}
