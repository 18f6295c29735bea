//! The triggers of a serving process's graceful shutdown.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

use super::{lifeline, readiness};

/// Why the triggers of a shutdown cannot be watched.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WatchError {
    #[error("SIGTERM, SIGINT and SIGHUP cannot be watched")]
    Signals(#[source] io::Error),
    #[error("standard input cannot be watched")]
    Lifeline(#[source] io::Error),
}

/// Completes at SIGTERM, SIGINT (Ctrl-C) or SIGHUP. (A supervisor treats SIGHUP differently.) In
/// a worker it also completes when the supervisor closes standard input, see [`lifeline`]. A second signal exits at
/// once with status 1.
///
/// # Errors
/// Fails when a signal or standard input cannot be watched.
pub(crate) fn shutdown(is_worker: bool) -> Result<impl Future<Output = ()> + Send + 'static, WatchError> {
    let watch = |kind| signal(kind).map_err(WatchError::Signals);
    let mut terminate = watch(SignalKind::terminate())?;
    let mut interrupt = watch(SignalKind::interrupt())?;
    let mut hangup = watch(SignalKind::hangup())?;
    let lifeline = is_worker.then(lifeline::closed).transpose().map_err(WatchError::Lifeline)?;
    let mut next = async move || {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
    };
    let (signalled, first_signal) = oneshot::channel();
    // Signals are counted in a task of their own: the close of standard input and one signal are not
    // two signals.
    tokio::spawn(async move {
        next().await;
        let _ = signalled.send(());
        next().await;
        std::process::exit(1);
    });
    let lifeline_closed = async move {
        match lifeline {
            Some(lifeline) => lifeline.await,
            None => std::future::pending().await,
        }
    };
    Ok(async move {
        tokio::select! {
            _ = first_signal => {}
            () = lifeline_closed => {}
        }
        tracing::info!("finishing what is being answered");
        // A worker does not tell its supervisor, which asked for the shutdown.
        if !is_worker {
            readiness::notify_stopping();
        }
    })
}
