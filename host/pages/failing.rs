//! Pages that keep failing to render.
//!
//! A render that hangs or runs out of memory costs an isolate. A page that does so again and again
//! would cost every isolate in turn, so after a few failures it is not tried for a while.

use std::time::Duration;

use moka::sync::Cache;

/// So many failures, each within [`AVOIDED_FOR`] of the last, and the page is avoided.
const FAILURES: u32 = 3;
const AVOIDED_FOR: Duration = Duration::from_secs(30);
/// Most pages that are counted.
const PAGES: u64 = 10_000;

/// Failed renders by page.
pub struct Failing {
    /// By the hash of the page's key, which may be as long as a request.
    failures: Cache<blake3::Hash, u32>,
}

impl Default for Failing {
    fn default() -> Self {
        Self::with_pause(AVOIDED_FOR)
    }
}

impl Failing {
    fn with_pause(pause: Duration) -> Self {
        Self { failures: Cache::builder().max_capacity(PAGES).time_to_live(pause).build() }
    }

    /// Counts a failure of this page.
    pub fn count(&self, page: &str) {
        self.failures
            .entry(blake3::hash(page.as_bytes()))
            .and_upsert_with(|entry| entry.map_or(1, |entry| entry.into_value().saturating_add(1)));
    }

    /// Whether rendering this page is not worth a try now.
    pub fn is_avoided(&self, page: &str) -> bool {
        self.failures.get(&blake3::hash(page.as_bytes())).is_some_and(|failures| failures >= FAILURES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_avoided_after_three_failures_and_tried_again_later() {
        let failing = Failing::with_pause(Duration::from_millis(200));
        for _ in 0..FAILURES {
            assert!(!failing.is_avoided("/product/1"));
            failing.count("/product/1");
        }
        assert!(failing.is_avoided("/product/1"));
        assert!(!failing.is_avoided("/product/2"));
        std::thread::sleep(Duration::from_millis(250));
        assert!(!failing.is_avoided("/product/1"));
    }
}
