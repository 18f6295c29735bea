//! Eviction when every place is taken: connections that wait for their clients make room, so that clients which only
//! hold places cannot keep others out.
//!
//! A search looks at every connection, so it frees up to a 64th of the places at once. The next search comes when that
//! many connections have ended, or after a pause. So accepting a connection costs the same however many are open.

use std::sync::Arc;

use tokio::time::Instant;

use super::activity::Activity;
use super::limits::ConnectionLimits;

/// A search frees one in this many places.
const SHARE: usize = 64;

/// When to search for connections to evict.
pub(super) struct Eviction {
    /// When the next search is due, at the latest.
    due: Instant,
    /// How many more connections have to end for an earlier search. `None` while only time counts.
    awaited: Option<usize>,
}

impl Eviction {
    pub(super) fn new() -> Self {
        Self { due: Instant::now(), awaited: None }
    }

    /// When the next search may be made.
    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// Notes that a connection has ended.
    pub(super) fn ended(&mut self) {
        self.awaited = self.awaited.map(|awaited| awaited.saturating_sub(1));
        if self.awaited == Some(0) {
            self.due = Instant::now();
        }
    }

    /// Evicts the first of `activities`, in the order of [`Activity::eviction_order`].
    pub(super) fn evict<'a>(
        &mut self,
        activities: impl Iterator<Item = &'a Arc<Activity>>,
        limits: &ConnectionLimits,
    ) {
        let now = Instant::now();
        let mut waiting: Vec<_> = activities
            .filter_map(|activity| Some((activity.eviction_order(now, limits)?, activity)))
            .collect();
        let places = limits.connections.div_ceil(SHARE);
        if places < waiting.len() {
            waiting.select_nth_unstable_by_key(places, |(order, _)| *order);
            waiting.truncate(places);
        }
        waiting.iter().for_each(|(_, activity)| activity.evict());
        self.due = now + limits.patience / 4;
        // A search that found fewer would find nothing again at once.
        self.awaited = (waiting.len() == places).then_some(places);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::activity::{Reason, Verdict};
    use super::*;

    const CONNECTIONS: usize = 4_096;

    /// How many searches there are while this many connections end one after the other. Each end makes room for the
    /// next connection.
    fn searches(eviction: &mut Eviction, open: &[Arc<Activity>], ended: usize) -> usize {
        let limits = ConnectionLimits { connections: CONNECTIONS, ..ConnectionLimits::default() };
        let mut searches = 0;
        for _ in 0..ended {
            if eviction.due() <= Instant::now() {
                eviction.evict(open.iter(), &limits);
                searches += 1;
            }
            eviction.ended();
        }
        searches
    }

    #[tokio::test(start_paused = true)]
    async fn at_the_limit_not_every_accepted_connection_costs_a_look_at_all() {
        let open: Vec<_> = (0..CONNECTIONS).map(|_| Arc::new(Activity::new(Instant::now(), false))).collect();
        let mut eviction = Eviction::new();
        assert_eq!(searches(&mut eviction, &open, 10_000), 1, "nobody has waited long enough");
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(searches(&mut eviction, &open, 6_400), 100, "everybody has");
        let working: Vec<_> = open.iter().map(Activity::begin_answer).collect();
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(searches(&mut eviction, &open, 10_000), 1, "nobody waits");
        drop(working);
    }

    #[tokio::test(start_paused = true)]
    async fn those_who_have_waited_longest_are_evicted() {
        let limits = ConnectionLimits { connections: 2 * SHARE, ..ConnectionLimits::default() };
        let mut open = Vec::new();
        for _ in 0..5 {
            open.push(Arc::new(Activity::new(Instant::now(), false)));
            tokio::time::advance(Duration::from_millis(10)).await;
        }
        open.reverse();
        tokio::time::advance(limits.patience).await;
        Eviction::new().evict(open.iter(), &limits);
        let is_closed = |activity: &Arc<Activity>| {
            activity.verdict(Instant::now(), &limits) == Verdict::Close(Reason::Evicted)
        };
        let closed: Vec<_> = open.iter().map(is_closed).collect();
        assert_eq!(closed, [false, false, false, true, true]);
    }
}
