//! The socket that the storefront listens on: handed over by whoever started it, or its own.

use std::io;
use std::net::SocketAddr;

use listenfd::ListenFd;
use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket};

/// Connections that may wait while nobody accepts them, as during a restart of the worker. The
/// kernel may allow fewer.
const BACKLOG: u32 = 4096;

#[derive(Debug, Error)]
pub enum ListenError {
    #[error("cannot listen on {address}")]
    Bind { address: SocketAddr, source: io::Error },
    #[error("cannot listen on the socket that was handed over")]
    HandedOver(#[source] io::Error),
    #[error("{0} sockets were handed over; the storefront listens on one")]
    Several(usize),
}

/// Listens on the socket that was `handed_over` as systemd does it (`LISTEN_FDS`), otherwise on
/// `address`.
///
/// # Errors
/// Fails when the address is taken or not this machine's, and when what was handed over is not
/// one TCP socket.
pub fn open(address: SocketAddr, mut handed_over: ListenFd) -> Result<TcpListener, ListenError> {
    if handed_over.len() > 1 {
        return Err(ListenError::Several(handed_over.len()));
    }
    let listener = match handed_over.take_tcp_listener(0).map_err(ListenError::HandedOver)? {
        Some(socket) => adopt(socket).map_err(ListenError::HandedOver)?,
        None => bind(address).map_err(|source| ListenError::Bind { address, source })?,
    };
    let address = listener.local_addr().map_err(ListenError::HandedOver)?;
    tracing::info!(%address, "listening");
    Ok(listener)
}

fn adopt(socket: std::net::TcpListener) -> io::Result<TcpListener> {
    socket.set_nonblocking(true)?;
    TcpListener::from_std(socket)
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Without it, connections that are still being closed would keep a new process off the port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_taken_address_is_named() {
        let taken = open("127.0.0.1:0".parse().unwrap(), ListenFd::empty()).unwrap();
        let address = taken.local_addr().unwrap();
        let refused = open(address, ListenFd::empty()).unwrap_err();
        assert!(matches!(refused, ListenError::Bind { address: named, .. } if named == address), "{refused}");
    }

    #[tokio::test]
    async fn a_version_6_address_is_listened_on() {
        let listener = open("[::1]:0".parse().unwrap(), ListenFd::empty()).unwrap();
        assert!(listener.local_addr().unwrap().is_ipv6());
    }
}
