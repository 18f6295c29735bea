//! Filters, counts and sorts the products of every listing.
//!
//! One pass over the products suffices: each facet group is counted with every filter except its own,
//! so a product that fails exactly one group still counts for that group's facets. The pass reads and
//! returns positions; no product is copied, and nothing is sorted. It goes through the products in blocks, so that it
//! branches on the kind of a filter once for each block, and the values of a block stay in the processor's cache.

use super::counts::Count;
use super::option_choice::OptionChoice;
use super::option_counts::OptionCounts;
use super::price_caps::PriceCaps;
use super::selection::{Failed, Test};
use super::table::{Kind, TABLE};
use crate::catalogue::ProductSet;
use crate::catalogue::search::fold;
use crate::contract::{Facets, Filters};
use crate::profile::NumberFormat;

/// Number of products in a block.
const BLOCK: usize = 256;

/// The bit for a row of the table.
fn group(row: usize) -> Failed {
    1 << row
}

/// The bit of the options, which are one group.
const OPTIONS: Failed = 1 << TABLE.len();

/// The result of filtering a product set.
#[derive(Debug)]
pub struct Filtered {
    /// Positions of the matching products in the set's store, in display order.
    pub matches: Vec<u32>,
    pub facets: Facets,
    /// How many of the matches each round price would leave.
    pub caps: PriceCaps,
}

/// Applies `filters` to `products`, and counts the facets, whose prices `numbers` formats.
pub fn apply(products: &ProductSet, filters: &Filters, numbers: &NumberFormat) -> Filtered {
    let store = products.store();
    let text =
        TABLE.iter().find(|facet| facet.kind == Kind::Text).map_or("", |facet| filters.text(facet.parameter));
    let needle = fold(text);
    let mut selection: Vec<(Failed, Test<'_>)> = Vec::new();
    let mut counts = Vec::new();
    for (row, facet) in TABLE.iter().enumerate() {
        selection.extend(Test::new(facet, store, filters, &needle).map(|test| (group(row), test)));
        counts.extend(Count::new(facet, store).map(|count| (group(row), facet, count)));
    }
    let choice = OptionChoice::new(store, filters);
    let admitted = choice.admitted(store.for_sale(), products.positions().len());
    selection.extend(admitted.map(|admitted| (OPTIONS, Test::IsForSale(admitted))));
    let mut options = OptionCounts::new(products);
    // The text search is the slowest filter, so it comes last and skips products that two others reject.
    selection.sort_by_key(|(_, test)| test.is_slow());

    let mut matches = Vec::new();
    let mut caps = PriceCaps::below(products.price_stops(), store.currency());
    let mut block = [0; BLOCK];
    for positions in products.positions().chunks(BLOCK) {
        let failed = &mut block[..positions.len()];
        failed.fill(0);
        for (group, test) in &selection {
            test.mark(*group, store, positions, failed);
        }
        for (group, _, count) in &mut counts {
            count.add(*group, store, positions, failed);
        }
        if let Some(options) = &mut options {
            options.add(OPTIONS, store, positions, failed);
        }
        for (&position, _) in positions.iter().zip(failed).filter(|(_, failed)| **failed == 0) {
            matches.push(position);
            caps.add(store.price(position));
        }
    }
    matches = products.sort(filters.sort, matches);
    let mut facets = Facets::default();
    for (_, facet, count) in counts {
        if let Some(group) = count.into_group(facet, products, filters, numbers) {
            facets.set(facet.parameter, group);
        }
    }
    if let Some(options) = options {
        options.add_groups(products, &choice, &mut facets);
    }
    Filtered { matches, facets, caps }
}
