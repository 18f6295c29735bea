//! The styles that documents carry inline, so that the first paint waits for no further request.

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

use super::client::{CLIENT, FirstPaint};
use crate::contract::Content;

/// The styles of a page with this content.
pub(super) fn styles_of(content: &Content) -> &'static str {
    let FirstPaint { home, listing, product, overview, message, plain: _ } = &CLIENT.first_paint;
    match content {
        Content::Home(_) => home,
        Content::Listing(_) => listing,
        Content::Product(_) => product,
        Content::Categories(_) | Content::Brands(_) => overview,
        Content::Saved(_) => listing,
        Content::TextPage(_) | Content::Offline(_) | Content::Error(_) => message,
    }
}

/// The styles of pages that are not rendered by React.
pub(crate) fn of_plain_pages() -> &'static str {
    CLIENT.first_paint.plain
}

fn all() -> [&'static str; 6] {
    let FirstPaint { home, listing, product, overview, message, plain } = &CLIENT.first_paint;
    [home, listing, product, overview, message, plain]
}

/// The source expressions of all these styles for the content security policy. Each answer allows every kind,
/// because the service worker makes documents from another page's answer.
pub fn style_hashes() -> [String; 6] {
    all().map(source_expression)
}

/// The source expression that allows an inline script or style, without quotes (CSP 3, section 2.3.1).
pub(super) fn source_expression(inline: &str) -> String {
    format!("sha256-{}", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(inline)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits styles into all other rules and the contents of the `@font-face` rules.
    fn without_typefaces(styles: &str) -> (String, String) {
        let mut parts = styles.split("@font-face{");
        let mut rules = parts.next().unwrap().to_owned();
        let mut fonts = String::new();
        for (font, rest) in parts.map(|part| part.split_once('}').unwrap()) {
            fonts.push_str(font);
            rules.push_str(rest);
        }
        (rules, fonts)
    }

    #[test]
    fn every_kind_has_styles_of_its_own_that_may_stand_in_a_document() {
        let [kinds @ .., plain] = all();
        assert!(plain.contains(".PlainPage") && !plain.contains("</") && !plain.contains("url("));
        for styles in kinds {
            assert!(styles.contains(".Header") && styles.contains(".Footer"), "the frame is missing");
            assert!(!styles.contains("</"), "not for a document");
            // A browser loads a typeface only when something uses it, but any other file at once.
            let (rules, fonts) = without_typefaces(styles);
            assert!(!rules.contains("url("), "not for a document");
            assert!(!rules.contains("Vitrine Display"), "the typeface is used");
            assert_eq!(fonts.matches("url(\"/assets/").count(), 3);
            assert_eq!(fonts.matches("url(").count(), 3, "not this shop's own typefaces");
        }
        for (styles, of_its_own) in kinds.into_iter().zip([
            ".SaleBanner",
            ".FilterForm",
            ".ProductHead",
            ".CategoryFilter",
            ".ErrorPage",
        ]) {
            let with: Vec<_> = kinds.iter().filter(|styles| styles.contains(of_its_own)).collect();
            assert_eq!(with, [&styles], "{of_its_own}");
        }
    }
}
