//! Header fields: every one that the shop, its HTTP library or a proxy reads, with hostile values.
//!
//! And no visitor's header changes what another visitor is answered: the first one to ask for an address has
//! a strange header, and the next ones get what they get in a shop without strangers, byte for byte.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, ensure};
use axum::http::HeaderValue;
use vitrine::document::client::CLIENT;
use vitrine::server;

use super::Suite;
use super::case::{Answer, Case, mark};
use super::hostile::payloads;
use super::inspect::inspect;
use crate::common::{PATHS, real_renderer, sample, serve, shop};

pub(crate) fn cases() -> Vec<Case> {
    const PAGES: [&str; 4] = ["/products", "/_data/product/1", "/missing", "/favicon.svg"];
    let mut cases = Vec::new();
    let fields: BTreeSet<&str> = strange().map(|(field, _)| field).collect();
    for (number, field) in fields.into_iter().enumerate() {
        let texts = payloads().into_iter().filter(|text| !text.contains(['\r', '\n']));
        let texts = texts.skip(number % 3).step_by(3).map(String::into_bytes);
        for (turn, value) in values().into_iter().chain(texts).enumerate() {
            cases.push(with_field(PAGES[(number + turn) % 4], field, value));
        }
    }
    for (field, values) in ODD {
        cases.extend(values.split('|').map(|value| with_field("/category/beauty", field, value)));
    }
    cases.extend(crowds());
    cases
}

/// A request with one field. Fields that could frame a body make all that follows unclear.
fn with_field(page: &str, field: &str, value: impl AsRef<[u8]>) -> Case {
    let case = Case::with_headers(page, &[(field, value)]);
    let frames =
        matches!(field, "Content-Length" | "Transfer-Encoding" | "Connection" | "Upgrade" | "Expect");
    if frames { Case::raw(case.bytes) } else { case }
}

/// Values that make sense nowhere.
fn values() -> Vec<Vec<u8>> {
    let short =
        ["", " ", "\t", ",", "\"", "\\", "*", "a\0b", "a\x7fb", "a\x01b", "\u{1f6d2}\u{202e}", ",,;;=="];
    let long = ["a", "a,"].map(|text| text.repeat(10_000));
    let longer = ["\"a\", ", "a=b; ", "gzip;q=0.5,", &"a".repeat(120)].map(|text| text.repeat(5_000));
    let every_byte = (1..=255_u8).filter(|byte| !b"\r\n".contains(byte)).collect();
    let texts = short.map(str::to_owned).into_iter().chain(long).chain(longer);
    let texts = texts.chain(["\"unfinished".into(), "%0d%0aSet-Cookie:%20a=b".into(), mark()]);
    texts.map(String::into_bytes).chain([b"\xff\xfe\x80".to_vec(), every_byte]).collect()
}

