//! The styles that documents carry inline, so that the first paint waits for no further request.

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

use super::client::{CLIENT, FirstPaint};
use crate::contract::Content;

/// The styles of a page with this content.
pub(super) fn styles_of(content: &Content) -> &'static str {
    let FirstPaint { home, listing, product, overview, message } = &CLIENT.first_paint;
    match content {
        Content::Home(_) => home,
        Content::Listing(_) => listing,
        Content::Product(_) => product,
        Content::Categories(_) | Content::Brands(_) => overview,
        Content::Offline(_) | Content::Error(_) => message,
    }
}

/// The styles of pages that are not rendered by React.
pub(crate) fn of_messages() -> &'static str {
    CLIENT.first_paint.message
}

fn all() -> [&'static str; 5] {
    let FirstPaint { home, listing, product, overview, message } = &CLIENT.first_paint;
    [home, listing, product, overview, message]
}

/// The source expressions of all of them for the content security policy. Each answer allows every kind: the
/// service worker makes documents from another page's answer.
pub fn style_hashes() -> [String; 5] {
    all().map(source_expression)
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
        let kinds = all();
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
