//! The listening socket: inherited from a service manager or supervisor, or opened here.

use std::io;
use std::net::SocketAddr;

use listenfd::ListenFd;
use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket};

/// Backlog: how many connections may wait to be accepted, for example while the worker restarts. The
/// kernel may allow fewer (`net.core.somaxconn`).
const BACKLOG: u32 = 4096;

/// Why the storefront cannot listen.
#[derive(Debug, Error)]
pub(crate) enum ListenError {
    #[error("cannot listen on {address}")]
    Bind { address: SocketAddr, source: io::Error },
    #[error("cannot listen on the socket that was handed over")]
    HandedOver(#[source] io::Error),
    #[error("{0} sockets were handed over; the storefront listens on one")]
    Several(usize),
}

/// Listens on the socket that was `handed_over` through systemd's socket activation (`LISTEN_FDS`),
/// otherwise on `address`.
///
/// # Errors
/// Fails when the address is in use or does not belong to this machine, and when something other than
/// one TCP socket was handed over.
pub(crate) fn open(address: SocketAddr, mut handed_over: ListenFd) -> Result<TcpListener, ListenError> {
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
    // Otherwise connections of a previous process in TIME_WAIT would block the port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_error_names_an_address_in_use() {
        let taken = open("127.0.0.1:0".parse().unwrap(), ListenFd::empty()).unwrap();
        let address = taken.local_addr().unwrap();
        let refused = open(address, ListenFd::empty()).unwrap_err();
        assert!(matches!(refused, ListenError::Bind { address: named, .. } if named == address), "{refused}");
    }

    #[tokio::test]
    async fn it_listens_on_an_ipv6_address() {
        let listener = open("[::1]:0".parse().unwrap(), ListenFd::empty()).unwrap();
        assert!(listener.local_addr().unwrap().is_ipv6());
    }
}
