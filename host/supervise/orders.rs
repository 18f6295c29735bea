//! What an operator asks of the supervisor, by signals.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Put a new worker in the place of the old one.
    Replace,
    /// Finish and end; the second time, end at once.
    End,
}

/// SIGHUP replaces; SIGTERM and Ctrl-C end.
///
/// # Errors
/// Fails when a signal cannot be watched.
pub fn from_signals() -> io::Result<mpsc::Receiver<Order>> {
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
