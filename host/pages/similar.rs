//! How similar two words are.

/// Fewest and most characters of a word that is compared.
const MIN_WORD: usize = 3;
const MAX_WORD: usize = 24;

/// The words of a text: its longest parts of letters and digits.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a word is one that is compared.
pub(super) fn is_usual(word: &str) -> bool {
    // In UTF-8 a character has up to four bytes; most texts need not be counted.
    word.len() <= 4 * MAX_WORD && (MIN_WORD..=MAX_WORD).contains(&word.chars().count())
}

/// The number of changes that make the other word of this one: characters inserted, left out, replaced, or
/// swapped with their neighbours. `None` if it takes more than a slip of the finger: one change in a short
/// word, two in a long one.
pub(super) fn distance(asked: &str, other: &str) -> Option<usize> {
    let length = asked.chars().count();
    let most = match length {
        ..=3 => 0,
        4..=5 => 1,
        _ => 2,
    };
    if length.abs_diff(other.chars().count()) > most {
        return None;
    }
    Some(strsim::osa_distance(asked, other)).filter(|&changes| changes <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ_by_a_slip_of_the_finger_or_too_much() {
        for (one, other, expected) in [
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
            assert_eq!(super::distance(one, other), expected, "{one} and {other}");
        }
    }

    #[test]
    fn only_words_of_usual_length_are_compared() {
        for (word, usual) in [("ab", false), ("abc", true), (&"w".repeat(24), true), (&"w".repeat(25), false)]
        {
            assert_eq!(is_usual(word), usual, "{word}");
        }
    }
}
