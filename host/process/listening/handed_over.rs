//! Sockets that another process hands over: a service manager, or the supervisor.

use std::net::TcpListener;
use std::os::unix::net::UnixListener;

use listenfd::ListenFd;

use super::ListenError;

/// The environment variable with the names of the sockets that are handed over.
pub(crate) const NAMES_VARIABLE: &str = "LISTEN_FDNAMES";
/// The name of the operators' socket. A socket of any other name is the shop's.
pub(crate) const ADMIN: &str = "admin";
/// The name of the shop's socket, from a supervisor.
pub(crate) const SHOP: &str = "shop";

/// The sockets that were handed over through systemd's socket activation (`LISTEN_FDS`), with their names.
pub struct HandedOver {
    sockets: ListenFd,
    names: Vec<String>,
    /// A socket for operators that this process itself has bound early.
    bound: Option<UnixListener>,
}

impl HandedOver {
    /// Takes the sockets from the environment. Must run before any other thread exists, because it removes
    /// variables from the environment.
    pub fn from_env() -> Self {
        let names = std::env::var(NAMES_VARIABLE).unwrap_or_default();
        Self::new(ListenFd::from_env(), &names)
    }

    pub(super) fn new(sockets: ListenFd, names: &str) -> Self {
        Self { sockets, names: names.split(':').map(str::to_owned).collect(), bound: None }
    }

    /// The positions of the operators' sockets among all sockets, or those of all others.
    fn places(&self, are_operators: bool) -> Vec<usize> {
        let is_admin = |place: &usize| self.names.get(*place).is_some_and(|name| name == ADMIN);
        (0..self.sockets.len()).filter(|place| is_admin(place) == are_operators).collect()
    }

    /// The shop's socket, if one was handed over.
    ///
    /// # Errors
    /// When there are several, or it is not a TCP socket.
    pub(super) fn take_shop_listener(&mut self) -> Result<Option<TcpListener>, ListenError> {
        match *self.places(false) {
            [] => Ok(None),
            [place] => self.sockets.take_tcp_listener(place).map_err(ListenError::HandedOver),
            ref places => Err(ListenError::Several(places.len())),
        }
    }

    /// Whether a socket for operators was handed over.
    pub(super) fn has_operators(&self) -> bool {
        !self.places(true).is_empty()
    }

    /// Keeps a socket for operators.
    pub(super) fn keep_operators(&mut self, socket: UnixListener) {
        self.bound = Some(socket);
    }

    /// The operators' socket, if one was handed over or kept.
    ///
    /// # Errors
    /// When there are several, or it is neither a TCP socket nor a Unix stream socket.
    pub(super) fn take_operators(&mut self) -> Result<Option<OperatorsSocket>, ListenError> {
        let place = match *self.places(true) {
            [] => return Ok(self.bound.take().map(OperatorsSocket::Unix)),
            [place] => place,
            ref places => return Err(ListenError::SeveralForOperators(places.len())),
        };
        if let Ok(socket) = self.sockets.take_tcp_listener(place) {
            return Ok(socket.map(OperatorsSocket::Tcp));
        }
        let socket = self.sockets.take_unix_listener(place).map_err(ListenError::HandedOver)?;
        Ok(socket.map(OperatorsSocket::Unix))
    }
}

/// The operators' socket, of either kind.
pub(super) enum OperatorsSocket {
    Tcp(TcpListener),
    Unix(UnixListener),
}
