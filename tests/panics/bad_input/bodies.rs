//! What the catalogue service may answer: products with each field wrong in every way, and bodies that
//! are no answer. Every page stays whole or says that it is unavailable.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Response, StatusCode, header};

use super::case::shown;
use super::product::{self, Change};

/// What an address of the service gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Product,
    List,
    Categories,
}

/// One bad answer of the service, under a name that a failure shows.
#[derive(Clone, Debug)]
pub(crate) struct BadBody {
    pub(crate) name: String,
    /// The call that it answers; the others are answered well.
    pub(crate) call: Call,
    pub(crate) body: Vec<u8>,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) encoding: Option<&'static str>,
    /// The other products of the same answer have to be shown.
    pub(crate) good_beside: bool,
}

impl BadBody {
    fn new(name: String, call: Call, body: Vec<u8>) -> Self {
        let content_type = Some("application/json");
        Self { name, call, body, content_type, encoding: None, good_beside: false }
    }

    /// The pages that the answer has a part in.
    pub(crate) fn pages(&self) -> &'static [&'static str] {
        match (self.call, self.good_beside) {
            // What could become markup is looked at as a document, everything else as data.
            (Call::Product, _) if self.is_text() => &["/product/1"],
            (Call::Product, _) => &["/_data/product/1"],
            (Call::List, true) if self.is_text() => &["/category/beauty"],
            (Call::List, true) => &["/_data/category/beauty"],
            (Call::List, false) => &[
                "/",
                "/categories",
                "/brands",
                "/products",
                "/deals",
                "/category/beauty",
                "/search/red",
                "/product/1",
                "/sitemap.xml",
                "/feed.xml",
                "/_data/category/beauty",
            ],
            (Call::Categories, _) => &[
                "/",
                "/categories",
                "/product/1",
                "/missing",
                "/sitemap.xml",
                "/llms.txt",
                "/_data/categories",
            ],
        }
    }
}

impl BadBody {
    fn is_text(&self) -> bool {
        self.body.windows(2).any(|bytes| bytes == b"zq") || self.body.contains(&b'<')
    }
}

pub(crate) fn bodies() -> Vec<BadBody> {
    let mut cases = Vec::new();
    let values = product::wrong_values();
    for path in product::paths() {
        for (number, value) in values.iter().enumerate() {
            let name = format!("body: {path} is {} ({number})", shown(value));
            let [alone, listed] =
                of_product(&name, &product::with(1, path, Change::Replace(value.clone())), value);
            cases.push(alone);
            // Lists read the same fields with the same code; every few values show that it is so.
            if number % 3 == 0 {
                cases.push(listed);
                let name = format!("body: {path} twice, then {} ({number})", shown(value));
                cases.extend(of_product(
                    &name,
                    &product::with(1, path, Change::Double(value.clone())),
                    value,
                ));
            }
        }
        cases.extend(of_product(&format!("body: no {path}"), &product::with(1, path, Change::Omit), b""));
    }
    for call in [Call::Product, Call::List, Call::Categories] {
        cases.extend(whole_bodies(call));
    }
    cases.extend(categories());
    cases
}

/// The product by itself, and as the first of a list with good ones.
fn of_product(name: &str, product: &[u8], value: &[u8]) -> [BadBody; 2] {
    let alone = BadBody::new(format!("{name}, alone"), Call::Product, product.to_vec());
    let list = list(&[product.to_vec(), product::good(2), product::good(3)]);
    // A product that is no JSON at all spoils the list; one with the id of another product is dropped.
    let json = std::str::from_utf8(product).is_ok()
        && serde_json::from_slice::<Box<serde_json::value::RawValue>>(&list).is_ok();
    let shallow = !value.starts_with(&[b'['; 64]);
    [
        alone,
        BadBody {
            good_beside: json && shallow,
            ..BadBody::new(format!("{name}, in a list"), Call::List, list)
        },
    ]
}

/// A list of these products.
pub(super) fn list(products: &[Vec<u8>]) -> Vec<u8> {
    let total = products.len();
    let end = format!("],\"total\":{total},\"skip\":0,\"limit\":{total}}}");
    [b"{\"products\":[".as_slice(), &products.join(&b','), end.as_bytes()].concat()
}

/// What a healthy service answers.
pub(super) fn good_body(call: Call) -> Vec<u8> {
    match call {
        Call::Product => product::good(1),
        Call::List => list(&(1..=12).map(product::good).collect::<Vec<_>>()),
        Call::Categories => {
            b"[{\"slug\":\"beauty\",\"name\":\"Beauty\",\"url\":\"https://catalogue.example/beauty\"}]"
                .to_vec()
        }
    }
}

