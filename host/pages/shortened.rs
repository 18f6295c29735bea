//! Cuts long texts where lists show them.

/// Longest title of a product in a list, in characters.
pub(super) const TITLE: usize = 120;
/// Longest name of a brand or category in a list, in characters.
pub(super) const NAME: usize = 60;

/// The text, or its beginning with an ellipsis: `most` characters altogether.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(most.saturating_sub(1)) else { return text.into() };
    // The rest is one character, which fits.
    if text[end..].chars().nth(1).is_none() {
        return text.into();
    }
    format!("{}…", text[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn only_longer_texts_are_cut() {
        for (text, most, shown) in [
            ("", 3, ""),
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("ab d", 4, "ab d"),
            ("ab de", 4, "ab…"),
            ("\u{1f6d2}\u{1f6d2}\u{1f6d2}", 2, "\u{1f6d2}…"),
        ] {
            assert_eq!(shortened(text, most), shown, "{text} in {most}");
        }
    }
}
