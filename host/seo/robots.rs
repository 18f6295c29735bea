//! Which pages search engines may list.

use axum::http::StatusCode;

use crate::contract::{Content, Filters, ListingSource};

const INDEX: &str = "index,follow,max-image-preview:large";
const NO_INDEX: &str = "noindex,follow";
const NO_INDEX_ERROR: &str = "noindex";

/// The value of `robots`, in the head, and as a header where it forbids something.
pub fn robots(status: StatusCode, content: &Content) -> &'static str {
    if status != StatusCode::OK {
        return NO_INDEX_ERROR;
    }
    let listed = match content {
        Content::Listing(listing) => {
            let search = matches!(listing.source, ListingSource::Search { .. });
            !search && listing.filters == Filters::default() && listing.total > 0
        }
        Content::Categories(categories) => categories.query.is_empty(),
        Content::Error(_) => false,
        Content::Home(_) | Content::Brands(_) | Content::Product(_) => true,
    };
    if listed { INDEX } else { NO_INDEX }
}

/// Whether a value lets search engines list the page.
pub fn is_indexable(robots: &str) -> bool {
    robots == INDEX
}
