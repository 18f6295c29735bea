//! The listening sockets: inherited from a service manager or supervisor, or opened here. One is the shop's;
//! another one, named `admin`, is for operators.
//!
//! - `address`: where operators may be listened to.
//! - `admin`: their socket.
//! - `handed_over`: sockets of a service manager or supervisor.

mod address;
mod admin;
mod handed_over;

use std::io;
use std::net::SocketAddr;

use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket};

pub(crate) use self::address::Address;
pub(crate) use self::admin::AdminListener;
pub use self::handed_over::HandedOver;
pub(crate) use self::handed_over::{ADMIN, NAMES_VARIABLE, SHOP};

/// Backlog: how many connections may wait to be accepted, for example while the worker restarts. The
/// kernel may allow fewer (`net.core.somaxconn`).
const BACKLOG: u32 = 4096;

/// Why the storefront cannot listen.
#[derive(Debug, Error)]
pub(crate) enum ListenError {
    /// `setting` is the flag of the address.
    #[error("cannot listen on {address}")]
    Bind { setting: &'static str, address: Address, source: io::Error },
    #[error("cannot listen on the socket that was handed over")]
    HandedOver(#[source] io::Error),
    #[error("{0} sockets were handed over; the storefront listens on one, and on one named `admin`")]
    Several(usize),
    #[error("{0} sockets named `admin` were handed over; operators are listened to on one")]
    SeveralForOperators(usize),
}

/// Listens on the shop's socket that was `handed_over`, otherwise on `address`.
///
/// # Errors
/// Fails when the address is in use or does not belong to this machine, and when several sockets or
/// something other than a TCP socket was handed over.
pub(crate) fn open(address: SocketAddr, handed_over: &mut HandedOver) -> Result<TcpListener, ListenError> {
    let listener = match handed_over.take_shop_s()? {
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
    use listenfd::ListenFd;

    use super::*;

    pub(super) fn nothing() -> HandedOver {
        HandedOver::new(ListenFd::empty(), "")
    }

    #[tokio::test]
    async fn the_error_names_an_address_in_use() {
        let taken = open("127.0.0.1:0".parse().unwrap(), &mut nothing()).unwrap();
        let taken = Address::Tcp(taken.local_addr().unwrap());
        let refused = AdminListener::open(Some(&taken), &mut nothing()).unwrap_err();
        assert!(matches!(refused, ListenError::Bind { address, .. } if address == taken));
    }

    #[tokio::test]
    async fn it_listens_on_an_ipv6_address() {
        let listener = open("[::1]:0".parse().unwrap(), &mut nothing()).unwrap();
        assert!(listener.local_addr().unwrap().is_ipv6());
    }
}
