//! The list that is read in pages, and the limits of a pass.

use std::time::Duration;

use async_trait::async_trait;

use super::ask::Part;
use crate::catalogue::key::ProductKey;
use crate::catalogue::query::Result;
use crate::catalogue::revision::{Change, Revision};
use crate::catalogue::service::wire::{Ids, Page, Row};
use crate::profile::Currency;

/// A part of a list: at most `limit` entries after the first `skip`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Range {
    pub(crate) skip: u64,
    /// 0 for all.
    pub(crate) limit: u64,
}

/// A list of products that a service gives in parts. Implementations limit the size and time of each call, and the rate
/// of calls.
#[async_trait]
pub(crate) trait PagedList: Send + Sync {
    /// The currency of the prices.
    fn currency(&self) -> Currency;

    /// A part of the products, or `Unchanged` if it still has the revision `since`.
    ///
    /// # Errors
    /// When the service does not answer, or gives no list.
    async fn products(&self, range: Range, since: Option<&Revision>) -> Result<Change<PageOfProducts>>;

    /// The ids of a part of the products.
    ///
    /// # Errors
    /// As [`Self::products`].
    async fn ids(&self, range: Range, since: Option<&Revision>) -> Result<Change<Ids>>;

    /// The entry of the product with this key; `None` if there is none.
    ///
    /// # Errors
    /// As [`Self::products`].
    async fn product(&self, key: &ProductKey) -> Result<Option<Row>>;
}

/// A part of the products.
#[derive(Debug)]
pub(crate) struct PageOfProducts {
    /// The length of the answer, in bytes.
    pub(crate) bytes: u64,
    pub(crate) page: Page,
}

/// Limits of a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassLimits {
    /// Products per page.
    pub(crate) page: u64,
    /// A page that is too large is halved, down to this many products.
    pub(crate) smallest_page: u64,
    /// Products that the next page repeats. As long as fewer products are removed between two calls, no product is missed.
    pub(crate) overlap: u64,
    /// Ids per call, where the list of all ids is too large for one answer.
    pub(crate) ids: u64,
    /// Most products that are asked for one by one, because no page has them. If there are more, the list is read again.
    pub(crate) most_missing: usize,
    /// How many times a list that changes too much is read, and the pause between.
    pub(crate) attempts: u32,
    pub(crate) pause: Duration,
    /// Most products of a list.
    pub(crate) most: u64,
    /// How long a failing call is repeated.
    pub(crate) patience: Duration,
    /// Longest time of a pass.
    pub(crate) longest: Duration,
}

impl PassLimits {
    /// Most bytes of all pages together. A store takes about a third of its products' JSON, and three stores may exist at
    /// once for a moment.
    pub(super) fn most_bytes(&self) -> u64 {
        const EACH: u64 = 2_048;
        self.most.saturating_mul(EACH)
    }

    /// Whether a part of this many entries can be made smaller.
    pub(super) fn part(&self, entries: u64) -> Part {
        if entries > self.smallest_page { Part::Divisible } else { Part::Smallest }
    }

    /// Half of a part that was too large, or the smallest part.
    pub(super) fn half_of(&self, entries: u64) -> u64 {
        (entries / 2).max(self.smallest_page)
    }

    /// With 2 kB per product, a page is a tenth of the largest answer.
    pub(crate) const DEFAULT: Self = Self {
        page: 1_000,
        smallest_page: 32,
        overlap: 8,
        ids: 200_000,
        most_missing: 100,
        attempts: 2,
        pause: Duration::from_secs(10),
        most: 2_000_000,
        patience: Duration::from_secs(300),
        longest: Duration::from_secs(3_600),
    };
}
