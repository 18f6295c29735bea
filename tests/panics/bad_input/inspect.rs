//! What has to be true of every answer to every request.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parking_lot::Mutex;
use scraper::{ElementRef, Html, Node};
use sha2::{Digest as _, Sha256};
use url::Url;
use vitrine::document::{early_script_hash, style_hashes};

use super::case::marks;
use super::connection::Answer;

/// Headers of every answer of the shop.
pub(crate) const SECURITY_HEADERS: [&str; 7] = [
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "permissions-policy",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "strict-transport-security",
];

/// Longer addresses are not supported everywhere.
const LONGEST_LOCATION: usize = 8_000;

/// Checks answers; a body that was checked already is not parsed again.
#[derive(Default)]
pub(crate) struct Inspector {
    /// Hashes of the bodies.
    seen: Mutex<HashSet<[u8; 32]>>,
}

impl Inspector {
    /// What is wrong with an answer, given the marks that it may repeat, and whether the catalogue may
    /// be what failed.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub(crate) fn inspect(&self, answer: &Answer, allowed: &[String], may_fail: bool) -> Result<(), String> {
        let unavailable = answer.status == 503 && answer.header("retry-after").is_some();
        if answer.status >= 500 && !(may_fail && unavailable) {
            return Err(format!("status {}", answer.status));
        }
        check_headers(answer, allowed)?;
        let text = std::str::from_utf8(&answer.body);
        let content_type = answer.text("content-type").split(';').next().unwrap_or_default();
        let packed = answer.header("content-encoding").is_some();
        if packed || content_type == "image/png" {
            return Ok(());
        }
        let text = text.map_err(|error| format!("a body of {content_type}: {error}"))?;
        if let Some(foreign) = marks(text).iter().find(|mark| !allowed.contains(mark)) {
            return Err(format!("{foreign} is of another request"));
        }
        if !self.seen.lock().insert(Sha256::digest(&answer.body).into()) {
            return Ok(());
        }
        match content_type {
            "text/html" => check_html(text, answer.status),
            "application/json" => check_json(text),
            "application/xml" | "application/atom+xml" | "application/rss+xml" | "image/svg+xml" => {
                roxmltree::Document::parse(text).map(|_| ()).map_err(|error| error.to_string())
            }
            "text/plain" | "text/css" | "text/javascript" | "application/manifest+json" | "" => Ok(()),
            "application/opensearchdescription+xml" | "text/csv" => Ok(()),
            // JSON Lines are never part of a document.
            "application/jsonl" => text.lines().try_for_each(|line| {
                serde_json::from_str::<serde::de::IgnoredAny>(line)
                    .map(drop)
                    .map_err(|error| error.to_string())
            }),
            other => Err(format!("a content type that is not known here: {other}")),
        }
    }
}

fn check_headers(answer: &Answer, allowed: &[String]) -> Result<(), String> {
    // What is no request at all is refused by the HTTP library, without the shop's headers and without a body.
    if matches!(answer.status, 400 | 431) && answer.body.is_empty() {
        return Ok(());
    }
    if let Some(missing) = SECURITY_HEADERS.iter().find(|name| answer.header(name).is_none()) {
        return Err(format!("status {} without {missing}", answer.status));
    }
    for (name, value) in &answer.headers {
        if value.iter().any(|byte| !(b' '..=b'~').contains(byte)) {
            return Err(format!("{name} is {}", value.escape_ascii()));
        }
        let found = marks(&String::from_utf8_lossy(value));
        if let Some(mark) = found.iter().find(|mark| name != "location" || !allowed.contains(mark)) {
            return Err(format!("{name} repeats {mark}"));
        }
    }
    let redirects = (300..400).contains(&answer.status) && answer.status != 304;
    match (redirects, answer.header("location")) {
        (true, Some(_)) => check_location(answer.text("location")),
        (false, None) => Ok(()),
        (_, location) => Err(format!("status {} with the location {location:?}", answer.status)),
    }
}

/// Checks that a location is a path of this shop that browsers take for no other host's and request as it is.
fn check_location(location: &str) -> Result<(), String> {
    let base = Url::parse("https://shop.example/").map_err(|error| error.to_string())?;
    let leaves = || format!("the location leaves the shop: {location}");
    let to = base.join(location).map_err(|_| leaves())?;
    let plain = location.starts_with('/') && !location.contains('\\') && !location.starts_with("//");
    if location.len() > LONGEST_LOCATION {
        return Err(format!("a location of {} bytes", location.len()));
    }
    if !plain || to.origin() != base.origin() {
        return Err(leaves());
    }
    let resolved = &to[url::Position::BeforePath..];
    // The one character that is valid in a query and that browsers escape nevertheless.
    if resolved.replace("%27", "'") == location.replace("%27", "'") {
        Ok(())
    } else {
        Err(format!("the location {location} means {resolved}"))
    }
}

