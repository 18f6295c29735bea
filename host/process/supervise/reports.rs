//! What one worker reports to its supervisor.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};

use super::silence::Sign;
use crate::process::readiness::{ALIVE, READY, REPLACE};

/// The socket that one worker sends its [notifications](crate::process::readiness) to.
#[derive(Debug)]
pub(super) struct Reports {
    socket: tokio::net::UnixDatagram,
    /// The socket's name, as the environment variable for the worker spells it.
    name: OsString,
}

impl Reports {
    /// Opens an abstract socket with a unique name. It needs no file system, which may be read-only.
    ///
    /// # Errors
    /// Fails when the socket cannot be created.
    pub(super) fn new() -> io::Result<Self> {
        let name = format!("vitrine-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let socket = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket: tokio::net::UnixDatagram::from_std(socket)?, name: format!("@{name}").into() })
    }

    /// The socket's name, for the worker's environment.
    pub(super) fn name(&self) -> &OsStr {
        &self.name
    }

    /// Completes when the worker has reported that it is ready. Cancel-safe.
    ///
    /// # Errors
    /// Fails when the socket cannot be read.
    pub(super) async fn ready(&self) -> io::Result<()> {
        self.line(|line| (line == READY).then_some(())).await
    }

    /// Completes when the worker has reported that it still answers, or has asked to be replaced. Cancel-safe.
    ///
    /// # Errors
    /// Fails when the socket cannot be read.
    pub(super) async fn sign(&self) -> io::Result<Sign> {
        let sign = |line: &[u8]| match line {
            ALIVE => Some(Sign::Alive),
            REPLACE => Some(Sign::AsksToBeReplaced),
            _ => None,
        };
        self.line(sign).await
    }

    /// The first line that `meaning` understands.
    async fn line<T>(&self, meaning: impl Fn(&[u8]) -> Option<T>) -> io::Result<T> {
        let mut datagram = [0; 4096];
        loop {
            let length = self.socket.recv(&mut datagram).await?;
            if let Some(found) = datagram[..length].split(|&byte| byte == b'\n').find_map(&meaning) {
                return Ok(found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::readiness::send;

    #[tokio::test]
    async fn only_a_ready_line_counts() {
        let reports = Reports::new().unwrap();
        let worker = UnixDatagram::unbound().unwrap();
        send(&worker, reports.name(), b"STATUS=READY=1 soon").unwrap();
        send(&worker, reports.name(), ALIVE).unwrap();
        let early = tokio::time::timeout(std::time::Duration::from_millis(50), reports.ready()).await;
        assert!(early.is_err());
        send(&worker, reports.name(), READY).unwrap();
        reports.ready().await.unwrap();
    }

    #[tokio::test]
    async fn a_supervisor_that_does_not_read_blocks_no_worker() {
        let reports = Reports::new().unwrap();
        let worker = UnixDatagram::unbound().unwrap();
        worker.set_nonblocking(true).unwrap();
        let full = std::iter::repeat_with(|| send(&worker, reports.name(), ALIVE)).find_map(Result::err);
        assert_eq!(full.unwrap().kind(), io::ErrorKind::WouldBlock);
        assert_eq!(reports.sign().await.unwrap(), Sign::Alive);
    }
}
