//! Methods on pages, files and redirects. Only GET and HEAD are taken, whatever a header says.

use super::{Case, NOT_ALLOWED, OK, case, headers, line};

pub(super) fn methods() -> Vec<Case> {
    let refused = [
        "POST",
        "PUT",
        "DELETE",
        "PATCH",
        "OPTIONS",
        "TRACE",
        "QUERY",
        "PROPFIND",
        "MKCOL",
        "MOVE",
        "LOCK",
        "PURGE",
        "BAN",
        "M-SEARCH",
        "SUBSCRIBE",
        "GETGET",
        "HEADS",
        "Get",
        "0",
        "_",
    ];
    let mut cases: Vec<_> = refused
        .map(|method| {
            case(format!("{method} of a page"), line(&format!("{method} /product/1 HTTP/1.1")), NOT_ALLOWED)
        })
        .into();
    let heads: [(&str, &'static [u16]); 9] = [
        ("/product/1", OK),
        ("/_data/product/1", OK),
        ("/favicon.svg", OK),
        ("/robots.txt", OK),
        ("/missing", &[404]),
        ("/product/0", &[404]),
        ("/products/", &[308]),
        ("/product/007", &[308]),
        ("/search?q=red", &[303]),
    ];
    cases.extend(heads.map(|(target, expected)| {
        case(format!("HEAD of {target}"), line(&format!("HEAD {target} HTTP/1.1")), expected)
    }));
    let overrides =
        ["x-http-method-override: DELETE", "x-http-method: PUT", "x-method-override: POST", "_method: PATCH"];
    cases.extend(overrides.map(|name| case(format!("a get with {name}"), headers(name), OK)));
    cases
}
