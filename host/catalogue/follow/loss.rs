//! Decides whether a version is believed that lists at most half as many products as the one before.

use std::time::Duration;

use super::past::Past;

/// How many readings in a row must say the same before it is believed.
const BELIEVED_AFTER: u32 = 3;

/// What was heard of a loss.
#[derive(Debug, Default)]
pub(super) struct LossCheck {
    suspicious: Option<Suspicious>,
    /// When an operator ordered to believe the next version.
    ordered: Option<Past>,
}

/// Readings that were not believed.
#[derive(Clone, Copy, Debug)]
struct Suspicious {
    /// How many products the latest one lists.
    count: usize,
    /// How many in a row listed about as many.
    times: u32,
    /// When the latest one was counted.
    counted: Past,
}

/// Whether at least half of the products are gone.
fn is_loss(old: usize, new: usize) -> bool {
    old > 0 && new <= old / 2
}

impl LossCheck {
    /// Believes the first version whose reading begins after this moment.
    pub(super) fn believe_after(&mut self, ordered: Past) {
        self.ordered = Some(ordered);
    }

    /// Whether a version with `new` products, whose reading began at this moment, replaces one with `old` products.
    /// Readings that follow each other within `apart` count as one: they may see the same import half done.
    pub(super) fn accepts(&mut self, old: usize, new: usize, began: Past, apart: Duration) -> bool {
        let is_ordered = self.ordered.is_some_and(|ordered| !began.is_before(ordered));
        if is_ordered {
            self.ordered = None;
        }
        if is_ordered || !is_loss(old, new) {
            self.suspicious = None;
            return true;
        }
        // Two empty versions and one with half of the products do not confirm each other.
        let is_similar = |last: &Suspicious| !is_loss(last.count, new) && !is_loss(new, last.count);
        let (times, counted) = match self.suspicious.filter(is_similar) {
            Some(last) if last.counted.elapsed() < apart => (last.times, last.counted),
            last => (last.map_or(1, |last| last.times + 1), Past::new(Duration::ZERO)),
        };
        if times >= BELIEVED_AFTER {
            self.suspicious = None;
            tracing::warn!(
                old,
                new,
                "the catalogue keeps saying that most of it is gone; it is believed now"
            );
            return true;
        }
        self.suspicious = Some(Suspicious { count: new, times, counted });
        tracing::warn!(
            old,
            new,
            heard = times,
            "the catalogue says that most of it is gone; the last version stays"
        );
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Past {
        Past::new(Duration::ZERO)
    }

    /// The number of products on sale after each of these readings.
    fn sold_after(check: &mut LossCheck, readings: &[usize]) -> Vec<usize> {
        let mut sold = 0;
        let sell = |new: &usize| {
            if check.accepts(sold, *new, now(), Duration::ZERO) {
                sold = *new;
            }
            sold
        };
        readings.iter().map(sell).collect()
    }

    #[tokio::test]
    async fn a_catalogue_that_shrinks_suddenly_is_believed_the_third_time() {
        for (readings, sold) in [
            (&[0][..], &[0][..]),
            (&[194, 0, 0, 0], &[194, 194, 194, 0]),
            (&[194, 96, 96, 96, 95], &[194, 194, 194, 96, 95]),
            (&[194, 97, 150], &[194, 194, 150]),
            (&[194, 98, 150], &[194, 98, 150]),
            (&[189, 94, 95], &[189, 189, 95]),
            (&[194, 0, 194, 0, 0, 194], &[194, 194, 194, 194, 194, 194]),
            (&[1, 0, 0], &[1, 1, 1]),
            (&[194, 0, 0, 97, 97, 97], &[194, 194, 194, 194, 194, 97]),
            (&[194, 90, 80, 0, 0, 0], &[194, 194, 194, 194, 194, 0]),
            (&[194, 90, 80, 70], &[194, 194, 194, 70]),
        ] {
            assert_eq!(sold_after(&mut LossCheck::default(), readings), sold, "{readings:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_reading_after_an_operator_s_order_is_believed_and_no_other() {
        let mut check = LossCheck::default();
        check.believe_after(now());
        assert!(check.accepts(194, 3, now(), Duration::ZERO));
        assert!(!check.accepts(194, 3, now(), Duration::ZERO), "only that one");
        check.believe_after(now());
        assert!(
            check.accepts(194, 190, now(), Duration::ZERO) && !check.accepts(190, 3, now(), Duration::ZERO),
            "whether or not it needs to be"
        );
        let began = now();
        tokio::time::advance(Duration::from_secs(5)).await;
        check.believe_after(now());
        assert!(!check.accepts(194, 3, began, Duration::ZERO), "it was under way");
        assert!(check.accepts(194, 3, now(), Duration::ZERO));
        // An order of ten seconds ago, which becomes known now.
        check.believe_after(Past::new(Duration::from_secs(10)));
        assert!(check.accepts(194, 3, began, Duration::ZERO), "it began later");
    }
    #[tokio::test(start_paused = true)]
    async fn readings_that_follow_each_other_at_once_count_as_one() {
        const APART: Duration = Duration::from_secs(10);
        let mut check = LossCheck::default();
        let mut believed = Vec::new();
        for seconds in [0, 1, 5, 6, 11] {
            tokio::time::advance(Duration::from_secs(seconds)).await;
            believed.push(check.accepts(194, 0, now(), APART));
        }
        assert_eq!(believed, [false, false, false, false, true]);
    }
}
