//! A page's description as search results and link previews show it.

/// Longest description, in characters: about what search results show.
const LONGEST: usize = 155;

/// Cuts after the last word that fits, and appends `...`.
pub(super) fn trim_at_word(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LONGEST {
        return words;
    }
    let cut: String = words.chars().take(LONGEST - 3).collect();
    let whole = cut.rfind(' ').map_or(cut.as_str(), |at| &cut[..at]);
    format!("{}...", whole.trim_end_matches([',', '.', ':', ';', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_ends_with_a_whole_word() {
        let trimmed = trim_at_word(&"several words, ".repeat(40));
        assert!(trimmed.chars().count() <= LONGEST && trimmed.ends_with("words..."), "{trimmed}");
        assert_eq!(trim_at_word(&"x".repeat(400)).chars().count(), LONGEST);
        assert_eq!(trim_at_word("  short \n text "), "short text");
    }
}
