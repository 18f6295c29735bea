//! The shop's products as files for other programs.

use std::collections::HashSet;
use std::fs;
use std::io::{Cursor, Read as _};
use std::net::SocketAddr;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, header};
use bytes::Bytes;
use vitrine::catalogue::{Catalogue, Product, StateDir, products_of};
use vitrine::exports::Exports;
use vitrine::shop::ShopSettings;

use crate::common::days::{grow_stale, open as serve_shop, settings, until_read};
use crate::common::large::{Large, PRODUCTS, open};
use crate::common::pages::{ask, text};
use crate::common::program::{Program, check_file, file_with};
use crate::common::raw::{Raw, get};
use crate::common::until::until;
use crate::common::{PUBLIC_URL, client, real_renderer, sample, shop_settings, start_shop};

/// Their headers are rows of `docs/http.md`, also without a copy of the catalogue.
const FILES: [&str; 3] = ["/merchant.xml", "/products.jsonl", "/products.csv"];

fn header_of(headers: &HeaderMap, name: HeaderName) -> String {
    headers.get(&name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

fn read(text: String) -> Vec<Product> {
    products_of(Bytes::from(text), 0).unwrap().into_iter().map(|product| *product).collect()
}

fn unpacked(coding: &str, body: &[u8]) -> String {
    let mut unpacked = String::new();
    match coding {
        "" => Cursor::new(body).read_to_string(&mut unpacked).unwrap(),
        "br" => brotli::Decompressor::new(body, 4096).read_to_string(&mut unpacked).unwrap(),
        "zstd" => zstd::Decoder::new(body).unwrap().read_to_string(&mut unpacked).unwrap(),
        // Like clients, this reads one member of the file.
        _ => flate2::read::GzDecoder::new(body).read_to_string(&mut unpacked).unwrap(),
    };
    unpacked
}

/// The answers for a file have one content in every coding, and say when a client has it already.
async fn check_answers(shop: SocketAddr, path: &str) -> String {
    let answer = ask(shop, path, &[]).await;
    let tag = header_of(answer.headers(), header::ETAG);
    let whole = String::from_utf8(answer.bytes().await.unwrap().into()).unwrap();
    let head = client().head(format!("http://{shop}{path}")).send().await.unwrap();
    assert_eq!(header_of(head.headers(), header::ETAG), tag, "{path}");
    assert!(head.bytes().await.unwrap().is_empty());
    let mut tags = HashSet::from([tag]);
    // A long file is kept in one coding.
    let codings = if is_long(&whole) { &["gzip"][..] } else { &["br", "gzip", "zstd"] };
    for coding in ["br", "gzip", "zstd"] {
        let known = if codings.contains(&coding) { coding } else { "" };
        let packed = ask(shop, path, &[("accept-encoding", coding)]).await;
        assert_eq!(header_of(packed.headers(), header::CONTENT_ENCODING), known, "{path}");
        assert_eq!(header_of(packed.headers(), header::VARY), "accept-encoding", "{path}");
        let tag = header_of(packed.headers(), header::ETAG);
        let body = packed.bytes().await.unwrap();
        let most = if known.is_empty() { whole.len() } else { whole.len() / 3 };
        assert!(body.len() <= most, "{path} has {} of {} bytes", body.len(), whole.len());
        assert!(unpacked(known, &body) == whole, "{path} in {coding}");
        let condition = [("accept-encoding", coding), ("if-none-match", &*tag)];
        let unchanged = ask(shop, path, &condition).await;
        assert_eq!(unchanged.status(), 304, "{path}");
        assert_eq!(header_of(unchanged.headers(), header::ETAG), tag, "{path}");
        assert_eq!(unchanged.headers()["x-robots-tag"], "noindex", "{path}");
        assert!(unchanged.bytes().await.unwrap().is_empty());
        tags.insert(tag);
    }
    assert!(tags.len() == codings.len() + 1 && !tags.contains(""), "each coding has its own tag: {tags:?}");
    whole
}

fn is_long(whole: &str) -> bool {
    whole.len() > 2 << 20
}

#[tokio::test(flavor = "multi_thread")]
async fn the_products_are_offered_in_every_form_named_where_programs_look_and_open_a_shop_again() {
    let (sample, folder) = (sample(), tempfile::tempdir().unwrap());
    let count = sample.products().len();
    let [shop, replica] = [start_shop(sample.clone()).await, start_shop(sample).await];
    let [llms, robots] = [text(shop, "/llms.txt").await, text(shop, "/robots.txt").await];
    let sitemap = text(shop, "/sitemap.xml").await;
    for path in FILES {
        let text = check_answers(shop, path).await;
        assert!(text.contains(PUBLIC_URL), "pictures have absolute addresses");
        assert_eq!(read(text.clone()).len(), count, "{path}");
        assert!(llms.contains(&format!("]({PUBLIC_URL}{path})")), "{llms}");
        assert!(robots.contains(&format!("Allow: {path}\n")), "{robots}");
        assert!(!sitemap.contains(path), "a file is no page");
        let [own, other] = [ask(shop, path, &[]).await, ask(replica, path, &[]).await];
        assert_eq!(own.headers()[header::ETAG], other.headers()[header::ETAG], "{path}");

        let file = folder.path().join(path.trim_start_matches('/'));
        fs::write(&file, text).unwrap();
        let (code, said) = check_file(&file, &[]);
        assert!(said.contains(&format!(" rows, {count} products, ")), "{said}");
        assert!(said.contains(&format!("exports       /merchant.xml has all of {count} products")), "{said}");
        // Google knows four options: variants that differ in other options alone are one.
        if path != "/merchant.xml" {
            assert!(code == Some(0) && !said.contains("left out:"), "{path}: {said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_offers_no_files_names_none() {
    let shop_with =
        async |settings: ShopSettings| serve_shop(sample(), real_renderer(1).await, settings).await;
    let off = shop_with(ShopSettings { exports: Exports::Off, ..shop_settings() }).await;
    for path in FILES {
        assert_eq!(ask(off, path, &[]).await.status(), 404, "{path}");
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

/// The coding and the bytes of an answer, of which the beginning is read with pauses.
async fn read_slowly(mut answer: reqwest::Response) -> (String, Vec<u8>) {
    const BEGINNING: usize = 256 << 10;
    let coding = header_of(answer.headers(), header::CONTENT_ENCODING);
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.unwrap() {
        body.extend_from_slice(&chunk);
        if body.len() < BEGINNING {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    (coding, body)
}

/// The merchant data of this catalogue are too long for the cache of pages.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_file_is_sent_to_any_number_of_slow_clients_while_it_grows() {
    let catalogue = open(&Large::default().start().await);
    until_read(&catalogue).await;
    let folder = tempfile::tempdir().unwrap();
    let on_disk = ShopSettings { page_memory: 0, state_dir: Some(folder.path().into()), ..settings() };
    // No file has no name in the second one's directory.
    let in_memory = ShopSettings { state_dir: Some("/proc".into()), ..settings() };
    for settings in [on_disk, in_memory, settings()] {
        let shop = serve_shop(catalogue.clone(), real_renderer(1).await, settings).await;
        let mut slow = Vec::new();
        for coding in ["br, gzip", "identity"].repeat(10) {
            let answer = ask(shop, FILES[0], &[("accept-encoding", coding)]).await;
            assert_eq!((answer.status().as_u16(), answer.content_length()), (200, None));
            slow.push(tokio::spawn(read_slowly(answer)));
        }
        let whole = check_answers(shop, FILES[0]).await;
        assert!(is_long(&whole), "{} bytes", whole.len());
        assert_eq!(ask(shop, "/products?brand=B1", &[]).await.status(), 200);
        for answer in slow {
            let (coding, body) = answer.await.unwrap();
            assert!(unpacked(&coding, &body) == whole, "each client gets the same file");
        }
        assert_eq!(read(whole).len() as u64, PRODUCTS);
        assert_eq!(check_answers(shop, FILES[1]).await.lines().count() as u64, PRODUCTS);
        assert!(check_answers(shop, FILES[2]).await.starts_with("\u{feff}id,"));
    }
}

/// The connections of this many clients that read nothing, and the memory that each of them may take.
const STALLED: (usize, u64) = (100, 350 << 10);

#[tokio::test(flavor = "multi_thread")]
async fn long_files_take_little_memory_for_each_client_and_leave_nothing_on_the_disk() {
    let row = |id: u32| format!("{id},Product {id},{},5,{id}\n", format!("Word{id} ").repeat(60));
    let rows: String = (1..30_000).map(row).collect();
    let (folder, file) = file_with("products.csv", &format!("id,title,description,price,stock\n{rows}"));
    let state = folder.path().join("state");
    let shop = Program::of_file(&file, &["--state-dir", state.to_str().unwrap(), "--currency", "EUR"]);
    let whole = text(shop.address, "/products.csv").await;
    assert!(whole.len() > 10 << 20);
    let names =
        || fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().file_name()).collect::<HashSet<_>>();
    let before = names();
    let files = || {
        let open = fs::read_dir(format!("/proc/{}/fd", shop.id())).unwrap();
        let names = open.filter_map(|file| fs::read_link(file.unwrap().path()).ok());
        names.filter(|name| name.starts_with(&state)).count()
    };
    assert_eq!(files(), 1, "an open file below the directory");

    let used = shop.memory("RssAnon");
    let mut stalled = Vec::new();
    for _ in 0..STALLED.0 {
        let raw = Raw::connect_and_send(shop.address, get("/products.csv")).await;
        raw.stream.readable().await.unwrap();
        stalled.push(raw);
    }
    let mut most = 0;
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        most = most.max(shop.memory("RssAnon").saturating_sub(used));
    }
    println!("MOST {most}");
    assert!(most < STALLED.0 as u64 * STALLED.1, "{most} bytes");
    assert_eq!(files(), 1);
    shop.signal("KILL");
    shop.wait_until_gone();
    assert_eq!(names(), before);
}

/// A shop that keeps no pages has no memory for long files either, and this one has no directory.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_to_be_kept_is_sent_to_a_few_at_a_time_while_it_is_made() {
    let catalogue = open(&Large::default().start().await);
    until_read(&catalogue).await;
    let settings = ShopSettings { page_memory: 0, ..settings() };
    let shop = serve_shop(catalogue, real_renderer(1).await, settings).await;
    let mut open = Vec::new();
    let refused = loop {
        let answer = ask(shop, FILES[0], &[]).await;
        if answer.status() != 200 {
            break answer;
        }
        assert_eq!(answer.content_length(), None, "it is not made yet");
        // Nothing of it is read.
        open.push(answer);
        assert!(open.len() < 20, "there is no limit");
    };
    assert_eq!((refused.status().as_u16(), open.len()), (503, 4));
    assert!(refused.headers().contains_key(header::RETRY_AFTER));
    assert!(refused.text().await.unwrap().starts_with("Too many files"));
    // What is unchanged needs no place, and neither does the head alone.
    let tag = open[0].headers()[header::ETAG].clone();
    let unchanged = ask(shop, FILES[0], &[("if-none-match", tag.to_str().unwrap())]).await;
    assert_eq!(unchanged.status(), 304);
    let head = client().head(format!("http://{shop}{}", FILES[0])).send().await.unwrap();
    assert_eq!((head.status().as_u16(), &head.headers()[header::ETAG]), (200, &tag));
    open.pop();
    until("a place", async || ask(shop, FILES[0], &[]).await.status() == 200).await;

    let mut texts = Vec::new();
    for answer in open {
        texts.push(String::from_utf8(answer.bytes().await.unwrap().into()).unwrap());
    }
    texts.push(check_answers(shop, FILES[0]).await);
    assert!(texts.iter().all(|text| *text == texts[0]), "each client gets the same file");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_damaged_products_is_never_whole() {
    let large = Large::default();
    let first = open(&large.start().await);
    until_read(&first).await;
    let directory = tempfile::tempdir().unwrap();
    let state = StateDir::new(directory.path(), "service");
    state.save(&first).unwrap();
    let restored = open(&"http://127.0.0.1:1".parse().unwrap());
    state.load(&restored).unwrap();
    grow_stale().await;
    let shop = shop_of(restored).await;
    assert_eq!(read(text(shop, "/products.csv").await).len() as u64, PRODUCTS);
    // The last products' details are at the end of the file.
    let file = fs::OpenOptions::new().write(true).open(state.file()).unwrap();
    let end = file.metadata().unwrap().len() - 100;
    file.write_all_at(&[0x55; 100], end).unwrap();
    let answer = ask(shop, "/merchant.xml", &[]).await;
    assert_eq!(answer.status(), 200);
    assert!(answer.bytes().await.is_err(), "the connection breaks");
}
