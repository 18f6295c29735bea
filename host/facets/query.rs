//! The filters in a query string. Defaults are left out, and invalid values are ignored.

use super::clean::clean;
use super::table::{Facet, Kind, TABLE};
use crate::catalogue::ProductSet;
use crate::contract::{FilterValue, Filters, Sort};

/// Most choices of a group that are shown at first, besides selected ones.
pub(crate) const SHOWN: usize = 100;
/// Most values of a repeated parameter; further ones are ignored.
const MAX_VALUES: usize = 50;

/// The parameter of the order.
const SORT: &str = "sort";
const SORTS: [(&str, Sort); 3] =
    [("price-asc", Sort::PriceAsc), ("price-desc", Sort::PriceDesc), ("rating-desc", Sort::RatingDesc)];
/// The parameter that shows more choices, and its value.
const FACETS: &str = "facets";
const ALL_FACETS: &str = "all";

/// The parameters that filter or sort a listing, in their order.
pub(crate) fn parameters() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|facet| facet.parameter).chain([SORT, FACETS])
}

/// Reads the filters from the parameters of a query string. Others are ignored; of one that is not repeated the last
/// value counts.
pub(crate) fn read<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Filters {
    let mut filters = Filters::default();
    for (parameter, value) in pairs {
        match parameter {
            SORT => filters.sort = SORTS.iter().find(|(known, _)| *known == value).map(|(_, sort)| *sort),
            FACETS => filters.all_facets = value == ALL_FACETS,
            _ => {
                if let Some(facet) = TABLE.iter().find(|facet| facet.parameter == parameter) {
                    facet.read(&mut filters, value);
                }
            }
        }
    }
    filters.settle(MAX_VALUES);
    filters
}

/// Gives the parameters of the filters to `write`, in their order.
pub(crate) fn write(filters: &Filters, mut write: impl FnMut(&str, &str)) {
    for Facet { parameter, .. } in &TABLE {
        match filters.get(parameter) {
            None => {}
            Some(FilterValue::Text(text)) => write(parameter, text),
            Some(FilterValue::Number(number)) => write(parameter, &number.to_string()),
            Some(FilterValue::Names(names)) => names.iter().for_each(|name| write(parameter, name)),
            Some(FilterValue::Set) => write(parameter, "1"),
        }
    }
    if let Some((name, _)) = SORTS.iter().find(|(_, sort)| filters.sort == Some(*sort)) {
        write(SORT, name);
    }
    if filters.all_facets {
        write(FACETS, ALL_FACETS);
    }
}

/// Leaves out filters that have no effect on these products, so that invented ones make no pages of
/// their own: a limit at or above the highest price, names that do not occur, a tag that no product is known to carry,
/// and more choices where there are no more. A tag gets the catalogue's spelling. Unless the
/// shop has ratings (`is_rated`), nothing is filtered or sorted by them.
pub(crate) fn limit(filters: &mut Filters, products: &ProductSet, is_rated: bool) {
    let index = products.index();
    let mut most = 0;
    for Facet { parameter, kind, .. } in &TABLE {
        match kind {
            Kind::Highest if filters.number(parameter) >= Some(products.price_ceiling()) => {
                filters.remove(parameter);
            }
            Kind::Lowest if !is_rated => filters.remove(parameter),
            Kind::Choice(column) => {
                let occurring = products.occurring(*column);
                most = most.max(occurring.len());
                let occurs = |name: &str| {
                    column.number(index, name).is_some_and(|number| occurring.binary_search(&number).is_ok())
                };
                filters.retain(parameter, occurs);
            }
            Kind::Tag => {
                let known = index.tags().number(filters.text(parameter));
                let tag = known.map_or_else(String::new, |number| index.tags().spelling(number).into());
                filters.set(parameter, FilterValue::Text(tag));
            }
            Kind::Text | Kind::Highest | Kind::Lowest | Kind::Flag(_) => {}
        }
    }
    filters.all_facets &= most > SHOWN;
    filters.sort = filters.sort.filter(|sort| is_rated || *sort != Sort::RatingDesc);
}

impl Facet {
    fn read(&self, filters: &mut Filters, value: &str) {
        let read = match self.kind {
            Kind::Text | Kind::Tag => Some(FilterValue::Text(clean(value))),
            Kind::Highest => value.trim().parse().ok().map(FilterValue::Number),
            Kind::Lowest => {
                value.parse().ok().filter(|stars| (1..=5).contains(stars)).map(FilterValue::Number)
            }
            Kind::Flag(_) => (value == "1").then_some(FilterValue::Set),
            Kind::Choice(column) => {
                column.name(value).into_iter().for_each(|name| filters.push(self.parameter, name));
                return;
            }
        };
        match read {
            Some(read) => filters.set(self.parameter, read),
            None => filters.remove(self.parameter),
        }
    }
}
