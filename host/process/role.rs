//! What this process is to the other processes of the same shop.
//!
//! A supervisor tells its workers in environment variables, because they have the same command line and read the same
//! settings file. The names of the variables stay: a supervisor starts whatever program stands at its own path, which
//! may be of another version. The variables of systemd's protocols, which a supervisor speaks with its workers too, are
//! in [`listening`](super::listening), [`readiness`](super::readiness) and [`heartbeat`](super::heartbeat).

use std::io;
use std::process::Command;

use super::journal::Journal;
use super::restarts::Restarts;

/// Set for a worker. Former versions have a setting of this name.
const WORKER: &str = "VITRINE_END_WITH_STDIN";
/// The setting that makes a supervisor. A worker has no use for it, but one of a former version has.
const SUPERVISE: &str = "VITRINE_SUPERVISE";
/// What the supervisor has counted, as [`Restarts::line`] writes it.
const RESTARTS: &str = "VITRINE_RESTARTS";
/// The number of the descriptor of the supervisor's journal.
const JOURNAL: &str = "VITRINE_JOURNAL_FD";

/// What a process is to the others.
#[derive(Debug)]
pub enum Role {
    /// It serves, and no process of the shop starts it again.
    Alone,
    /// It starts workers again and serves nothing itself.
    Supervisor,
    /// It serves for a supervisor.
    Worker(Inherited),
}

/// What a worker has from its supervisor.
#[derive(Debug)]
pub struct Inherited {
    /// Starts of a worker after the first one.
    pub(crate) restarts: Restarts,
    /// What workers tell each other; `None` if the supervisor could not create it.
    pub(crate) journal: Option<Journal>,
}

impl Role {
    /// The role of this process: a worker if a supervisor says so, otherwise what the setting says.
    ///
    /// # Errors
    /// Fails when the supervisor's journal cannot be opened.
    pub(crate) fn of_this_process(supervise: bool) -> io::Result<Self> {
        let variable = |name| std::env::var(name).ok();
        if variable(WORKER).is_none() {
            return Ok(if supervise { Self::Supervisor } else { Self::Alone });
        }
        let descriptor = variable(JOURNAL).and_then(|number| number.parse::<u32>().ok());
        Ok(Self::Worker(Inherited {
            restarts: variable(RESTARTS).map(|line| Restarts::parse(&line)).unwrap_or_default(),
            journal: descriptor.map(Journal::inherited).transpose()?,
        }))
    }

    /// Whether a supervisor starts this process again.
    pub(crate) fn is_worker(&self) -> bool {
        matches!(self, Self::Worker(_))
    }
}

/// Tells a process that is not started yet that it is a worker, whose `journal` has this descriptor.
pub(super) fn make_worker(command: &mut Command, restarts: &Restarts, journal: Option<i32>) {
    command.env(SUPERVISE, "false").env(WORKER, "true").env(RESTARTS, restarts.line()).env_remove(JOURNAL);
    if let Some(descriptor) = journal {
        command.env(JOURNAL, descriptor.to_string());
    }
}
