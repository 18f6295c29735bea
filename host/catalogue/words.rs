//! Words of texts, and how similar they are.

use super::search::is_mark;

/// The smallest and the largest length of a word that is compared, in characters.
const MIN_WORD: usize = 3;
const MAX_WORD: usize = 24;

/// A word that is compared with others, in lower case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<Text> {
    pub(crate) text: Text,
    /// In characters.
    length: usize,
    /// The set of its characters, by the last six bits of each. A change of one character changes at most two bits,
    /// which tells most words apart without comparing them.
    characters: u64,
}

/// Whether a character belongs to a script that puts no spaces between words: those of Thai, Lao, Burmese and Khmer,
/// kana and ideographs.
fn is_without_spaces(character: char) -> bool {
    matches!(
        character,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
    )
}

/// The words of a text: its longest runs of letters (with their marks) and digits.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let divides = |character: char| !character.is_alphanumeric() && !is_mark(character);
    text.split(divides).filter(|word| !word.is_empty())
}

impl<Text: AsRef<str>> Word<Text> {
    /// `None` if the word is too short or too long to be compared, or belongs to a script without spaces, in which a
    /// word cannot be told from a sentence.
    pub(crate) fn new(text: Text) -> Option<Self> {
        let word = text.as_ref();
        // In UTF-8 a character has up to four bytes; most texts need not be counted.
        let length = if word.len() <= 4 * MAX_WORD { word.chars().count() } else { usize::MAX };
        let characters = word.chars().fold(0, |set, character| set | 1 << (u32::from(character) % u64::BITS));
        let is_word = (MIN_WORD..=MAX_WORD).contains(&length) && !word.chars().any(is_without_spaces);
        is_word.then_some(Self { text, length, characters })
    }

    /// The number of changes that turn this word into the other one: characters inserted, left out, replaced, or
    /// swapped with their neighbours. `None` if it takes more than a slip of the finger: one change from four
    /// characters on, two from eight.
    pub(crate) fn distance(&self, other: &Word<impl AsRef<str>>) -> Option<usize> {
        let most = match self.length {
            ..=3 => 0,
            4..=7 => 1,
            _ => 2,
        };
        let changed = (self.characters ^ other.characters).count_ones() as usize;
        if self.length.abs_diff(other.length) > most || changed > 2 * most {
            return None;
        }
        let changes = strsim::osa_distance(self.text.as_ref(), other.text.as_ref());
        Some(changes).filter(|&changes| changes <= most)
    }
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
            ("perfmue", "perfume", Some(1)),
            ("perfmue", "perfumes", None),
            ("smratphnoe", "smartphone", Some(2)),
            ("perfume", "performance", None),
            ("\u{e4}pfel", "apfel", Some(1)),
        ] {
            let [first, second] = [one, other].map(|word| Word::new(word).unwrap());
            assert_eq!(first.distance(&second), expected, "{one} and {other}");
        }
    }

    #[test]
    fn marks_are_parts_of_words() {
        for (text, expected) in [
            ("red cup, 2 l", &["red", "cup", "2", "l"][..]),
            // Ga, decomposed as folding leaves it, and virama.
            ("\u{30ab}\u{3099}\u{30e9}\u{30b9} \u{82b1}", &["\u{30ab}\u{3099}\u{30e9}\u{30b9}", "\u{82b1}"]),
            ("\u{915}\u{94d}\u{930}\u{940}\u{92e}", &["\u{915}\u{94d}\u{930}\u{940}\u{92e}"]),
            ("\u{e40}\u{e14}\u{e47}\u{e01}", &["\u{e40}\u{e14}\u{e47}\u{e01}"]),
        ] {
            assert!(words(text).eq(expected.iter().copied()), "{text}");
        }
    }

    #[test]
    fn only_words_of_usual_length_are_compared() {
        for (word, usual) in [
            ("ab", false),
            ("abc", true),
            (&"w".repeat(24), true),
            (&"w".repeat(25), false),
            ("\u{43b}\u{430}\u{43c}\u{43f}\u{430}", true),
            ("\u{767d}\u{8272}\u{706f}\u{5177}", false),
            ("\u{e40}\u{e14}\u{e47}\u{e01}", false),
        ] {
            assert_eq!(Word::new(word).is_some(), usual, "{word}");
        }
    }

    /// The sets of characters only save comparisons.
    #[test]
    fn a_distance_is_that_of_a_whole_comparison() {
        let words = [
            "lamp",
            "lapm",
            "lampe",
            "clamps",
            "stampede",
            "stampeed",
            "\u{e4}pfel",
            "\u{1e4}pfel",
            "2000w",
            "200w",
        ];
        let words = words.map(|word| Word::new(word).unwrap());
        for (one, other) in words.iter().flat_map(|one| words.iter().map(move |other| (one, other))) {
            let most = [0, 0, 0, 0, 1, 1, 1, 1].get(one.length).copied().unwrap_or(2);
            let whole = Some(strsim::osa_distance(one.text, other.text)).filter(|&changes| changes <= most);
            assert_eq!(one.distance(other), whole, "{} and {}", one.text, other.text);
        }
    }
}
