//! Cleans single texts and addresses, so that pages may show them.

use std::borrow::Cow;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;

/// Longest name or label, in characters; longer ones are cut.
pub(in crate::catalogue) const MAX_LABEL: usize = 120;
/// Longest URL, in bytes; longer ones are dropped.
const MAX_ADDRESS: usize = 2_000;

/// Whether a character can be seen. Fonts draw nothing for the blank Braille pattern, either.
fn is_visible(character: char) -> bool {
    let draws_nothing = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    !character.is_whitespace() && character != '\u{2800}' && !draws_nothing.contains(character)
}

/// Trims, replaces control characters by spaces, and cuts after `limit` characters. A text without
/// visible characters becomes empty.
pub(in crate::catalogue) fn text<'a>(value: impl Into<Cow<'a, str>>, limit: usize) -> String {
    cleaned(value.into(), limit, false)
}

/// Like [`text`], but the ends of lines stay.
pub(in crate::catalogue) fn prose<'a>(value: impl Into<Cow<'a, str>>, limit: usize) -> String {
    let value = value.into();
    if value.contains('\r') {
        return cleaned(value.replace("\r\n", "\n").replace('\r', "\n").into(), limit, true);
    }
    cleaned(value, limit, true)
}

fn cleaned(value: Cow<str>, limit: usize, has_lines: bool) -> String {
    let trimmed = value.trim();
    // Most texts are printable ASCII and short enough, so that they are only trimmed.
    if trimmed.len() <= limit && trimmed.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return if trimmed.len() == value.len() { value.into_owned() } else { trimmed.into() };
    }
    // XML 1.0 excludes these two noncharacters too.
    let readable = |character: char| !character.is_control() && !matches!(character, '\u{fffe}' | '\u{ffff}');
    let is_kept = |character: char| readable(character) || (has_lines && character == '\n');
    let text: String = value
        .trim_matches(|character: char| character.is_whitespace() || !readable(character))
        .chars()
        .take(limit)
        .map(|character| if is_kept(character) { character } else { ' ' })
        .collect();
    if text.chars().any(is_visible) { text.trim_end().into() } else { String::new() }
}

/// Like [`text`], but `None` for a blank one.
pub(in crate::catalogue) fn some_text<'a>(value: impl Into<Cow<'a, str>>, limit: usize) -> Option<String> {
    Some(text(value, limit)).filter(|text| !text.is_empty())
}

/// A valid image URL without credentials: `http(s)`, or a path on this host. Other schemes could run scripts or violate
/// the content security policy.
pub(in crate::catalogue) fn address(value: String) -> Option<String> {
    let on_this_host = value.starts_with('/') && !value.starts_with("//") && !value.contains('\\');
    if value.len() > MAX_ADDRESS {
        return None;
    }
    if on_this_host {
        return value.bytes().all(|byte| byte.is_ascii_graphic()).then_some(value);
    }
    if is_plain(&value) {
        return Some(value);
    }
    let mut url = url::Url::parse(&value).ok()?;
    // Visitors would see them, and send them.
    url.set_username("").and_then(|()| url.set_password(None)).ok()?;
    // Percent-encoding may have made it longer.
    let is_safe = matches!(url.scheme(), "http" | "https") && url.as_str().len() <= MAX_ADDRESS;
    is_safe.then(|| url.into())
}

/// Like [`address`], of a picture, without what stands behind a `#`: it is not sent, and pages say there what they know of a
/// picture.
pub(in crate::catalogue) fn picture_address(value: String) -> Option<String> {
    match value.split_once('#') {
        // What is on this host has its mark already.
        Some((plain, _)) if !value.starts_with('/') => address(plain.to_owned()),
        _ => address(value),
    }
}

/// Whether the address of a picture or page has a user name or a password, which [`address`] leaves out.
pub(in crate::catalogue) fn has_credentials(value: &str) -> bool {
    value.contains('@')
        && url::Url::parse(value).is_ok_and(|url| !url.username().is_empty() || url.password().is_some())
}

/// A valid URL of a page elsewhere: `http(s)`, or one without a scheme that plainly names a host.
pub(in crate::catalogue) fn link(value: String) -> Option<String> {
    if let Some(rest) = value.strip_prefix("//") {
        return address(format!("https://{}", Some(rest).filter(|rest| has_host(rest))?));
    }
    // Without a path, `lamp.html` may as well be the name of a file.
    let is_bare = (value.contains('/') || value.starts_with("www.")) && has_host(&value);
    match is_bare {
        true => address(format!("https://{value}")),
        false => Some(value).filter(|value| !value.starts_with('/')).and_then(address),
    }
}

/// Whether an address without a scheme begins with the name of a host, which has a top-level domain of letters.
fn has_host(address: &str) -> bool {
    let host = address.split(['/', '?', '#']).next().unwrap_or_default();
    let is_label = |label: &str| {
        !label.is_empty() && label.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
    };
    let is_domain = |name: &str| {
        name.starts_with("xn--") || (name.chars().count() > 1 && name.chars().all(char::is_alphabetic))
    };
    host.rsplit_once('.').is_some_and(|(_, last)| is_domain(last)) && host.split('.').all(is_label)
}

