//! Searches that resemble one that finds nothing.

use crate::catalogue::ProductSet;
use crate::catalogue::search::{Rules, words_of};
use crate::process::compute::OffRuntime;

/// Most similar words that are offered.
const WORDS: usize = 4;
/// Most words of a search that is shortened.
const MOST_COUNTED: usize = 6;

/// Searches that resemble one for a folded text and find something: similar words by themselves, then this search without
/// its rarest word.
pub(super) fn similar_searches(off: &OffRuntime, text: &str, all: &ProductSet, rules: &Rules) -> Vec<String> {
    let mut searches = all.similar_words(off, text, rules, WORDS);
    searches.extend(without_rarest(off, text, all, rules).filter(|search| !searches.contains(search)));
    searches
}

/// The search without the words that find nothing or, if each finds something, without the rarest word whose removal
/// makes it find something.
fn without_rarest(off: &OffRuntime, text: &str, all: &ProductSet, rules: &Rules) -> Option<String> {
    let words: Vec<&str> = words_of(text).take(MOST_COUNTED + 1).collect();
    if !(2..=MOST_COUNTED).contains(&words.len()) {
        return None;
    }
    let counts: Vec<usize> = words.iter().map(|word| all.number_found(off, word, rules)).collect();
    let without = |is_left_out: &dyn Fn(usize) -> bool| {
        let kept = (0..).zip(&words).filter(|(at, _)| !is_left_out(*at)).map(|(_, word)| *word);
        let search = kept.collect::<Vec<_>>().join(" ");
        let finds =
            |search: &String| !search.is_empty() && all.best_found(off, search, rules, 1).next().is_some();
        Some(search).filter(finds)
    };
    if counts.contains(&0) {
        return without(&|at| counts[at] == 0);
    }
    let mut rarest: Vec<usize> = (0..words.len()).collect();
    rarest.sort_by_key(|&at| counts[at]);
    rarest.into_iter().find_map(|left_out| without(&|at| at == left_out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Summary;
    use crate::catalogue::search::fold;
    use crate::profile::Currency;

    fn searches(text: &str) -> Vec<String> {
        let titles =
            ["Red Lipstick", "Red Lamp", "Green Lamp", "Kitchen Scales", "\u{767d}\u{8272}\u{706f}\u{5177}"];
        let product =
            |(title, id): (&str, u64)| Summary { id: id.into(), title: title.into(), ..Summary::default() };
        let all = ProductSet::new(titles.into_iter().zip(1..).map(product).collect(), Currency::default());
        similar_searches(&OffRuntime::of_own_thread(), &fold(text), &all, &Rules::default())
    }

    #[test]
    fn the_rarest_word_is_left_out() {
        assert_eq!(searches("red xyzzy"), ["red"]);
        assert_eq!(searches("xyzzy green plugh lamp"), ["lamp", "green", "green lamp"]);
        // Each word is somewhere, but no product has them all.
        assert_eq!(searches("green kitchen lamp"), ["lamp", "green", "kitchen", "green lamp"]);
        assert_eq!(searches("xyzzy plugh"), [""; 0]);
    }

    #[test]
    fn words_of_scripts_without_spaces_are_not_replaced() {
        assert_eq!(searches("\u{767d}\u{8272}\u{706f}\u{5178}"), [""; 0]);
    }
}
