//! The operators' socket.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::UnixListener as StdUnixListener;
use std::path::Path;

use tokio::net::{TcpListener, UnixListener};

use super::ListenError;
use super::address::Address;
use super::handed_over::{HandedOver, OperatorsSocket};
use super::shop::{adopt, bind};

/// What the file of a Unix socket allows: its owner and group may connect.
const SOCKET_MODE: u32 = 0o660;

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
    /// Fails when the address is in use or does not belong to this machine, and when several sockets or
    /// something other than a stream socket was handed over.
    pub(crate) fn open(
        address: Option<&Address>,
        handed_over: &mut HandedOver,
    ) -> Result<Option<Self>, ListenError> {
        let listener = match (handed_over.take_operators()?, address) {
            (Some(socket), _) => Some(Self::adopt(socket).map_err(ListenError::HandedOver)?),
            (None, Some(address)) => Some(Self::bind(address).map_err(|source| refused(address, source))?),
            (None, None) => None,
        };
        if let Some(listener) = &listener {
            let address = listener.address().map_err(ListenError::HandedOver)?;
            tracing::info!(%address, "listening for operators");
        }
        Ok(listener)
    }

    /// Binds a Unix socket for [`Self::open`], unless one was handed over. Call this before the sandbox forbids
    /// changing the modes of files, because the socket's file gets a mode.
    ///
    /// # Errors
    /// Fails when the address is in use or cannot be used.
    pub(crate) fn bind_early(
        address: Option<&Address>,
        handed_over: &mut HandedOver,
    ) -> Result<(), ListenError> {
        if let Some(address @ Address::Unix(path)) = address
            && !handed_over.has_operators()
        {
            let socket = bind_unix(path).map_err(|source| refused(address, source))?;
            handed_over.keep_operators(socket);
        }
        Ok(())
    }

    fn adopt(socket: OperatorsSocket) -> io::Result<Self> {
        match socket {
            OperatorsSocket::Tcp(socket) => adopt(socket).map(Self::Tcp),
            OperatorsSocket::Unix(socket) => adopt_unix(socket).map(Self::Unix),
        }
    }

    fn bind(address: &Address) -> io::Result<Self> {
        match address {
            Address::Tcp(address) => bind(*address).map(Self::Tcp),
            Address::Unix(path) => bind_unix(path).and_then(adopt_unix).map(Self::Unix),
        }
    }

    /// The address on which it listens.
    ///
    /// # Errors
    /// Fails when the kernel does not name the address.
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

fn refused(address: &Address, source: io::Error) -> ListenError {
    ListenError::Bind { setting: "--admin", address: address.clone(), source }
}

fn adopt_unix(socket: StdUnixListener) -> io::Result<UnixListener> {
    socket.set_nonblocking(true)?;
    UnixListener::from_std(socket)
}

/// Binds a Unix socket. The file of a process that has ended is replaced; anything else is left alone.
fn bind_unix(path: &Path) -> io::Result<StdUnixListener> {
    let listener = match StdUnixListener::bind(path) {
        Err(error) if error.kind() == ErrorKind::AddrInUse && is_abandoned(path) => {
            fs::remove_file(path)?;
            StdUnixListener::bind(path)
        }
        bound => bound,
    }?;
    fs::set_permissions(path, fs::Permissions::from_mode(SOCKET_MODE))?;
    Ok(listener)
}

/// Whether the path is the file of a socket that no process listens on.
fn is_abandoned(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = || std::os::unix::net::UnixStream::connect(path).err().map(|error| error.kind());
    is_socket && refused() == Some(ErrorKind::ConnectionRefused)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing() -> HandedOver {
        HandedOver::new(listenfd::ListenFd::empty(), "")
    }

    #[tokio::test]
    async fn the_error_names_an_address_in_use() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let taken = Address::Tcp(listener.local_addr().unwrap());
        let refused = AdminListener::open(Some(&taken), &mut nothing()).unwrap_err();
        assert!(matches!(refused, ListenError::Bind { address, .. } if address == taken));
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
}