/// Values that are almost those of a field. What a condition or a list of codings means is tested where it is read
/// (`host/http/`), and what `Host` or a length may be in `tests/it/connections/framing_cases/`.
const ODD: [(&str, &str); 6] = [
    ("If-None-Match", r#"""|W/""|W/*|*, "x"|"a""b"|'x'|"a,b", W/"c,d"|"-br""#),
    ("If-Modified-Since", DATES),
    ("If-Unmodified-Since", DATES),
    ("Accept-Encoding", "identity;q=0|*;q=0|br;q=inf|br;q=1e999|br;;q=0|b\u{131}r|br\tgzip"),
    ("Accept", "text/html;q=0|*/*;q=0|*/html|text/|/|text/html;charset=utf-16|text/html;;;"),
    ("Range", "bytes=0-|bytes=-0|bytes=5-1|bytes=-|bytes=99999999999999999999-|items=0-1"),
];

const DATES: &str = "0|now|Wed, 31 Dec 1969 23:59:59 GMT|Thu, 01 Jan 0000 00:00:00 GMT|\
    Sat, 01 Jan 10000 00:00:00 GMT|Tue, 19 Jan 2038 03:14:08 GMT|Mon, 30 Feb 2026 00:00:00 GMT|\
    Wed, 31 Dec 2025 23:59:60 GMT|Thursday, 01-Jan-26 00:00:00 GMT|Thu Jan  1 00:00:00 2026|\
    Thu, 01 Jan 2026 00:00:00 +0200|Thu, -1 Jan 2026 -1:00:00 GMT";

/// Many header fields at once, and the same field twice.
fn crowds() -> Vec<Case> {
    let mut cases = Vec::new();
    for count in [2, 50, 90, 101, 500, 5_000] {
        for field in ["Cookie", "If-None-Match", "Accept-Encoding", "X-Forwarded-For", "Range"] {
            cases.push(Case::with_headers("/products", &vec![(field, "\"a\";q=1"); count]));
        }
    }
    for field in ["Host", "Content-Length", "Transfer-Encoding", "Connection"] {
        cases.push(Case::raw(Case::with_headers("/products", &[(field, "0"), (field, "1")]).bytes));
    }
    cases
}

/// A header line as its name and its value.
type Header = (&'static str, &'static str);

/// What proxies, browsers and attackers send: whose address this is, what is accepted, what is known
/// already, and how the answer is to be cached.
const STRANGE: &str = "X-Forwarded-Host: evil.example|X-Forwarded-Proto: http|X-Forwarded-Port: 1|\
    X-Forwarded-Prefix: /evil|X-Forwarded-For: 127.0.0.1|X-Forwarded-Server: evil.example|\
    X-Forwarded-Scheme: nothttps|Forwarded: for=127.0.0.1;host=evil.example;proto=http|\
    X-Host: evil.example|X-Original-Host: evil.example|X-Original-URL: /missing|X-Rewrite-URL: /missing|\
    X-HTTP-Method-Override: DELETE|Host: evil.example:8080|Origin: https://evil.example|\
    Referer: https://evil.example/<script>|User-Agent: Mozilla/5.0 (iPhone) <script>alert(1)</script>|\
    Accept: application/json|Accept-Language: ar|Accept-Charset: utf-16|Accept-Encoding: br|\
    Accept-Encoding: identity;q=0, *;q=0|Cookie: session=1; theme=dark; lang=ar|\
    Authorization: Basic YWRtaW46YWRtaW4=|Range: bytes=0-9|If-Range: \"x\"|If-None-Match: *|\
    If-Modified-Since: Fri, 31 Dec 9999 23:59:59 GMT|If-Match: \"x\"|\
    If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT|Cache-Control: no-store, no-cache, max-age=0|\
    Cache-Control: only-if-cached|Pragma: no-cache|Expect: 100-continue|Content-Type: application/json|\
    Content-Length: 5|Transfer-Encoding: chunked|Connection: close, cache-control, etag, vary|Upgrade: h2c|\
    TE: trailers|Sec-Purpose: prefetch;prerender|Sec-Fetch-Dest: empty|Save-Data: on|\
    X-Requested-With: XMLHttpRequest|Surrogate-Capability: x=\"ESI/1.0\"|X-Request-Id: 1";

fn strange() -> impl Iterator<Item = Header> {
    STRANGE.split('|').map(|line| line.split_once(": ").unwrap())
}

/// Addresses beside those of pages: files, redirects, and what does not exist.
const ADDRESSES: &str = "/products?utm_source=mail /products/ /products?sort=price-asc&stock=1 \
    /products?page=99 /category/Beauty /product/007 /search?q=red /product/99999 /category/nothing-here \
    /sitemap.xml /sitemap/9.xml /robots.txt /feed.xml /opensearch.xml /manifest.webmanifest /llms.txt \
    /merchant.xml /products.csv /products.jsonl /favicon.svg /sample-images/lipstick-rose-1.svg /healthz \
    /_data/ /_data/categories /_data/products /_data/search/red /_data/product/1 /_data/category/Beauty \
    /_data/missing";

/// Lets strangers ask first, each in a shop of its own.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes, in a process of its own"]
async fn every_bad_header() {
    let suite = Suite::begin();
    let (catalogue, renderer) = (sample(), real_renderer(2).await);
    let open = || server::router(shop(catalogue.clone(), renderer.clone())).unwrap();
    let today = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / 86_400;
    let day = today();
    let expected = Arc::new(visit(serve(open()).await, None).await.unwrap());
    let strangers = strange().step_by(suite.step).collect();
    let compare = |stranger: Header| {
        let (shop, expected) = (open(), Arc::clone(&expected));
        async move {
            let answers = visit(serve(shop).await, Some(stranger)).await;
            let answers = answers.with_context(|| format!("{stranger:?}"))?;
            for ((name, expected), (_, got)) in expected.iter().zip(&answers) {
                // The home page shows other categories every day.
                let is_home = name.starts_with("/ ") || name.starts_with("/_data/ ");
                let difference = difference(expected, got).filter(|_| today() == day || !is_home);
                ensure!(difference.is_none(), "{stranger:?}, then {name}: {difference:?}");
            }
            anyhow::Ok(Duration::ZERO)
        }
    };
    suite.try_all(strangers, compare).await;
}

/// What two ordinary visitors of each address are answered after a stranger.
async fn visit(shop: SocketAddr, stranger: Option<Header>) -> Result<Vec<(String, Answer)>> {
    const CLOSED: &str = "closed without an answer";
    let mut answers = Vec::new();
    for address in PATHS.into_iter().chain(ADDRESSES.split(' ')).chain([CLIENT.script]) {
        let first = Case::with_headers(address, stranger.as_slice()).ask(shop).await?.context(CLOSED)?;
        inspect(&first, &[], false).context(address)?;
        for encoding in ["identity", "gzip"] {
            let next = Case::with_headers(address, &[("Accept-Encoding", encoding)]);
            let answer = next.ask(shop).await?.context(CLOSED)?;
            answers.push((format!("{address} in {encoding}"), answer));
        }
    }
    Ok(answers)
}

/// Where two answers differ in more than when and how they were made.
pub(super) fn difference(expected: &Answer, got: &Answer) -> Option<String> {
    let timeless = |answer: &Answer| {
        let mut headers = answer.headers().clone();
        for name in ["date", "x-request-id", "server-timing", "cache-status"] {
            if let Some(value) = headers.get_mut(name) {
                *value = HeaderValue::from_static("any");
            }
        }
        (answer.status(), headers)
    };
    let (known, found) = (timeless(expected), timeless(got));
    if known != found {
        return Some(format!("{found:?} instead of {known:?}"));
    }
    (expected.body() != got.body()).then(|| "another body".into())
}
