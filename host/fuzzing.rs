//! Entry points for the fuzz targets in `fuzz/`: private parsers that check their own invariants, and
//! documents with arbitrary texts.
//!
//! Built only for tests and with the feature `fuzzing`, which only the fuzz targets enable.

use std::sync::Arc;

use anyhow::Context as _;

use crate::catalogue::{Availability, Product, Review, ReviewDate, Slug, Summary, products_of};
use crate::contract::{self, Categories, Category, CategoryCard, Content, Page, PageJson, ProductCard};
use crate::document::Site;
use crate::document::head::Head;
use crate::document::html::Document;
use crate::document::service_worker::ServiceWorker;
use crate::pages::draft::Metadata;
use crate::pages::prices;
use crate::profile::{Money, NumberFormat, OriginalPrice, Profile};

pub use crate::catalogue::{check_parsers, check_product, check_summary};
pub use crate::pictures::check_header;
pub use crate::shop::check_address;

/// Reads bytes as the file of a catalogue, and checks the products that it has.
///
/// # Panics
/// When one of them is not within its bounds.
pub fn check_file(bytes: &[u8]) {
    if let Ok(products) = products_of(bytes, 0) {
        products.into_iter().for_each(|mut product| {
            // The check is for a service, whose keys are numbers.
            product.summary.id = 1.into();
            check_product(&product);
        });
    }
}

/// The documents of a page of categories and of a product page, with `text` in every text field.
///
/// # Errors
/// Fails when a document cannot be assembled, which no text may cause.
pub fn documents(text: &str, site: &Site) -> anyhow::Result<[String; 2]> {
    let product = product(text)?;
    let Summary { id, title, brand, thumbnail, price, second, .. } = product.summary.clone();
    let price = prices::price(&NumberFormat::default(), price, 0.0, None, OriginalPrice::Exact);
    let card = ProductCard {
        id: id.to_string(),
        title,
        brand,
        thumbnail,
        tint: 7,
        second,
        price,
        rating: Some(contract::Rating { value: 5.0, text: text.into() }),
        availability: None,
        no_cart: false,
        number: None,
        facts: None,
        no_heart: false,
        colours: vec![text.into()],
    };
    let related = contract::Product { product: None, failed: false, related: vec![card] };
    let category = CategoryCard {
        slug: text.into(),
        name: text.into(),
        thumbnail: Some(text.into()),
        count: Some(1),
        tint: 7,
    };
    let categories =
        Categories { query: text.into(), categories: vec![category], pages: None, failed: false };
    let metadata = |product| Metadata { product, ..Metadata::new(text) };
    Ok([
        document(text, Content::Categories(categories), &metadata(None), site)?,
        document(text, Content::Product(Box::new(related)), &metadata(Some(Arc::new(product))), site)?,
    ])
}

fn document(text: &str, content: Content, metadata: &Metadata, site: &Site) -> anyhow::Result<String> {
    let profile = Profile { name: text.into(), language: text.into(), ..Profile::default() };
    let page = Page {
        shop: Arc::new(contract::Shop::from(&profile)),
        path: format!("/{text}"),
        canonical: format!("/{text}"),
        status: 200,
        title: text.into(),
        robots: "index,follow",
        categories: vec![Category { slug: text.into(), name: text.into() }],
        category_total: Some(1_000),
        empty: Vec::new(),
        content,
    };
    let (head, json) = (Head::new(&page, metadata, site, &profile)?, PageJson::new(&page)?);
    Ok(Document {
        profile: &profile,
        page: &page,
        head: &head,
        json: &json,
        markup: Some("<p>markup</p>"),
        service_worker: ServiceWorker::Off,
        texts: None,
    }
    .html()?)
}

fn product(text: &str) -> anyhow::Result<Product> {
    let text = || text.to_owned();
    Ok(Product {
        summary: Summary {
            id: 1.into(),
            title: text(),
            description: text(),
            category: Slug::parse("beauty"),
            brand: Some(text()),
            price: Money::from_minor(999),
            rating: Some(5.0),
            availability: Availability::of_stock(1),
            thumbnail: Some(text()),
            second: Some(text()),
            ..Summary::default()
        },
        tags: vec![text()],
        sku: text(),
        warranty: text(),
        shipping: text(),
        returns: text(),
        images: vec![text()],
        reviews: Some(vec![Review {
            reviewer_name: text(),
            rating: 5,
            date: ReviewDate::parse("2025-04-30T09:41:02Z").context("a review has a date")?,
            comment: text(),
        }]),
        ..Product::default()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use scraper::{Html, Node};

    use super::*;

    /// Every element of a document with its attributes' names, and every comment.
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
