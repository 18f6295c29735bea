//! What the inspection of answers and calls finds, and what it lets pass.

use crate::bad_input::connection::Answer;
use crate::bad_input::inspect::{Inspector, SECURITY_HEADERS};
use crate::bad_input::strangers;
use crate::bad_input::trees::{self, harmless, lines};
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
        "<style>*{display:none}</style>",
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
    for location in [
        "//evil.example",
        "/\\evil",
        "https://evil.example/",
        "evil",
        "/a\nb",
        "/\u{e9}",
        "",
        "/a/../b",
        "/a b",
        "/a\"b",
    ] {
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

#[test]
fn a_harmless_text_makes_no_difference_and_markup_does() {
    let document = |text: &str| format!("<!doctype html><p title=\"a\">{text}</p>");
    let compare = |content_type: &str, expected: &str, got: &str| {
        trees::difference(&lines(content_type, expected).unwrap(), &lines(content_type, got).unwrap())
    };
    let markup = "<b id='x'>";
    let (escaped, twin) = ("&lt;b id=&apos;x&apos;&gt;", harmless(markup));
    assert_eq!(twin, "xb idxxxxx");
    for content_type in ["text/html", "application/xml"] {
        let of = |text: &str| match content_type {
            "text/html" => document(text),
            _ => format!("<p title=\"{text}\">{text}</p>"),
        };
        assert_eq!(compare(content_type, &of(&twin), &of(escaped)), None);
        for wrong in ["", "xb idxxxx", "<b/>", "<!--x-->", "&amp;lt;b id=&apos;x&apos;&gt;"] {
            // An element or a comment in an attribute is no XML at all, so only the text is changed.
            let wrong = of(escaped).replacen(&format!(">{escaped}"), &format!(">{wrong}"), 1);
            assert!(compare(content_type, &of(&twin), &wrong).is_some(), "{wrong}");
        }
    }
    let json = |text: &str| format!("{{\"name\":{}}}", serde_json::to_string(text).unwrap());
    assert_eq!(compare("application/json", &json(&twin), &json(markup)), None);
    for wrong in ["{\"name\":\"\"}", "{\"name\":[]}", "{\"name\":\"xb idxxxxx\",\"x\":1}"] {
        assert!(compare("application/json", &json(&twin), wrong).is_some(), "{wrong}");
    }
    let island =
        |text: &str| document(&format!("<script type=\"application/ld+json\">{}</script>", json(text)));
    assert_eq!(compare("text/html", &island(&twin), &island(markup)), None);
    assert!(lines("text/html", &island("</script>")).is_err());
}

#[test]
fn only_the_time_of_an_answer_may_differ() {
    let first = answer(200, &[("etag", "a"), ("date", "now"), ("last-modified", "now")], "x");
    let same = answer(200, &[("last-modified", "then"), ("etag", "a"), ("date", "then")], "x");
    assert_eq!(strangers::difference(&first, &same), None);
    for other in [
        answer(404, &[("etag", "a"), ("date", ""), ("last-modified", "")], "x"),
        answer(200, &[("etag", "b"), ("date", ""), ("last-modified", "")], "x"),
        answer(200, &[("etag", "a"), ("date", "")], "x"),
        answer(200, &[("etag", "a"), ("date", ""), ("last-modified", ""), ("vary", "host")], "x"),
        answer(200, &[("etag", "a"), ("date", ""), ("last-modified", "")], "y"),
    ] {
        assert!(strangers::difference(&first, &other).is_some(), "{other:?}");
    }
}
