//! Names, such as those of brands, as programs write them.

use std::borrow::Cow;

use super::plain::decoded;

/// A name without entities; empty if it only says that there is none.
pub(super) fn name(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if is_nothing(text) {
        return Cow::default();
    }
    if text.contains('&') { decoded(text) } else { text.into() }
}

/// Whether a program wrote it for a missing value.
pub(crate) fn is_nothing(text: &str) -> bool {
    const NOTHING: [&str; 15] = [
        "",
        "-",
        "--",
        "–",
        "null",
        "nil",
        "none",
        "n/a",
        "nan",
        "undefined",
        "#n/a",
        "#ref!",
        "#value!",
        "#name?",
        "#div/0!",
    ];
    NOTHING.iter().any(|nothing| text.eq_ignore_ascii_case(nothing))
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_name_has_no_entities_and_may_be_missing() {
        for (written, expected) in [
            ("Salt &amp; Pepper", "Salt & Pepper"),
            ("H&M", "H&M"),
            ("L&#39;Or", "L'Or"),
            (" NULL ", ""),
            ("N/A", ""),
            ("None", ""),
            ("nan", ""),
            ("-", ""),
            ("#REF!", ""),
            ("Nano", "Nano"),
        ] {
            assert_eq!(name(written), expected, "{written}");
        }
    }
}
