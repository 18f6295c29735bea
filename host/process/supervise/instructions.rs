//! The operator's orders to the supervisor, sent as signals.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

/// What the supervisor is told to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Graceful restart: start a new worker, then shut the old one down.
    Replace,
    /// Graceful shutdown; the second time, end at once.
    End,
}

/// Orders from signals: SIGHUP replaces the worker; SIGTERM and SIGINT (Ctrl-C) end the supervisor.
///
/// # Errors
/// Fails when a signal cannot be watched.
pub(crate) fn from_signals() -> io::Result<mpsc::Receiver<Order>> {
    let mut hangup = signal(SignalKind::hangup())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let (sender, orders) = mpsc::channel(8);
    tokio::spawn(async move {
        loop {
            let order = tokio::select! {
                _ = hangup.recv() => Order::Replace,
                _ = terminate.recv() => Order::End,
                _ = interrupt.recv() => Order::End,
            };
            if sender.send(order).await.is_err() {
                return;
            }
        }
    });
    Ok(orders)
}
