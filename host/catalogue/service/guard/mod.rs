//! Controls every call to the service, to protect both sides when the service is in trouble.
//!
//! No call is made during the pause after a 429 or while a breaker is open. A token bucket keeps the
//! rate below the service's limit. A transient failure is retried once if the retry budget and the time
//! budget allow. The parts do no I/O and take the time as an argument. All times are monotonic, so
//! setting the system clock has no effect.

mod breaker;
mod pause;
mod retry;

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use self::breaker::{Breaker, Change, Ticket};
use self::pause::Pause;
pub(super) use self::pause::retry_after;
use self::retry::RetryBudget;
use super::counters::CatalogueCounters;
use super::limits::ServiceLimits;
use crate::catalogue::error::{CatalogueError, Phase};
use crate::catalogue::query::{QueryKind, Result};
use crate::observe::ErrorChain;
use crate::pacing::TokenBucket;

/// Admits, times and counts the calls to one service.
#[derive(Debug)]
pub(super) struct Guard {
    limits: ServiceLimits,
    counters: Arc<CatalogueCounters>,
    /// The lock is never held across an await.
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    pause: Pause,
    /// By [`breaker_of`]: a part of a page that fails takes nothing else away, and never the reading.
    breakers: [Breaker; QueryKind::COUNT],
    bucket: TokenBucket,
    retries: RetryBudget,
}

impl Guard {
    pub(super) fn new(limits: &ServiceLimits, counters: Arc<CatalogueCounters>) -> Self {
        let state = State {
            pause: Pause::default(),
            breakers: std::array::from_fn(|_| Breaker::new(limits.open_shortest, limits.open_longest)),
            bucket: TokenBucket::new(limits.calls_per_second, limits.call_burst, Instant::now()),
            retries: RetryBudget::default(),
        };
        Self { limits: *limits, counters, state: Mutex::new(state) }
    }

    /// Makes a call within the total time budget, and retries it once after a transient failure.
    ///
    /// # Errors
    /// The error of the first attempt if no retry was made, else of the retry; or why the call was not
    /// admitted.
    pub(super) async fn call<T, F>(&self, kind: QueryKind, exchange: impl Fn() -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let started = Instant::now();
        let deadline = started + self.limits.times_of(kind).total;
        let permit =
            self.admit(kind, deadline).await.inspect_err(|error| self.counters.count_refusal(error))?;
        self.state.lock().retries.deposit();
        let first = permit.run(exchange(), deadline).await;
        if !first.as_ref().is_err_and(CatalogueError::is_transient) {
            return first;
        }
        let now = Instant::now();
        let remaining = deadline.saturating_duration_since(now);
        let Some(pause) = self.state.lock().retries.withdraw(now - started, remaining, fastrand::f64())
        else {
            return first;
        };
        tokio::time::sleep(pause).await;
        // If the retry is not admitted, the first error is the more useful one.
        let Ok(permit) = self.admit(kind, deadline).await else { return first };
        self.counters.retries.increment();
        permit.run(exchange(), deadline).await
    }

    /// The circuit breakers: what each is for, and whether it is open.
    pub(super) fn breakers(&self) -> Vec<(&'static str, bool)> {
        let (now, mut state) = (Instant::now(), self.state.lock());
        let kinds = QueryKind::EVERY.into_iter().filter(|kind| breaker_of(*kind) == *kind);
        kinds.map(|kind| (name_of_breaker(kind), state.breaker(kind).check(now).is_err())).collect()
    }

    /// Whether a redirect within the service may be followed. It counts as a call, but does not wait for
    /// a token.
    pub(super) fn allows_redirect(&self) -> bool {
        let now = Instant::now();
        let mut state = self.state.lock();
        let allowed =
            state.pause.remaining(now).is_none() && state.bucket.reserve(now, Duration::ZERO, 0.0).is_some();
        if allowed {
            self.counters.calls.increment();
        }
        allowed
    }

