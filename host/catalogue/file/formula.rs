//! The apostrophe that keeps spreadsheets from taking a text in a table for a formula.

use std::borrow::Cow;

const APOSTROPHE: char = '\'';

/// Whether spreadsheets may take a cell for a formula.
pub(super) fn looks_like_formula(cell: &str) -> bool {
    // East Asian spreadsheets also accept the fullwidth forms of these signs.
    const SIGNS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    let is_skipped = |letter: char| {
        letter.is_whitespace() || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    };
    cell.starts_with(['\t', '\r']) || cell.trim_start_matches(is_skipped).starts_with(SIGNS)
}

/// Whether a cell with this text is escaped. A text that already looks escaped is escaped too; otherwise a reader would
/// remove its first sign.
fn is_escaped(text: &str) -> bool {
    looks_like_formula(text.trim_start_matches(APOSTROPHE))
}

/// A cell with this text that no spreadsheet takes for a formula. [`unescape_formula`] restores the text.
pub(crate) fn escape_formula(text: &str) -> Cow<'_, str> {
    if is_escaped(text) { format!("{APOSTROPHE}{text}").into() } else { text.into() }
}

/// The text of a cell, without that apostrophe.
pub(super) fn unescape_formula(cell: &str) -> &str {
    cell.trim().strip_prefix(APOSTROPHE).filter(|text| is_escaped(text)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_may_be_a_formula_is_escaped() {
        for text in
            ["=1+1", "+1", "-5 degrees", "@a", "\t=1", "\rx", " =1", "'=1", "''-1", "\u{ff1d}1", "\u{200b}=1"]
        {
            assert_eq!(escape_formula(text), format!("'{text}"));
        }
        for text in ["", "'quoted'", "a=b", "5 - 3", "'", "'' a"] {
            assert_eq!(escape_formula(text), text);
        }
    }

    proptest! {
        #[test]
        fn an_escaped_text_is_restored(text in "['=+@a \u{ff1d}\u{200b}-]{0,6}") {
            let text = text.trim();
            let cell = escape_formula(text);
            prop_assert_eq!(unescape_formula(&cell), text);
        }
    }
}
