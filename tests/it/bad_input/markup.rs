//! Markup in every text of the catalogue is text on every page: the page consists of the same elements,
//! attributes and data as with a harmless text in the same place.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use percent_encoding::percent_decode_str;
use scraper::{Html, Node};
use serde_json::Value;

use super::Suite;
use super::bodies::{BadBody, Call, Change, categories, changed, good, list, pointers};
use super::case::{self, escaped};
use super::hostile::MARKUP;
use super::visits::{Services, get};

/// A text of the catalogue, and where it may be shown.
struct Field {
    /// In a product, or in an entry of the list of categories.
    call: Call,
    pointer: String,
    /// What the value begins with so that it is valid: a text with letters, an address with a host.
    before: &'static str,
    /// Whether the text itself is on one of the pages.
    is_shown: bool,
    /// `{text}` stands for the text, percent-encoded.
    pages: &'static str,
}

/// Pages with the texts of products in lists.
const OF_LISTS: &str = "/ /brands /products /products?q={text} /category/beauty /search/{text} /product/1 \
    /product/2 /feed.xml /sitemap.xml /_data/products";
/// A filter for a brand is kept only if the catalogue has the brand.
const OF_BRANDS: &str = "/brands /products /products?brand={text} /product/1 /product/2 /_data/brands";
const OF_PRODUCTS: &str = "/product/1 /_data/product/1";
const OF_CATEGORIES: &str =
    "/ /categories /categories?q={text} /product/1 /missing /sitemap.xml /llms.txt /_data/categories";

/// Every text that the service sends, those that the shop does not read included.
fn fields() -> Vec<Field> {
    let field = |call: Call, whole: &Value, pointer: String| {
        let is_address = whole.pointer(&pointer)?.as_str()?.starts_with("https://");
        let before = if is_address { "https://cdn.example/" } else { "Zq " };
        let (pages, is_shown) = match (call, &*pointer) {
            (Call::Categories, pointer) => (OF_CATEGORIES, pointer == "/0/name"),
            (_, "/brand") => (OF_BRANDS, true),
            (_, "/category") => (OF_LISTS, false),
            (_, "/title" | "/description" | "/thumbnail") => (OF_LISTS, true),
            (_, "/availabilityStatus" | "/meta/barcode") => (OF_PRODUCTS, false),
            (_, "/reviews/0/reviewerEmail" | "/reviews/0/date") => (OF_PRODUCTS, false),
            _ => (OF_PRODUCTS, true),
        };
        Some(Field { call, pointer, before, is_shown, pages })
    };
    let (product, categories) = (good(1), categories());
    let of_product =
        pointers(&product).into_iter().filter_map(|pointer| field(Call::Product, &product, pointer));
    let first = pointers(&categories).into_iter().filter(|pointer| pointer.starts_with("/0/"));
    let of_category = first.filter_map(|pointer| field(Call::Categories, &categories, pointer));
    of_product.chain(of_category).collect()
}

/// What the service answers if the field has this text.
fn answers(field: &Field, text: &str) -> Vec<BadBody> {
    let value = serde_json::to_vec(text).unwrap();
    let with = |whole| changed(whole, &field.pointer, Change::Replace(&value));
    if field.call == Call::Categories {
        return vec![BadBody::new("", Call::Categories, with(categories()))];
    }
    let product = with(good(1));
    vec![BadBody::new("", Call::List, list(&product, 2..=6)), BadBody::new("", Call::Product, product)]
}

/// The pages of a service's shop as lines; the field has this text.
async fn pages(services: &Services, number: usize, field: &Field, text: &str) -> Result<Vec<Vec<String>>> {
    let (live, mut pages) = (services.live_shop(number), Vec::new());
    for page in field.pages.split(' ') {
        let target = page.replace("{text}", &escaped(text));
        // Only a version has these.
        let answer = match page {
            "/brands" | "/_data/brands" | "/feed.xml" | "/sitemap.xml" => {
                get(&services.read_shop(number).await, &target).await
            }
            _ => get(&live, &target).await,
        };
        let expected: u16 = if page == "/missing" { 404 } else { 200 };
        ensure!(answer.status() == expected, "{target}: {}", answer.status());
        let body = std::str::from_utf8(answer.body())?;
        pages.push(lines(case::text(&answer, "content-type"), body).context(target)?);
    }
    Ok(pages)
}

/// What is wrong with the pages of a field whose text is hostile, beside those with a harmless one.
fn compare(field: &Field, shown: &str, hostile: &[Vec<String>], expected: &[Vec<String>]) -> Result<()> {
    let mut is_shown = false;
    for (page, (hostile, expected)) in field.pages.split(' ').zip(hostile.iter().zip(expected)) {
        let difference = difference(expected, hostile);
        ensure!(difference.is_none(), "{page}: {difference:?}");
        // A page whose address has the text shows it anyway.
        is_shown |= !page.contains("{text}") && hostile.iter().any(|line| line.contains(shown));
    }
    ensure!(is_shown == field.is_shown, "the text is shown: {is_shown}");
    Ok(())
}

