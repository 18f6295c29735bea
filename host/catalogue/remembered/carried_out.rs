//! The purge orders that were carried out. Answers that are loaded later, from a file or from other replicas, may be
//! older than the orders, and must not bring back what these removed.

use std::time::Duration;

use tokio::time::Instant;

use crate::cache::Purge;
use crate::catalogue::{CataloguePurge, Outdated, PurgeMode};

/// The largest number of orders that are kept. If there are more, one soft order about everything takes their place.
const MOST: usize = 1_024;

/// Orders, each with the time when it was carried out.
#[derive(Debug, Default)]
pub(super) struct CarriedOut {
    orders: Vec<(CataloguePurge, Instant)>,
}

impl CarriedOut {
    /// Notes orders that are carried out now.
    pub(super) fn note(&mut self, purges: &[CataloguePurge]) {
        let now = Instant::now();
        for purge in purges {
            let is_same =
                |known: &CataloguePurge| known.outdated == purge.outdated && known.mode == purge.mode;
            match self.orders.iter_mut().find(|(known, _)| is_same(known)) {
                Some((known, at)) if ago(known, *at, now) > purge.ago => {
                    (known.ago, *at) = (purge.ago, now);
                }
                // The known order was given later, and concerns the same answers.
                Some(_) => {}
                None => self.orders.push((purge.clone(), now)),
            }
        }
        if self.orders.len() > MOST {
            // Soft, because it concerns answers that no order named: without newer ones they are served.
            let everything =
                CataloguePurge { outdated: Outdated::Everything, mode: PurgeMode::Soft, ago: Duration::ZERO };
            self.orders = vec![(everything, now)];
        }
    }

    /// How the orders purge an answer that was asked for this long ago (`since`) and `is_concerned` by some of them.
    pub(super) fn of(&self, since: Duration, is_concerned: impl Fn(&Outdated) -> bool) -> Option<Purge> {
        let now = Instant::now();
        // An order does not concern answers that were asked for after it was carried out.
        let of = |(purge, at): &(CataloguePurge, Instant)| {
            purge.of(since.checked_sub(now.saturating_duration_since(*at))?, &is_concerned)
        };
        self.orders.iter().filter_map(of).max()
    }
}

/// How long ago an order was given that was carried out `at` a time.
fn ago(purge: &CataloguePurge, at: Instant, now: Instant) -> Duration {
    purge.ago.saturating_add(now.saturating_duration_since(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::ProductKey;

    const SECOND: Duration = Duration::from_secs(1);

    fn order(outdated: Outdated, mode: PurgeMode, ago: Duration) -> CataloguePurge {
        CataloguePurge { outdated, mode, ago }
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_asked_for_before_an_order_is_purged_by_it_later_too() {
        let mut carried_out = CarriedOut::default();
        let product = order(Outdated::Product(5.into()), PurgeMode::Hard, 2 * SECOND);
        carried_out.note(&[product.clone(), order(Outdated::Everything, PurgeMode::Soft, 30 * SECOND)]);
        // This order is learned of late, and changes nothing.
        carried_out.note(&[CataloguePurge { ago: 20 * SECOND, ..product }]);
        tokio::time::advance(10 * SECOND).await;
        let of = |seconds: u32, id: u64| {
            carried_out.of(seconds * SECOND, |outdated| {
                matches!(outdated, Outdated::Everything)
                    || *outdated == Outdated::Product(ProductKey::from(id))
            })
        };
        assert_eq!(
            [of(11, 5), of(12, 5), of(39, 6), of(40, 6)],
            [None, Some(Purge::Remove), None, Some(Purge::Overdue)]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn more_orders_than_are_known_are_one_soft_order_about_everything() {
        let mut carried_out = CarriedOut::default();
        (0_u64..2_000).for_each(|id| {
            carried_out.note(&[order(Outdated::Product(id.into()), PurgeMode::Hard, Duration::ZERO)]);
        });
        assert!(carried_out.orders.len() <= MOST);
        assert_eq!(
            carried_out.of(SECOND, |outdated| *outdated == Outdated::Everything),
            Some(Purge::Overdue)
        );
    }
}