fn check_json(text: &str) -> Result<(), String> {
    if !text.is_ascii() || text.contains(['<', '>', '&']) {
        return Err("JSON that means something in HTML".into());
    }
    serde_json::from_str::<serde_json::Value>(text).map(|_| ()).map_err(|error| error.to_string())
}

fn check_html(text: &str, status: u16) -> Result<(), String> {
    let document = Html::parse_document(text);
    for node in document.tree.nodes() {
        match node.value() {
            Node::Element(_) => {
                if let Some(element) = ElementRef::wrap(node) {
                    check_element(element)?;
                    check_canonical(element, status)?;
                }
            }
            // React separates neighbouring texts with empty comments.
            Node::Comment(comment) if !["", " ", "$", "/$"].contains(&&**comment) => {
                return Err(format!("a comment: {}", &**comment));
            }
            Node::ProcessingInstruction(_) => return Err("a processing instruction".into()),
            _ => {}
        }
    }
    Ok(())
}

fn check_element(element: ElementRef<'_>) -> Result<(), String> {
    let name = element.value().name();
    if name.starts_with("zq") || ["iframe", "object", "embed", "base", "frame"].contains(&name) {
        return Err(format!("an element <{name}>"));
    }
    for (attribute, value) in element.value().attrs() {
        if attribute.contains("zq") || attribute.starts_with("on") || attribute == "srcdoc" {
            return Err(format!("an attribute {attribute} of <{name}>"));
        }
        if matches!(attribute, "href" | "src" | "action" | "formaction") {
            check_address(element, attribute, value)?;
        }
        if attribute == "http-equiv" {
            return Err("a meta element that acts as a header".into());
        }
    }
    match name {
        "script" => check_script(element),
        "style" => check_styles(element),
        _ => Ok(()),
    }
}

/// The address that a page says it has is one that a client would ask for as it is.
fn check_canonical(element: ElementRef<'_>, status: u16) -> Result<(), String> {
    let own = element.value().name() == "link" && element.attr("rel") == Some("canonical");
    let address = element.attr("href").unwrap_or_default();
    let resolved = Url::parse(address).map_err(|error| format!("the canonical address {address}: {error}"));
    if own && status == 200 && resolved?.as_str() != address {
        return Err(format!("the canonical address {address} means another one"));
    }
    Ok(())
}

/// Links and forms stay in the shop, and nothing is a script. Only pictures come from elsewhere, and
/// the links around them.
fn check_address(element: ElementRef<'_>, attribute: &str, value: &str) -> Result<(), String> {
    let name = element.value().name();
    let base = Url::parse("https://shop.example/").map_err(|error| error.to_string())?;
    let to = base.join(value).map_err(|error| format!("{attribute} of <{name}> is {value}: {error}"))?;
    let picture = |node: ElementRef<'_>| node.value().name() == "img";
    let anywhere =
        picture(element) || name == "link" || element.descendants().filter_map(ElementRef::wrap).any(picture);
    let stays = to.origin() == base.origin() || (anywhere && matches!(to.scheme(), "http" | "https"));
    if stays { Ok(()) } else { Err(format!("{attribute} of <{name}> is {value}")) }
}

/// The hash of a text, as a content security policy writes it.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// Only the styles of a kind of page are allowed.
fn check_styles(element: ElementRef<'_>) -> Result<(), String> {
    let text: String = element.text().collect();
    if style_hashes().contains(&hash(&text)) { Ok(()) } else { Err(format!("styles: {text:.60}")) }
}

/// Only the early script, the bundle, and two kinds of data are allowed.
fn check_script(element: ElementRef<'_>) -> Result<(), String> {
    let text: String = element.text().collect();
    match (element.attr("type"), element.attr("src")) {
        (Some("application/json" | "application/ld+json"), None) => check_json(&text),
        (Some("module"), Some(source)) if source.starts_with("/assets/") && text.is_empty() => Ok(()),
        (None, None) if hash(&text) == early_script_hash() => Ok(()),
        (kind, source) => Err(format!("a script of type {kind:?} from {source:?}: {text:.60}")),
    }
}
