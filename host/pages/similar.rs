//! How similar two words are.

/// Fewest and most characters of a word that is compared.
const MIN_WORD: usize = 3;
pub(super) const MAX_WORD: usize = 24;

/// The words of a text: its longest parts of letters and digits.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// A word that can be compared.
pub(super) struct Word {
    characters: [char; MAX_WORD],
    length: usize,
}

impl Word {
    /// `None` for a word that is too short or too long.
    pub(super) fn new(word: &str) -> Option<Self> {
        let mut characters = ['\0'; MAX_WORD];
        let mut length = 0;
        for character in word.chars() {
            *characters.get_mut(length)? = character;
            length += 1;
        }
        (length >= MIN_WORD).then_some(Self { characters, length })
    }

    fn characters(&self) -> &[char] {
        &self.characters[..self.length]
    }

    /// The number of changes that make the other word of this one: characters inserted, left out, replaced, or
    /// swapped with their neighbours (optimal string alignment). `None` if it takes more than a slip of the
    /// finger: one change in a short word, two in a long one.
    pub(super) fn distance(&self, other: &Self) -> Option<usize> {
        let most = match self.length {
            ..=3 => 0,
            4..=5 => 1,
            _ => 2,
        };
        if self.length.abs_diff(other.length) > most {
            return None;
        }
        let (own, others) = (self.characters(), other.characters());
        let mut before_last = [0; MAX_WORD + 1];
        let mut last: [usize; MAX_WORD + 1] = std::array::from_fn(|column| column);
        for row in 1..=own.len() {
            let mut current = [row; MAX_WORD + 1];
            for column in 1..=others.len() {
                let replaced = last[column - 1] + usize::from(own[row - 1] != others[column - 1]);
                current[column] = replaced.min(last[column] + 1).min(current[column - 1] + 1);
                let swapped = row > 1
                    && column > 1
                    && own[row - 1] == others[column - 2]
                    && own[row - 2] == others[column - 1];
                if swapped {
                    current[column] = current[column].min(before_last[column - 2] + 1);
                }
            }
            (before_last, last) = (last, current);
        }
        Some(last[others.len()]).filter(|&changes| changes <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ_by_a_slip_of_the_finger_or_too_much() {
        for (one, other, distance) in [
            ("lamp", "lamp", Some(0)),
            ("lamp", "lamps", Some(1)),
            ("lapm", "lamp", Some(1)),
            ("lamp", "lime", None),
            ("tea", "ten", None),
            ("lipstik", "lipstick", Some(1)),
            ("mascra", "mascara", Some(1)),
            ("perfmue", "perfumes", Some(2)),
            ("perfume", "performance", None),
            ("\u{e4}pfel", "apfel", Some(1)),
        ] {
            let found = Word::new(one).unwrap().distance(&Word::new(other).unwrap());
            assert_eq!(found, distance, "{one} and {other}");
        }
    }

    #[test]
    fn only_words_of_usual_length_are_compared() {
        for (word, usual) in [("ab", false), ("abc", true), (&"w".repeat(24), true), (&"w".repeat(25), false)]
        {
            assert_eq!(Word::new(word).is_some(), usual, "{word}");
        }
    }
}
