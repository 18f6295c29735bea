//! How similar words are.

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
pub(crate) fn is_without_spaces(character: char) -> bool {
    matches!(
        character,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
    )
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

    /// As [`Self::distance`], if the words begin so alike that one may be meant by the other. Few slips concern the first
    /// letter: it is left out, doubled, or swapped with the second one. A word that differs otherwise at its beginning
    /// looks like another word.
    pub(crate) fn resembles(&self, other: &Word<impl AsRef<str>>) -> Option<usize> {
        begin_alike(self.text.as_ref(), other.text.as_ref()).then(|| self.distance(other))?
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

fn begin_alike(one: &str, other: &str) -> bool {
    let begin = |word: &str| {
        let mut letters = word.chars();
        (letters.next(), letters.next())
    };
    let ((first, second), (other_first, other_second)) = (begin(one), begin(other));
    let lacks_first = |short: &str, long: &str| {
        let mut letters = long.chars();
        letters.next().is_some() && letters.as_str() == short
    };
    first == other_first
        || (first == other_second && second == other_first)
        || lacks_first(one, other)
        || lacks_first(other, one)
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
    fn another_first_letter_makes_another_word() {
        for (one, resembles) in [("ettle", true), ("ekttle", true), ("kkettle", true), ("mettle", false)] {
            let [one, kettle] = [one, "kettle"].map(|word| Word::new(word).unwrap());
            assert_eq!(one.resembles(&kettle).is_some(), resembles, "{}", one.text);
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
