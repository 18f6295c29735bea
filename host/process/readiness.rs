//! Notifications to a service manager or supervisor, as in systemd's `Type=notify` units: a process
//! sends the datagrams `READY=1`, `WATCHDOG=1`, `STOPPING=1` and `EXTEND_TIMEOUT_USEC=…` to the socket that the
//! environment variable `NOTIFY_SOCKET` names. A worker also sends its supervisor `X_VITRINE_REPLACE=1`, to be replaced.

use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use crate::observe::ErrorChain;

/// The environment variable that names the socket.
pub(crate) const VARIABLE: &str = "NOTIFY_SOCKET";

/// The process is ready.
pub(crate) const READY: &[u8] = b"READY=1";
/// The process still answers.
pub(crate) const ALIVE: &[u8] = b"WATCHDOG=1";
/// A worker asks its supervisor to be replaced. Supervisors of former versions do not know it.
pub(crate) const REPLACE: &[u8] = b"X_VITRINE_REPLACE=1";
/// The process is shutting down.
const STOPPING: &[u8] = b"STOPPING=1";

/// Sockets that are connected to an abstract socket. The first one waits while the receiver's queue is full; the second
/// one does not.
static CONNECTED: OnceLock<[UnixDatagram; 2]> = OnceLock::new();

/// Connects to the service manager or supervisor if its socket is abstract. The sandbox refuses later connections to
/// such sockets, but the connected ones stay usable.
pub(crate) fn connect() {
    let Some(name) = std::env::var_os(VARIABLE) else { return };
    let connected = || -> io::Result<_> {
        let address = address_of(&name)?;
        let sockets = [UnixDatagram::unbound()?, UnixDatagram::unbound()?];
        sockets.iter().try_for_each(|socket| socket.connect_addr(&address))?;
        sockets[1].set_nonblocking(true)?;
        Ok(sockets)
    };
    // If this fails, the notifications fail later, and the log says so.
    if name.as_bytes().starts_with(b"@")
        && let Ok(sockets) = connected()
    {
        let _ = CONNECTED.set(sockets);
    }
}

/// Notifies the service manager or supervisor, if there is one, that this process is ready.
pub(crate) fn notify_ready() {
    notify(READY);
}

/// Notifies the service manager, if there is one, that this process may take as long as `longest` to become ready.
pub(crate) fn notify_starting(longest: Duration) {
    notify(format!("EXTEND_TIMEOUT_USEC={}", longest.as_micros()).as_bytes());
}

/// Asks the supervisor to replace this worker.
pub(crate) fn ask_to_be_replaced() {
    notify(REPLACE);
}

/// Notifies the service manager, if there is one, that this process is shutting down.
pub(crate) fn notify_stopping() {
    notify(STOPPING);
}

/// Notifies the service manager or supervisor, if there is one, that this process still answers. Never
/// waits for it: a receiver that does not read must not block the async runtime.
pub(crate) fn notify_alive() {
    let Some(name) = std::env::var_os(VARIABLE) else { return };
    let sent = match CONNECTED.get() {
        Some([_, socket]) => socket.send(ALIVE).map(drop),
        None => UnixDatagram::unbound().and_then(|socket| {
            socket.set_nonblocking(true)?;
            send(&socket, &name, ALIVE)
        }),
    };
    // The receiver notices that a heartbeat is missing; the next one comes within a second.
    if let Err(error) = sent {
        tracing::debug!(error = %ErrorChain(&error), "a heartbeat was not sent");
    }
}

fn notify(message: &[u8]) {
    let Some(name) = std::env::var_os(VARIABLE) else { return };
    let sent = match CONNECTED.get() {
        Some([socket, _]) => socket.send(message).map(drop),
        None => UnixDatagram::unbound().and_then(|socket| send(&socket, &name, message)),
    };
    if let Err(error) = sent {
        tracing::warn!(%error, socket = %name.display(), "cannot say whether the storefront is ready");
    }
}

/// Sends a message to the socket with this name, in the notation of [`VARIABLE`].
///
/// # Errors
/// Fails when there is no such socket, or, if `socket` does not block, when its queue is full.
pub(super) fn send(socket: &UnixDatagram, name: &OsStr, message: &[u8]) -> io::Result<()> {
    socket.send_to_addr(message, &address_of(name)?).map(drop)
}

/// The address of the socket with this name, in the notation of [`VARIABLE`].
fn address_of(name: &OsStr) -> io::Result<SocketAddr> {
    // A leading `@` stands for the zero byte of an abstract socket's name.
    match name.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name),
        None => SocketAddr::from_pathname(Path::new(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_in_the_file_system_is_notified() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        send(&UnixDatagram::unbound().unwrap(), path.as_os_str(), READY).unwrap();
        let mut datagram = [0; 64];
        let length = socket.recv(&mut datagram).unwrap();
        assert_eq!(&datagram[..length], READY);
    }
}
