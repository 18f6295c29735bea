//! From the catalogue's products to the contract's cards.

use crate::catalogue::{Category, Summary};
use crate::contract;
use crate::format::{self, OriginalPrice};

pub fn product_card(product: &Summary) -> contract::ProductCard {
    contract::ProductCard {
        id: product.id,
        title: product.title.clone(),
        brand: product.brand.clone(),
        thumbnail: product.thumbnail.clone(),
        price: format::price(product.price, product.discount_percentage, OriginalPrice::Rounded),
        rating: product.rating,
        stock: product.stock,
    }
}

pub fn product_cards<'a>(products: impl IntoIterator<Item = &'a Summary>) -> Vec<contract::ProductCard> {
    products.into_iter().map(product_card).collect()
}

pub fn category(category: &Category) -> contract::Category {
    contract::Category { slug: category.slug.to_string(), name: category.name.clone() }
}
