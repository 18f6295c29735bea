//! Readiness notification as in systemd's `Type=notify` units: a process sends the datagrams `READY=1`
//! and `STOPPING=1` to the socket that the environment variable `NOTIFY_SOCKET` names.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;

/// The environment variable that names the socket.
pub(crate) const VARIABLE: &str = "NOTIFY_SOCKET";

const READY: &[u8] = b"READY=1";
const STOPPING: &[u8] = b"STOPPING=1";

/// Notifies the service manager or supervisor, if there is one, that this process is ready.
pub(crate) fn notify_ready() {
    notify(READY);
}

/// Notifies the service manager, if there is one, that this process is shutting down.
pub(crate) fn notify_stopping() {
    notify(STOPPING);
}

fn notify(message: &[u8]) {
    let Some(name) = std::env::var_os(VARIABLE) else { return };
    if let Err(error) = send(&name, message) {
        tracing::warn!(%error, socket = %name.display(), "cannot say whether the storefront is ready");
    }
}

fn send(name: &OsStr, message: &[u8]) -> io::Result<()> {
    // A leading `@` stands for the zero byte of an abstract socket's name.
    let address = match name.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(Path::new(name))?,
    };
    UnixDatagram::unbound()?.send_to_addr(message, &address).map(drop)
}

/// The receiving end, which waits for the readiness of one process.
#[derive(Debug)]
pub(crate) struct Readiness {
    socket: tokio::net::UnixDatagram,
    /// The socket's name, in the notation of [`VARIABLE`].
    name: OsString,
}

impl Readiness {
    /// Opens an abstract socket with a unique name. It needs no file system, which may be read-only.
    ///
    /// # Errors
    /// Fails when the socket cannot be created.
    pub(crate) fn new() -> io::Result<Self> {
        let name = format!("vitrine-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let socket = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket: tokio::net::UnixDatagram::from_std(socket)?, name: format!("@{name}").into() })
    }

    /// The value of [`VARIABLE`] for the process to wait for.
    pub(crate) fn name(&self) -> &OsStr {
        &self.name
    }

    /// Completes when the process has sent `READY=1`.
    ///
    /// # Errors
    /// Fails when the socket cannot be read.
    pub(crate) async fn notified(&self) -> io::Result<()> {
        let mut datagram = [0; 4096];
        loop {
            let length = self.socket.recv(&mut datagram).await?;
            if datagram[..length].split(|&byte| byte == b'\n').any(|line| line == READY) {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_a_ready_line_counts() {
        let readiness = Readiness::new().unwrap();
        let name = &readiness.name().as_bytes()[1..];
        let address = SocketAddr::from_abstract_name(name).unwrap();
        UnixDatagram::unbound().unwrap().send_to_addr(b"STATUS=READY=1 soon", &address).unwrap();
        let early = tokio::time::timeout(std::time::Duration::from_millis(50), readiness.notified()).await;
        assert!(early.is_err());
        send(readiness.name(), READY).unwrap();
        readiness.notified().await.unwrap();
    }

    #[test]
    fn a_socket_in_the_file_system_is_notified() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        send(path.as_os_str(), READY).unwrap();
        let mut datagram = [0; 64];
        let length = socket.recv(&mut datagram).unwrap();
        assert_eq!(&datagram[..length], READY);
    }
}
