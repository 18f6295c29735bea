//! Paths: every byte, raw and escaped, and segments that are no name of anything.

use super::case::{Case, escaped, mark, shown};
use super::hostile::{ENCODED, payloads, unicode};

/// Where a path takes text, as a document and as data.
const PLACES: [&str; 10] = [
    "/",
    "/search/",
    "/category/",
    "/product/",
    "/_data/search/",
    "/_data/category/",
    "/_data/product/",
    "/assets/",
    "/sample-images/",
    "/sitemap/",
];

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for place in PLACES {
        for byte in 0..=255_u8 {
            cases.push(Case::get(format!("path: {place}%{byte:02X}"), format!("{place}%{byte:02X}")));
        }
    }
    // HTTP's own line ends and spaces would make another request of it.
    for place in &PLACES[..4] {
        for byte in (1..=255_u8).filter(|byte| !b"\r\n ".contains(byte)) {
            let target = [place.as_bytes(), b"a", &[byte], b"b"].concat();
            cases.push(Case::get(format!("path: {place}a{}b raw", shown([byte])), target));
        }
    }
    for place in PLACES {
        for text in ENCODED {
            cases.push(Case::get(format!("path: {place}{text}"), format!("{place}{text}")));
            let marked = format!("{place}{text}{}", escaped(mark()));
            cases.push(Case::get(format!("path: {place}{text} with a mark"), marked));
        }
    }
    for place in &PLACES[..7] {
        for text in payloads() {
            cases
                .push(Case::get(format!("path: {place} with {text:?}"), format!("{place}{}", escaped(text))));
        }
    }
    for (name, text) in unicode() {
        cases.push(Case::get(format!("path: a search for {name}"), format!("/search/{}", escaped(text))));
    }
    cases.extend(shapes());
    cases
}

/// Paths that are odd as a whole.
fn shapes() -> Vec<Case> {
    let mark = || escaped(mark());
    let mut paths: Vec<String> = [
        "/.",
        "/..",
        "/./products",
        "/../products",
        "/products/..",
        "/products/../../etc/passwd",
        "/search/.",
        "/search/..",
        "/search/../products",
        "/search/%2e",
        "/search/%2E%2E",
        "/search/%2e%2e/x",
        "/search/%2E%2E/",
        "/search/../",
        "/_data/search/%2e/?q=a",
        "/search/...",
        "/_data/search/..",
        "/category/..",
        "/category/%2e%2e",
        "/product/..",
        "/product/.",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/../../Cargo.toml",
        "/sample-images/..%2F..%2Fx-rose-1.svg",
        "/sample-images/mug-rose-1.svg%00",
        "/icons/..%2f32.png",
        "/sitemap/-1.xml",
        "/sitemap/+1.xml",
        "/sitemap/18446744073709551615.xml",
        "/sitemap/1.xml.xml",
        "//",
        "///",
        "////////",
        "/products//",
        "//products",
        "/products;v=1",
        "/products;/x",
        "/;/products",
        "/product/1;id=2",
        "/product/1/2",
        "/product/1/",
        "/product/1//",
        "/category/beauty/x",
        "/PRODUCTS",
        "/Products",
        "/product\u{17f}/1",
        "/p%72oducts",
        "/%70roducts",
        "/products%2F",
        "/products%3Fpage=2",
        "/products%23",
        "/products%20",
        "/products.",
        "/products.html",
        "/products.json",
        "/products~",
        "/.env",
        "/.git/config",
        "/wp-login.php",
        "/admin",
        "/_data",
        "/_data/",
        "/_data/_data/products",
        "/_datax",
        "/_DATA/products",
        "/_data%2Fproducts",
        "/*",
        "/&",
        "/=",
        "/@evil.example",
        "/:80",
        "/~root",
        "/$%7BHOME%7D",
        "/products?",
        "/products??",
        "/products?#",
        "/products#page",
        "/?",
        "/\u{130}",
        "/search/\u{e9}",
        "/category/\u{ff42}eauty",
        "/category/BEAUTY%20",
        "/category/%20beauty",
        "/category/beauty%00",
        "/category/-",
        "/category/--",
        "/category/be_auty",
        "/category/bea.uty",
        "/category/%C5%BFmartphones",
        "/category/%E2%84%AAitchen-accessories",
        "/robots.txt/",
        "/robots.txt%00",
        "/sitemap.xml/..",
        "/feed.xml?x=1",
        "/healthz/",
        "/favicon.ico/",
    ]
    .map(str::to_owned)
    .into();
    for length in [100, 199, 200, 201, 255, 256, 1_024, 4_096, 16_384, 65_000, 65_530, 65_536, 100_000] {
        paths.extend(
            ["/", "/search/", "/category/", "/product/", "/_data/"]
                .map(|place| place.to_owned() + &"a".repeat(length)),
        );
        paths.push(format!("/product/{}", "9".repeat(length)));
        paths.push(format!("/search/{}", "%C3%A9".repeat(length / 6)));
        paths.push(format!("/search/{}", "%20".repeat(length / 3)));
    }
    for segments in [2, 10, 100, 1_000, 10_000, 30_000] {
        paths.extend(
            ["/a", "/..", "/.", "/", "/%2e%2e", "/products", "/_data", ";a"]
                .map(|segment| format!("/x{}", segment.repeat(segments))),
        );
    }
    let odd = paths.into_iter().map(|path| Case::get(format!("path: {}", shown(&path)), path));
    let marked = (0..20).map(|number| format!("/{number}/{}/{}", mark(), mark()));
    odd.chain(marked.map(|path| Case::get(format!("path: {}", shown(&path)), path))).collect()
}
