//! The supervisor: a small parent process that keeps a worker process serving.
//!
//! The supervisor owns the listening sockets and nothing else: no JavaScript engine, no catalogue, no
//! connection. Its workers run this same executable and accept on them. When a worker dies, a
//! new one starts while connections wait in the sockets' backlogs. In a graceful restart the new worker
//! is ready before the old one stops. In both cases no visitor is refused. A worker that hangs is killed
//! and replaced: each worker regularly sends a request to itself and reports success with a heartbeat.

pub(crate) mod instructions;
mod reports;
mod restart_backoff;
mod silence;
mod worker;

use std::ffi::OsString;
use std::fmt::Display;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use thiserror::Error;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

pub use self::instructions::Instruction;
use self::restart_backoff::RestartBackoff;
use self::silence::Sign;
use self::worker::{Event, Worker};
pub use self::worker::{Plan, StartError};
use crate::observe::ErrorChain;
use crate::process::restarts::Restarts;
use crate::process::{heartbeat, journal, readiness};

/// How long a worker may take to become ready; a cold catalogue on an overloaded machine takes seconds.
const READY_WITHIN: Duration = Duration::from_secs(60);
/// How long a start in progress may still take once no worker is serving.
const URGENT_READY_WITHIN: Duration = Duration::from_secs(10);
/// How long after its own drain limit a worker that has not ended is killed.
const KILL_GRACE: Duration = Duration::from_secs(5);

/// Shortest time between two replacements that workers ask for.
const ASKED_AT_MOST_EVERY: Duration = Duration::from_secs(60);

/// Why the supervisor ended other than by a graceful shutdown.
#[derive(Debug, Error)]
pub enum SuperviseError {
    #[error("the first worker failed, as its own message says")]
    FirstWorker(#[source] StartError),
    #[error("ended at once, without finishing what was being answered")]
    EndedAtOnce,
}

impl Plan {
    /// Workers that run this same executable with the same arguments, except `--supervise`, and so read the
    /// same settings file. A worker drains its requests for at most `drain`.
    ///
    /// # Errors
    /// Fails when the path of the current executable is not known.
    pub(crate) fn of_this_process(
        listener: OwnedFd,
        admin: Option<OwnedFd>,
        drain: Duration,
    ) -> io::Result<Self> {
        let is_supervise = |argument: &OsString| {
            argument.to_str().is_some_and(|text| text == "--supervise" || text.starts_with("--supervise="))
        };
        let arguments: Vec<OsString> =
            std::env::args_os().skip(1).filter(|argument| !is_supervise(argument)).collect();
        Ok(Self {
            program: std::env::current_exe()?,
            arguments,
            listener,
            admin,
            journal: journal::create()
                .inspect_err(|error| {
                    tracing::warn!(%error, "a purge during a replacement will reach one worker only");
                })
                .ok(),
            restarts: Restarts::default(),
            ready_within: READY_WITHIN,
            finish_within: drain + KILL_GRACE,
        })
    }
}

/// Keeps a worker serving until [`Instruction::End`].
///
/// # Errors
/// Fails when the first worker does not become ready, because then a restart would not help either, and
/// when a second [`Instruction::End`] cut the shutdown short.
pub async fn run(plan: Plan, mut instructions: mpsc::Receiver<Instruction>) -> Result<(), SuperviseError> {
    readiness::notify_starting(plan.ready_within);
    let first = tokio::select! {
        started = Worker::start(&plan) => started.map_err(SuperviseError::FirstWorker)?,
        () = end_instructed(&mut instructions) => return Ok(()),
    };
    tracing::info!(pid = first.pid, "worker ready");
    readiness::notify_ready();
    let mut supervisor = Supervisor {
        plan: Arc::new(plan),
        is_watched: heartbeat::timeout().is_some(),
        serving: Some(first),
        starting: FuturesUnordered::new(),
        replace_again: false,
        last_asked: None,
        finishing: JoinSet::new(),
        backoff: RestartBackoff::default(),
    };
    supervisor.keep_serving(&mut instructions).await;
    supervisor.end(instructions).await
}

/// A worker's start, possibly after a pause.
type Start = BoxFuture<'static, Result<Worker, StartError>>;

/// At any time a worker is serving, or one is starting, or both.
struct Supervisor {
    plan: Arc<Plan>,
    /// Whether a service manager waits for this process's own heartbeats.
    is_watched: bool,
    serving: Option<Worker>,
    /// The starts in progress. There are two after the serving worker was lost during a replacement's
    /// start, which may hang: the first that is ready serves.
    starting: FuturesUnordered<Start>,
    /// Whether a replacement was ordered during a start. The starting worker may have read files that
    /// have changed since, so it is replaced after its start.
    replace_again: bool,
    /// When a worker's own wish was last granted.
    last_asked: Option<Instant>,
    /// Replaced workers that are draining, and hung ones that are being killed.
    finishing: JoinSet<()>,
    backoff: RestartBackoff,
}

impl Supervisor {
    async fn keep_serving(&mut self, instructions: &mut mpsc::Receiver<Instruction>) {
        loop {
            tokio::select! {
                // Instructions first: a signal to the whole service may end a worker too, which must not be
                // restarted then.
                biased;
                instruction = instructions.recv() => match instruction {
                    Some(Instruction::Replace) => self.replace(),
                    Some(Instruction::End) | None => return,
                },
                event = event_of(&mut self.serving) => self.handle(event),
                Some(started) = self.starting.next() => self.take_over(started),
                Some(_) = self.finishing.join_next() => {}
            }
        }
    }

