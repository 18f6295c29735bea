//! No text of a page becomes markup of its document: however the texts read, the document has the
//! same elements with the same attributes.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use scraper::{Html, Node};
use vitrine::contract::{Categories, Category, CategoryCard, Content, Page};
use vitrine::document::Document;
use vitrine::page_json::PageJson;
use vitrine::seo::Head;
use vitrine::site::Site;

static SITE: LazyLock<Site> =
    LazyLock::new(|| Site::new(&"https://shop.example".parse().unwrap(), Vec::new()));
static EXPECTED: LazyLock<Vec<String>> = LazyLock::new(|| outline(&document("text")));

fn document(text: &str) -> String {
    let category = CategoryCard { slug: text.into(), name: text.into(), thumbnail: Some(text.into()), count: Some(1) };
    let page = Page {
        path: format!("/{text}"),
        canonical: format!("/{text}"),
        status: 200,
        title: text.into(),
        categories: vec![Category { slug: text.into(), name: text.into() }],
        content: Content::Categories(Categories { query: text.into(), categories: vec![category], failed: false }),
    };
    let head = Head::new(&page, None, &SITE).unwrap();
    let json = PageJson::new(&page).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(json.as_str()).unwrap()["title"], text);
    Document { page: &page, head: &head, json: &json, markup: Some("<p>markup</p>") }.html().unwrap()
}

/// Every element with the names of its attributes.
fn outline(html: &str) -> Vec<String> {
    let html = Html::parse_document(html);
    let nodes = html.tree.nodes().filter_map(|node| match node.value() {
        Node::Element(element) => {
            let mut attributes: Vec<&str> = element.attrs().map(|(name, _)| name).collect();
            attributes.sort_unstable();
            Some(format!("{} {}", element.name(), attributes.join(" ")))
        }
        Node::Comment(comment) => Some(format!("comment {}", &**comment)),
        _ => None,
    });
    nodes.collect()
}

fuzz_target!(|text: &str| assert_eq!(outline(&document(text)), *EXPECTED));
