//! The texts that shoppers search for.

/// Longest search text, in characters; longer ones are cut.
pub(crate) const MAX_TEXT: usize = 200;

/// Cleans a search text: trims it, replaces control characters by spaces and limits its length.
pub(crate) fn clean(text: &str) -> String {
    let text: String =
        text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    text.trim().chars().take(MAX_TEXT).collect::<String>().trim_end().to_owned()
}
