//! `/brands`

use super::Draft;
use super::queries::Queries;
use super::query::ListingQuery;
use crate::contract::{Brand, Brands, Content, Filters};
use crate::shelf::Shelf;

pub async fn draft(queries: &Queries<'_>) -> Draft {
    let shelf = queries.ask("all products", queries.catalogue.all_products()).await;
    let failed = shelf.is_none();
    let brands = shelf.map(|shelf| count_brands(&shelf)).unwrap_or_default();
    let draft = Draft::new("/brands", "Brands", Content::Brands(Brands { brands, failed }));
    if failed { draft.unavailable() } else { draft }
}

fn count_brands(shelf: &Shelf) -> Vec<Brand> {
    let names = &shelf.brands().names;
    let mut counts = vec![0; names.len()];
    for &brand in &shelf.brands().of_product {
        if let Some(count) = counts.get_mut(brand as usize) {
            *count += 1;
        }
    }
    let mut brands: Vec<Brand> = names
        .iter()
        .zip(counts)
        .map(|(name, count)| {
            let filters = Filters { brands: vec![name.clone()], ..Filters::default() };
            Brand { name: name.clone(), count, href: ListingQuery { filters, page: 1 }.href("/products") }
        })
        .collect();
    brands.sort_by_cached_key(|brand| brand.name.to_lowercase());
    brands
}
