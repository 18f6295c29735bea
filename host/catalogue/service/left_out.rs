//! What has been left out of the service's answers, for the log and `check`.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::wire::{Dropped, EntryId, Kind};
use crate::catalogue::account::LeftOut;
use crate::observe::LogThrottle;

/// Keeps, for each kind, the answer that left out most.
#[derive(Debug, Default)]
pub(super) struct LeftOutSoFar {
    kinds: Mutex<BTreeMap<Kind, LeftOut<EntryId>>>,
    throttle: LogThrottle,
}

impl LeftOutSoFar {
    /// Logs one line about an answer, unless earlier ones have said the same: each refresh leaves out the same entries.
    pub(super) fn note(&self, dropped: &Dropped) {
        if self.is_news(dropped) {
            let kinds: Vec<String> =
                dropped.kinds().map(|(kind, left_out)| format!("{kind}: {left_out}")).collect();
            let kinds = kinds.join("; ");
            tracing::warn!(count = dropped.count(), %kinds, "left out entries of the catalogue");
        }
    }

    /// Whether an answer has a kind that no earlier answer had, or more entries of a kind. More entries are news only
    /// now and then, because every answer may have one more.
    fn is_news(&self, dropped: &Dropped) -> bool {
        let mut known = self.kinds.lock();
        let has_new_kind = dropped.kinds().any(|(kind, _)| !known.contains_key(kind));
        let more = |(kind, left_out): &(&Kind, &LeftOut<EntryId>)| {
            known.get(kind).is_none_or(|before| before.count < left_out.count)
        };
        let more: Vec<_> =
            dropped.kinds().filter(more).map(|(kind, left_out)| (*kind, left_out.clone())).collect();
        let is_news = has_new_kind || (!more.is_empty() && self.throttle.allows("more is left out"));
        if is_news {
            known.extend(more);
        }
        is_news
    }

    /// A line for each kind.
    pub(super) fn lines(&self) -> Vec<String> {
        self.kinds.lock().iter().map(|(kind, left_out)| format!("{kind}: {left_out}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::wire::parse_list;
    use super::*;
    use crate::profile::Currency;

    fn dropped(products: &str) -> Dropped {
        let good = r#"{"id":1,"title":"T","price":1}"#;
        parse_list(format!(r#"{{"products":[{good},{products}]}}"#).as_bytes(), Currency::default())
            .unwrap()
            .dropped
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_left_out_is_news_once_and_again_if_it_is_more() {
        let so_far = LeftOutSoFar::default();
        let (one, two) = (r#"{"id":2,"title":"T"}"#, r#"{"id":2,"title":"T"},{"id":3,"title":"T"}"#);
        let is_news = |products| so_far.is_news(&dropped(products));
        assert!(is_news(one) && !is_news(one));
        assert!(is_news(two) && !is_news(two) && !is_news(one));
        let more = format!(r#"{two},{{"id":4,"title":"T"}}"#);
        assert!(!is_news(&more), "too early");
        assert!(is_news(r#"{"id":2,"price":1}"#), "another kind");
        tokio::time::advance(std::time::Duration::from_secs(60)).await;
        assert!(is_news(&more));
        assert_eq!(
            so_far.lines(),
            ["product without valid price: 3 (id 2, id 3, id 4)", "product without valid title: 1 (id 2)"]
        );
    }
}
