//! Query strings: every parameter with every hostile value, and strings that are odd as a whole.

use super::case::{Case, escaped, mark, shown};
use super::hostile::{ENCODED, NUMBERS, payloads, unicode};

/// The shop's parameters, and two that it does not know.
const PARAMETERS: [&str; 12] = [
    "q",
    "max",
    "rating",
    "category",
    "brand",
    "tag",
    "stock",
    "sort",
    "facets",
    "page",
    "utm_source",
    "__proto__",
];
/// Pages that read a query, and one that does not.
const PAGES: [&str; 6] =
    ["/products", "/category/beauty", "/_data/search/red", "/categories", "/search", "/product/1"];

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |page: &str, query: String| {
        cases.push(Case::get(format!("query: {page}?{}", shown(&query)), format!("{page}?{query}")));
    };
    for parameter in PARAMETERS {
        for value in NUMBERS {
            add("/products", format!("{parameter}={}", escaped(value)));
            add("/_data/sale", format!("{parameter}={}", escaped(value)));
        }
        for value in ENCODED {
            add("/products", format!("{parameter}={value}"));
            add("/_data/category/beauty", format!("{parameter}={value}"));
        }
    }
    for (number, parameter) in PARAMETERS.into_iter().enumerate() {
        for (turn, value) in payloads().into_iter().enumerate() {
            add(PAGES[(number + turn) % PAGES.len()], format!("{parameter}={}", escaped(value)));
        }
    }
    for parameter in ["q", "brand", "tag", "category", "sort"] {
        for (turn, (_, text)) in unicode().into_iter().enumerate() {
            add(PAGES[turn % PAGES.len()], format!("{parameter}={}", escaped(text)));
        }
    }
    for page in PAGES {
        for parameter in PARAMETERS {
            let mark = escaped(mark());
            add(page, parameter.to_owned());
            add(page, format!("{parameter}="));
            add(page, format!("={parameter}"));
            add(page, format!("{parameter}=={mark}"));
            add(page, format!("{parameter}[]={mark}"));
            add(page, format!("{parameter}[0]={mark}&{parameter}[1]=2"));
            add(page, format!("{parameter}[a][b]={mark}"));
            add(page, format!("{parameter}={mark}&{parameter}=1&{parameter}=red"));
            add(page, format!("{}=1", parameter.to_uppercase()));
            add(page, format!("%20{parameter}=1"));
            add(page, format!("{parameter}%00=1"));
        }
    }
    for page in PAGES {
        for query in shapes() {
            add(page, query);
        }
    }
    // Line ends and spaces would make another request of it.
    for byte in (1..=255_u8).filter(|byte| !b"\r\n ".contains(byte)) {
        for page in ["/products/?q=a", "/category/Beauty?x=", "/products?brand="] {
            let target = [page.as_bytes(), &[byte], b"b"].concat();
            cases.push(Case::get(format!("query: {page}{}b raw", shown([byte])), target));
        }
    }
    cases
}

/// Query strings that are odd as a whole.
fn shapes() -> Vec<String> {
    let mark = || escaped(mark());
    let repeated = |text: &str, times: usize| text.repeat(times);
    let many = |times: usize, parameter: &dyn Fn(usize) -> String| {
        (0..times).map(parameter).collect::<Vec<_>>().join("&")
    };
    vec![
        String::new(),
        "?".into(),
        "&".into(),
        "&&&&".into(),
        "=".into(),
        "==&==".into(),
        "&=&=&".into(),
        ";".into(),
        "q=a;page=2".into(),
        "%26=%3D".into(),
        "q%3Da".into(),
        "%71=red".into(),
        "q=%2571%253D".into(),
        "q=a%26page%3D2".into(),
        mark(),
        format!("q={}&brand={}&category={}&utm={}", mark(), mark(), mark(), mark()),
        format!("sort={}&rating={}&max={}&page={}&stock={}", mark(), mark(), mark(), mark(), mark()),
        repeated("&", 10_000),
        repeated("q=&", 5_000),
        repeated("page=2&", 3_000),
        repeated("brand=x&", 3_000),
        repeated("%", 10_000),
        repeated("%2", 10_000),
        repeated("[", 10_000),
        repeated("q[", 5_000),
        many(1_000, &|number| format!("p{number}={number}")),
        many(1_000, &|number| format!("brand=b{number}")),
        many(1_000, &|number| format!("category=c{number}")),
        many(50, &|number| format!("brand={number}{}", "%F0%9F%9B%92".repeat(95))),
        many(50, &|number| format!("brand={number}{}", "\u{1f6d2}".repeat(190))),
        format!("q={}", "a".repeat(60_000)),
        format!("q={}", "+".repeat(60_000)),
        format!("x={}", "a".repeat(64_900)),
        format!("x={}", "a".repeat(70_000)),
        format!("brand={}", "%3C".repeat(20_000)),
        format!("page={}", "9".repeat(10_000)),
        format!("max={}", "9".repeat(10_000)),
        format!("max={}1", "0".repeat(10_000)),
    ]
}