    /// Admits a call, after a short wait for a token if necessary.
    ///
    /// # Errors
    /// When the service asked for a pause, a breaker is open, or no token is available in time.
    async fn admit(&self, kind: QueryKind, deadline: Instant) -> Result<Permit<'_>> {
        let now = Instant::now();
        // A page should not wait for an answer that it can do without.
        let token_wait = if kind == QueryKind::Preview { Duration::ZERO } else { self.limits.token_wait };
        let max_wait = token_wait.min(deadline.saturating_duration_since(now));
        let mut token = {
            let mut state = self.state.lock();
            state.check(kind, now)?;
            let Some(wait) = state.bucket.reserve(now, max_wait, share_for_others(kind)) else {
                return Err(CatalogueError::Throttled);
            };
            Token { guard: self, usable_after: wait, spent: false }
        };
        if !token.usable_after.is_zero() {
            tokio::time::sleep(token.usable_after).await;
        }
        // A breaker may have opened during the wait.
        let now = Instant::now();
        let admitted = self.state.lock().admit(kind, now);
        // Only after the lock is released, because dropping an unused token takes it.
        let ticket = admitted?;
        token.spent = true;
        self.counters.calls.increment();
        Ok(Permit { guard: self, kind, ticket: Some(ticket) })
    }

    /// Records the outcome of a call, and logs and counts what changed.
    fn settle<T>(&self, kind: QueryKind, ticket: Ticket, outcome: &Result<T>, took: Duration) {
        let now = Instant::now();
        let error = outcome.as_ref().err();
        let failed = error.is_some_and(CatalogueError::is_failure_of_the_service);
        let (pause, change) = {
            let mut state = self.state.lock();
            let pause = match error {
                Some(CatalogueError::RateLimited { retry_after }) => {
                    state.pause.begin(now, *retry_after).then_some(*retry_after)
                }
                _ => None,
            };
            (pause, state.breaker(kind).record(ticket, failed, now, fastrand::f64()))
        };
        self.counters.count_call(kind, error, took);
        if let Some(length) = pause {
            tracing::warn!(?length, "the catalogue service asks for a pause");
        }
        self.report(change, kind, error);
    }

    fn report(&self, change: Option<Change>, kind: QueryKind, error: Option<&CatalogueError>) {
        let (breaker, query) = (name_of_breaker(kind), kind.name());
        let error = error.map(|error| tracing::field::display(ErrorChain(error)));
        match change {
            Some(Change::Opened { open_for }) => {
                self.counters.circuit_opened.increment();
                tracing::warn!(
                    breaker,
                    query,
                    ?open_for,
                    error,
                    "the catalogue service fails, it is left alone for a while"
                );
            }
            Some(Change::StaysOpen { open_for }) => {
                self.counters.circuit_opened.increment();
                tracing::debug!(breaker, query, ?open_for, error, "the catalogue service still fails");
            }
            Some(Change::Closed) => tracing::info!(breaker, "the catalogue service answers again"),
            None => {}
        }
    }
}

impl State {
    fn breaker(&mut self, kind: QueryKind) -> &mut Breaker {
        &mut self.breakers[breaker_of(kind) as usize]
    }

    /// Whether a call is allowed now, apart from the token bucket.
    fn check(&mut self, kind: QueryKind, now: Instant) -> Result<()> {
        if let Some(retry_after) = self.pause.remaining(now) {
            return Err(CatalogueError::RateLimited { retry_after });
        }
        self.breaker(kind).check(now).map_err(|retry_after| CatalogueError::CircuitOpen { retry_after })
    }

    fn admit(&mut self, kind: QueryKind, now: Instant) -> Result<Ticket> {
        self.check(kind, now)?;
        self.breaker(kind).admit(now).map_err(|retry_after| CatalogueError::CircuitOpen { retry_after })
    }
}

/// The kind of query whose breaker counts this one: the reading has one, and each kind that visitors ask for has its own.
fn breaker_of(kind: QueryKind) -> QueryKind {
    if kind.is_of_reading() { QueryKind::Everything } else { kind }
}

/// What the breaker for queries of this kind is for, in the log and the metrics.
fn name_of_breaker(kind: QueryKind) -> &'static str {
    if kind.is_of_reading() { "reading" } else { kind.name() }
}

