//! No visitor's header changes what another visitor is answered: the first one to ask for an address has
//! a strange header, and the next ones get what they get in a shop without strangers, byte for byte.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use futures_util::StreamExt as _;
use futures_util::stream;
use vitrine::document::client::CLIENT;
use vitrine::render::Renderer;
use vitrine::server;

use super::case::Case;
use super::connection::{Answer, Connection};
use super::inspect::Inspector;
use super::{CONNECTIONS, Share, TURN, report, watch_panics};
use crate::common::{real_renderer, sample, serve, shop};

/// A header line as its name and its value.
type Header = (&'static str, &'static str);

/// What proxies, browsers and attackers send: whose address this is, what is accepted, what is known
/// already, and how the answer is to be cached.
const STRANGE: [Header; 46] = [
    ("X-Forwarded-Host", "evil.example"),
    ("X-Forwarded-Proto", "http"),
    ("X-Forwarded-Port", "1"),
    ("X-Forwarded-Prefix", "/evil"),
    ("X-Forwarded-For", "127.0.0.1"),
    ("X-Forwarded-Server", "evil.example"),
    ("X-Forwarded-Scheme", "nothttps"),
    ("Forwarded", "for=127.0.0.1;host=evil.example;proto=http"),
    ("X-Host", "evil.example"),
    ("X-Original-Host", "evil.example"),
    ("X-Original-URL", "/missing"),
    ("X-Rewrite-URL", "/missing"),
    ("X-HTTP-Method-Override", "DELETE"),
    ("Host", "evil.example:8080"),
    ("Origin", "https://evil.example"),
    ("Referer", "https://evil.example/<script>"),
    ("User-Agent", "Mozilla/5.0 (iPhone) <script>alert(1)</script>"),
    ("Accept", "application/json"),
    ("Accept-Language", "ar"),
    ("Accept-Charset", "utf-16"),
    ("Accept-Encoding", "br"),
    ("Accept-Encoding", "identity;q=0, *;q=0"),
    ("Cookie", "session=1; theme=dark; lang=ar"),
    ("Authorization", "Basic YWRtaW46YWRtaW4="),
    ("Range", "bytes=0-9"),
    ("If-Range", "\"x\""),
    ("If-None-Match", "*"),
    ("If-Modified-Since", "Fri, 31 Dec 9999 23:59:59 GMT"),
    ("If-Match", "\"x\""),
    ("If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"),
    ("Cache-Control", "no-store, no-cache, max-age=0"),
    ("Cache-Control", "only-if-cached"),
    ("Pragma", "no-cache"),
    ("Expect", "100-continue"),
    ("Content-Type", "application/json"),
    ("Content-Length", "5"),
    ("Transfer-Encoding", "chunked"),
    ("Connection", "close, cache-control, etag, vary"),
    ("Upgrade", "h2c"),
    ("TE", "trailers"),
    ("Sec-Purpose", "prefetch;prerender"),
    ("Sec-Fetch-Dest", "empty"),
    ("Save-Data", "on"),
    ("X-Requested-With", "XMLHttpRequest"),
    ("Surrogate-Capability", "x=\"ESI/1.0\""),
    ("X-Debug", "1"),
];

/// Addresses of every kind: pages of both forms, files, redirects, and what does not exist. The bundle
/// is added to them.
const ADDRESSES: [&str; 44] = [
    "/",
    "/categories",
    "/categories?q=mens",
    "/brands",
    "/products",
    "/products?stock=1&sort=price-asc&page=2",
    "/products?utm_source=mail",
    "/sale",
    "/new-arrivals",
    "/best-sellers",
    "/deals",
    "/category/beauty",
    "/search/red",
    "/search/no%20such%20thing",
    "/product/1",
    "/_data/",
    "/_data/categories",
    "/_data/products",
    "/_data/search/red",
    "/_data/product/1",
    "/products/",
    "/products?sort=price-asc&stock=1",
    "/products?page=99",
    "/category/Beauty",
    "/product/007",
    "/search?q=red",
    "/_data/category/Beauty",
    "/missing",
    "/_data/missing",
    "/product/99999",
    "/category/nothing-here",
    "/sitemap.xml",
    "/sitemap/9.xml",
    "/robots.txt",
    "/feed.xml",
    "/opensearch.xml",
    "/manifest.webmanifest",
    "/llms.txt",
    "/merchant.xml",
    "/products.csv",
    "/products.jsonl",
    "/favicon.svg",
    "/sample-images/lipstick-rose-1.svg",
    "/healthz",
];

