//! Which breaker a failure belongs to.
//!
//! A service that cannot be reached is left alone as a whole. One that is reached and fails is left
//! alone for the kind of query that fails: without its search a shop can still sell.

use std::time::{Duration, Instant};

use super::breaker::{Breaker, Change, Ticket};
use crate::catalogue::CatalogueError;

/// What is asked of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    Categories,
    Preview,
    Listing,
    Category,
    Search,
    Product,
    Section,
    Everything,
}

impl Query {
    /// For the log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Categories => "categories",
            Self::Preview => "preview",
            Self::Listing => "listing",
            Self::Category => "category",
            Self::Search => "search",
            Self::Product => "product",
            Self::Section => "section",
            Self::Everything => "everything",
        }
    }

    /// The share of a whole bucket of calls that it leaves for the other kinds. Anybody can invent
    /// texts, slugs and numbers: what the whole shop needs must not wait for them.
    pub fn leaves(self) -> f64 {
        match self {
            Self::Search => 0.5,
            Self::Category | Self::Product => 0.25,
            Self::Categories | Self::Preview | Self::Listing | Self::Section | Self::Everything => 0.0,
        }
    }
}

const QUERIES: usize = 8;

#[derive(Debug)]
pub struct Circuits {
    connection: Breaker,
    /// By the number of the query's variant.
    queries: [Breaker; QUERIES],
}

/// A ticket of each breaker that lets a call through.
#[derive(Clone, Copy, Debug)]
pub struct Tickets {
    query: Query,
    of_connection: Ticket,
    of_query: Ticket,
}

impl Tickets {
    pub fn query(&self) -> Query {
        self.query
    }
}

/// What changed with an outcome, for each breaker.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub connection: Option<Change>,
    pub query: Option<Change>,
}

impl Circuits {
    /// See [`Breaker::new`].
    pub fn new(shortest: Duration, longest: Duration) -> Self {
        let breaker = || Breaker::new(shortest, longest);
        Self { connection: breaker(), queries: std::array::from_fn(|_| breaker()) }
    }

    /// Whether a call could be made now; if not, how long to wait, see [`Breaker::check`].
    pub fn check(&self, query: Query, now: Instant) -> Result<(), Duration> {
        self.connection.check(now)?;
        self.queries[query as usize].check(now)
    }

    /// Lets a call through that both breakers let through.
    pub fn admit(&mut self, query: Query, now: Instant) -> Result<Tickets, Duration> {
        // First both are asked, because a ticket that nobody hands back would be a lost probe.
        self.check(query, now)?;
        let of_connection = self.connection.admit(now)?;
        let of_query = self.queries[query as usize].admit(now)?;
        Ok(Tickets { query, of_connection, of_query })
    }

    /// Takes the outcome of a call. `random` lies between 0 and 1.
    pub fn record(
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

    /// Takes the tickets of a call that was given up without an outcome.
    pub fn abandon(&mut self, tickets: Tickets, now: Instant) {
        self.connection.abandon(tickets.of_connection, now);
        self.queries[tickets.query as usize].abandon(tickets.of_query, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Phase;

    const SECOND: Duration = Duration::from_secs(1);
    const UNREACHABLE: CatalogueError = CatalogueError::TimedOut(Phase::Connect);
    const BROKEN: CatalogueError = CatalogueError::Status(500);

    fn fail(circuits: &mut Circuits, query: Query, error: &CatalogueError, now: Instant) -> Changes {
        let tickets = circuits.admit(query, now).unwrap();
        circuits.record(tickets, Some(error), now, 0.0)
    }

    #[test]
    fn a_query_that_fails_leaves_the_others_alone() {
        let (now, mut circuits) = (Instant::now(), Circuits::new(SECOND, SECOND));
        let changes: Vec<_> = (0..5).map(|_| fail(&mut circuits, Query::Search, &BROKEN, now)).collect();
        let opened = Some(Change::Opened { open_for: SECOND });
        assert_eq!(changes[4], Changes { connection: None, query: opened });
        assert_eq!(circuits.check(Query::Search, now), Err(SECOND));
        assert_eq!(circuits.check(Query::Listing, now), Ok(()));
    }

    #[test]
    fn a_service_out_of_reach_is_so_for_every_query() {
        let (now, mut circuits) = (Instant::now(), Circuits::new(SECOND, SECOND));
        for query in [Query::Categories, Query::Section, Query::Product, Query::Search] {
            assert_eq!(fail(&mut circuits, query, &UNREACHABLE, now), Changes::default());
        }
        let changes = fail(&mut circuits, Query::Search, &UNREACHABLE, now);
        assert_eq!(changes.connection, Some(Change::Opened { open_for: SECOND }));
        assert_eq!(circuits.check(Query::Listing, now), Err(SECOND));
        let probe = circuits.admit(Query::Listing, now + SECOND).unwrap();
        assert!(circuits.admit(Query::Product, now + SECOND).is_err(), "one probe for all");
        let changes = circuits.record(probe, None, now + SECOND, 0.0);
        assert_eq!(changes, Changes { connection: Some(Change::Closed), query: None });
    }

    #[test]
    fn a_probe_that_does_not_connect_says_nothing_about_its_query() {
        let (now, mut circuits) = (Instant::now(), Circuits::new(SECOND, 8 * SECOND));
        for _ in 0..5 {
            fail(&mut circuits, Query::Search, &BROKEN, now);
        }
        let later = now + SECOND;
        assert_eq!(fail(&mut circuits, Query::Search, &UNREACHABLE, later), Changes::default());
        let probe = circuits.admit(Query::Search, later).unwrap();
        assert!(circuits.admit(Query::Search, later).is_err());
        circuits.abandon(probe, later);
        let probe = circuits.admit(Query::Search, later).unwrap();
        assert_eq!(circuits.record(probe, None, later, 0.0).query, Some(Change::Closed));
    }
}
