//! What has to be true of every answer to every request.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parking_lot::Mutex;
use scraper::{ElementRef, Html, Node};
use sha2::{Digest as _, Sha256};
use url::Url;
use vitrine::document::{early_script_hash, style_hashes};

use super::case::{Answer, marks, text};

/// Headers of every answer of the shop.
pub(crate) const SECURITY_HEADERS: &str = "content-security-policy x-content-type-options referrer-policy \
    permissions-policy cross-origin-opener-policy cross-origin-resource-policy strict-transport-security";

/// Longer addresses are not supported everywhere.
const LONGEST_LOCATION: usize = 8_000;

/// Hashes of the bodies that were checked; they are not parsed again.
static SEEN: Mutex<BTreeSet<[u8; 32]>> = Mutex::new(BTreeSet::new());

/// What is wrong with an answer, given the marks that it may repeat, and whether the catalogue may
/// be what failed.
///
/// # Errors
/// The first thing that is wrong.
pub(crate) fn inspect(answer: &Answer, allowed: &[String], may_fail: bool) -> Result<()> {
    let status = answer.status().as_u16();
    let is_unavailable = may_fail && status == 503 && answer.headers().contains_key("retry-after");
    ensure!(status < 500 || is_unavailable, "status {status}");
    check_headers(answer, allowed)?;
    let content_type = text(answer, "content-type").split(';').next().unwrap_or_default();
    if answer.headers().contains_key("content-encoding") || content_type == "image/png" {
        return Ok(());
    }
    let text = std::str::from_utf8(answer.body()).context("the body is no text")?;
    let foreign = marks(text).into_iter().find(|mark| !allowed.contains(mark));
    ensure!(foreign.is_none(), "{foreign:?} is of another request");
    if !SEEN.lock().insert(Sha256::digest(answer.body()).into()) {
        return Ok(());
    }
    match content_type {
        "text/html" => check_html(text, status),
        "application/json" => check_json(text),
        "application/xml" | "application/atom+xml" | "application/rss+xml" | "image/svg+xml" => {
            roxmltree::Document::parse(text)?;
            Ok(())
        }
        "text/plain" | "text/css" | "text/javascript" | "text/csv" | "" => Ok(()),
        "application/manifest+json" | "application/opensearchdescription+xml" => Ok(()),
        // JSON Lines are never part of a document.
        "application/jsonl" => {
            for line in text.lines() {
                serde_json::from_str::<serde::de::IgnoredAny>(line)?;
            }
            Ok(())
        }
        other => bail!("a content type that is not known here: {other}"),
    }
}

fn check_headers(answer: &Answer, allowed: &[String]) -> Result<()> {
    let (status, headers) = (answer.status().as_u16(), answer.headers());
    // What is no request at all is refused by the HTTP library, without the shop's headers and without a body.
    if matches!(status, 400 | 431) && answer.body().is_empty() {
        return Ok(());
    }
    let missing = SECURITY_HEADERS.split(' ').find(|name| !headers.contains_key(*name));
    ensure!(missing.is_none(), "status {status} without {missing:?}");
    for (name, value) in headers {
        ensure!(value.as_bytes().iter().all(|byte| (b' '..=b'~').contains(byte)), "{name} is {value:?}");
        let found = marks(&String::from_utf8_lossy(value.as_bytes()));
        let repeated = found.iter().find(|mark| name != "location" || !allowed.contains(mark));
        ensure!(repeated.is_none(), "{name} repeats {repeated:?}");
    }
    let redirects = (300..400).contains(&status) && status != 304;
    let location = headers.get("location");
    ensure!(redirects == location.is_some(), "status {status} with the location {location:?}");
    if redirects { check_location(text(answer, "location")) } else { Ok(()) }
}

/// Checks that a location is a path of this shop that browsers take for no other host's and request as it is.
fn check_location(location: &str) -> Result<()> {
    ensure!(location.len() <= LONGEST_LOCATION, "a location of {} bytes", location.len());
    let to = resolve(location).with_context(|| format!("the location {location}"))?;
    let resolved = &to[url::Position::BeforePath..];
    // The one character that is valid in a query and that browsers escape nevertheless.
    let is_same = resolved.replace("%27", "'") == location.replace("%27", "'");
    ensure!(is_own(&to) && is_same, "the location {location} means {to}");
    Ok(())
}

