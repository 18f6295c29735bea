//! What stands between the storefront and a service in trouble.
//!
//! Every call passes here: after a 429 and while a breaker is open none is made, a token bucket
//! keeps below the service's limit, and a transient failure is tried once more if the retry budget
//! and the time allow. The parts are pure and take the time as an argument; it is monotonic
//! everywhere, so a clock that is set changes nothing.

mod breaker;
mod bucket;
mod circuits;
mod pause;
mod retry;

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use self::breaker::Change;
use self::bucket::Bucket;
pub use self::circuits::Query;
use self::circuits::{Circuits, Tickets};
use self::pause::Pause;
pub use self::pause::retry_after;
use self::retry::RetryBudget;
use super::counters::CatalogueCounters;
use super::error::Phase;
use super::{CatalogueError, Result, ServiceLimits};
use crate::causes::Causes;

/// Decides about every call of one service.
#[derive(Debug)]
pub struct Guard {
    total_timeout: Duration,
    token_wait: Duration,
    counters: Arc<CatalogueCounters>,
    /// Never held across an await.
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    pause: Pause,
    circuits: Circuits,
    bucket: Bucket,
    retries: RetryBudget,
}

impl Guard {
    pub fn new(limits: &ServiceLimits, counters: Arc<CatalogueCounters>) -> Self {
        let state = State {
            pause: Pause::default(),
            circuits: Circuits::new(limits.open_shortest, limits.open_longest),
            bucket: Bucket::new(limits.calls_per_second, limits.call_burst, Instant::now()),
            retries: RetryBudget::default(),
        };
        Self {
            total_timeout: limits.total_timeout,
            token_wait: limits.token_wait,
            counters,
            state: Mutex::new(state),
        }
    }

    /// Makes a call, twice if the first try fails transiently, within the total budget.
    pub async fn call<T, F>(&self, query: Query, exchange: impl Fn() -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let started = Instant::now();
        let deadline = started + self.total_timeout;
        let pass =
            self.admit(query, deadline).await.inspect_err(|error| self.counters.count_refusal(error))?;
        self.state.lock().retries.deposit();
        let first = pass.run(exchange(), deadline).await;
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
        // Why there is no second try says less than why the first one failed.
        let Ok(pass) = self.admit(query, deadline).await else { return first };
        self.counters.retries.increment();
        pass.run(exchange(), deadline).await
    }

    /// Whether a redirect within the service may be followed: it is a call like any other, but
    /// nothing waits for a token halfway.
    pub fn allows_redirect(&self) -> bool {
        let now = Instant::now();
        let mut state = self.state.lock();
        let allowed =
            state.pause.remaining(now).is_none() && state.bucket.reserve(now, Duration::ZERO, 0.0).is_some();
        if allowed {
            self.counters.calls.increment();
        }
        allowed
    }

    /// Waits until a call may be made, shortly, or says why not.
    async fn admit(&self, query: Query, deadline: Instant) -> Result<Pass<'_>> {
        let now = Instant::now();
        let patience = self.token_wait.min(deadline.saturating_duration_since(now));
        let mut token = {
            let mut state = self.state.lock();
            state.check(query, now)?;
            let Some(wait) = state.bucket.reserve(now, patience, query.leaves()) else {
                return Err(CatalogueError::Throttled);
            };
            Token { guard: self, usable_after: wait, spent: false }
        };
        if !token.usable_after.is_zero() {
            tokio::time::sleep(token.usable_after).await;
        }
        // The service may have got into trouble meanwhile.
        let now = Instant::now();
        let admitted = self.state.lock().admit(query, now);
        // Only now, because a token that is dropped unspent takes the lock.
        let tickets = admitted?;
        token.spent = true;
        self.counters.calls.increment();
        Ok(Pass { guard: self, tickets: Some(tickets) })
    }

    fn settle<T>(&self, tickets: Tickets, outcome: &Result<T>) {
        let now = Instant::now();
        let error = outcome.as_ref().err();
        let (pause, changes) = {
            let mut state = self.state.lock();
            let pause = match error {
                Some(CatalogueError::RateLimited { retry_after }) => {
                    state.pause.begin(now, *retry_after).then_some(*retry_after)
                }
                _ => None,
            };
            (pause, state.circuits.record(tickets, error, now, fastrand::f64()))
        };
        if let Some(error) = error {
            self.counters.count_failure(error);
        }
        if let Some(length) = pause {
            tracing::warn!(?length, "the catalogue service asks for a pause");
        }
        self.note(changes.connection, "any", error);
        self.note(changes.query, tickets.query().name(), error);
    }

    fn note(&self, change: Option<Change>, query: &'static str, error: Option<&CatalogueError>) {
        let error = error.map(|error| tracing::field::display(Causes(error)));
        match change {
            Some(Change::Opened { open_for }) => {
                self.counters.circuit_opened.increment();
                tracing::warn!(
                    query,
                    ?open_for,
                    error,
                    "the catalogue service fails, it is left alone for a while"
                );
            }
            Some(Change::StaysOpen { open_for }) => {
                self.counters.circuit_opened.increment();
                tracing::debug!(query, ?open_for, error, "the catalogue service still fails");
            }
            Some(Change::Closed) => tracing::info!(query, "the catalogue service answers again"),
            None => {}
        }
    }
}

impl State {
    /// Whether a call could be made, were there a token.
    fn check(&self, query: Query, now: Instant) -> Result<()> {
        if let Some(retry_after) = self.pause.remaining(now) {
            return Err(CatalogueError::RateLimited { retry_after });
        }
        self.circuits.check(query, now).map_err(|retry_after| CatalogueError::CircuitOpen { retry_after })
    }

    fn admit(&mut self, query: Query, now: Instant) -> Result<Tickets> {
        self.check(query, now)?;
        self.circuits.admit(query, now).map_err(|retry_after| CatalogueError::CircuitOpen { retry_after })
    }
}

/// A token of the bucket, given back unless it was spent on a call.
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

/// The right to make one call. A caller that goes away before the outcome gives it back, or a
/// forgotten probe would keep the breaker from ever closing.
struct Pass<'a> {
    guard: &'a Guard,
    tickets: Option<Tickets>,
}

impl Pass<'_> {
    /// Makes the call, cut at `deadline`.
    async fn run<T>(mut self, exchange: impl Future<Output = Result<T>>, deadline: Instant) -> Result<T> {
        let outcome = tokio::time::timeout_at(deadline.into(), exchange)
            .await
            .unwrap_or(Err(CatalogueError::TimedOut(Phase::Total)));
        if let Some(tickets) = self.tickets.take() {
            self.guard.settle(tickets, &outcome);
        }
        outcome
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if let Some(tickets) = self.tickets {
            self.guard.state.lock().circuits.abandon(tickets, Instant::now());
        }
    }
}
