//! The filters in a query string. Defaults are left out, and invalid values are ignored.

use std::collections::BTreeSet;

use super::clean::clean;
use super::option_choice::place;
use super::table::{Facet, Kind, TABLE};
use crate::catalogue::{ProductSet, Slug};
use crate::contract::{FilterValue, Filters, Sort};

/// The largest number of values of a repeated parameter; further values are ignored.
const MAX_VALUES: usize = 50;

/// The parameter that sorts a listing.
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

/// Reads the filters from the parameters of a query string. Other parameters are ignored; of a parameter that must not
/// be repeated, the last value counts.
pub(crate) fn read<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Filters {
    let values = |parameter: &'static str| {
        pairs.clone().filter(move |(name, _)| *name == parameter).map(|(_, value)| value)
    };
    let mut filters = Filters::default();
    for facet in &TABLE {
        if let Some(value) = facet.read(values(facet.parameter)) {
            filters.set(facet.parameter, value);
        }
    }
    let sort = values(SORT).last();
    filters.sort = SORTS.iter().find(|(known, _)| sort == Some(known)).map(|(_, sort)| *sort);
    filters.all_facets = values(FACETS).last() == Some(ALL_FACETS);
    filters
}

/// Passes the parameters of the filters to `write`, in their order.
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

/// Removes filters that have no effect on these products, so that invented filters make no pages of
/// their own: a lowest price of 0, a limit at or above the highest price, names that do not occur, a tag that no product is known to carry,
/// and the wish for more choices if there are no more. A tag and the value of an option get the catalogue's spelling. Unless the
/// shop has ratings (`is_rated`), products are not filtered or sorted by rating.
pub(crate) fn limit(filters: &mut Filters, products: &ProductSet, is_rated: bool) {
    let store = products.store();
    let mut has_more = false;
    for facet @ Facet { parameter, kind, .. } in &TABLE {
        match kind {
            Kind::Highest if filters.number(parameter) >= Some(products.price_ceiling()) => {
                filters.remove(parameter);
            }
            Kind::From if filters.number(parameter) == Some(0) => filters.remove(parameter),
            Kind::Lowest if !is_rated => filters.remove(parameter),
            Kind::Choice(column) => {
                let occurring = products.occurring(*column);
                has_more |= occurring.len() > facet.at_first();
                let occurs = |name: &str| {
                    store.number(*column, name).is_some_and(|number| occurring.binary_search(&number).is_ok())
                };
                filters.retain(parameter, occurs);
            }
            Kind::Option(option) => {
                let (place, for_sale) = (place(*option), store.for_sale());
                let occurring = products.occurring_values(place);
                has_more |= occurring.len() > facet.at_first();
                let chosen = filters.names(parameter).iter();
                let chosen = chosen.filter_map(|value| for_sale.number(place, value));
                let values = chosen
                    .filter(|number| occurring.binary_search(number).is_ok())
                    .map(|number| for_sale.spelling(place, number).to_owned());
                filters.set(parameter, FilterValue::Names(values.collect()));
            }
            Kind::Tag => {
                let known = store.tags().number(filters.text(parameter));
                let tag = known.map_or_else(String::new, |number| store.tags().spelling(number).into());
                filters.set(parameter, FilterValue::Text(tag));
            }
            Kind::Text | Kind::From | Kind::Highest | Kind::Lowest | Kind::Flag(_) => {}
        }
    }
    filters.all_facets &= has_more;
    filters.sort = filters.sort.filter(|sort| is_rated || *sort != Sort::RatingDesc);
}

impl Facet {
    /// The filter's value, given the values of its parameter; `None` if they do not set it.
    fn read<'a>(&self, values: impl Iterator<Item = &'a str>) -> Option<FilterValue> {
        match self.kind {
            Kind::Choice(_) | Kind::Option(_) => {
                let names: BTreeSet<_> = values.filter_map(|value| self.name(value)).collect();
                Some(FilterValue::Names(names.into_iter().take(MAX_VALUES).collect()))
            }
            Kind::Text | Kind::Tag => values.last().map(|text| FilterValue::Text(clean(text))),
            Kind::From | Kind::Highest => values.last()?.trim().parse().ok().map(FilterValue::Number),
            Kind::Lowest => {
                let stars = values.last()?.parse().ok();
                stars.filter(|stars| (1..=5).contains(stars)).map(FilterValue::Number)
            }
            Kind::Flag(_) => (values.last()? == "1").then_some(FilterValue::Set),
        }
    }

    /// The name that a value of the parameter stands for; `None` if it cannot be a name.
    fn name(&self, value: &str) -> Option<String> {
        if self.slugs {
            return Slug::parse(value).map(|slug| slug.to_string());
        }
        Some(clean(value)).filter(|name| !name.is_empty())
    }
}
