//! What the last pass has read: the next pass compares its pages with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::list::Range;
use crate::catalogue::key::ProductKey;
use crate::catalogue::store::Store;
use crate::catalogue::version::Version;

/// The position of a row without a product.
pub(super) const NOTHING: u32 = u32::MAX;

/// A whole list that was read.
pub(super) struct ReadVersion {
    pub(super) store: Arc<Store>,
    /// The pages, by how many entries are before them.
    pub(super) pages: BTreeMap<u64, Arc<PageRead>>,
    /// Whether every product is in one of the pages. A product that is not may change without a change of a page.
    pub(super) is_covered: bool,
    /// The version of the list of ids, if it was one answer.
    pub(super) ids: Option<Version>,
    /// The hash of the list of ids, if it was several answers.
    pub(super) ids_hash: blake3::Hash,
}

/// A page that was read.
#[derive(Clone, Debug)]
pub(super) struct PageRead {
    pub(super) range: Range,
    pub(super) version: Option<Version>,
    /// As in [`crate::catalogue::service::wire::Page`].
    pub(super) total: Option<u64>,
    pub(super) rows: Vec<RowRead>,
    /// The keys of rows without a product, by their places in the page.
    pub(super) rejected: BTreeMap<u32, ProductKey>,
    /// Whether the store has exactly the products of this page. It does not where another entry with the same key counts.
    pub(super) matches_store: bool,
}

/// A row of a page: 8 bytes, which are kept for each product.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowRead {
    /// The position of its product in the store, or [`NOTHING`].
    pub(super) position: u32,
    /// As in [`crate::catalogue::service::wire::Row`].
    pub(super) digest: u32,
}
