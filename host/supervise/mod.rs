//! A small parent process that keeps a worker serving.
//!
//! The supervisor owns the listening socket and nothing else: no JavaScript engine, no catalogue,
//! no connection. Its workers, this same executable, accept on that socket. One that dies is
//! replaced while connections wait in the socket's backlog, and a new one takes over before the old
//! one stops, so no visitor is refused.

pub mod lifeline;
mod orders;
mod pauses;
mod worker;

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use thiserror::Error;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

pub use self::orders::{Order, from_signals};
use self::pauses::Pauses;
use self::worker::Worker;
pub use self::worker::{Plan, StartError};
use crate::causes::Causes;
use crate::connections::DRAIN;
use crate::readiness;

/// How long a worker's start may take; a cold catalogue on a starved machine takes seconds.
const READY_WITHIN: Duration = Duration::from_secs(60);
/// How long a start that is under way may still take when nobody serves meanwhile.
const URGENT: Duration = Duration::from_secs(10);
/// What a worker gets beyond its own limit for finishing, before it is killed.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Debug, Error)]
pub enum SuperviseError {
    #[error("the first worker failed")]
    FirstWorker(#[source] StartError),
    #[error("ended at once, without finishing what was being answered")]
    EndedAtOnce,
}

impl Plan {
    /// Workers that are this process once more, without its being a supervisor.
    ///
    /// # Errors
    /// Fails when this process does not know its own executable.
    pub fn of_this_process(listener: OwnedFd) -> io::Result<Self> {
        let arguments: Vec<OsString> =
            std::env::args_os().skip(1).filter(|argument| argument != "--supervise").collect();
        Ok(Self {
            program: std::env::current_exe()?,
            arguments,
            listener,
            ready_within: READY_WITHIN,
            finish_within: DRAIN + GRACE,
        })
    }
}

/// Keeps a worker serving until [`Order::End`].
///
/// # Errors
/// Fails when the very first worker does not become ready, because then a restart would not help
/// either, and when it was ended at once.
pub async fn run(plan: Plan, mut orders: mpsc::Receiver<Order>) -> Result<(), SuperviseError> {
    let first = tokio::select! {
        started = Worker::start(&plan) => started.map_err(SuperviseError::FirstWorker)?,
        () = end_ordered(&mut orders) => return Ok(()),
    };
    tracing::info!(pid = first.pid, "worker ready");
    readiness::announce();
    let mut supervisor = Supervisor {
        plan: Arc::new(plan),
        serving: Some(first),
        starting: None,
        replace_again: false,
        finishing: JoinSet::new(),
        pauses: Pauses::default(),
    };
    supervisor.keep_serving(&mut orders).await;
    supervisor.end(orders).await
}

/// A worker's start, perhaps after a pause.
type Start = BoxFuture<'static, Result<Worker, StartError>>;

/// At any time a worker is serving, or one is starting, or both.
struct Supervisor {
    plan: Arc<Plan>,
    serving: Option<Worker>,
    starting: Option<Start>,
    /// Whether a replacement was ordered during a start, which may have read what is now old.
    replace_again: bool,
    /// Replaced workers that finish what they are answering.
    finishing: JoinSet<()>,
    pauses: Pauses,
}

impl Supervisor {
    async fn keep_serving(&mut self, orders: &mut mpsc::Receiver<Order>) {
        loop {
            tokio::select! {
                // An end that was ordered goes before a worker's end that may come of it.
                biased;
                order = orders.recv() => match order {
                    Some(Order::Replace) => self.replace(),
                    Some(Order::End) | None => return,
                },
                status = ended(&mut self.serving) => self.restart(status),
                started = next(&mut self.starting) => self.take_over(started),
                Some(_) = self.finishing.join_next() => {}
            }
        }
    }

    fn replace(&mut self) {
        if self.starting.is_some() {
            self.replace_again = true;
        } else {
            tracing::info!("replacing the worker");
            self.start_after(Duration::ZERO);
        }
    }

    fn restart(&mut self, status: String) {
        let Some(dead) = self.serving.take() else { return };
        let pause = self.pauses.after(dead.age());
        tracing::error!(pid = dead.pid, status, ?pause, "the worker died");
        match self.starting.take() {
            None => self.start_after(pause),
            // The replacement is on its way already. Nobody serves now, so it gets less time.
            Some(start) => {
                self.starting = Some(Box::pin(async move {
                    let started = tokio::time::timeout(URGENT, start).await;
                    started.unwrap_or(Err(StartError::Late(URGENT)))
                }));
            }
        }
    }

    fn take_over(&mut self, started: Result<Worker, StartError>) {
        self.starting = None;
        match started {
            Ok(worker) => {
                tracing::info!(pid = worker.pid, "worker ready");
                if let Some(old) = self.serving.replace(worker) {
                    self.finishing.spawn(old.finish(self.plan.finish_within));
                }
            }
            Err(error) if self.serving.is_some() => {
                tracing::error!(
                    error = %Causes(&error),
                    "the new worker failed; the old one stays"
                );
            }
            Err(error) => {
                let pause = self.pauses.after(Duration::ZERO);
                tracing::error!(error = %Causes(&error), ?pause, "the new worker failed");
                self.start_after(pause);
            }
        }
        if std::mem::take(&mut self.replace_again) {
            self.replace();
        }
    }

    fn start_after(&mut self, pause: Duration) {
        let plan = self.plan.clone();
        self.starting = Some(Box::pin(async move {
            tokio::time::sleep(pause).await;
            Worker::start(&plan).await
        }));
    }

    /// Waits for all workers to finish, unless the end is ordered once more.
    async fn end(self, mut orders: mpsc::Receiver<Order>) -> Result<(), SuperviseError> {
        tracing::info!("ending the workers");
        readiness::announce_end();
        let Self { plan, serving, starting, mut finishing, .. } = self;
        // A worker that is not ready has nothing to finish.
        drop(starting);
        if let Some(worker) = serving {
            finishing.spawn(worker.finish(plan.finish_within));
        }
        // Whoever comes now is refused as soon as the workers have closed the socket too.
        drop(plan);
        tokio::select! {
            () = async { while finishing.join_next().await.is_some() {} } => Ok(()),
            () = end_ordered(&mut orders) => {
                finishing.shutdown().await;
                Err(SuperviseError::EndedAtOnce)
            }
        }
    }
}

/// Completes at the next order to end.
async fn end_ordered(orders: &mut mpsc::Receiver<Order>) {
    while orders.recv().await == Some(Order::Replace) {}
}

/// How the serving worker ended; waits for ever when there is none.
async fn ended(serving: &mut Option<Worker>) -> String {
    match serving {
        Some(worker) => match worker.ended().await {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        },
        None => std::future::pending().await,
    }
}

/// The outcome of the start under way; waits for ever when there is none.
async fn next(starting: &mut Option<Start>) -> Result<Worker, StartError> {
    match starting {
        Some(start) => start.await,
        None => std::future::pending().await,
    }
}
