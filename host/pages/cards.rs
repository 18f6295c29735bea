//! Converts the catalogue's products and categories to the contract's types.

use crate::catalogue::{Category, Summary};
use crate::contract::format::{self, OriginalPrice};
use crate::contract::{self, ProductCard};

fn product_card(product: &Summary) -> ProductCard {
    ProductCard {
        id: product.id,
        title: product.title.clone(),
        brand: product.brand.clone(),
        thumbnail: product.thumbnail.clone(),
        price: format::price(product.price, product.discount_percentage, OriginalPrice::Rounded),
        rating: product.rating,
        stock: product.stock,
    }
}

pub(super) fn product_cards<'a>(products: impl IntoIterator<Item = &'a Summary>) -> Vec<ProductCard> {
    products.into_iter().map(product_card).collect()
}

/// The entries of the header's menu.
pub(crate) fn categories(categories: &[Category]) -> Vec<contract::Category> {
    let entry = |category: &Category| contract::Category {
        slug: category.slug.to_string(),
        name: category.name.clone(),
    };
    categories.iter().map(entry).collect()
}
