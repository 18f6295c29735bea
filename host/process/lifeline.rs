//! A worker's lifeline: its standard input, a pipe whose other end the supervisor holds open.
//!
//! The supervisor closes the pipe to shut a worker down gracefully. The kernel closes it when the
//! supervisor dies for any reason, so no worker outlives its supervisor.
//!
//! SIGTERM would not do: a service manager signals all processes of a service at once, so SIGTERM from
//! the supervisor would be the worker's second signal, which ends a process without finishing.

use std::io::{self, ErrorKind};
use std::os::fd::AsFd as _;

use tokio::net::unix::pipe::Receiver;

/// Completes when the supervisor's end of the pipe is closed.
///
/// # Errors
/// Fails when standard input is not a pipe.
pub(crate) fn closed() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let pipe = Receiver::from_owned_fd(io::stdin().as_fd().try_clone_to_owned()?)?;
    Ok(async move {
        loop {
            // The supervisor writes nothing; reading only detects the end of the pipe.
            let read = match pipe.readable().await {
                Ok(()) => pipe.try_read(&mut [0; 64]),
                Err(error) => Err(error),
            };
            match read {
                Ok(1..) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Ok(0) | Err(_) => return,
            }
        }
    })
}
