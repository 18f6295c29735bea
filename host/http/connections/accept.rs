//! The accept loop, and graceful shutdown.

use std::collections::HashMap;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::activity::Activity;
use super::connection;
use super::context::ListenerContext;
use super::eviction::Eviction;
use crate::observe::{ErrorChain, LogThrottle};
use crate::pacing::Backoff;

/// Shortest and longest pause after a connection could not be accepted.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Accepts connections and serves them until `shutdown` completes, then drains.
pub(super) async fn run(listener: TcpListener, shared: ListenerContext, shutdown: impl Future<Output = ()>) {
    let mut pool = Pool {
        shared: Arc::new(shared),
        tasks: JoinSet::new(),
        activities: HashMap::new(),
        eviction: Eviction::new(),
        backoff: Backoff::new(SHORTEST_PAUSE, LONGEST_PAUSE),
        throttle: LogThrottle::default(),
    };
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            () = pool.step(&listener) => {}
        }
    }
    // From here on every answer is its connection's last. The listener is closed only after that, so
    // that no connection is kept alive while new ones are refused.
    pool.drain();
    pool.accept_backlog(listener);
    pool.finish().await;
}

/// The open connections.
struct Pool {
    shared: Arc<ListenerContext>,
    tasks: JoinSet<()>,
    activities: HashMap<Id, Arc<Activity>>,
    eviction: Eviction,
    /// The pauses after failures: without file descriptors or memory, an immediate retry would fail again.
    backoff: Backoff,
    throttle: LogThrottle,
}

impl Pool {
    /// Waits for the next event (a connection, the end of one, a pause) and handles it. Cancel-safe.
    async fn step(&mut self, listener: &TcpListener) {
        if self.is_full() {
            if self.eviction.due() <= Instant::now() {
                self.make_room();
            }
            tokio::select! {
                Some(ended) = self.tasks.join_next_with_id() => self.ended(ended),
                () = sleep_until(self.eviction.due()) => {}
            }
            return;
        }
        let accepted = tokio::select! {
            Some(ended) = self.tasks.join_next_with_id() => return self.ended(ended),
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                self.backoff.reset();
                self.serve(stream);
            }
            Err(error) => {
                self.shared.counters.accept_errors.increment();
                if !is_client_error(&error) {
                    if self.throttle.allows("accept") {
                        tracing::warn!(error = %ErrorChain(&error), "connections cannot be accepted for now");
                    }
                    // Evicting connections frees file descriptors, which may be what is missing.
                    self.make_room();
                    sleep(self.backoff.next_pause()).await;
                }
            }
        }
    }

    fn is_full(&self) -> bool {
        self.tasks.len() >= self.shared.limits.connections
    }

    fn serve(&mut self, stream: TcpStream) {
        let activity = Arc::new(Activity::new(Instant::now(), self.shared.tls.is_some()));
        let serving = connection::serve(stream, Arc::clone(&self.shared), Arc::clone(&activity));
        let task = self.tasks.spawn(serving).id();
        self.activities.insert(task, activity);
        let counters = &self.shared.counters;
        counters.accepted.increment();
        counters.open.set(self.tasks.len());
        if self.is_full() {
            self.shared.counters.over_limit.increment();
        }
    }

    fn ended(&mut self, ended: Result<(Id, ()), JoinError>) {
        let task = match ended {
            Ok((task, ())) => task,
            Err(error) => {
                tracing::error!(error = %ErrorChain(&error), "a connection's task failed");
                error.id()
            }
        };
        self.activities.remove(&task);
        self.eviction.ended();
        self.shared.counters.open.set(self.tasks.len());
    }

    fn make_room(&mut self) {
        self.eviction.evict(self.activities.values(), &self.shared.limits);
    }

    /// Lets each connection finish its request, or send one last request within the grace period.
    fn drain(&self) {
        let now = Instant::now();
        self.activities.values().for_each(|activity| activity.drain(now));
    }

    /// Accepts the connections in the backlog, because closing the listener would reset them.
    fn accept_backlog(&mut self, listener: TcpListener) {
        // Asks the kernel directly: the runtime may not have polled the latest arrivals yet.
        let Ok(listener) = listener.into_std() else { return };
        while !self.is_full() {
            let accepted = listener.accept().and_then(|(stream, _)| {
                stream.set_nonblocking(true)?;
                TcpStream::from_std(stream)
            });
            match accepted {
                Ok(stream) => self.serve(stream),
                Err(error) if is_client_error(&error) => {}
                Err(_) => break,
            }
        }
        self.drain();
    }

    /// Waits for the connections to finish, at most for [`super::limits::ConnectionLimits::drain`]. Dropping the pool
    /// closes those that are left.
    async fn finish(mut self) {
        let drain = self.shared.limits.drain;
        let finished = async {
            while let Some(ended) = self.tasks.join_next_with_id().await {
                self.ended(ended);
            }
        };
        if timeout(drain, finished).await.is_err() {
            tracing::warn!(connections = self.tasks.len(), "gave up on requests that did not finish");
        }
    }
}

/// Whether accepting can go on at once: the client aborted one connection, or a signal interrupted the call.
fn is_client_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aborted_connection_is_a_client_error() {
        assert!(is_client_error(&io::ErrorKind::ConnectionAborted.into()));
        assert!(!is_client_error(&io::ErrorKind::OutOfMemory.into()));
    }
}