    /// Starts a replacement, or notes to do so after the start in progress.
    fn replace(&mut self) {
        if self.starting.is_empty() {
            tracing::info!("replacing the worker");
            self.plan.restarts.ordered.increment();
            self.start_after(Duration::ZERO);
        } else {
            self.replace_again = true;
        }
    }

    /// Replaces a worker that asks for it, but not again and again if its successor asks too.
    fn replace_as_asked(&mut self) {
        let is_early = self.last_asked.is_some_and(|last| last.elapsed() < ASKED_AT_MOST_EVERY);
        if !is_early && self.starting.is_empty() {
            self.last_asked = Some(Instant::now());
            self.replace();
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            // The service manager hears from the supervisor only while a worker answers.
            Event::Heard(Sign::Alive) if self.is_watched => readiness::notify_alive(),
            Event::Heard(Sign::Alive) => {}
            Event::Heard(Sign::AsksToBeReplaced) => self.replace_as_asked(),
            Event::Heard(Sign::Hung) => self.replace_hung(),
            Event::Ended(Ok(status)) => self.restart(&status),
            Event::Ended(Err(error)) => self.restart(&error),
        }
    }

    /// Starts a new worker, because the serving one has died.
    fn restart(&mut self, status: &dyn Display) {
        let Some(dead) = self.serving.take() else { return };
        let pause = self.backoff.after(dead.age());
        tracing::error!(pid = dead.pid, %status, ?pause, "the worker died");
        self.plan.restarts.died.increment();
        self.start_urgently(pause);
    }

    /// Kills the serving worker and starts a new one, because the serving one hangs.
    fn replace_hung(&mut self) {
        let Some(hung) = self.serving.take() else { return };
        let pause = self.backoff.after(hung.age());
        let silent_seconds = silence::LIMIT.as_secs();
        tracing::error!(
            pid = hung.pid,
            silent_seconds,
            ?pause,
            "the worker does not answer itself, killing it"
        );
        self.plan.restarts.hung.increment();
        self.finishing.spawn(hung.kill(self.plan.finish_within));
        self.start_urgently(pause);
    }

    /// Starts a worker while none is serving. A replacement that is starting already gets less time, and
    /// is not waited for: it may hang.
    fn start_urgently(&mut self, pause: Duration) {
        for start in std::mem::take(&mut self.starting) {
            self.starting.push(Box::pin(async move {
                let started = tokio::time::timeout(URGENT_READY_WITHIN, start).await;
                started.unwrap_or(Err(StartError::Late(URGENT_READY_WITHIN)))
            }));
        }
        self.start_after(pause);
    }

    /// Lets a worker that is ready serve, or handles its failed start.
    fn take_over(&mut self, started: Result<Worker, StartError>) {
        match started {
            Ok(worker) => {
                tracing::info!(pid = worker.pid, "worker ready");
                // Kills a worker that is still starting.
                self.starting.clear();
                if let Some(old) = self.serving.replace(worker) {
                    self.finishing.spawn(old.finish(self.plan.finish_within));
                }
            }
            Err(error) if self.serving.is_some() => {
                tracing::error!(
                    error = %ErrorChain(&error),
                    "the new worker failed; the old one stays"
                );
            }
            Err(error) if self.starting.is_empty() => {
                let pause = self.backoff.after(Duration::ZERO);
                tracing::error!(error = %ErrorChain(&error), ?pause, "the new worker failed");
                self.start_after(pause);
            }
            // Another worker is starting.
            Err(error) => tracing::error!(error = %ErrorChain(&error), "the new worker failed"),
        }
        if std::mem::take(&mut self.replace_again) {
            self.replace();
        }
    }

    fn start_after(&self, pause: Duration) {
        let plan = self.plan.clone();
        self.starting.push(Box::pin(async move {
            tokio::time::sleep(pause).await;
            Worker::start(&plan).await
        }));
    }

    /// Shuts all workers down gracefully, or kills them at another [`Instruction::End`].
    async fn end(self, mut instructions: mpsc::Receiver<Instruction>) -> Result<(), SuperviseError> {
        tracing::info!("ending the workers");
        readiness::notify_stopping();
        let Self { plan, serving, starting, mut finishing, .. } = self;
        // Kills a worker that is not ready yet: it has no requests to finish.
        drop(starting);
        if let Some(worker) = serving {
            finishing.spawn(worker.finish(plan.finish_within));
        }
        // Closes the listening socket. New connections are refused once the workers have closed it too.
        drop(plan);
        tokio::select! {
            () = async { while finishing.join_next().await.is_some() {} } => Ok(()),
            () = end_instructed(&mut instructions) => {
                finishing.shutdown().await;
                Err(SuperviseError::EndedAtOnce)
            }
        }
    }
}

/// Completes at the next [`Instruction::End`], or when no more instructions can come.
async fn end_instructed(instructions: &mut mpsc::Receiver<Instruction>) {
    while instructions.recv().await == Some(Instruction::Replace) {}
}

/// The next event of the serving worker; never completes when there is none.
async fn event_of(serving: &mut Option<Worker>) -> Event {
    match serving {
        Some(worker) => worker.event().await,
        None => std::future::pending().await,
    }
}
