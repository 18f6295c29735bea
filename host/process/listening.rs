//! The listening sockets: inherited from a service manager or supervisor, or opened here. One is the shop's;
//! another one, named `admin`, is for operators.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use listenfd::ListenFd;
use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket, UnixListener};

/// Backlog: how many connections may wait to be accepted, for example while the worker restarts. The
/// kernel may allow fewer (`net.core.somaxconn`).
const BACKLOG: u32 = 4096;

/// The environment variable with the names of the sockets that are handed over.
pub(crate) const NAMES_VARIABLE: &str = "LISTEN_FDNAMES";
/// The name of the operators' socket. A socket of any other name is the shop's.
pub(crate) const ADMIN: &str = "admin";
/// The name of the shop's socket, from a supervisor.
pub(crate) const SHOP: &str = "shop";

/// What the file of a Unix socket allows: its owner and group may connect.
const SOCKET_MODE: u32 = 0o660;

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
}

/// Where operators are listened to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    Tcp(SocketAddr),
    /// The path of a Unix socket.
    Unix(PathBuf),
}

impl FromStr for Address {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix("unix:") {
            Some("") => Err("expected a path after `unix:`"),
            Some(path) => Ok(Self::Unix(path.into())),
            None => text
                .parse()
                .map(Self::Tcp)
                .map_err(|_| "expected an address and port such as 127.0.0.1:3100, or `unix:` and a path"),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(formatter),
            Self::Unix(path) => write!(formatter, "unix:{}", path.display()),
        }
    }
}

/// The sockets that were handed over through systemd's socket activation (`LISTEN_FDS`), with their names.
pub struct HandedOver {
    sockets: ListenFd,
    names: Vec<String>,
}

impl HandedOver {
    /// Takes them from the environment. Must run before any other thread exists, because it removes
    /// variables from the environment.
    pub fn from_env() -> Self {
        let names = std::env::var(NAMES_VARIABLE).unwrap_or_default();
        Self::new(ListenFd::from_env(), &names)
    }

    fn new(sockets: ListenFd, names: &str) -> Self {
        Self { sockets, names: names.split(':').map(str::to_owned).collect() }
    }

    fn of_operators(&self) -> Option<usize> {
        (0..self.sockets.len()).find(|index| self.names.get(*index).is_some_and(|name| name == ADMIN))
    }

    fn take_shop_s(&mut self) -> Result<Option<std::net::TcpListener>, ListenError> {
        let operators = self.of_operators();
        let mut others = (0..self.sockets.len()).filter(|index| Some(*index) != operators);
        match (others.next(), others.next()) {
            (None, _) => Ok(None),
            (Some(index), None) => self.sockets.take_tcp_listener(index).map_err(ListenError::HandedOver),
            (Some(_), Some(_)) => Err(ListenError::Several(self.sockets.len())),
        }
    }
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

/// A socket for operators.
#[derive(Debug)]
pub(crate) enum AdminListener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl AdminListener {
    /// Listens on the operators' socket that was `handed_over`, otherwise on `address`; `None` without either.
    ///
    /// # Errors
    /// Fails when the address is in use or does not belong to this machine, and when something that is no
    /// socket of the right kind was handed over.
    pub(crate) fn open(
        address: Option<&Address>,
        handed_over: &mut HandedOver,
    ) -> Result<Option<Self>, ListenError> {
        let listener = match (handed_over.of_operators(), address) {
            (Some(index), _) => Self::adopt(index, handed_over).map_err(ListenError::HandedOver)?,
            (None, Some(address)) => Some(Self::bind(address).map_err(|source| {
                let address = address.clone();
                ListenError::Bind { setting: "--admin", address, source }
            })?),
            (None, None) => None,
        };
        if let Some(listener) = &listener {
            let address = listener.address().map_err(ListenError::HandedOver)?;
            tracing::info!(%address, "listening for operators");
        }
        Ok(listener)
    }

    fn adopt(index: usize, handed_over: &mut HandedOver) -> io::Result<Option<Self>> {
        if let Ok(socket) = handed_over.sockets.take_tcp_listener(index) {
            return Ok(socket.map(adopt).transpose()?.map(Self::Tcp));
        }
        let socket = handed_over.sockets.take_unix_listener(index)?;
        let adopt = |socket: std::os::unix::net::UnixListener| {
            socket.set_nonblocking(true)?;
            UnixListener::from_std(socket)
        };
        Ok(socket.map(adopt).transpose()?.map(Self::Unix))
    }

    fn bind(address: &Address) -> io::Result<Self> {
        match address {
            Address::Tcp(address) => bind(*address).map(Self::Tcp),
            Address::Unix(path) => bind_unix(path).map(Self::Unix),
        }
    }

    /// Where it listens.
    ///
    /// # Errors
    /// Fails when the kernel does not say it.
    fn address(&self) -> io::Result<Address> {
        Ok(match self {
            Self::Tcp(listener) => Address::Tcp(listener.local_addr()?),
            Self::Unix(listener) => {
                let address = listener.local_addr()?;
                Address::Unix(address.as_pathname().map(Path::to_owned).unwrap_or_default())
            }
        })
    }

    /// The socket, to be handed over.
    ///
    /// # Errors
    /// Fails when the socket cannot be taken from the runtime.
    pub(crate) fn into_fd(self) -> io::Result<OwnedFd> {
        match self {
            Self::Tcp(listener) => listener.into_std().map(OwnedFd::from),
            Self::Unix(listener) => listener.into_std().map(OwnedFd::from),
        }
    }
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

/// Binds a Unix socket. The file of a process that has ended is replaced; anything else is left alone.
fn bind_unix(path: &Path) -> io::Result<UnixListener> {
    let listener = match UnixListener::bind(path) {
        Err(error) if error.kind() == ErrorKind::AddrInUse && is_abandoned(path) => {
            fs::remove_file(path)?;
            UnixListener::bind(path)
        }
        bound => bound,
    }?;
    fs::set_permissions(path, fs::Permissions::from_mode(SOCKET_MODE))?;
    Ok(listener)
}

/// Whether it is the file of a socket that nobody listens on any more.
fn is_abandoned(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = || std::os::unix::net::UnixStream::connect(path).err().map(|error| error.kind());
    is_socket && refused() == Some(ErrorKind::ConnectionRefused)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing() -> HandedOver {
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

    #[tokio::test]
    async fn without_an_address_there_is_no_listener_for_operators() {
        assert!(AdminListener::open(None, &mut nothing()).unwrap().is_none());
    }

    #[tokio::test]
    async fn a_unix_socket_replaces_the_file_of_a_process_that_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("admin.sock");
        let address = Address::Unix(path.clone());
        let open = || AdminListener::open(Some(&address), &mut nothing());
        let first = open().unwrap().unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, SOCKET_MODE);
        assert!(open().is_err(), "somebody listens there");
        drop(first);
        let second = open().unwrap().unwrap();
        assert_eq!(second.address().unwrap(), address);
        drop(second);
        fs::remove_file(&path).unwrap();
        fs::write(&path, "notes").unwrap();
        assert!(open().is_err(), "it is no socket");
        assert_eq!(fs::read_to_string(&path).unwrap(), "notes");
    }

    #[test]
    fn an_address_is_a_port_or_a_path() {
        let tcp = Address::Tcp("127.0.0.1:3100".parse().unwrap());
        let unix = Address::Unix("/run/vitrine/admin.sock".into());
        for address in [tcp, unix] {
            assert_eq!(address.to_string().parse(), Ok(address));
        }
        for text in ["", "unix:", "3100", "/run/admin.sock", "localhost"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
