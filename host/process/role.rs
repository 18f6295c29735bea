//! The role of this process among the processes of one shop: on its own, supervisor, or worker.
//!
//! A supervisor tells its workers their role in environment variables: except for `--supervise`, they have the same
//! command line and settings file. The names of the variables must not change: a supervisor starts the program at its
//! own path, which may be another version. The variables of systemd's protocols are in [`listening`](super::listening),
//! [`readiness`](super::readiness) and [`heartbeat`](super::heartbeat); a supervisor uses them for its workers too.

use std::io;
use std::process::Command;

use super::journal::Journal;
use super::restarts::Restarts;

/// Marks a worker if it is `true`. Former versions read it as a setting.
const WORKER: &str = "VITRINE_END_WITH_STDIN";
/// The setting that makes a supervisor. Workers get `false`, because workers of former versions obey it.
const SUPERVISE: &str = "VITRINE_SUPERVISE";
/// The numbers of restarts so far, as [`Restarts::line`] writes them.
const RESTARTS: &str = "VITRINE_RESTARTS";
/// The file descriptor of the journal that the supervisor has created.
const JOURNAL: &str = "VITRINE_JOURNAL_FD";

/// The role of a process among those of its shop.
#[derive(Debug)]
pub(crate) enum Role {
    /// It serves without a supervisor.
    Alone,
    /// It starts workers, replaces those that die, and serves nothing itself.
    Supervisor,
    /// It serves for a supervisor.
    Worker(Inherited),
}

/// What a worker receives from its supervisor.
#[derive(Debug)]
pub(crate) struct Inherited {
    /// How often the supervisor has started another worker so far.
    pub(crate) restarts: Option<Restarts>,
    /// The journal by which workers share purges; `None` if the supervisor could not create it.
    pub(crate) journal: Option<Journal>,
}

impl Role {
    /// The role of this process: a worker if the environment says so, otherwise as `supervise` says.
    ///
    /// # Errors
    /// Fails when the supervisor's journal cannot be opened.
    pub(crate) fn of_this_process(supervise: bool) -> io::Result<Self> {
        let variable = |name| std::env::var(name).ok();
        if variable(WORKER).as_deref() != Some("true") {
            return Ok(if supervise { Self::Supervisor } else { Self::Alone });
        }
        let descriptor = variable(JOURNAL).and_then(|number| number.parse::<u32>().ok());
        Ok(Self::Worker(Inherited {
            restarts: variable(RESTARTS).map(|line| Restarts::parse(&line)),
            journal: descriptor.map(Journal::inherited).transpose()?,
        }))
    }

    /// Whether this process is a worker of a supervisor, which replaces it when it dies.
    pub(crate) fn is_worker(&self) -> bool {
        matches!(self, Self::Worker(_))
    }
}

/// Sets the variables that make a process a worker, before it is started. `journal` is the descriptor in that process.
pub(super) fn make_worker(command: &mut Command, restarts: &Restarts, journal: Option<i32>) {
    command.env(SUPERVISE, "false").env(WORKER, "true").env(RESTARTS, restarts.line()).env_remove(JOURNAL);
    if let Some(descriptor) = journal {
        command.env(JOURNAL, descriptor.to_string());
    }
}
