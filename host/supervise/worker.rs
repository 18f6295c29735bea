//! One worker process: its start, its readiness, its end.

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

use crate::readiness::{self, Readiness};

/// The first of the handed-over sockets, as `LISTEN_FDS` has it.
const HANDED_OVER: i32 = 3;

/// How workers are started and ended; the same for each.
#[derive(Debug)]
pub struct Plan {
    /// Read once: a new executable that has been put in the old one's place is found by its name.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// The socket that every worker accepts on. The supervisor keeps it open, so connections wait
    /// in it while there is no worker.
    pub listener: OwnedFd,
    /// How long a start may take.
    pub ready_within: Duration,
    /// How long a worker may take to finish what it is answering.
    pub finish_within: Duration,
}

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

/// A worker that is ready. Dropped, it is killed.
#[derive(Debug)]
pub struct Worker {
    pub pid: u32,
    started: Instant,
    process: Child,
    /// Closed, it makes the worker finish; see [`lifeline`](super::lifeline).
    lifeline: Option<ChildStdin>,
}

impl Worker {
    /// Starts a worker and waits until it is ready. A worker that does not get so far is killed, and
    /// so is one whose start is not awaited to the end.
    pub async fn start(plan: &Plan) -> Result<Self, StartError> {
        let readiness = Readiness::new().map_err(StartError::Wait)?;
        let mut process =
            command(plan, &readiness).and_then(|mut command| command.spawn()).map_err(StartError::Spawn)?;
        let started = Instant::now();
        let pid = process.id().unwrap_or_default();
        tracing::debug!(pid, "starting a worker");
        // Out of the process's reach, because waiting for it would close its standard input.
        let lifeline = process.stdin.take();
        tokio::select! {
            announced = readiness.announced() => announced.map_err(StartError::Wait)?,
            ended = process.wait() => return Err(ended.map_or_else(StartError::Wait, StartError::Ended)),
            () = tokio::time::sleep(plan.ready_within) => return Err(StartError::Late(plan.ready_within)),
        }
        Ok(Self { pid, started, process, lifeline })
    }

    /// Completes when the worker has ended by itself.
    pub async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.process.wait().await
    }

    /// How long ago the worker was started.
    pub fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// Makes the worker finish what it is answering and end; kills it when that takes too long.
    pub async fn finish(mut self, within: Duration) {
        drop(self.lifeline.take());
        match tokio::time::timeout(within, self.process.wait()).await {
            Ok(Ok(status)) => tracing::info!(pid = self.pid, %status, "worker ended"),
            Ok(Err(error)) => tracing::warn!(pid = self.pid, %error, "cannot wait for a worker"),
            Err(_) => tracing::warn!(pid = self.pid, "killed a worker that did not end"),
        }
    }
}

fn command(plan: &Plan, readiness: &Readiness) -> io::Result<Command> {
    let mut command = std::process::Command::new(&plan.program);
    command
        .args(&plan.arguments)
        .env_remove("VITRINE_SUPERVISE")
        .env("VITRINE_END_WITH_STDIN", "true")
        // The supervisor's own socket may have come in the same way, so all of it is said anew.
        .env_remove("LISTEN_PID")
        .env_remove("LISTEN_FDNAMES")
        .env_remove("LISTEN_FDS_FIRST_FD")
        .env("LISTEN_FDS", "1")
        .env(readiness::VARIABLE, readiness.name())
        .stdin(Stdio::piped())
        // Ctrl-C in a terminal reaches the whole foreground group; the worker hears of it from the
        // supervisor alone.
        .process_group(0);
    let listener = FdMapping { parent_fd: plan.listener.try_clone()?, child_fd: HANDED_OVER };
    command.fd_mappings(vec![listener]).map_err(io::Error::other)?;
    let mut command = Command::from(command);
    command.kill_on_drop(true);
    Ok(command)
}