/// Whether it is an `https` URL that parsing would not change, as most pictures have. This check is faster than
/// parsing.
fn is_plain(value: &str) -> bool {
    let Some((host, path)) = value.strip_prefix("https://").and_then(|rest| rest.split_once('/')) else {
        return false;
    };
    // A last label of digits means an IP address, and a label that begins with `xn--` encodes other letters.
    let is_label = |label: &str| {
        label.starts_with(|first: char| first.is_ascii_lowercase())
            && !label.starts_with("xn--")
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || b"._~/-".contains(&byte);
    // A segment of only dots would be removed.
    host.split('.').all(is_label)
        && path.bytes().all(is_kept)
        && !path.starts_with('.')
        && !path.contains("/.")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_plain_is_what_parsing_would_not_change(
            value in "https?:/{1,3}([a-z0-9.:@-]|xn--|0x1|%61){0,9}/?([a-z.~_/?#%A-]|%2e|%2E){0,9}",
        ) {
            if is_plain(&value) {
                prop_assert_eq!(url::Url::parse(&value).map(String::from), Ok(value));
            }
        }
    }

    #[test]
    fn a_plain_text_is_only_trimmed_and_cut() {
        for (given, limit, cleaned) in
            [(" a b ", 3, "a b"), ("a b", 2, "a"), ("abc", 2, "ab"), (" ", 5, ""), ("\u{a0}a\u{a0}", 1, "a")]
        {
            assert_eq!(text(given, limit), cleaned, "{given:?}");
        }
    }

    #[test]
    fn only_safe_image_urls_are_accepted() {
        for (given, kept) in [
            ("https://cdn.example/a%20b/1.webp", Some("https://cdn.example/a%20b/1.webp")),
            ("https://cdn.example/a b.webp", Some("https://cdn.example/a%20b.webp")),
            ("https://cdn.example/a/../b.webp", Some("https://cdn.example/b.webp")),
            ("https://CDN.example/1.webp", Some("https://cdn.example/1.webp")),
            ("https://cdn.example", Some("https://cdn.example/")),
            ("https://me:word@cdn.example/1.webp", Some("https://cdn.example/1.webp")),
            ("https://me@cdn.example/1.webp", Some("https://cdn.example/1.webp")),
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
    fn a_picture_elsewhere_has_nothing_behind_its_address() {
        for (given, kept) in [
            ("https://cdn.example/a.webp#1x1f", Some("https://cdn.example/a.webp")),
            ("https://cdn.example/a.webp?b#/pictures/c", Some("https://cdn.example/a.webp?b")),
            ("/images/a-0.webp#1x1f", Some("/images/a-0.webp#1x1f")),
            ("#a", None),
        ] {
            assert_eq!(picture_address(given.into()).as_deref(), kept, "{given}");
        }
    }

    #[test]
    fn a_link_leads_to_a_page_elsewhere() {
        for (given, kept) in [
            ("https://shop.example/lamp?a=b#c", Some("https://shop.example/lamp?a=b#c")),
            ("http://Shop.example", Some("http://shop.example/")),
            ("https://b\u{fc}cher.example/\u{e4}", Some("https://xn--bcher-kva.example/%C3%A4")),
            ("/product/lamp", None),
            ("www.shop.example/lamp", Some("https://www.shop.example/lamp")),
            ("www.shop.example", Some("https://www.shop.example/")),
            ("shop.example/lamp?a=b", Some("https://shop.example/lamp?a=b")),
            ("Shop.example/b c", Some("https://shop.example/b%20c")),
            ("//shop.example/x", Some("https://shop.example/x")),
            ("b\u{fc}cher.example/", Some("https://xn--bcher-kva.example/")),
            ("//shop/x", None),
            ("///x", None),
            ("//shop.example\\x", None),
            ("products/lamp.html", None),
            ("lamp.html", None),
            ("./lamp", None),
            ("../lamp", None),
            ("10.0.0.1/lamp", None),
            ("the shop.example/lamp", None),
            ("javascript:alert(1)", None),
            ("javascript://shop.example/x", None),
            ("mailto:a@shop.example", None),
            ("shop.example", None),
            ("", None),
        ] {
            assert_eq!(link(given.into()).as_deref(), kept, "{given}");
        }
    }

    #[test]
    fn blank_texts_are_none() {
        for blank in ["", " ", "\0", "\u{0}\u{1}\u{1f}", " \u{7f}\u{a0}", "\u{ffff}", "\n\u{fffe} "] {
            assert_eq!(some_text(blank, 10), None, "{blank:?}");
        }
        for invisible in [
            "\u{200b}",
            "\u{ad}",
            "\u{feff}",
            "\u{2060}",
            "\u{200e}\u{200f}",
            "\u{202e}",
            "\u{3164}",
            "\u{115f}\u{1160}",
            "\u{ffa0}",
            "\u{34f}",
            "\u{fe0f}",
            "\u{e0001}",
            "\u{2800}",
            "\u{180e}",
            "\u{17b4}",
            " \u{200d} \u{2800} ",
        ] {
            assert_eq!(some_text(invisible, 10), None, "{invisible:?}");
        }
        // Such characters stay where they shape others.
        assert_eq!(text("\u{2764}\u{fe0f}", 10), "\u{2764}\u{fe0f}");
        assert_eq!(text("\0a\0b\0", 10), "a b");
        assert_eq!(text("ab cd", 3), "ab", "no space stays where the text was cut");
        assert_eq!(text("a\nb", 10), "a b");
        assert_eq!(prose("\r\na\r\nb\rc\td\n", 10), "a\nb\nc d");
    }
}
