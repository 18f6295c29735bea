//! `/brands`

use super::address::{Address, Preset};
use super::draft::{Draft, Metadata};
use super::listing_query::ListingQuery;
use super::questions::Questions;
use crate::catalogue::{Listing, ProductSet};
use crate::contract::{Brand, Brands, Content, Filters};

pub(crate) async fn draft(questions: &Questions<'_>) -> Draft {
    let products = questions.ask(Listing::All).await;
    let brands = match products {
        Some(products) => questions.compute(move || count_brands(&products)).await,
        None => None,
    };
    let failed = brands.is_none();
    let brands = brands.unwrap_or_default();
    let names: Vec<&str> = brands.iter().map(|brand| brand.name.as_str()).collect();
    let metadata = Metadata::new(format!("All {} brands of the shop: {}.", names.len(), names.join(", ")));
    let draft = Draft::new(Address::Brands, "Brands", Content::Brands(Brands { brands, failed }), metadata);
    if failed { draft.unavailable() } else { draft }
}

fn count_brands(products: &ProductSet) -> Vec<Brand> {
    let index = products.index();
    let names = index.brands();
    let mut counts = vec![0; names.len()];
    for &position in products.positions() {
        if let Some(count) = counts.get_mut(index.facts(position).brand as usize) {
            *count += 1;
        }
    }
    let brand = |(name, count): (&String, u32)| {
        let filters = Filters { brands: vec![name.clone()], ..Filters::default() };
        let href = ListingQuery { filters, page: 1 }.href(Preset::All.path());
        Brand { name: name.clone(), count, href }
    };
    let mut brands: Vec<Brand> = names.iter().zip(counts).map(brand).collect();
    brands.sort_by_cached_key(|brand| brand.name.to_lowercase());
    brands
}
