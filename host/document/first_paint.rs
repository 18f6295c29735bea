//! The styles that documents carry inline, so that the first paint waits for no further request.

use std::collections::BTreeSet;

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

use super::client::{CLIENT, FirstPaint, FirstScreen};
use crate::contract::{Content, Listing};

/// What a page with this content needs first.
pub(super) fn first_screen_of(content: &Content) -> &'static FirstScreen {
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

fn kinds() -> [&'static FirstScreen; 7] {
    let FirstPaint { home, own_home, listing, rows, product, overview, message, plain: _ } =
        &CLIENT.first_paint;
    [home, own_home, listing, rows, product, overview, message]
}

/// The kind of a page, which decides the styles that its document carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScreenKind(usize);

impl ScreenKind {
    pub(crate) const ALL: [Self; 7] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// The kind of a page with this content.
    pub(crate) fn of(content: &Content) -> Self {
        let screen = first_screen_of(content);
        Self(kinds().into_iter().position(|kind| std::ptr::eq(kind, screen)).unwrap_or_default())
    }

    /// What belongs to this kind.
    pub(crate) fn select<T>(self, of_kinds: &[T; 7]) -> &T {
        &of_kinds[self.0]
    }

    /// The source expressions of the styles of its documents, for the content security policy.
    pub(super) fn style_hashes(self) -> impl Iterator<Item = String> {
        let FirstScreen { styles, further_styles, .. } = self.select(&kinds());
        let carried = [styles, further_styles].into_iter().filter(|styles| !styles.is_empty());
        carried.map(|styles| source_expression(styles))
    }
}

/// The source expressions of all styles that the host's documents may carry.
pub fn style_hashes() -> BTreeSet<String> {
    let of_kinds = ScreenKind::ALL.into_iter().flat_map(ScreenKind::style_hashes);
    of_kinds.chain([source_expression(of_plain_pages())]).collect()
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
        let plain = of_plain_pages();
        assert!(plain.contains(".PlainPage") && !plain.contains("</") && !plain.contains("url("));
        for FirstScreen { styles, further_styles, .. } in kinds() {
            assert!(
                styles.contains(".Header") && !styles.contains(".icon-button:hover"),
                "the frame, at rest"
            );
            assert!(
                [styles, further_styles].iter().any(|styles| styles.contains(".Footer")),
                "the frame is missing"
            );
            assert!(!styles.contains("</") && !further_styles.contains("</"), "not for a document");
            // A browser loads a typeface only when something uses it, but any other file at once.
            let (rules, fonts) = without_typefaces(styles);
            assert!(!rules.contains("url(") && !further_styles.contains("url("), "not for a document");
            assert!(!rules.contains("Vitrine Display"), "the typeface is used");
            assert_eq!(fonts.matches("url(\"/assets/").count(), 3);
            assert_eq!(fonts.matches("url(").count(), 3, "not this shop's own typefaces");
        }
        let with = |part: &str| kinds().map(|kind| kind.styles.contains(part));
        for (part, kinds) in [
            (".SaleBanner", [true, true, false, false, false, false, false]),
            (".SummerWindow", [true, false, false, false, false, false, false]),
            (".HomeHead", [false, true, false, false, false, false, false]),
            (".FilterForm", [false, false, true, true, false, false, false]),
            (".ProductGrid--list", [false, false, false, true, false, false, false]),
            (".ProductHead", [false, false, false, false, true, false, false]),
            (".CategoryFilter", [false, false, false, false, false, true, false]),
            (".ErrorPage", [false, false, false, false, false, false, true]),
            (".Footer", [false, false, false, false, false, false, true]),
            (".FilterPanel-dialog", [false; 7]),
        ] {
            assert_eq!(with(part), kinds, "{part}");
        }
    }

    #[test]
    fn every_document_has_each_icon_once() {
        let ids = |icons: &str| icons.matches(" id=\"").count();
        let all = ids(CLIENT.first_paint.message.icons) + ids(CLIENT.first_paint.message.further_icons);
        for FirstScreen { icons, further_icons, .. } in kinds() {
            assert!(icons.contains("icon-search\"") && ids(icons) < all);
            assert_eq!(ids(icons) + ids(further_icons), all);
        }
    }
}
