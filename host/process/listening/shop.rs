//! The shop's socket.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket};

use super::ListenError;
use super::address::Address;
use super::handed_over::HandedOver;

/// Backlog: how many connections may wait to be accepted, for example while the worker restarts. The
/// kernel may allow fewer (`net.core.somaxconn`).
const BACKLOG: u32 = 4096;

/// Listens on the shop's socket that was `handed_over`, otherwise on `address`.
///
/// # Errors
/// Fails when the address is in use or does not belong to this machine, and when several sockets or
/// something other than a TCP socket was handed over.
pub(crate) fn open(address: SocketAddr, handed_over: &mut HandedOver) -> Result<TcpListener, ListenError> {
    let listener = match handed_over.take_shop_listener()? {
        Some(socket) => adopt(socket).map_err(ListenError::HandedOver)?,
        None => bind(address).map_err(|source| {
            let address = Address::Tcp(address);
            ListenError::Bind { setting: "--listen", address, source }
        })?,
    };
    let address = listener.local_addr().map_err(ListenError::HandedOver)?;
    tracing::info!(%address, "listening");
    Ok(listener)
}

pub(super) fn adopt(socket: std::net::TcpListener) -> io::Result<TcpListener> {
    socket.set_nonblocking(true)?;
    TcpListener::from_std(socket)
}

pub(super) fn bind(address: SocketAddr) -> io::Result<TcpListener> {
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
    async fn it_listens_on_an_ipv6_address() {
        let mut nothing = HandedOver::new(listenfd::ListenFd::empty(), "");
        let listener = open("[::1]:0".parse().unwrap(), &mut nothing).unwrap();
        assert!(listener.local_addr().unwrap().is_ipv6());
    }
}
