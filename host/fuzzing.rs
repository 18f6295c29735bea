//! Ways into private parsers, and documents of any text, for the targets in `fuzz/` alone: each takes
//! any input, and what has to be true of the outcome is checked.
//!
//! Only built with the feature `fuzzing`, which nothing but those targets asks for, and for tests.

use crate::catalogue::{Product, Review, Slug, Summary};
use crate::contract::{self, Categories, Category, CategoryCard, Content, Page, ProductCard};
use crate::document::Document;
use crate::format::{self, OriginalPrice};
use crate::page_json::PageJson;
use crate::seo::Head;
use crate::site::Site;

#[cfg(feature = "fuzzing")]
pub use crate::catalogue::check_parsers;
#[cfg(feature = "fuzzing")]
pub use crate::pages::check_address;

/// The documents of a list of categories and of a product, with the same text in all their texts.
///
/// # Errors
/// Fails when a document cannot be put together, which no text can cause.
pub fn documents(text: &str, site: &Site) -> anyhow::Result<[String; 2]> {
    let product = product(text);
    let Summary { id, title, brand, thumbnail, price, .. } = product.summary.clone();
    let price = format::price(price, 0.0, OriginalPrice::Exact);
    let card = ProductCard { id, title, brand, thumbnail, price, rating: 5.0, stock: 1 };
    let related = contract::Product { product: None, failed: false, related: vec![card] };
    let category =
        CategoryCard { slug: text.into(), name: text.into(), thumbnail: Some(text.into()), count: Some(1) };
    let categories = Categories { query: text.into(), categories: vec![category], failed: false };
    Ok([
        document(text, Content::Categories(categories), None, site)?,
        document(text, Content::Product(Box::new(related)), Some(&product), site)?,
    ])
}

fn document(text: &str, content: Content, product: Option<&Product>, site: &Site) -> anyhow::Result<String> {
    let page = Page {
        path: format!("/{text}"),
        canonical: format!("/{text}"),
        status: 200,
        title: text.into(),
        robots: "index,follow",
        categories: vec![Category { slug: text.into(), name: text.into() }],
        content,
    };
    let (head, json) = (Head::new(&page, product, site)?, PageJson::new(&page)?);
    Ok(Document { page: &page, head: &head, json: &json, markup: Some("<p>markup</p>") }.html()?)
}

fn product(text: &str) -> Product {
    let summary = Summary {
        id: 1,
        title: text.into(),
        description: text.into(),
        category: Slug::parse("beauty"),
        brand: Some(text.into()),
        price: 9.99,
        discount_percentage: 0.0,
        rating: 5.0,
        stock: 1,
        thumbnail: Some(text.into()),
    };
    let review = Review {
        reviewer_name: text.into(),
        rating: 5,
        date: "2025-04-30T09:41:02Z".into(),
        comment: text.into(),
    };
    Product {
        summary,
        tags: vec![text.into()],
        sku: text.into(),
        gtin13: None,
        weight: Some(1.0),
        dimensions: None,
        warranty: text.into(),
        shipping: text.into(),
        returns: text.into(),
        minimum_order_quantity: 1,
        images: vec![text.into()],
        reviews: vec![review],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use scraper::{Html, Node};

    use super::*;

    /// Every element of a document with the names of its attributes, and every comment.
    fn outline(html: &str) -> Vec<String> {
        let nodes = Html::parse_document(html);
        let nodes = nodes.tree.nodes().filter_map(|node| match node.value() {
            Node::Element(element) => {
                let attributes: std::collections::BTreeSet<&str> =
                    element.attrs().map(|(name, _)| name).collect();
                Some(format!("{} {attributes:?}", element.name()))
            }
            Node::Comment(comment) => Some(format!("comment {}", &**comment)),
            _ => None,
        });
        nodes.collect()
    }

    proptest! {
        #[test]
        fn no_text_becomes_markup(
            text in any::<String>(),
            hostile in "(<!--|-->|]]>|</script>|</title>|<b a=1>|[\"'&<>/\\x00-\\x20\u{2028}]|&lt;|&#60;|a){0,12}",
        ) {
            let site = Site::new(&"https://shop.example".parse().unwrap(), Vec::new());
            let plain = documents("text", &site).unwrap().map(|html| outline(&html));
            prop_assert_eq!(documents(&format!("{text}{hostile}"), &site).unwrap().map(|html| outline(&html)), plain);
        }
    }
}
