//! Answers that are repeated without the router: they equal the router's own, byte by byte.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::header;
use vitrine::http::connections::{App, Connections};
use vitrine::server;
use vitrine::shop::{ShopSettings, make_ahead};

use crate::common::pages::ask;
use crate::common::queries::Sold as _;
use crate::common::raw::Raw;
use crate::common::small_server::generous;
use crate::common::until::until;
use crate::common::{PATHS, changed, real_renderer, sample, serve, shop, shop_settings, shop_under};

/// The date in conditions. What is made of the catalogue has none.
const DATE: &str = "Tue, 01 Dec 2026 00:00:00 GMT";

/// A shop at two addresses: with its answers of the last second, and without.
struct WithAndWithoutRepeats {
    app: App,
    recent: SocketAddr,
    router: SocketAddr,
}

impl WithAndWithoutRepeats {
    async fn start() -> Self {
        let app = server::app(shop(sample(), real_renderer(1).await)).unwrap();
        // Here no connection ends but by itself.
        let recent = crate::common::serve_with(app.clone(), Connections::new(generous())).await;
        let router = serve(app.router()).await;
        Self { app, recent, router }
    }

    fn repeated(&self) -> u64 {
        self.app.recent().unwrap().repeated.get()
    }

    /// The bytes of the repeated answer to this request, once there is one.
    async fn repeat(&self, request: &str) -> String {
        let mut last = String::new();
        until(&format!("a repeated answer to {request}"), async || {
            let before = self.repeated();
            last = answer(self.recent, request).await;
            self.repeated() > before
        })
        .await;
        last
    }
}

/// A request that is the last one of its connection, but does not say so.
fn request(path: &str, headers: &[(&str, &str)]) -> String {
    let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("GET {path} HTTP/1.1\r\nhost: shop.example\r\n{lines}\r\n")
}

/// What says when and how a request was answered.
const OF_THE_REQUEST: [&str; 4] = ["date: ", "x-request-id: ", "cache-status: ", "server-timing: "];

/// The answer, without what says when and how it was answered.
async fn answer(server: SocketAddr, request: &str) -> String {
    // A client that closes its side gets its answer, and then the end: no answer leaves a connection in an odd state.
    let mut client = Raw::connect_and_send(server, request.as_bytes()).await;
    client.finish_sending().await;
    let bytes = client.read_to_end().await;
    let text: String = bytes.iter().copied().map(char::from).collect();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let is_answer = |line: &&str| !OF_THE_REQUEST.iter().any(|name| line.starts_with(name));
    let lines: Vec<&str> = head.split("\r\n").filter(is_answer).collect();
    format!("{}\r\n\r\n{body}", lines.join("\r\n"))
}