/// Texts that are no answer of the service, or one that makes no sense.
const TEXTS: [&str; 55] = [
    "",
    " ",
    "\n\n",
    "null",
    "true",
    "0",
    "-1",
    "1e999",
    "\"text\"",
    "[]",
    "{}",
    "[null]",
    "[1]",
    "[[]]",
    "[{}]",
    "{\"products\":null}",
    "{\"products\":{}}",
    "{\"products\":\"x\"}",
    "{\"products\":[]}",
    "{\"products\":[null]}",
    "{\"products\":[1,2]}",
    "{\"products\":[[]]}",
    "{\"products\":[{}]}",
    "{\"products\":[{\"id\":1}]}",
    "{\"Products\":[]}",
    "{\"products\":[],\"products\":[]}",
    "{\"products\":[],\"total\":-1}",
    "{\"products\":[],\"total\":1e99}",
    "{\"products\":[],\"total\":\"many\"}",
    "{\"message\":\"x\"}",
    "{\"message\":5}",
    "{\"id\":1}",
    "{\"id\":0,\"title\":\"x\",\"price\":1}",
    "<!doctype html><title>x</title>",
    "<?xml version=\"1.0\"?><products/>",
    "callback([])",
    ")]}',\n[]",
    "// x\n[]",
    "/* x */{}",
    "{'products':[]}",
    "{products:[]}",
    "[1,]",
    "{\"a\":1,}",
    "[NaN]",
    "{\"products\":[",
    "{\"products\":[{\"id\":",
    "{\"products\":\"",
    "[\"\\x\"]",
    "[\"\\u12\"]",
    "[\"\\ud800\"]",
    "\u{feff}",
    "nul",
    "tru",
    "\u{2028}",
    "[\u{a0}]",
];

