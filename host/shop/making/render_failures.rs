//! Counts render failures by page.
//!
//! A render that hangs or runs out of memory destroys an isolate. A page that keeps doing so would
//! destroy one isolate after another, so after a few failures it is not rendered for a while.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use moka::sync::Cache;

use crate::pages::address::Address;

/// Failures, each within [`AVOIDED_FOR`] of the last, after which a page is avoided.
const MAX_FAILURES: u32 = 3;
/// How long a page is avoided after its last failure.
const AVOIDED_FOR: Duration = Duration::from_secs(30);
/// Most pages whose failures are counted.
const PAGES: u64 = 10_000;

/// Failed renders by page.
pub(in crate::shop) struct RenderFailures {
    /// Keyed by the hash of the page's address, because an address can be as long as a request target.
    counts: Cache<u64, u32>,
    hasher: RandomState,
}

impl Default for RenderFailures {
    fn default() -> Self {
        Self::with_pause(AVOIDED_FOR)
    }
}

impl RenderFailures {
    fn with_pause(pause: Duration) -> Self {
        let counts = Cache::builder().max_capacity(PAGES).time_to_live(pause).build();
        Self { counts, hasher: RandomState::new() }
    }

    /// Counts a failure of this page.
    pub(in crate::shop) fn count(&self, page: &Address) {
        self.counts
            .entry(self.hasher.hash_one(page))
            .and_upsert_with(|entry| entry.map_or(1, |entry| entry.into_value().saturating_add(1)));
    }

    /// Whether this page should not be rendered now.
    pub(in crate::shop) fn avoids(&self, page: &Address) -> bool {
        self.counts.get(&self.hasher.hash_one(page)).is_some_and(|failures| failures >= MAX_FAILURES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_avoided_after_three_failures_alone() {
        // The test must end within the pause, however busy the machine is.
        let failures = RenderFailures::with_pause(Duration::from_secs(3600));
        let (failing, fine) = (Address::Product(1.into()), Address::Product(2.into()));
        for _ in 0..MAX_FAILURES {
            assert!(!failures.avoids(&failing));
            failures.count(&failing);
        }
        assert!(failures.avoids(&failing));
        assert!(!failures.avoids(&fine));
    }

    #[test]
    fn an_avoided_page_is_rendered_again_later() {
        let failures = RenderFailures::with_pause(Duration::from_millis(100));
        let failing = Address::Product(1.into());
        (0..MAX_FAILURES).for_each(|_| failures.count(&failing));
        let started = std::time::Instant::now();
        while failures.avoids(&failing) {
            assert!(started.elapsed() < Duration::from_secs(30), "it is never tried again");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
