//! Addresses that ask for a redirect, in shapes that could lead it away or split the answer.

use super::case::{Case, escaped, mark, shown};

/// Texts that a browser could take for an address of another host.
const ELSEWHERE: [&str; 34] = [
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/%2Fevil.example",
    "/%2F%2Fevil.example",
    "%2F%2Fevil.example",
    "/%5Cevil.example",
    "%5C%5Cevil.example",
    "/%09/evil.example",
    "/%0A/evil.example",
    "/%0D/evil.example",
    "/%00/evil.example",
    "//evil%E3%80%82example",
    "//evil%2Eexample",
    "//user@evil.example",
    "//shop.example@evil.example",
    "//shop.example.evil.example",
    "//[::1]",
    "//127.0.0.1",
    "//2130706433",
    "https:evil.example",
    "https:/evil.example",
    "https://evil.example",
    "https:%2F%2Fevil.example",
    "http%3A%2F%2Fevil.example",
    "javascript:alert(1)",
    "%6Aavascript:alert(1)",
    "%0D%0ALocation:%20//evil.example",
    "%0d%0a%0d%0a%3Cscript%3E",
    "%E5%98%8D%E5%98%8ALocation:%20//evil.example",
    ".evil.example",
];

/// What stands before and after such a text so that there is a redirect: a wrong spelling, or a form.
const PLACES: [(&str, &str); 17] = [
    ("", ""),
    ("", "/"),
    ("/", "/"),
    ("/_data", ""),
    ("/_data", "/"),
    ("/search?q=", ""),
    ("/_data/search?q=", ""),
    ("/search/%20", ""),
    ("/search/", "/"),
    ("/search", "/"),
    ("/category", "/"),
    ("/category/Beauty?", ""),
    ("/category/Beauty", "/"),
    ("/product/007?", ""),
    ("/products/?next=", ""),
    ("/products?sort=price-asc&q=", ""),
    ("/products?brand=", "&page=9"),
];

/// Addresses of pages in which everything is spelled wrongly at once: slash, case, order, defaults, values
/// that the data does not have, and parameters of somebody else.
fn ugly() -> Vec<Case> {
    let paths = [
        "/products",
        "/deals",
        "/category/BEAUTY",
        "/category/%62eauty",
        "/search/%20red%20",
        "/search/%2E.",
        "/search",
        "/product/007",
        "/categories",
    ];
    let groups: [&[&str]; 6] = [
        &["", "page=99", "page=0", "page=02"],
        &["", "sort=price-asc", "sort=up"],
        &["", "max=999999", "max=07"],
        &["", "brand=Nobody&brand=Aune", "category=tops&category=nowhere&category=beauty"],
        &["", "q=+red+&q=", "q=%20a"],
        &["", "utm_source=mail", "&&=&"],
    ];
    let mut cases = Vec::new();
    for (number, path) in paths.into_iter().enumerate() {
        let mut turn = number;
        for page in groups[0] {
            for sort in groups[1] {
                for max in groups[2] {
                    turn += 1;
                    let pick = |group: usize| groups[group][(turn + group) % groups[group].len()];
                    let parts = [*page, pick(5), *sort, pick(4), *max, pick(3)];
                    let query =
                        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&");
                    for prefix in ["", "/_data"] {
                        let target = format!("{prefix}{path}/?{query}");
                        cases.push(Case::get(format!("redirect: ugly {target}"), &target));
                    }
                }
            }
        }
    }
    cases
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = ugly();
    for (before, after) in PLACES {
        for elsewhere in ELSEWHERE {
            let target = format!("{before}{elsewhere}{after}");
            cases.push(Case::get(format!("redirect: {target}"), &target));
            let marked = format!("{before}{elsewhere}{}{after}", escaped(mark()));
            cases.push(Case::get(format!("redirect: {target} with a mark"), marked));
        }
    }
    for host in ["evil.example", "shop.example:443@evil.example", "[::1]:80", ""] {
        for target in ["/products/", "//evil.example/", "/search?q=a", "/category/Beauty"] {
            let absolute = format!("http://{host}{target}");
            cases.push(Case::get(format!("redirect: {absolute}"), absolute).alone());
            let headers = [("Host", host.as_bytes().to_vec())];
            cases.push(Case::with_headers(format!("redirect: {target} of {host}"), target, &headers));
        }
    }
    for length in [1_000, 10_000, 20_000, 60_000] {
        for (what, text) in
            [("letters", "a"), ("bytes", "%FF"), ("quotes", "'"), ("spaces", "+"), ("raw", "\u{e9}")]
        {
            for place in ["/search?q=", "/products/?x=", "/category/Beauty?brand=", "/products?brand="] {
                let target = format!("{place}{}", text.repeat(length / text.len()));
                cases.push(Case::get(format!("redirect: {} of {length} {what}", shown(place)), target));
            }
        }
    }
    cases
}