/// The address that a text on a page of the shop means.
fn resolve(address: &str) -> Result<Url, url::ParseError> {
    Url::parse("https://shop.example/")?.join(address)
}

fn is_own(address: &Url) -> bool {
    address.origin().ascii_serialization() == "https://shop.example"
}

fn check_json(text: &str) -> Result<()> {
    ensure!(text.is_ascii() && !text.contains(['<', '>', '&']), "JSON that means something in HTML");
    serde_json::from_str::<serde_json::Value>(text)?;
    Ok(())
}

fn check_html(text: &str, status: u16) -> Result<()> {
    let document = Html::parse_document(text);
    for node in document.tree.nodes() {
        if let Some(element) = ElementRef::wrap(node) {
            check_element(element, status)?;
        }
        match node.value() {
            // React separates neighbouring texts with empty comments.
            Node::Comment(comment) if !["", " ", "$", "/$"].contains(&&**comment) => {
                bail!("a comment: {}", &**comment);
            }
            Node::ProcessingInstruction(_) => bail!("a processing instruction"),
            _ => {}
        }
    }
    Ok(())
}

fn check_element(element: ElementRef<'_>, status: u16) -> Result<()> {
    let name = element.value().name();
    let is_known = !name.starts_with("zq") && !["iframe", "object", "embed", "base", "frame"].contains(&name);
    ensure!(is_known, "an element <{name}>");
    for (attribute, value) in element.value().attrs() {
        // The last one is of a meta element that acts as a header.
        let acts = attribute.starts_with("on") || ["srcdoc", "http-equiv"].contains(&attribute);
        ensure!(!acts && !attribute.contains("zq"), "an attribute {attribute} of <{name}>");
        if ["href", "src", "action", "formaction"].contains(&attribute) {
            check_address(element, attribute, value)?;
        }
    }
    if name == "link" && element.attr("rel") == Some("canonical") && status == 200 {
        // It is an address that a client would ask for as it is.
        let address = element.attr("href").unwrap_or_default();
        let is_same = Url::parse(address).is_ok_and(|resolved| resolved.as_str() == address);
        ensure!(is_same, "the canonical address {address} means another one");
    }
    if name == "script" || name == "style" { check_code(element) } else { Ok(()) }
}

/// Links and forms stay in the shop, and nothing is a script. Only pictures come from elsewhere, and
/// the links around them.
fn check_address(element: ElementRef<'_>, attribute: &str, value: &str) -> Result<()> {
    let name = element.value().name();
    let to = resolve(value).with_context(|| format!("{attribute} of <{name}> is {value}"))?;
    let picture = |node: ElementRef<'_>| node.value().name() == "img";
    let anywhere =
        picture(element) || name == "link" || element.descendants().filter_map(ElementRef::wrap).any(picture);
    let stays = is_own(&to) || (anywhere && matches!(to.scheme(), "http" | "https"));
    ensure!(stays, "{attribute} of <{name}> is {value}");
    Ok(())
}

/// Only the styles of a kind of page, the early script, the bundle, and two kinds of data are allowed.
fn check_code(element: ElementRef<'_>) -> Result<()> {
    let text: String = element.text().collect();
    // As a content security policy writes it.
    let hash = format!("sha256-{}", STANDARD.encode(Sha256::digest(&text)));
    let (name, kind, source) = (element.value().name(), element.attr("type"), element.attr("src"));
    let is_allowed = match (name, kind, source) {
        ("style", ..) => style_hashes().contains(&hash),
        (_, Some("application/json" | "application/ld+json"), None) => return check_json(&text),
        (_, Some("module"), Some(source)) => source.starts_with("/assets/") && text.is_empty(),
        (_, None, None) => hash == early_script_hash(),
        _ => false,
    };
    ensure!(is_allowed, "<{name}> of type {kind:?} from {source:?}: {text:.60}");
    Ok(())
}
