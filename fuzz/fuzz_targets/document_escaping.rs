//! Puts any text into every text of a page. The document must have the same elements with the same
//! attributes as with harmless text, so that no text becomes markup.

#![no_main]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use scraper::{Html, Node};
use vitrine::fuzzing::documents;
use vitrine::document::Site;

static SITE: LazyLock<Site> =
    LazyLock::new(|| Site::new(&"https://shop.example".parse().unwrap(), Vec::new()));
static EXPECTED: LazyLock<[Vec<String>; 2]> = LazyLock::new(|| outlines("text"));

fn outlines(text: &str) -> [Vec<String>; 2] {
    documents(text, &SITE).unwrap().map(|html| outline(&html))
}

/// Every element with its attributes' names, and every comment.
fn outline(html: &str) -> Vec<String> {
    let html = Html::parse_document(html);
    let nodes = html.tree.nodes().filter_map(|node| match node.value() {
        Node::Element(element) => {
            let attributes: BTreeSet<&str> = element.attrs().map(|(name, _)| name).collect();
            Some(format!("{} {attributes:?}", element.name()))
        }
        Node::Comment(comment) => Some(format!("comment {}", &**comment)),
        _ => None,
    });
    nodes.collect()
}

fuzz_target!(|text: &str| assert_eq!(outlines(text), *EXPECTED));