/// Answers that are wrong as a whole.
fn whole_bodies(call: Call) -> Vec<BadBody> {
    let good = good_body(call);
    let text = String::from_utf8_lossy(&good).into_owned();
    let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let deep =
        |open: &str, close: &str, levels: usize| (open.repeat(levels) + &close.repeat(levels)).into_bytes();
    let inside = |part: Vec<u8>| match call {
        Call::Categories => {
            [b"[{\"slug\":\"beauty\",\"name\":\"Beauty\",\"x\":".as_slice(), &part, b"}]"].concat()
        }
        _ => [b"{\"x\":".as_slice(), &part, b",", &good[1..]].concat(),
    };
    let mut bodies: Vec<(String, Vec<u8>)> =
        TEXTS.into_iter().map(|body| (shown(body), body.as_bytes().to_vec())).collect();
    let changed = |name: &str, body: Vec<u8>| (name.to_owned(), body);
    bodies.extend([
        changed("with a byte order mark", ["\u{feff}".as_bytes(), &good].concat()),
        changed("in UTF-16, little end first", utf16(u16::to_le_bytes)),
        changed("in UTF-16, big end first", utf16(u16::to_be_bytes)),
        changed("in UTF-32", text.chars().flat_map(|character| u32::from(character).to_le_bytes()).collect()),
        changed(
            "with Latin-1",
            text.replace("eauty", "\u{0}").bytes().map(|byte| if byte == 0 { 0xe9 } else { byte }).collect(),
        ),
        changed("with text after it", [good.as_slice(), b"x"].concat()),
        changed("with a NUL after it", [good.as_slice(), b"\0"].concat()),
        changed("with a NUL before it", [b"\0", good.as_slice()].concat()),
        changed("twice", good.repeat(2)),
        changed(
            "with spaces around it",
            [b" \n\t".repeat(10_000), good.clone(), b" ".repeat(10_000)].concat(),
        ),
        changed("with 64 levels", inside(deep("[", "]", 60))),
        changed("with 65 levels", inside(deep("[", "]", 65))),
        changed("with 128 levels", inside(deep("[", "]", 128))),
        changed("with 10,000 levels", inside(deep("[", "]", 10_000))),
        changed("with 10,000 levels of objects", inside(deep("{\"a\":", "1}", 10_000))),
        changed("with 1,000,000 open lists", b"[".repeat(1_000_000)),
        changed("with 1,000,000 digits", inside(b"9".repeat(1_000_000))),
        changed(
            "with a fraction of 1,000,000 digits",
            inside([b"0.".as_slice(), &b"3".repeat(1_000_000)].concat()),
        ),
        changed(
            "with a text of 1,000,000 escapes",
            inside([b"\"", b"\\u0000".repeat(1_000_000).as_slice(), b"\""].concat()),
        ),
        changed("with 100,000 nulls", inside([b"[".as_slice(), &b"null,".repeat(100_000), b"1]"].concat())),
        changed(
            "packed, without saying so",
            b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x8b\x8e\x05\0\x29\xbb\x4c\x0d\x02\0\0\0".to_vec(),
        ),
        changed(
            "random bytes",
            (0..5_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect(),
        ),
    ]);
    bodies.extend(
        (1..good.len())
            .step_by(good.len() / 24 + 1)
            .map(|end| (format!("cut after {end} bytes"), good[..end].to_vec())),
    );
    bodies.extend((0..good.len()).step_by(good.len() / 24 + 1).map(|at| {
        let mut changed = good.clone();
        changed[at] ^= 0x80;
        (format!("with byte {at} turned"), changed)
    }));
    let named = |name: &str| format!("body: {call:?} {name}");
    let mut cases: Vec<BadBody> =
        bodies.into_iter().map(|(name, body)| BadBody::new(named(&name), call, body)).collect();
    for content_type in [
        "text/html",
        "image/png",
        "application/octet-stream",
        "application/json; charset=utf-16",
        "application/json;charset=\u{e9}",
        "text/plain; charset=latin1",
        "",
    ] {
        let case = BadBody::new(named(&format!("as {content_type}")), call, good.clone());
        cases.push(BadBody { content_type: Some(content_type), ..case });
    }
    for encoding in ["gzip", "br", "deflate", "zstd", "gzip, gzip", "x"] {
        let case = BadBody::new(named(&format!("said to be {encoding}")), call, good.clone());
        cases.push(BadBody { encoding: Some(encoding), ..case });
    }
    cases
}

/// Lists of categories in which one is wrong.
fn categories() -> Vec<BadBody> {
    let entries = product::wrong_values().into_iter().enumerate().flat_map(|(number, value)| {
        ["slug", "name", "url"].map(|field| {
            let mut fields = BTreeMap::from([
                ("slug", b"\"tops\"".to_vec()),
                ("name", b"\"Tops\"".to_vec()),
                ("url", b"\"x\"".to_vec()),
            ]);
            fields.insert(field, value.clone());
            let fields: Vec<Vec<u8>> = fields
                .into_iter()
                .map(|(name, value)| [format!("\"{name}\":").as_bytes(), &value].concat())
                .collect();
            (format!("body: the {field} of a category is {} ({number})", shown(&value)), fields.join(&b','))
        })
    });
    entries
        .map(|(name, entry)| {
            let body = [b"[{".as_slice(), &entry, b"},{\"slug\":\"beauty\",\"name\":\"Beauty\"}]"].concat();
            BadBody::new(name, Call::Categories, body)
        })
        .collect()
}

/// The number of the case that answers each visitor now.
pub(crate) type Slots = Arc<Vec<AtomicUsize>>;

/// A service in which the first part of the path names the visitor, whose case answers.
pub(crate) fn service(cases: Arc<Vec<BadBody>>, slots: Slots) -> Router {
    Router::new().fallback(move |request: Request| {
        let answer = answer(&cases, &slots, request.uri().path());
        async move { answer }
    })
}

fn answer(cases: &[BadBody], slots: &[AtomicUsize], path: &str) -> Response<Body> {
    let (visitor, path) = path[1..].split_once('/').unwrap_or_default();
    let slot = visitor.parse().ok().and_then(|visitor: usize| slots.get(visitor));
    let case = slot.and_then(|slot| cases.get(slot.load(Ordering::SeqCst)));
    let call = match path.split('/').collect::<Vec<_>>()[..] {
        ["products", "categories"] => Call::Categories,
        ["products"] | ["products", "search"] | ["products", "category", _] => Call::List,
        _ => Call::Product,
    };
    let response = Response::builder().status(StatusCode::OK);
    let answered = match case {
        Some(case) if case.call == call => {
            let typed = case
                .content_type
                .into_iter()
                .fold(response, |response, value| response.header(header::CONTENT_TYPE, value.as_bytes()));
            let encoded = case
                .encoding
                .into_iter()
                .fold(typed, |response, value| response.header(header::CONTENT_ENCODING, value));
            encoded.body(Body::from(case.body.clone()))
        }
        _ => response.header(header::CONTENT_TYPE, "application/json").body(Body::from(good_body(call))),
    };
    answered.unwrap_or_default()
}
