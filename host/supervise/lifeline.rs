//! The worker's end of its lifeline: standard input, a pipe that the supervisor holds open.
//!
//! The kernel closes it when the supervisor dies in whatever way, so no worker outlives it; the
//! supervisor closes it to make a worker finish. A signal would do that too, but a service manager
//! signals all processes of a service at once, and the supervisor's would then count as the second
//! one, which ends a process without finishing.

use std::io::{self, ErrorKind};
use std::os::fd::AsFd as _;

use tokio::net::unix::pipe::Receiver;

/// Completes when the other end of standard input is closed.
///
/// # Errors
/// Fails when standard input is not a pipe.
pub fn cut() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let pipe = Receiver::from_owned_fd(io::stdin().as_fd().try_clone_to_owned()?)?;
    Ok(async move {
        loop {
            // Nothing is ever written to it; only its end matters.
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