/// Puts markup into the catalogue.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes, in a process of its own"]
async fn every_markup() {
    let suite = Suite::begin();
    let fields: Vec<Arc<Field>> = fields().into_iter().map(Arc::new).collect();
    assert_eq!(fields.len(), 20, "texts of a product and of a category");
    let all = fields.iter().flat_map(|field| MARKUP.map(|markup| (Arc::clone(field), markup)));
    let cases: Vec<_> = all.step_by(suite.step).collect();
    let tried: BTreeSet<&str> = cases.iter().map(|(field, _)| &*field.pointer).collect();
    let markups: BTreeSet<&str> = cases.iter().map(|(_, markup)| *markup).collect();
    assert_eq!((tried.len(), markups.len()), (fields.len(), MARKUP.len()), "one is left out");
    // The text of a case, and its harmless twin.
    let texts = |field: &Field, markup: &str| {
        [markup.to_owned(), harmless(markup)].map(|text| format!("{}{text}", field.before))
    };
    let bad = cases.iter().flat_map(|(field, markup)| texts(field, markup).map(|text| answers(field, &text)));
    let services = Services::start(bad.collect()).await;
    let attempt = |(number, (field, markup)): (usize, (Arc<Field>, &'static str))| {
        let ([hostile, twin], services) = (texts(&field, markup), services.clone());
        async move {
            let named = || format!("{} is {markup:?}", field.pointer);
            let got = pages(&services, 2 * number, &field, &hostile).await.with_context(named)?;
            let expected = pages(&services, 2 * number + 1, &field, &twin).await.with_context(named)?;
            compare(&field, harmless(&hostile).trim_end(), &got, &expected).with_context(named)?;
            anyhow::Ok(Duration::ZERO)
        }
    };
    suite.try_all(cases.into_iter().enumerate().collect(), attempt).await;
}

// What a document consists of, as lines that two documents can be compared by.
//
// Elements stand with their attributes, data with its keys, and each at its depth. Texts and values stand with letters
// and digits only, whatever is between them, so that a text may be replaced by its [`harmless`] twin without a
// difference.

/// The text with another character in place of everything that could be markup in any language. Hyphens stay:
/// alone they are no markup, and cards keep words with hyphens in one line.
pub(crate) fn harmless(text: &str) -> String {
    let harmless = |character: char| match character {
        _ if character.is_whitespace() => ' ',
        _ if character.is_alphanumeric() || matches!(character, '.' | ',' | '-') => character,
        _ => 'x',
    };
    text.chars().map(harmless).collect()
}

/// What is left of a text or of an address with a text in it.
fn outline(text: &str) -> String {
    harmless(&percent_decode_str(text).decode_utf8_lossy())
}

/// The lines of a document.
///
/// # Errors
/// When it cannot be parsed as what it says it is.
pub(crate) fn lines(content_type: &str, body: &str) -> Result<Vec<String>> {
    match content_type.split(';').next().unwrap_or_default() {
        "text/html" => of_html(body),
        "application/json" => of_json(body),
        "application/xml" | "application/atom+xml" => of_xml(body),
        // Plain text has no other structure than its lines.
        "text/plain" => Ok(vec![format!("{} lines", body.lines().count())]),
        other => bail!("a content type without a parser: {other}"),
    }
}

fn of_html(text: &str) -> Result<Vec<String>> {
    let document = Html::parse_document(text);
    let mut lines = Vec::new();
    for node in document.tree.root().descendants() {
        let depth = node.ancestors().count();
        let parent = node.parent().and_then(|parent| parent.value().as_element());
        let is_data =
            parent.and_then(|parent| parent.attr("type")).is_some_and(|kind| kind.ends_with("json"));
        match node.value() {
            Node::Element(element) => {
                let attributes = element.attrs().map(|(name, value)| format!(" {name}={}", outline(value)));
                let mut attributes: Vec<String> = attributes.collect();
                attributes.sort_unstable();
                lines.push(format!("{depth} <{}{}>", element.name(), attributes.concat()));
            }
            Node::Text(text) if is_data => lines.extend(of_json(text)?),
            Node::Text(text) => lines.push(format!("{depth} text {}", outline(text))),
            Node::Comment(comment) => lines.push(format!("{depth} comment {}", outline(comment))),
            Node::Document | Node::Fragment => {}
            other => lines.push(format!("{depth} {other:?}")),
        }
    }
    Ok(lines)
}

fn of_xml(text: &str) -> Result<Vec<String>> {
    let document = roxmltree::Document::parse(text)?;
    let lines = document.descendants().map(|node| {
        let attributes = node.attributes().map(|pair| format!(" {}={}", pair.name(), outline(pair.value())));
        let (attributes, text): (String, _) =
            (attributes.collect(), outline(node.text().unwrap_or_default()));
        let (depth, kind, name) = (node.ancestors().count(), node.node_type(), node.tag_name());
        format!("{depth} {kind:?} {name:?}{attributes} {text}")
    });
    Ok(lines.collect())
}

fn of_json(text: &str) -> Result<Vec<String>> {
    let mut value = serde_json::from_str(text)?;
    outline_texts(&mut value);
    Ok(serde_json::to_string_pretty(&value)?.lines().map(str::to_owned).collect())
}

fn outline_texts(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(outline_texts),
        Value::Array(entries) => entries.iter_mut().for_each(outline_texts),
        Value::String(text) => *text = outline(text),
        _ => {}
    }
}

/// The first lines in which two documents differ.
pub(crate) fn difference(expected: &[String], got: &[String]) -> Option<String> {
    let at = expected.iter().zip(got).position(|(expected, got)| expected != got);
    let at = at.or_else(|| (expected.len() != got.len()).then(|| expected.len().min(got.len())))?;
    Some(format!("{:?} instead of {:?}, the lines {at}", got.get(at), expected.get(at)))
}
