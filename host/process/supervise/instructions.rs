//! The operator's instructions to the supervisor, sent as signals.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

/// What the supervisor is told to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Graceful restart: start a new worker, then shut the old one down.
    Replace,
    /// Graceful shutdown; the second time, end at once.
    End,
}

/// Instructions from signals: SIGHUP replaces the worker; SIGTERM and SIGINT (Ctrl-C) end the supervisor.
///
/// # Errors
/// Fails when a signal cannot be watched.
pub(crate) fn from_signals() -> io::Result<mpsc::Receiver<Instruction>> {
    let mut hangup = signal(SignalKind::hangup())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let (sender, instructions) = mpsc::channel(8);
    tokio::spawn(async move {
        loop {
            let instruction = tokio::select! {
                _ = hangup.recv() => Instruction::Replace,
                _ = terminate.recv() => Instruction::End,
                _ = interrupt.recv() => Instruction::End,
            };
            if sender.send(instruction).await.is_err() {
                return;
            }
        }
    });
    Ok(instructions)
}
