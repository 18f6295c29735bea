//! From a request to its response.
//!
//! - `routes`: the URL table; each row turns a path and query string into a typed address or a redirect.
//! - `visit`: answers an address from the cache; `redirect`: or sends the visitor to another address.
//! - `prefetch`, `crowd`: which requests are turned away when there is too much to do.
//! - `files`: files for crawlers and browsers; `sitemap` and `exports` make the largest of them, the latter within
//!   `export_limits`. `long_exports` keeps those that are too long for the cache, and `sent_exports` are too large even
//!   for that.
//! - `suggest`: answers while a search is typed. `saved_cards`: cards of the products that a browser has saved.
//! - `own_pictures`, `other_pictures`, `missing_file`: pictures of the operator's folder, those on other hosts, and paths of files that are not there.

pub(super) mod crowd;
pub(super) mod export_limits;
pub(super) mod exports;
pub(super) mod files;
pub(super) mod long_exports;
pub(super) mod missing_file;
pub(super) mod other_pictures;
pub(super) mod own_pictures;
pub(super) mod prefetch;
pub(super) mod redirect;
pub(super) mod routes;
pub(super) mod saved_cards;
mod sent_exports;
pub(super) mod sitemap;
pub(super) mod suggest;
pub(super) mod visit;
