//! The styles that documents carry inline, so that the first paint waits for no further request.

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

use crate::contract::Content;

/// The styles of a kind of page: all that its markup needs, without the display typeface and without what
/// only an action or the printer shows. `scripts/first-paint-styles.mjs` writes them.
macro_rules! styles {
    ($kind:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/first-paint/", $kind, ".css"))
    };
}

const HOME: &str = styles!("home");
const LISTING: &str = styles!("listing");
const PRODUCT: &str = styles!("product");
const OVERVIEW: &str = styles!("overview");
/// Also for pages that are not rendered by React.
pub(crate) const MESSAGE: &str = styles!("message");

/// The styles of a page with this content.
pub(super) fn styles_of(content: &Content) -> &'static str {
    match content {
        Content::Home(_) => HOME,
        Content::Listing(_) => LISTING,
        Content::Product(_) => PRODUCT,
        Content::Categories(_) | Content::Brands(_) => OVERVIEW,
        Content::Offline(_) | Content::Error(_) => MESSAGE,
    }
}

/// The source expressions of all of them for the content security policy. Each answer allows every kind: the
/// service worker makes documents from another page's answer.
pub fn style_hashes() -> [String; 5] {
    [HOME, LISTING, PRODUCT, OVERVIEW, MESSAGE].map(source_expression)
}

/// The source expression that allows an inline script or style, without quotes (CSP 3, section 2.3.1).
pub(super) fn source_expression(inline: &str) -> String {
    format!("sha256-{}", base64::engine::general_purpose::STANDARD.encode(Sha256::digest(inline)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_styles_of_its_own_that_may_stand_in_a_document() {
        let kinds = [HOME, LISTING, PRODUCT, OVERVIEW, MESSAGE];
        for styles in kinds {
            assert!(styles.contains(".Header") && styles.contains(".Footer"), "the frame is missing");
            assert!(!styles.contains("</") && !styles.contains("url("), "not for a document");
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