fn field<'a>(answer: &'a str, name: &str) -> &'a str {
    let prefix = format!("{name}: ");
    answer.lines().find_map(|line| line.strip_prefix(&*prefix)).unwrap_or_default().trim_end()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_answer_is_the_router_s_own() {
    let both = WithAndWithoutRepeats::start().await;
    // The home page shows another choice at each visit; see below.
    let paths = PATHS.iter().filter(|path| **path != "/" && **path != "/missing");
    for path in paths.copied().chain(["/_data/products", "/products?utm_source=mail"]) {
        for encoding in ["br", "gzip", "zstd, br, gzip", "identity", "br;q=0.5, gzip;q=0.1"] {
            let plain = request(path, &[("accept-encoding", encoding)]);
            let own = answer(both.router, &plain).await;
            assert!(own.starts_with("HTTP/1.1 200 OK\r\n"), "{own}");
            assert!(both.repeat(&plain).await == own, "{plain}");

            // A browser that asks ahead of its visitor gets what is there, like everybody.
            let ahead = request(path, &[("accept-encoding", encoding), ("sec-purpose", "prefetch")]);
            assert!(both.repeat(&ahead).await == own, "{ahead}");
            assert!(answer(both.router, &ahead).await == own, "{ahead}");

            let tag = field(&own, "etag");
            let tags = format!("\"other\", W/{tag}");
            for conditions in [
                &[("if-none-match", tag)][..],
                &[("if-none-match", tag), ("if-modified-since", DATE)],
                &[("if-none-match", &tags)],
                &[("if-none-match", "*")],
                &[("if-none-match", "\"other\""), ("if-modified-since", DATE)],
            ] {
                let headers = [&[("accept-encoding", encoding)], conditions].concat();
                let conditional = request(path, &headers);
                let own = answer(both.router, &conditional).await;
                assert!(both.repeat(&conditional).await == own, "{conditional}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_repeated_answer_cannot_know_is_asked_of_the_router() {
    let both = WithAndWithoutRepeats::start().await;
    let plain = request("/product/1", &[]);
    let own = both.repeat(&plain).await;
    let before = both.repeated();
    let post = plain.replacen("GET", "POST", 1);
    let head = plain.replacen("GET", "HEAD", 1);
    let nobody = plain.replacen("shop.example", "shop,example", 1);
    let body =
        request("/product/1", &[("content-length", "0"), ("transfer-encoding", "chunked")]) + "0\r\n\r\n";
    for odd in [
        &post,
        &head,
        &nobody,
        &body,
        &plain.replacen("host: shop.example\r\n", "", 1),
        &request("/product/1", &[("host", "shop.example")]),
        &request("http://elsewhere.example/product/1", &[]),
        &request("/product/1", &[("if-modified-since", DATE)]),
        &request("/product/1", &[("if-none-match", "\"a\""), ("if-none-match", "\"b\"")]),
        &request("/product/1", &[("accept-encoding", "br"), ("accept-encoding", "gzip")]),
        &request("/product/1", &[("available-dictionary", ":a:"), ("available-dictionary", ":b:")]),
        &request("/missing", &[]),
        &request("/product/007", &[]),
    ] {
        for _ in 0..2 {
            assert_eq!(answer(both.recent, odd).await, answer(both.router, odd).await, "{odd}");
        }
    }
    assert_eq!(both.repeated(), before);
    // Later the router is asked again, so that pages follow their data.
    let router_s_turn = async || {
        let before = both.repeated();
        assert!(answer(both.recent, &plain).await == own);
        both.repeated() == before
    };
    until("the router's turn", router_s_turn).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_visits_of_the_home_page_see_one_choice_after_the_other() {
    let both = WithAndWithoutRepeats::start().await;
    let plain = request("/", &[]);
    until("a round of repeated answers", async || {
        let before = both.repeated();
        let mut seen = HashSet::new();
        for _ in 0..8 {
            seen.insert(answer(both.recent, &plain).await);
        }
        assert_eq!(seen.len(), 8, "each visit of a round sees another choice");
        // Not all: answers whose random hashes lead to the same place drive each other out.
        both.repeated() >= before + 4
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_gets_the_quickest_variant_first_and_later_ones_get_the_smallest() {
    let shop = Arc::new(shop(sample(), real_renderer(1).await));
    shop.finish_variants(0).unwrap();
    let address = serve(server::app(shop).unwrap()).await;
    // Which variants are made when, and that they are the same document, is tested in `http/representation.rs`.
    let coding = async || {
        let accepted = [("accept-encoding", "gzip, deflate, br, zstd")];
        ask(address, "/products", &accepted).await.headers()[header::CONTENT_ENCODING].clone()
    };
    assert_eq!(coding().await, "zstd");
    until("the final variant", async || coding().await == "br").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn known_pages_are_made_before_anybody_asks_for_them() {
    let unrated = changed(|product| (product.summary.rating, product.reviews) = (None, None));
    // Best sellers are a preset only where products are rated.
    for (source, presets) in [(sample(), 5), (Arc::new(unrated.without_ratings()), 4)] {
        let renderer = real_renderer(1).await;
        let settings = ShopSettings { page_memory: 256 << 20, ..shop_settings() };
        let (products, categories) =
            (source.all_products().await.unwrap().len(), source.categories().await.unwrap().len());
        let shop = Arc::new(shop_under(source, renderer.clone(), settings));
        // Home's eight choices, the presets, all categories, all brands, and each category and product.
        let known = (8 + presets + 1 + 1 + categories + products) as u64;
        let ahead = tokio::spawn(make_ahead(Arc::clone(&shop)));
        until("every known page", async || renderer.counters().ahead.get() == known).await;
        let address = serve(server::app(shop).unwrap()).await;
        // Products come last, so that a page too many would take the place of the last one.
        let last = format!("/product/{products}");
        for path in
            ["/", "/products", "/sale", "/deals", "/categories", "/brands", "/category/beauty", &*last]
        {
            assert_eq!(ask(address, path, &[]).await.status(), 200, "{path}");
        }
        // The dictionary is made from two further documents.
        assert_eq!(renderer.counters().rendered.get(), known + 2, "no visitor waits for a render");
        assert_eq!(renderer.counters().ahead.get(), known, "they are made once");
        ahead.abort();
    }
}
