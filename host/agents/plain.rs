//! Texts of products as assistants read them: without characters that people do not see.

/// A text of at most `limit` characters, without control, bidirectional and tag characters, which can hide instructions
/// from people who look at it.
pub(super) fn plain(text: &str, limit: usize) -> String {
    let seen = text.chars().filter(|&letter| letter == '\n' || !is_hidden(letter));
    let mut plain: String = seen.clone().take(limit).collect();
    if limit > 0 && seen.count() > limit {
        plain.pop();
        plain.truncate(plain.trim_end().len());
        plain.push('\u{2026}');
    }
    plain
}

fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_do_not_see_is_left_out_and_long_texts_are_cut() {
        let hidden = "a\u{202e}b\u{7}c\u{e0041}\u{e007f}\nd\u{2066}";
        assert_eq!(plain(hidden, 10), "abc\nd");
        assert_eq!(plain("sch\u{f6}ne \u{1f6d2}", 20), "sch\u{f6}ne \u{1f6d2}");
        assert_eq!(plain("one two three", 8), "one two\u{2026}");
    }
}
