//! What the inspection of answers and calls finds, and what it lets pass.

use crate::bad_input::connection::Answer;
use crate::bad_input::inspect::{Inspector, SECURITY_HEADERS};
use crate::bad_input::upstream::is_allowed;

fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Answer {
    let security = SECURITY_HEADERS.iter().map(|name| ((*name).to_owned(), b"x".to_vec()));
    let further = headers.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()));
    Answer { status, headers: security.chain(further).collect(), body: body.into() }
}

fn inspect(answer: &Answer) -> Result<(), String> {
    Inspector::default().inspect(answer, &["zq00001z".into()], true)
}

#[test]
fn what_is_harmless_passes() {
    for body in [
        "<!doctype html><p>zq00001z&quot;&amp;&lt;zq00001z",
        r#"<a href="/search/zq00001z%22">x</a><script type="application/json">{"a":1}</script>"#,
    ] {
        assert_eq!(inspect(&answer(200, &[("content-type", "text/html")], body)), Ok(()), "{body}");
    }
    assert_eq!(inspect(&answer(308, &[("location", "/products?q=a")], "")), Ok(()));
    assert_eq!(inspect(&answer(503, &[("retry-after", "10")], "")), Ok(()));
}

#[test]
fn harm_is_found_in_html() {
    for body in [
        "<p><zq00001z>",
        "<p title=\"\" zq00001z=1>",
        "<p onclick=x>",
        "<p>zq00002z",
        "<script>alert(1)</script>",
        "<script type=\"application/json\">{</script>",
        "<script type=\"application/json\">\"&\"</script>",
        "<script type=module src=//evil.example/x></script>",
        "<a href=\"//evil.example\">",
        "<a href=\"javascript:alert(1)\">",
        "<form action=\"https://evil.example\">",
        "<img src=\"data:text/html,x\">",
        "<!-- text -->",
        "<base href=/>",
        "<meta http-equiv=refresh content=0>",
        "<link rel=canonical href=https://shop.example/search/..>",
    ] {
        assert!(inspect(&answer(200, &[("content-type", "text/html")], body)).is_err(), "{body}");
    }
}

#[test]
fn harm_is_found_in_headers() {
    for location in ["//evil.example", "/\\evil", "https://evil.example/", "evil", "/a\nb", "/\u{e9}", ""] {
        assert!(inspect(&answer(308, &[("location", location)], "")).is_err(), "{location}");
    }
    for (status, header) in
        [(200, ("x", "a\rb")), (200, ("x", "zq00001z")), (500, ("x", "")), (503, ("x", ""))]
    {
        assert!(inspect(&answer(status, &[header], "")).is_err(), "{status} {header:?}");
    }
    let unavailable = answer(503, &[("retry-after", "10")], "");
    assert!(Inspector::default().inspect(&unavailable, &[], false).is_err());
    assert!(inspect(&Answer { status: 200, ..Answer::default() }).is_err());
    assert!(inspect(&answer(200, &[("content-type", "application/json")], "{\"a\":}")).is_err());
}

#[test]
fn only_the_calls_of_the_api_are_allowed() {
    for (path, query) in [
        ("/products", "limit=0&select=a%2Cb"),
        ("/products/search", "q=%2F..%2F"),
        ("/products/category/mens-shirts", ""),
        ("/products/4294967295", ""),
    ] {
        assert!(is_allowed(path, query), "{path}?{query}");
    }
    for (path, query) in [
        ("/", ""),
        ("/products/", ""),
        ("/users", ""),
        ("/products/0", ""),
        ("/products/+1", ""),
        ("/products/1/reviews", ""),
        ("/products/category/..", ""),
        ("/products/category/a%2Fb", ""),
        ("/products", "delay=5000"),
        ("/products", "limit=1&limit=0"),
        ("/products/search", "q=%00"),
    ] {
        assert!(!is_allowed(path, query), "{path}?{query}");
    }
}
