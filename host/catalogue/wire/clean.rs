//! Values that a page may show, made of whatever the service sent.

/// Longest name or label that is kept, in characters.
pub const MAX_LABEL: usize = 120;
/// Longest address that is kept, in bytes.
const MAX_ADDRESS: usize = 2_000;

/// Thirteen digits of which the last is the check digit: with weights 1 and 3 in turn, the sum is a
/// multiple of ten (GS1 General Specifications, check digit calculation).
pub fn is_gtin13(barcode: &str) -> bool {
    let digits: Option<Vec<u32>> = barcode.chars().map(|character| character.to_digit(10)).collect();
    digits.is_some_and(|digits| {
        let weighted = digits.iter().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight);
        digits.len() == 13 && weighted.sum::<u32>().is_multiple_of(10)
    })
}

/// The whole number, within what the type holds: casts of floats saturate.
pub fn count(number: f64) -> u32 {
    number.round() as u32
}

/// Trims, turns control characters into spaces, and cuts after `limit` characters. What is blank
/// for a reader is empty afterwards.
pub fn text(value: &str, limit: usize) -> String {
    // The two noncharacters may not even stand in XML.
    let readable = |character: char| !character.is_control() && !matches!(character, '\u{fffe}' | '\u{ffff}');
    let text: String = value
        .trim_matches(|character: char| character.is_whitespace() || !readable(character))
        .chars()
        .take(limit)
        .map(|character| if readable(character) { character } else { ' ' })
        .collect();
    text.trim_end().into()
}

pub fn some_text(value: &str, limit: usize) -> Option<String> {
    Some(text(value, limit)).filter(|text| !text.is_empty())
}

/// An image's address: `http(s)`, or a path on this host. Anything else could run script or leave
/// the page's policy.
pub fn address(value: String) -> Option<String> {
    let on_this_host = value.starts_with('/') && !value.starts_with("//") && !value.contains('\\');
    if value.len() > MAX_ADDRESS {
        return None;
    }
    if on_this_host {
        return value.bytes().all(|byte| byte.is_ascii_graphic()).then_some(value);
    }
    let url = url::Url::parse(&value).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_images_that_a_page_may_show_are_kept() {
        for (given, kept) in [
            ("https://cdn.example/a%20b/1.webp", Some("https://cdn.example/a%20b/1.webp")),
            ("https://cdn.example/a b.webp", Some("https://cdn.example/a%20b.webp")),
            ("/sample-images/mug-rose-1.svg", Some("/sample-images/mug-rose-1.svg")),
            ("//evil.example/x", None),
            ("/\\evil.example/x", None),
            ("data:image/svg+xml,<svg/>", None),
            ("not an address", None),
        ] {
            assert_eq!(address(given.into()).as_deref(), kept, "{given}");
        }
    }

    #[test]
    fn a_text_without_anything_to_read_is_none() {
        for blank in ["", " ", "\0", "\u{0}\u{1}\u{1f}", " \u{7f}\u{a0}", "\u{ffff}", "\n\u{fffe} "] {
            assert_eq!(some_text(blank, 10), None, "{blank:?}");
        }
        assert_eq!(text("\0a\0b\0", 10), "a b");
        assert_eq!(text("ab cd", 3), "ab", "no space stays where the text was cut");
    }

    #[test]
    fn a_barcode_needs_its_check_digit() {
        assert!(is_gtin13("4006381333931"));
        for wrong in ["4006381333932", "400638133393", "40063813339310", "400638133393x", ""] {
            assert!(!is_gtin13(wrong), "{wrong}");
        }
    }
}