/// The share of a full token bucket that queries of this kind may not use. Anybody can invent search texts, slugs and
/// product ids, so half is always left to the reading. Pages can do without previews, of which there are as many as
/// categories. A pass over pages asks slowly, see `pages/passes.rs`.
fn share_for_others(kind: QueryKind) -> f64 {
    match kind {
        kind if kind.is_of_reading() => 0.0,
        QueryKind::Preview => 0.75,
        _ => 0.5,
    }
}

/// A token of the bucket, returned on drop unless it was used for a call.
struct Token<'a> {
    guard: &'a Guard,
    usable_after: Duration,
    spent: bool,
}

impl Drop for Token<'_> {
    fn drop(&mut self) {
        if !self.spent {
            self.guard.state.lock().bucket.give_back();
        }
    }
}

/// Permission for one call. A cancelled caller returns it on drop; otherwise a lost probe would keep the
/// breaker open forever.
struct Permit<'a> {
    guard: &'a Guard,
    kind: QueryKind,
    ticket: Option<Ticket>,
}

impl Permit<'_> {
    /// Makes the call, with a timeout at `deadline`.
    async fn run<T>(mut self, exchange: impl Future<Output = Result<T>>, deadline: Instant) -> Result<T> {
        let started = Instant::now();
        let outcome = tokio::time::timeout_at(deadline.into(), exchange)
            .await
            .unwrap_or(Err(CatalogueError::TimedOut(Phase::Total)));
        if let Some(ticket) = self.ticket.take() {
            self.guard.settle(self.kind, ticket, &outcome, started.elapsed());
        }
        outcome
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if let Some(ticket) = self.ticket {
            self.guard.state.lock().breaker(self.kind).abandon(ticket, Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty pages of a pass, and 50 searches a second, each of which fails.
    #[test]
    fn searches_that_robots_invent_never_delay_the_reading() {
        let limits = ServiceLimits::DEFAULT;
        let guard = Guard::new(&limits, Arc::default());
        let (mut state, start) = (guard.state.lock(), Instant::now());
        let [mut made, mut refused] = [0, 0];
        for tick in 0..400 {
            let now = start + Duration::from_millis(20) * tick;
            if tick % 20 == 0 {
                let wait = state.bucket.reserve(now, limits.token_wait, share_for_others(QueryKind::Page));
                assert_eq!(wait, Some(Duration::ZERO), "{tick}");
                let ticket = state.admit(QueryKind::Page, now).unwrap();
                assert_eq!(state.breaker(QueryKind::Page).record(ticket, false, now, 0.0), None);
            }
            let share = share_for_others(QueryKind::Search);
            let is_admitted = state.check(QueryKind::Search, now).is_ok()
                && state.bucket.reserve(now, limits.token_wait, share).is_some();
            match is_admitted.then(|| state.admit(QueryKind::Search, now)) {
                Some(Ok(ticket)) => {
                    made += 1;
                    let _ = state.breaker(QueryKind::Search).record(ticket, true, now, 0.0);
                }
                _ => refused += 1,
            }
        }
        assert!(made >= 5 && refused > 300, "{made} made, {refused} refused");
    }

    #[test]
    fn a_kind_of_query_that_fails_stops_no_other() {
        let guard = Guard::new(&ServiceLimits::DEFAULT, Arc::default());
        let (mut state, now) = (guard.state.lock(), Instant::now());
        for _ in 0..5 {
            let ticket = state.admit(QueryKind::Section, now).unwrap();
            let _ = state.breaker(QueryKind::Section).record(ticket, true, now, 0.0);
        }
        for kind in QueryKind::EVERY {
            assert_eq!(state.check(kind, now).is_err(), kind == QueryKind::Section, "{kind:?}");
        }
    }

    #[test]
    fn a_pause_holds_for_the_reading_and_for_visitors() {
        let guard = Guard::new(&ServiceLimits::DEFAULT, Arc::default());
        let (mut state, now) = (guard.state.lock(), Instant::now());
        state.pause.begin(now, Duration::from_secs(9));
        for kind in [QueryKind::Page, QueryKind::Product] {
            assert!(matches!(state.check(kind, now), Err(CatalogueError::RateLimited { .. })), "{kind:?}");
        }
    }
}
