//! The styles that documents carry inline, so that the first paint waits for no further request.

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

use super::client::{CLIENT, FirstPaint};
use crate::contract::{Content, Listing};

/// The styles of a page with this content.
pub(super) fn styles_of(content: &Content) -> &'static str {
    let FirstPaint { home, own_home, listing, rows, product, overview, message, plain: _ } =
        &CLIENT.first_paint;
    match content {
        Content::Home(page) if page.banner.as_ref().is_some_and(|banner| banner.tag.is_some()) => home,
        Content::Home(_) => own_home,
        Content::Listing(page) if has_rows(page) => rows,
        Content::Listing(_) => listing,
        Content::Product(_) => product,
        // Saved products come once the client is there.
        Content::Categories(_) | Content::Brands(_) | Content::Saved(_) => overview,
        Content::TextPage(_) | Content::Offline(_) | Content::Error(_) => message,
    }
}

/// Whether products are shown in rows of text, as `client/pages/ListingPage.tsx` decides.
fn has_rows(listing: &Listing) -> bool {
    2 * listing.products.iter().filter(|product| product.thumbnail.is_none()).count() > listing.products.len()
}

/// The styles of pages that are not rendered by React.
pub(crate) fn of_plain_pages() -> &'static str {
    CLIENT.first_paint.plain
}

fn all() -> [&'static str; 8] {
    let FirstPaint { home, own_home, listing, rows, product, overview, message, plain } = &CLIENT.first_paint;
    [home, own_home, listing, rows, product, overview, message, plain]
}

/// The source expressions of all these styles for the content security policy. Each answer allows every kind,
/// because the service worker makes documents from another page's answer.
pub fn style_hashes() -> [String; 8] {
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
        let with = |part: &str| kinds.each_ref().map(|styles| styles.contains(part));
        for (part, kinds) in [
            (".SaleBanner", [true, true, false, false, false, false, false]),
            (".SummerWindow", [true, false, false, false, false, false, false]),
            (".HomeHead", [false, true, false, false, false, false, false]),
            (".FilterForm", [false, false, true, true, false, false, false]),
            (".ProductGrid--list", [false, false, false, true, false, false, false]),
            (".ProductHead", [false, false, false, false, true, false, false]),
            (".CategoryFilter", [false, false, false, false, false, true, false]),
            (".ErrorPage", [false, false, false, false, false, false, true]),
        ] {
            assert_eq!(with(part), kinds, "{part}");
        }
    }
}
