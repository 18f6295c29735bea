//! The loop that accepts: it makes room when the pool is full, and finishes at the end.

use std::collections::HashMap;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep, timeout};

use super::activity::Activity;
use super::{Connections, connection};
use crate::causes::Causes;

pub async fn run(
    listener: TcpListener,
    router: Router,
    connections: Connections,
    shutdown: impl Future<Output = ()>,
) {
    let mut pool = Pool { connections, router, tasks: JoinSet::new(), activities: HashMap::new() };
    let mut backoff = Backoff::default();
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            () = pool.step(&listener, &mut backoff) => {}
        }
    }
    // Every answer from here on is a connection's last. Only then the door is closed: nobody who
    // finds it closed shall see another connection go on.
    pool.drain();
    pool.accept_the_waiting(listener);
    pool.finish().await;
}

/// The open connections.
struct Pool {
    connections: Connections,
    router: Router,
    tasks: JoinSet<()>,
    activities: HashMap<Id, Arc<Activity>>,
}

impl Pool {
    /// Waits for the next thing to happen, and does what it asks for. May be dropped at any time.
    async fn step(&mut self, listener: &TcpListener, backoff: &mut Backoff) {
        if self.is_full() {
            self.make_room();
            let retry = self.connections.limits.patience / 4;
            tokio::select! {
                Some(ended) = self.tasks.join_next_with_id() => self.ended(ended),
                () = sleep(retry) => {}
            }
            return;
        }
        let accepted = tokio::select! {
            Some(ended) = self.tasks.join_next_with_id() => return self.ended(ended),
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                backoff.succeeded();
                self.serve(stream);
            }
            Err(error) => {
                self.connections.counters.accept_errors.increment();
                if !is_of_connection(&error) {
                    let pause = backoff.failed(&error);
                    // Who waits for its client holds a descriptor that may be what is missing.
                    self.make_room();
                    sleep(pause).await;
                }
            }
        }
    }

    fn is_full(&self) -> bool {
        self.tasks.len() >= self.connections.limits.connections
    }

    fn serve(&mut self, stream: TcpStream) {
        let activity = Arc::new(Activity::new(Instant::now()));
        let serving =
            connection::serve(stream, self.router.clone(), self.connections.clone(), Arc::clone(&activity));
        let task = self.tasks.spawn(serving).id();
        self.activities.insert(task, activity);
        let counters = &self.connections.counters;
        counters.accepted.increment();
        counters.open.set(self.tasks.len());
        if self.is_full() {
            self.connections.counters.over_limit.increment();
        }
    }

    fn ended(&mut self, ended: Result<(Id, ()), JoinError>) {
        let task = match ended {
            Ok((task, ())) => task,
            Err(error) => {
                tracing::error!(%error, "a connection's task failed");
                error.id()
            }
        };
        self.activities.remove(&task);
        self.connections.counters.open.set(self.tasks.len());
    }

    /// Asks some of the connections to end that have waited longest for their clients, so that
    /// clients which only hold places cannot keep others out. Several, because finding them
    /// means to look at all.
    fn make_room(&self) {
        let limits = &self.connections.limits;
        let now = Instant::now();
        let mut waiting: Vec<_> = self
            .activities
            .values()
            .filter_map(|activity| Some((activity.eviction_order(now, limits)?, activity)))
            .collect();
        waiting.sort_unstable_by_key(|(order, _)| *order);
        let places = limits.connections.div_ceil(64);
        waiting.iter().take(places).for_each(|(_, activity)| activity.evict());
    }

    /// Lets no connection bring more than one further request.
    fn drain(&self) {
        let now = Instant::now();
        self.activities.values().for_each(|activity| activity.drain(now));
    }

    /// Accepts what has already arrived, as closing the listener would reset it.
    fn accept_the_waiting(&mut self, listener: TcpListener) {
        // Asks the kernel itself: the runtime may not have heard of the latest arrivals.
        let Ok(listener) = listener.into_std() else { return };
        while !self.is_full() {
            let accepted = listener.accept().and_then(|(stream, _)| {
                stream.set_nonblocking(true)?;
                TcpStream::from_std(stream)
            });
            match accepted {
                Ok(stream) => self.serve(stream),
                Err(error) if is_of_connection(&error) => {}
                Err(_) => break,
            }
        }
        self.drain();
    }

    /// Lets every connection finish what it is at. What is left after the time for it is cut off
    /// with the pool.
    async fn finish(mut self) {
        let drain = self.connections.limits.drain;
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

/// Whether a failure to accept concerns one connection alone, which its client has given up.
fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Pauses for a listener that fails: without descriptors or memory it would fail again at once.
#[derive(Default)]
struct Backoff {
    /// The pause before this one; none after a success.
    pause: Option<Duration>,
    last_failure: Option<Instant>,
}

impl Backoff {
    const FIRST: Duration = Duration::from_millis(50);
    const LONGEST: Duration = Duration::from_secs(1);
    /// Failures that are closer together belong to one shortage, which is logged once.
    const EPISODE: Duration = Duration::from_secs(10);

    fn succeeded(&mut self) {
        self.pause = None;
    }

    fn failed(&mut self, error: &io::Error) -> Duration {
        let now = Instant::now();
        let before = self.last_failure.replace(now);
        if before.is_none_or(|before| now.duration_since(before) > Self::EPISODE) {
            tracing::warn!(error = %Causes(error), "connections cannot be accepted for now");
        }
        let pause = self.pause.map_or(Self::FIRST, |pause| (pause * 2).min(Self::LONGEST));
        self.pause = Some(pause);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_second_and_start_anew_after_a_success() {
        let mut backoff = Backoff::default();
        let error = io::Error::from(io::ErrorKind::OutOfMemory);
        let mut pauses = |count| (0..count).map(|_| backoff.failed(&error).as_millis()).collect::<Vec<_>>();
        assert_eq!(pauses(7), [50, 100, 200, 400, 800, 1_000, 1_000]);
        backoff.succeeded();
        assert_eq!(backoff.failed(&error), Backoff::FIRST);
    }

    #[test]
    fn a_client_s_early_end_is_no_shortage() {
        assert!(is_of_connection(&io::ErrorKind::ConnectionAborted.into()));
        assert!(!is_of_connection(&io::ErrorKind::OutOfMemory.into()));
    }
}
