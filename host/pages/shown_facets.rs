//! Which choices of a filter group a listing shows.

use std::cmp::Reverse;

use super::shortened::{NAME, shortened};
use crate::contract::{Facet, Facets};
use crate::facets::SHOWN;

/// Most choices of a group that are shown when a visitor asks for more.
const MOST_SHOWN: usize = 500;

/// Keeps the choices with the most products, and the selected ones, in their order; counts the others. Their
/// names are cut, their values are not.
pub(super) fn limit(facets: &mut Facets, all: bool) {
    let most = if all { MOST_SHOWN } else { SHOWN };
    for group in facets.all_choices() {
        group.hidden = keep_largest(&mut group.choices, most);
        for facet in &mut group.choices {
            facet.name = shortened(&facet.name, NAME);
        }
    }
}

/// Returns how many choices were left out.
fn keep_largest(facets: &mut Vec<Facet>, most: usize) -> u32 {
    let before = facets.len();
    if before <= most {
        return 0;
    }
    let rank = |facet: &Facet, position: usize| (Reverse(facet.count), position);
    let mut ranks: Vec<_> = facets.iter().zip(0..).map(|(facet, position)| rank(facet, position)).collect();
    let (_, &mut first_left_out, _) = ranks.select_nth_unstable(most);
    let mut position = 0..;
    facets.retain(|facet| {
        let position = position.next().unwrap_or_default();
        facet.selected || rank(facet, position) < first_left_out
    });
    u32::try_from(before - facets.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{ChoiceFacets, FacetGroup};
    use crate::facets::{BRAND, CATEGORY};

    fn facet(number: usize, count: u32) -> Facet {
        let name = format!("{number:05}");
        Facet { value: name.clone(), name, count, selected: false }
    }

    #[test]
    fn the_largest_and_the_selected_choices_stay_in_their_order() {
        let mut facets: Vec<Facet> =
            [5, 1, 9, 1, 7, 0].into_iter().enumerate().map(|(n, count)| facet(n, count)).collect();
        facets[5].selected = true;
        assert_eq!(keep_largest(&mut facets, 3), 2);
        let shown: Vec<&str> = facets.iter().map(|facet| facet.name.as_str()).collect();
        assert_eq!(shown, ["00000", "00002", "00004", "00005"]);
    }

    #[test]
    fn of_equal_choices_the_first_stay() {
        let mut facets: Vec<Facet> = (0..5).map(|number| facet(number, 1)).collect();
        assert_eq!((keep_largest(&mut facets, 2), facets.len()), (3, 2));
        assert_eq!(facets[1].name, "00001");
    }

    #[test]
    fn even_all_choices_are_bounded() {
        let many = || (0..5_000).map(|number| facet(number, 1)).collect::<Vec<_>>();
        for (all, shown) in [(false, SHOWN), (true, MOST_SHOWN)] {
            let mut facets = Facets::default();
            for parameter in [BRAND, CATEGORY] {
                facets.set(parameter, FacetGroup::Choices(ChoiceFacets { choices: many(), hidden: 0 }));
            }
            limit(&mut facets, all);
            for parameter in [BRAND, CATEGORY] {
                assert_eq!(facets.choices(parameter).len(), shown);
                assert_eq!(facets.hidden(parameter) as usize, 5_000 - shown);
            }
        }
    }
}
