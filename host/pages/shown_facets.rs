//! Which choices of a filter group a listing shows.

use std::cmp::Reverse;

use super::shortened::{NAME, shortened};
use crate::contract::{Choice, Facets};
use crate::facets::TABLE;

/// Most choices of a group that are shown when a visitor asks for more.
const MOST_SHOWN: usize = 500;

/// Keeps the choices with the most products, and the selected ones, in their order; counts the others. Their
/// names are cut, their values are not.
pub(super) fn limit(facets: &mut Facets, all: bool) {
    for facet in &TABLE {
        let Some(group) = facets.choices_mut(facet.parameter) else { continue };
        let most = if all { MOST_SHOWN } else { facet.at_first() };
        group.hidden = keep_largest(&mut group.choices, most);
        for choice in &mut group.choices {
            let shown = shortened(choice.shown(), NAME);
            choice.name = Some(shown).filter(|name| *name != choice.value);
        }
    }
}

/// Returns how many choices were left out.
fn keep_largest(choices: &mut Vec<Choice>, most: usize) -> u32 {
    let before = choices.len();
    if before <= most {
        return 0;
    }
    let rank = |choice: &Choice, position: usize| (Reverse(choice.count), position);
    let mut ranks: Vec<_> =
        choices.iter().zip(0..).map(|(choice, position)| rank(choice, position)).collect();
    let (_, &mut first_left_out, _) = ranks.select_nth_unstable(most);
    let mut position = 0..;
    choices.retain(|choice| {
        let position = position.next().unwrap_or_default();
        choice.selected || rank(choice, position) < first_left_out
    });
    u32::try_from(before - choices.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{ChoiceFacets, FacetGroup};
    use crate::facets::BRAND;

    fn choice(number: usize, count: u32) -> Choice {
        Choice { value: format!("{number:05}"), name: None, count, selected: false }
    }

    #[test]
    fn the_largest_and_the_selected_choices_stay_in_their_order() {
        let mut choices: Vec<Choice> =
            [5, 1, 9, 1, 7, 0].into_iter().enumerate().map(|(n, count)| choice(n, count)).collect();
        choices[5].selected = true;
        assert_eq!(keep_largest(&mut choices, 3), 2);
        let shown: Vec<&str> = choices.iter().map(Choice::shown).collect();
        assert_eq!(shown, ["00000", "00002", "00004", "00005"]);
    }

    #[test]
    fn of_equal_choices_the_first_stay() {
        let mut choices: Vec<Choice> = (0..5).map(|number| choice(number, 1)).collect();
        assert_eq!((keep_largest(&mut choices, 2), choices.len()), (3, 2));
        assert_eq!(choices[1].shown(), "00001");
    }

    #[test]
    fn even_all_choices_are_bounded() {
        let many = || (0..5_000).map(|number| choice(number, 1)).collect::<Vec<_>>();
        for (all, names, values) in [(false, 100, 40), (true, MOST_SHOWN, MOST_SHOWN)] {
            let mut facets = Facets::default();
            for parameter in [BRAND, "size"] {
                facets.set(parameter, FacetGroup::Choices(ChoiceFacets { choices: many(), hidden: 0 }));
            }
            limit(&mut facets, all);
            for (parameter, shown) in [(BRAND, names), ("size", values)] {
                assert_eq!(facets.choices(parameter).len(), shown);
                assert_eq!(facets.hidden(parameter) as usize, 5_000 - shown);
            }
        }
    }
}
