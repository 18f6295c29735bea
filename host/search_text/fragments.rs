//! The words that texts are searched by.

use std::ops::Range;

use super::is_mark;

/// The ranges of a folded text's words: its longest parts with nothing but letters (with their marks) and digits, and
/// with only ASCII or no ASCII, because many scripts put no space between their letters and ASCII.
pub(crate) fn fragments(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at;
            match bytes.get(at)? {
                byte if byte.is_ascii_alphanumeric() => {
                    let rest = &bytes[at..];
                    at += rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
                }
                byte if byte.is_ascii() => {
                    at += 1;
                    continue;
                }
                _ => {
                    let rest = &text[at..];
                    at += rest.find(|letter| !is_beyond_ascii(letter)).unwrap_or(rest.len());
                    if at == start {
                        at += rest.chars().next().map_or(1, char::len_utf8);
                        continue;
                    }
                }
            }
            return Some(start..at);
        }
    })
}

/// The words of a folded text.
pub(crate) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    fragments(text).map(|range| &text[range])
}

/// Whether a character that is not ASCII belongs to a word.
fn is_beyond_ascii(character: char) -> bool {
    !character.is_ascii() && (character.is_alphanumeric() || is_mark(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_signs_and_where_a_script_changes() {
        for (text, expected) in [
            ("red cup, 2 l", &["red", "cup", "2", "l"][..]),
            ("women's t shirt", &["women", "s", "t", "shirt"]),
            ("lamp\u{767d}\u{8272}\u{3001}50ml", &["lamp", "\u{767d}\u{8272}", "50ml"]),
            // Ga, decomposed as folding leaves it, and virama.
            ("\u{304b}\u{3099}\u{3089} \u{82b1}", &["\u{304b}\u{3099}\u{3089}", "\u{82b1}"]),
            ("\u{915}\u{94d}\u{930}", &["\u{915}\u{94d}\u{930}"]),
            ("\u{1f6d2} & ...", &[]),
        ] {
            assert!(words_of(text).eq(expected.iter().copied()), "{text}");
        }
    }
}
