//! One worker process: start, readiness, heartbeats and shutdown.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt as _, FdMapping};
use thiserror::Error;
use tokio::process::{Child, ChildStdin, Command};

use super::reports::Reports;
use super::silence::{self, Sign, Silence};
use crate::process::restarts::Restarts;
use crate::process::{heartbeat, listening, readiness, role};

/// The first inherited file descriptor in systemd's protocol (`SD_LISTEN_FDS_START`).
const LISTEN_FDS_START: i32 = 3;

/// How every worker is started and ended.
#[derive(Debug)]
pub struct Plan {
    /// Path of the executable. It is resolved once, so that a restart runs whatever file is at this path
    /// then, such as a new version.
    pub program: PathBuf,
    /// Command-line arguments of a worker.
    pub arguments: Vec<OsString>,
    /// The socket that every worker accepts on. The supervisor keeps it open, so connections wait in its
    /// backlog while there is no worker.
    pub listener: OwnedFd,
    /// The operators' socket, if there is one, which every worker accepts on too.
    pub admin: Option<OwnedFd>,
    /// The file in which workers tell each other of purges, see [`journal`](crate::process::journal).
    pub journal: Option<OwnedFd>,
    /// The numbers of starts after the first one, which every worker is told.
    pub restarts: Restarts,
    /// How long a worker may take to become ready.
    pub ready_within: Duration,
    /// How long a worker may take to finish its requests and exit before it is killed.
    pub finish_within: Duration,
}

/// Why a worker did not become ready.
#[derive(Debug, Error)]
pub enum StartError {
    #[error("it cannot be started")]
    Spawn(#[source] io::Error),
    #[error("it cannot be waited for")]
    Wait(#[source] io::Error),
    #[error("it ended before it was ready: {0}")]
    Ended(ExitStatus),
    #[error("it was not ready after {0:?}")]
    Late(Duration),
}

/// What happened to a worker that is ready.
#[derive(Debug)]
pub(super) enum Event {
    /// It has reported something, or nothing for [`silence::LIMIT`].
    Heard(Sign),
    /// Its process has exited.
    Ended(io::Result<ExitStatus>),
}

/// A worker that is ready. Dropping it kills the process.
#[derive(Debug)]
pub(super) struct Worker {
    pub pid: u32,
    started: Instant,
    process: Child,
    reports: Reports,
    silence: Silence,
    /// Closing it shuts the worker down gracefully; see [`lifeline`](crate::process::lifeline).
    lifeline: Option<ChildStdin>,
}

impl Worker {
    /// Starts a worker and waits until it is ready. Kills it if it does not become ready in time, or if the
    /// returned future is dropped.
    pub(super) async fn start(plan: &Plan) -> Result<Self, StartError> {
        let reports = Reports::new().map_err(StartError::Wait)?;
        let mut process =
            command(plan, &reports).and_then(|mut command| command.spawn()).map_err(StartError::Spawn)?;
        let started = Instant::now();
        let pid = process.id().unwrap_or_default();
        tracing::debug!(pid, "starting a worker");
        // Taken from the `Child`, because waiting for it closes its standard input.
        let lifeline = process.stdin.take();
        tokio::select! {
            ready = reports.ready() => ready.map_err(StartError::Wait)?,
            ended = process.wait() => return Err(ended.map_or_else(StartError::Wait, StartError::Ended)),
            () = tokio::time::sleep(plan.ready_within) => return Err(StartError::Late(plan.ready_within)),
        }
        Ok(Self { pid, started, process, reports, silence: Silence::new(), lifeline })
    }

    /// The next event of a worker that serves. Cancel-safe.
    pub(super) async fn event(&mut self) -> Event {
        let Self { process, reports, silence, .. } = self;
        let heard = async {
            // A worker that cannot be heard is silent.
            match reports.sign().await {
                Ok(sign) => sign,
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            status = process.wait() => Event::Ended(status),
            sign = silence.next(heard) => Event::Heard(sign),
        }
    }

    /// How long ago the worker was started.
    pub(super) fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// Shuts the worker down gracefully, and kills it when it has not exited `within` that time.
    pub(super) async fn finish(mut self, within: Duration) {
        drop(self.lifeline.take());
        match tokio::time::timeout(within, self.process.wait()).await {
            Ok(status) => log_end(self.pid, status),
            Err(_) => tracing::warn!(pid = self.pid, "killed a worker that did not end"),
        }
    }

    /// Kills the worker and waits for its end, at most `within` that time: a process that waits for a disk
    /// ends only when the disk answers. Only SIGKILL ends a process that is stopped.
    pub(super) async fn kill(mut self, within: Duration) {
        match tokio::time::timeout(within, self.process.kill()).await {
            Ok(_) => log_end(self.pid, self.process.wait().await),
            Err(_) => tracing::warn!(pid = self.pid, "a killed worker has not ended yet"),
        }
    }
}

fn log_end(pid: u32, status: io::Result<ExitStatus>) {
    match status {
        Ok(status) => tracing::info!(pid, %status, "worker ended"),
        Err(error) => tracing::warn!(pid, %error, "cannot wait for a worker"),
    }
}

fn command(plan: &Plan, reports: &Reports) -> io::Result<Command> {
    let timeout = heartbeat::timeout().map_or(silence::LIMIT, |timeout| timeout.min(silence::LIMIT));
    let mut command = std::process::Command::new(&plan.program);
    command
        .args(&plan.arguments)
        // The supervisor may have inherited its own socket this way, so every variable is reset.
        .env_remove("LISTEN_PID")
        .env_remove("LISTEN_FDS_FIRST_FD")
        .env(readiness::VARIABLE, reports.name())
        // Workers send heartbeats at least as often as the supervisor has to.
        .env(heartbeat::TIMEOUT_VARIABLE, timeout.as_micros().to_string())
        .env_remove(heartbeat::PROCESS_VARIABLE)
        .stdin(Stdio::piped())
        // Ctrl-C in a terminal signals the whole foreground process group. A group of its own keeps the
        // signal from the worker, which the supervisor shuts down.
        .process_group(0);
    let mut mappings = vec![FdMapping { parent_fd: plan.listener.try_clone()?, child_fd: LISTEN_FDS_START }];
    let mut next = LISTEN_FDS_START + 1;
    let mut names = vec![listening::SHOP];
    if let Some(admin) = &plan.admin {
        mappings.push(FdMapping { parent_fd: admin.try_clone()?, child_fd: next });
        names.push(listening::ADMIN);
        next += 1;
    }
    command.env("LISTEN_FDS", names.len().to_string()).env(listening::NAMES_VARIABLE, names.join(":"));
    if let Some(journal) = &plan.journal {
        mappings.push(FdMapping { parent_fd: journal.try_clone()?, child_fd: next });
    }
    role::make_worker(&mut command, &plan.restarts, plan.journal.is_some().then_some(next));
    command.fd_mappings(mappings).map_err(io::Error::other)?;
    let mut command = Command::from(command);
    command.kill_on_drop(true);
    Ok(command)
}
