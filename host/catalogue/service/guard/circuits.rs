//! One circuit breaker for the connection, and one for each kind of query.
//!
//! A failure to connect counts against the connection and so stops all calls. Any other failure counts
//! against its kind of query only: a shop can still sell while search is down.

use std::time::{Duration, Instant};

use super::breaker::{Breaker, Change, Ticket};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::QueryKind;

#[derive(Debug)]
pub(super) struct Circuits {
    connection: Breaker,
    /// Indexed by [`QueryKind`].
    queries: [Breaker; QueryKind::COUNT],
}

/// The tickets of the two breakers that admitted a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tickets {
    query: QueryKind,
    of_connection: Ticket,
    of_query: Ticket,
}

impl Tickets {
    pub(super) fn query(&self) -> QueryKind {
        self.query
    }
}

/// The state change of each breaker after an outcome, if any.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    pub connection: Option<Change>,
    pub query: Option<Change>,
}

impl Circuits {
    /// See [`Breaker::new`].
    pub(super) fn new(shortest: Duration, longest: Duration) -> Self {
        let breaker = || Breaker::new(shortest, longest);
        Self { connection: breaker(), queries: std::array::from_fn(|_| breaker()) }
    }

    /// Whether a call is allowed now; if not, how long to wait, see [`Breaker::check`].
    pub(super) fn check(&self, query: QueryKind, now: Instant) -> Result<(), Duration> {
        self.connection.check(now)?;
        self.queries[query as usize].check(now)
    }

    /// What each breaker is for, and whether it is open.
    pub(super) fn breakers(&self, now: Instant) -> Vec<(&'static str, bool)> {
        let queries = QueryKind::EVERY.into_iter().zip(&self.queries);
        let all = queries.map(|(query, breaker)| (query.name(), breaker));
        all.chain([("connection", &self.connection)])
            .map(|(name, breaker)| (name, breaker.check(now).is_err()))
            .collect()
    }

    /// Admits a call if both breakers admit it.
    pub(super) fn admit(&mut self, query: QueryKind, now: Instant) -> Result<Tickets, Duration> {
        // Check both first: a ticket of one breaker that is never returned would block its probes.
        self.check(query, now)?;
        let of_connection = self.connection.admit(now)?;
        let of_query = self.queries[query as usize].admit(now)?;
        Ok(Tickets { query, of_connection, of_query })
    }

    /// Records the outcome of a call. `random` is between 0 and 1.
    pub(super) fn record(
        &mut self,
        tickets: Tickets,
        error: Option<&CatalogueError>,
        now: Instant,
        random: f64,
    ) -> Changes {
        let query = &mut self.queries[tickets.query as usize];
        if error.is_some_and(CatalogueError::is_failure_to_connect) {
            query.abandon(tickets.of_query, now);
            let connection = self.connection.record(tickets.of_connection, true, now, random);
            return Changes { connection, query: None };
        }
        let failed = error.is_some_and(CatalogueError::is_failure_of_the_service);
        Changes {
            connection: self.connection.record(tickets.of_connection, false, now, random),
            query: query.record(tickets.of_query, failed, now, random),
        }
    }

    /// Returns the tickets of a call that was cancelled without an outcome.
    pub(super) fn abandon(&mut self, tickets: Tickets, now: Instant) {
        self.connection.abandon(tickets.of_connection, now);
        self.queries[tickets.query as usize].abandon(tickets.of_query, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::error::Phase;

    const SECOND: Duration = Duration::from_secs(1);
    const UNREACHABLE: CatalogueError = CatalogueError::TimedOut(Phase::Connect);
    const BROKEN: CatalogueError = CatalogueError::Status(500);

    fn fail(circuits: &mut Circuits, query: QueryKind, error: &CatalogueError, now: Instant) -> Changes {
        let tickets = circuits.admit(query, now).unwrap();
        circuits.record(tickets, Some(error), now, 0.0)
    }

    #[test]
    fn a_failing_kind_of_query_does_not_affect_the_others() {
        let (now, mut circuits) = (Instant::now(), Circuits::new(SECOND, SECOND));
        let changes: Vec<_> = (0..5).map(|_| fail(&mut circuits, QueryKind::Search, &BROKEN, now)).collect();
        let opened = Some(Change::Opened { open_for: SECOND });
        assert_eq!(changes[4], Changes { connection: None, query: opened });
        assert_eq!(circuits.check(QueryKind::Search, now), Err(SECOND));
        assert_eq!(circuits.check(QueryKind::Listing, now), Ok(()));
    }

    #[test]
    fn connection_failures_open_the_breaker_for_every_query() {
        let (now, mut circuits) = (Instant::now(), Circuits::new(SECOND, SECOND));
        for query in [QueryKind::Categories, QueryKind::Section, QueryKind::Product, QueryKind::Search] {
            assert_eq!(fail(&mut circuits, query, &UNREACHABLE, now), Changes::default());
        }
        let changes = fail(&mut circuits, QueryKind::Search, &UNREACHABLE, now);
        assert_eq!(changes.connection, Some(Change::Opened { open_for: SECOND }));
        assert_eq!(circuits.check(QueryKind::Listing, now), Err(SECOND));
        let probe = circuits.admit(QueryKind::Listing, now + SECOND).unwrap();
        assert!(circuits.admit(QueryKind::Product, now + SECOND).is_err(), "one probe for all");
        let changes = circuits.record(probe, None, now + SECOND, 0.0);
        assert_eq!(changes, Changes { connection: Some(Change::Closed), query: None });
    }

    #[test]
    fn a_probe_that_cannot_connect_does_not_count_against_its_query() {
        let (now, mut circuits) = (Instant::now(), Circuits::new(SECOND, 8 * SECOND));
        for _ in 0..5 {
            fail(&mut circuits, QueryKind::Search, &BROKEN, now);
        }
        let later = now + SECOND;
        assert_eq!(fail(&mut circuits, QueryKind::Search, &UNREACHABLE, later), Changes::default());
        let probe = circuits.admit(QueryKind::Search, later).unwrap();
        assert!(circuits.admit(QueryKind::Search, later).is_err());
        circuits.abandon(probe, later);
        let probe = circuits.admit(QueryKind::Search, later).unwrap();
        assert_eq!(circuits.record(probe, None, later, 0.0).query, Some(Change::Closed));
    }
}
