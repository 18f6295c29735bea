//! The title of a product, made from the titles of its rows.

use super::row::Kind;

/// The titles of a product's rows, from which the product's title is made.
#[derive(Default)]
pub(super) struct Titles {
    first: String,
    /// Whether `first` is the title of the whole product.
    is_own: bool,
    /// With how many common words all titles begin; `None` while they are the same.
    common: Option<usize>,
}

impl Titles {
    /// Adds the title of a row, and that of its group.
    pub(super) fn add(&mut self, title: &str, of_group: &str, kind: Kind) {
        let (title, is_own) = match of_group {
            "" => (title, kind == Kind::Parent),
            of_group => (of_group, true),
        };
        if self.is_own || title.is_empty() {
            return;
        }
        if is_own || self.first.is_empty() {
            (self.first, self.is_own) = (title.to_owned(), is_own);
        } else if title != self.first {
            let same = |(own, other): &(&str, &str)| own == other;
            let words = self.first.split_whitespace().zip(title.split_whitespace()).take_while(same).count();
            self.common = Some(self.common.map_or(words, |common| common.min(words)));
        }
    }

    /// The product's own title, or else the words with which all titles begin. Without either it is the first title.
    pub(super) fn title(&self) -> String {
        match self.common {
            Some(count @ 1..) if !self.is_own => {
                let words: Vec<&str> = self.first.split_whitespace().take(count).collect();
                words.join(" ").trim_end_matches([',', '-', '–', '/', '(', '|', ' ']).to_owned()
            }
            _ => self.first.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_the_words_that_all_its_titles_begin_with() {
        for (titles, expected) in [
            (vec!["Cup"], "Cup"),
            (vec!["Oak Lamp", "Oak Lamp"], "Oak Lamp"),
            (vec!["Oak Lamp - S", "Oak Lamp - M"], "Oak Lamp"),
            (vec!["Oak Lamp", "Oak Lamp, large"], "Oak"),
            (vec!["Red Cup", "Blue Cup"], "Red Cup"),
            (vec![], ""),
        ] {
            let mut known = Titles::default();
            titles.iter().for_each(|title| known.add(title, "", Kind::Any));
            assert_eq!(known.title(), expected, "{titles:?}");
        }
        let mut known = Titles::default();
        known.add("Lamp S", "", Kind::Variation);
        known.add("Lamp", "", Kind::Parent);
        known.add("Lampe M", "", Kind::Variation);
        assert_eq!(known.title(), "Lamp");
    }
}
