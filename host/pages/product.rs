//! `/product/{id}`

use super::address::{Address, Located};
use super::queries::Queries;
use super::{Draft, cards};
use crate::catalogue::{Dimensions, Product, ProductId, Slug, Summary};
use crate::contract::{Category, Content, Product as ProductContent, ProductCard, ProductDetail, Review};
use crate::format::{self, OriginalPrice};

/// How many products of the same category are shown below.
const RELATED: usize = 8;

pub fn locate(text: &str, raw_query: &str) -> Located {
    match parse_id(text) {
        None => Located::Page(Address::NoProduct(text.into())),
        Some(id) if id.to_string() == text => Located::Page(Address::Product(id)),
        Some(id) => Located::moved(&format!("/product/{id}"), raw_query),
    }
}

pub async fn draft(queries: &Queries<'_>, id: ProductId) -> Draft {
    let path = format!("/product/{id}");
    match queries.ask("product", queries.catalogue.product(id)).await {
        None => missing(path, true),
        Some(None) => missing(path, false),
        Some(Some(product)) => {
            let (related, title) = tokio::join!(related(queries, &product), title(queries, &product));
            let content = ProductContent { product: Some(detail(&product)), failed: false, related };
            let draft = Draft::new(path, title, Content::Product(Box::new(content)));
            Draft { product: Some(product), ..draft }
        }
    }
}

/// Digits only; `parse` alone would also take a sign.
fn parse_id(text: &str) -> Option<ProductId> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?.filter(|id| *id > 0)
}

/// The page of a product that does not exist, or that the catalogue did not answer for.
pub fn missing(path: String, failed: bool) -> Draft {
    let content = ProductContent { product: None, failed, related: Vec::new() };
    let draft = Draft::new(path, "Product not found", Content::Product(Box::new(content)));
    if failed { draft.unavailable() } else { draft.not_found() }
}

/// The product's title; with its category where an earlier product is called the same, so that
/// search engines can tell them apart.
async fn title(queries: &Queries<'_>, product: &Product) -> String {
    let Summary { id, title, category, .. } = &product.summary;
    let all = queries.ask("all products", queries.catalogue.all_products()).await.unwrap_or_default();
    match category {
        Some(category) if all.products().iter().any(|other| other.id < *id && other.title == *title) => {
            format!("{title} ({})", category.title())
        }
        _ => title.clone(),
    }
}

/// The next products of the category, in a circle, so that neighbours lead to each other.
async fn related(queries: &Queries<'_>, product: &Product) -> Vec<ProductCard> {
    let Some(category) = &product.summary.category else { return Vec::new() };
    let shelf = queries.ask("related products", queries.catalogue.category_products(category)).await;
    let Some(shelf) = shelf else { return Vec::new() };
    let products = shelf.products();
    let own = products.iter().position(|other| other.id == product.summary.id);
    let after = own.map_or(0, |own| own + 1);
    let circle = products.iter().cycle().skip(after).take(products.len());
    cards::product_cards(circle.filter(|other| other.id != product.summary.id).take(RELATED))
}

fn detail(product: &Product) -> ProductDetail {
    let summary = &product.summary;
    ProductDetail {
        id: summary.id,
        title: summary.title.clone(),
        description: summary.description.clone(),
        category: summary
            .category
            .as_ref()
            .map(|slug| Category { slug: slug.to_string(), name: Slug::title(slug) }),
        brand: summary.brand.clone(),
        sku: product.sku.clone(),
        tags: product.tags.clone(),
        price: format::price(summary.price, summary.discount_percentage, OriginalPrice::Exact),
        rating: summary.rating,
        stock: summary.stock,
        minimum_order_quantity: product.minimum_order_quantity,
        dimensions: product
            .dimensions
            .map(|Dimensions { width, height, depth }| format::dimensions(width, height, depth)),
        weight: product.weight.map(format::weight),
        warranty: product.warranty.clone(),
        shipping: product.shipping.clone(),
        returns: product.returns.clone(),
        images: product.images.clone(),
        thumbnail: summary.thumbnail.clone(),
        reviews: product
            .reviews
            .iter()
            .map(|review| Review {
                reviewer_name: review.reviewer_name.clone(),
                rating: review.rating,
                date: review.date.clone(),
                date_text: format::date(&review.date).unwrap_or_default(),
                comment: review.comment.clone(),
            })
            .collect(),
    }
}