/// Lets strangers ask first, each in a shop of its own.
pub(crate) async fn no_header_changes_another_answer(share: Share) {
    let _turn = TURN.lock().await;
    let panics = watch_panics();
    let strangers = share.of(STRANGE.to_vec());
    let renderer = real_renderer(2).await;
    let wrong = loop {
        let today = seconds() / 86_400;
        let wrong = differences(&strangers, &renderer).await;
        // The home page shows other categories every day.
        if seconds() / 86_400 == today {
            break wrong;
        }
    };
    report(&wrong);
    assert_eq!(*panics.lock(), Vec::<String>::new());
}

async fn differences(strangers: &[Header], renderer: &Renderer) -> Vec<String> {
    let catalogue = sample();
    let open = async || serve(server::router(shop(catalogue.clone(), renderer.clone())).unwrap()).await;
    let expected = Arc::new(visit(open().await, None).await.unwrap());
    let mut visits = Vec::new();
    for stranger in strangers {
        let (shop, expected) = (open().await, Arc::clone(&expected));
        visits.push(async move {
            match visit(shop, Some(*stranger)).await {
                Ok(answers) => compare(*stranger, &expected, &answers),
                Err(problem) => vec![format!("{stranger:?}: {problem}")],
            }
        });
    }
    stream::iter(visits).buffer_unordered(CONNECTIONS).concat().await
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// What two ordinary visitors of each address are answered after a stranger.
async fn visit(shop: SocketAddr, stranger: Option<Header>) -> Result<Vec<(String, Answer)>, String> {
    let inspector = Inspector::default();
    let bundle = CLIENT.script;
    let mut answers = Vec::new();
    for address in ADDRESSES.into_iter().chain([bundle]) {
        let strange: Vec<_> =
            stranger.iter().map(|(name, value)| (*name, value.as_bytes().to_vec())).collect();
        let first = ask(shop, &Case::with_headers("", address, &strange).alone()).await?;
        inspector.inspect(&first, &[], false).map_err(|problem| format!("{address}: {problem}"))?;
        for encoding in ["identity", "gzip"] {
            let headers = [("Accept-Encoding", encoding.as_bytes().to_vec())];
            let answer = ask(shop, &Case::with_headers("", address, &headers)).await?;
            answers.push((format!("{address} in {encoding}"), answer));
        }
    }
    Ok(answers)
}

/// Each visitor has a connection of its own.
async fn ask(shop: SocketAddr, case: &Case) -> Result<Answer, String> {
    let answer = Connection::new(shop).ask(&case.bytes, case.alone).await;
    answer.map_err(|error| error.to_string())?.ok_or_else(|| "closed without an answer".into())
}

fn compare(stranger: Header, expected: &[(String, Answer)], got: &[(String, Answer)]) -> Vec<String> {
    let pairs = expected.iter().zip(got);
    let wrong = pairs.filter_map(|((name, expected), (_, got))| {
        difference(expected, got).map(|difference| format!("{stranger:?}, then {name}: {difference}"))
    });
    wrong.collect()
}

/// Where two answers differ in more than when and how they were made.
pub(crate) fn difference(expected: &Answer, got: &Answer) -> Option<String> {
    let headers = |answer: &Answer| {
        let timeless = |(name, value): &(String, Vec<u8>)| match name.as_str() {
            "date" | "last-modified" | "x-request-id" | "server-timing" | "cache-status" => name.clone(),
            _ => format!("{name}: {}", value.escape_ascii()),
        };
        let mut lines: Vec<String> = answer.headers.iter().map(timeless).collect();
        lines.sort_unstable();
        lines
    };
    if expected.status != got.status {
        return Some(format!("{} instead of {}", got.status, expected.status));
    }
    let (known, found) = (headers(expected), headers(got));
    if known != found {
        return Some(format!("the headers are {found:?} instead of {known:?}"));
    }
    (expected.body != got.body).then(|| "another body".into())
}
