//! `/brands`

use std::sync::Arc;

use super::address::{Address, Preset};
use super::draft::{Draft, Metadata};
use super::listing_query::ListingQuery;
use super::pages_of::page_of;
use super::questions::Questions;
use super::shortened::{NAME, shortened};
use crate::catalogue::ProductSet;
use crate::catalogue::columns::Column;
use crate::contract::{Brand, Brands, Content, FilterValue, Filters};
use crate::facets;
use crate::texts::Key;

/// Most brands on one page.
const PAGE_SIZE: usize = 200;

pub(crate) async fn draft(questions: &Questions<'_>, page: u32) -> Draft {
    let all = match questions.stock.version() {
        Some(version) => {
            let products = Arc::clone(version.products());
            questions.compute(products.bytes_read(), move || count_brands(&products)).await
        }
        None => None,
    };
    let reading = questions.stock.reading();
    let failed = all.is_none();
    let all = all.unwrap_or_default();
    let (shown, pages) = page_of(&all, PAGE_SIZE, page);
    let short = |brand: &Brand| Brand { name: shortened(&brand.name, NAME), ..brand.clone() };
    let brands: Vec<Brand> = shown.iter().map(short).collect();
    let names: Vec<&str> = brands.iter().map(|brand| brand.name.as_str()).collect();
    let texts = questions.texts();
    let names = names.join(texts.text(Key::ListSeparator));
    let description = match pages.page_count {
        _ if reading.is_some() => texts.text(Key::Reading).into(),
        _ if failed => texts.text(Key::CouldNotReach).into(),
        0 | 1 => texts.count(Key::AboutBrands, all.len(), &[&names]),
        _ => texts.count(Key::AboutSomeBrands, all.len(), &[&names]),
    };
    let is_indexable = questions.stock.features().brands;
    let metadata = Metadata { is_indexable, ..Metadata::new(description) };
    // Without an answer it is not known which pages there are.
    let address = Address::Brands { page: if failed { page } else { pages.page } };
    let pages = (pages.page_count > 1).then_some(pages);
    let draft = Draft::new(
        address,
        texts.text(Key::Brands),
        Content::Brands(Brands { brands, pages, reading, failed }),
        metadata,
    );
    if failed { draft.unavailable() } else { draft }
}

fn count_brands(products: &ProductSet) -> Vec<Brand> {
    let brand = |(name, count): (&String, u32)| Brand { name: name.clone(), count, href: href(name) };
    counted(products).map(brand).collect()
}

/// Every brand with the number of its products.
pub(super) fn counted(products: &ProductSet) -> impl Iterator<Item = (&String, u32)> {
    let store = products.store();
    let names = store.names(Column::Brand);
    let mut counts = vec![0; names.len()];
    for &position in products.positions() {
        // A product without a brand has a number that no brand has.
        if let Some(count) = counts.get_mut(store.name(Column::Brand, position) as usize) {
            *count += 1;
        }
    }
    names.iter().zip(counts)
}

/// The address of the listing of a brand's products.
pub(super) fn href(brand: &str) -> String {
    let filters = Filters::default().with(facets::BRAND, FilterValue::Names(vec![brand.into()]));
    ListingQuery { filters, ..ListingQuery::default() }.href(Preset::All.path())
}
