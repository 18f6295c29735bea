//! The title of a product, made from the titles of its rows.

use super::row::{Kind, Position};
use crate::catalogue::variant::VariantOption;

/// Signs that stand between a title and what distinguishes a variant.
const SEPARATORS: [char; 8] = [',', '-', '–', '—', '/', '|', ':', ' '];

/// So many rows of a product are looked at; fewer are sold.
const MOST: usize = 1_000;

/// The titles of a product's rows, from which the product's title is made.
#[derive(Default)]
pub(super) struct Titles {
    first: String,
    /// Whether `first` is the title of the whole product.
    is_own: bool,
    /// The rows with that title.
    rows: Vec<Position>,
    /// The other titles, with their rows.
    others: Vec<(Position, Box<str>)>,
}

impl Titles {
    /// Adds the title of a row, and that of its group.
    pub(super) fn add(&mut self, title: &str, of_group: &str, kind: Kind, row: Position) {
        let (title, is_own) = match of_group {
            "" => (title, kind == Kind::Parent),
            of_group => (of_group, true),
        };
        let has_room = is_own || self.rows.len() + self.others.len() < MOST;
        if self.is_own || title.is_empty() || !has_room {
            return;
        }
        if is_own || self.first.is_empty() {
            (self.first, self.is_own) = (title.to_owned(), is_own);
            // Most products have one row.
            self.rows = Vec::with_capacity(1);
            self.rows.push(row);
        } else if title == self.first {
            self.rows.push(row);
        } else {
            self.others.push((row, title.into()));
        }
    }

    /// Leaves out the titles of these rows, unless nothing is left.
    pub(super) fn leave_out(&mut self, is_left_out: impl Fn(Position) -> bool) {
        if self.is_own {
            return;
        }
        let is_kept = self.rows.iter().any(|row| !is_left_out(*row));
        let mut kept = std::mem::take(&mut self.others);
        kept.retain(|(row, _)| !is_left_out(*row));
        if !is_kept && !kept.is_empty() {
            self.first = kept.remove(0).1.into();
        }
        self.others = kept;
    }

    /// Whether no row has a title.
    pub(super) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// The product's own title, or else the words with which all titles begin, if they are at least half of the shortest
    /// one. Otherwise it is the first title without the values of the first variant's `options`.
    pub(super) fn title(&self, options: &[VariantOption]) -> String {
        let others = || self.others.iter().map(|(_, title)| &**title);
        if self.is_own || others().all(|title| title == self.first) {
            return self.first.clone();
        }
        let same = |(own, other): &(&str, &str)| bare(own) == bare(other);
        let in_common = |title: &str| {
            self.first.split_whitespace().zip(title.split_whitespace()).take_while(same).count()
        };
        let count = others().map(in_common).min().unwrap_or_default();
        let length = |title: &str| title.chars().count();
        let shortest = others().map(length).fold(length(&self.first), usize::min);
        let words: Vec<&str> = self.first.split_whitespace().take(count).collect();
        let words = words.join(" ");
        let common = without_separators(&words);
        if 2 * common.chars().count() >= shortest {
            return without_name(common, options).to_owned();
        }
        let rest = without_values(&self.first, options);
        without_name(&rest, options).to_owned()
    }
}

/// A title without the name of an option at its end, as in "Shirt - Color", if something is left.
fn without_name<'a>(title: &'a str, options: &[VariantOption]) -> &'a str {
    match title.rsplit_once(' ') {
        Some((before, last)) if options.iter().any(|option| option.name.eq_ignore_ascii_case(last)) => {
            without_separators(before)
        }
        _ => title,
    }
}

/// A word without the sign that ends it.
fn bare(word: &str) -> &str {
    match word.trim_end_matches(SEPARATORS) {
        "" => word,
        bare => bare,
    }
}

fn without_separators(title: &str) -> &str {
    title.trim_end_matches(SEPARATORS).trim_end_matches(['(', '[']).trim_end_matches(SEPARATORS)
}

/// A title without the words that are values of these options, unless nothing is left of it.
fn without_values(title: &str, options: &[VariantOption]) -> String {
    let mut words: Vec<&str> = title.split_whitespace().collect();
    for option in options {
        let value: Vec<String> = option.value.split_whitespace().map(str::to_lowercase).collect();
        let is_value = |part: &[&str]| {
            let word =
                |word: &str| word.trim_matches(['(', ')', '[', ']']).trim_matches(SEPARATORS).to_lowercase();
            part.iter().zip(&value).all(|(own, value)| word(own) == *value)
        };
        if !value.is_empty()
            && let Some(at) = words.windows(value.len()).position(is_value)
        {
            words.drain(at..at + value.len());
        }
    }
    let left = words.join(" ");
    let left = without_separators(left.trim_start_matches(SEPARATORS));
    if left.is_empty() { title.to_owned() } else { left.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, value: &str) -> VariantOption {
        VariantOption { name: name.into(), value: value.into() }
    }

    #[test]
    fn a_group_has_the_words_that_all_its_titles_begin_with() {
        let options = [option("Color", "Red"), option("Size", "Extra Large")];
        for (titles, expected) in [
            (vec!["Cup"], "Cup"),
            (vec!["Oak Lamp", "Oak Lamp"], "Oak Lamp"),
            (vec!["Oak Lamp - S", "Oak Lamp - M"], "Oak Lamp"),
            (vec!["Oak Lamp", "Oak Lamp, large"], "Oak Lamp"),
            (vec!["Oak Lamp (large)", "Oak Lamp (small)"], "Oak Lamp"),
            (vec!["Shirt - Color: Red", "Shirt - Color: Blue"], "Shirt"),
            (vec!["The Red Cup", "The Blue Cup"], "The Cup"),
            (vec!["Acme Bowl, Extra Large", "Acme Large Tray"], "Acme Bowl"),
            (vec!["Red Cup", "Blue Cup"], "Cup"),
            (vec!["Red", "Blue"], "Red"),
            (vec![], ""),
        ] {
            let mut known = Titles::default();
            titles.iter().for_each(|title| known.add(title, "", Kind::Any, Position::default()));
            assert_eq!(known.title(&options), expected, "{titles:?}");
        }
        let mut known = Titles::default();
        known.add("Lamp S", "", Kind::Variation, Position::default());
        known.add("Lamp", "", Kind::Parent, Position::default());
        known.add("Lampe M", "", Kind::Variation, Position::default());
        assert_eq!(known.title(&[]), "Lamp");
    }
}
