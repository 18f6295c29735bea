//! Which pages search engines may list.

use axum::http::StatusCode;

const INDEX: &str = "index,follow,max-image-preview:large";
const NO_INDEX: &str = "noindex,follow";
const NO_INDEX_ERROR: &str = "noindex";

/// The value of `robots`, in the head, and as a header where it forbids something.
pub(super) fn robots(status: StatusCode, is_indexable: bool) -> &'static str {
    match (status, is_indexable) {
        (StatusCode::OK, true) => INDEX,
        (StatusCode::OK, false) => NO_INDEX,
        _ => NO_INDEX_ERROR,
    }
}

/// Whether a value lets search engines list the page.
pub(super) fn is_indexable(robots: &str) -> bool {
    robots == INDEX
}
