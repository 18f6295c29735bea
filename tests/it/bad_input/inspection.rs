//! What the inspection of answers and calls finds. The suites show what it lets pass.

use axum::http::Response;

use super::case::Answer;
use super::inspect::{SECURITY_HEADERS, inspect};
use super::markup::{self, harmless, lines};
use super::{headers, is_allowed};

fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut answer = Response::builder().status(status);
    for (name, value) in SECURITY_HEADERS.split(' ').map(|name| (name, "x")).chain(headers.iter().copied()) {
        answer = answer.header(name, value.as_bytes());
    }
    answer.body(body.into()).unwrap()
}

#[test]
fn harm_is_found() {
    let documents = "<p><zq00001z>|<p title=\"\" zq00001z=1>|<p onclick=x>|<p>zq00002z|\
        <script>alert(1)</script>|<style>*{display:none}</style>|\
        <script type=\"application/json\">{</script>|<script type=\"application/json\">\"&\"</script>|\
        <script type=module src=//evil.example/x></script>|<a href=\"//evil.example\">|\
        <a href=\"javascript:alert(1)\">|<form action=\"https://evil.example\">|\
        <img src=\"data:text/html,x\">|<!-- text -->|<base href=/>|<meta http-equiv=refresh content=0>|\
        <link rel=canonical href=https://shop.example/search/..>";
    // One of them is empty.
    let locations = "//evil.example|//shop.example/|/\\evil|/a\\b|https://evil.example/|\
        https://shop.example/|evil|/\u{e9}||/a/../b|/a b|/a\"b";
    let others = [
        answer(200, &[("x", "a\tb")], ""),
        answer(200, &[("x", "zq00001z")], ""),
        answer(500, &[], ""),
        answer(503, &[], ""),
        answer(200, &[("content-type", "application/json")], "{\"a\":}"),
        Answer::default(),
    ];
    let html = |body| answer(200, &[("content-type", "text/html")], body);
    let moved = |location| answer(308, &[("location", location)], "");
    for harm in documents.split('|').map(html).chain(locations.split('|').map(moved)).chain(others) {
        assert!(inspect(&harm, &["zq00001z".into()], true).is_err(), "{harm:?}");
    }
    let unavailable = answer(503, &[("retry-after", "10")], "");
    assert!(inspect(&unavailable, &[], false).is_err());
}

#[test]
fn calls_that_are_none_of_the_api_are_found() {
    let wrong = "/ /products/ /users /products/0 /products/+1 /products/1/reviews /products/category/.. \
        /products/category/a%2Fb /products?delay=5000 /products?limit=1&limit=0 /products/search?q=%00";
    for call in wrong.split(' ') {
        let (path, query) = call.split_once('?').unwrap_or((call, ""));
        assert!(!is_allowed(path, query), "{call}");
    }
}

#[test]
fn a_harmless_text_makes_no_difference_and_markup_does() {
    let compare = |content_type: &str, expected: &str, got: &str| {
        markup::difference(&lines(content_type, expected).unwrap(), &lines(content_type, got).unwrap())
    };
    let (markup, escaped) = ("<b id='x'>", "&lt;b id=&apos;x&apos;&gt;");
    let twin = harmless(markup);
    assert_eq!(twin, "xb idxxxxx");
    for (content_type, before) in [("text/html", "<!doctype html>"), ("application/xml", "")] {
        let document = |attribute: &str, text: &str| format!("{before}<p title=\"{attribute}\">{text}</p>");
        let expected = document(&twin, &twin);
        assert_eq!(compare(content_type, &expected, &document(escaped, escaped)), None);
        // An element or a comment in an attribute is no XML at all, so only the text is changed.
        for wrong in ["", "xb idxxxx", "<b/>", "<!--x-->", "&amp;lt;b id=&apos;x&apos;&gt;"] {
            assert!(compare(content_type, &expected, &document(escaped, wrong)).is_some(), "{wrong}");
        }
    }
    let json = |text: &str| format!("{{\"name\":{}}}", serde_json::to_string(text).unwrap());
    assert_eq!(compare("application/json", &json(&twin), &json(markup)), None);
    for wrong in ["{\"name\":\"\"}", "{\"name\":[]}", "{\"name\":\"xb idxxxxx\",\"x\":1}"] {
        assert!(compare("application/json", &json(&twin), wrong).is_some(), "{wrong}");
    }
    let island = |text: &str| format!("<script type=\"application/ld+json\">{}</script>", json(text));
    assert_eq!(compare("text/html", &island(&twin), &island(markup)), None);
    assert!(lines("text/html", &island("</script>")).is_err());
}

#[test]
fn only_the_time_of_an_answer_may_differ() {
    let tagged = |status, tag, time, body| answer(status, &[("etag", tag), ("date", time)], body);
    let first = tagged(200, "a", "now", "x");
    assert_eq!(headers::difference(&first, &tagged(200, "a", "then", "x")), None);
    for other in [
        tagged(404, "a", "now", "x"),
        tagged(200, "b", "now", "x"),
        answer(200, &[("etag", "a")], "x"),
        answer(200, &[("etag", "a"), ("date", "now"), ("vary", "host")], "x"),
        tagged(200, "a", "now", "y"),
    ] {
        assert!(headers::difference(&first, &other).is_some(), "{other:?}");
    }
}
