//! How a process says that it is ready, and that it is not any more: the datagrams `READY=1` and
//! `STOPPING=1` to the socket that its starter named in `NOTIFY_SOCKET`, as systemd's units of
//! `Type=notify` do.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;

/// The variable that names the socket.
pub const VARIABLE: &str = "NOTIFY_SOCKET";

const READY: &[u8] = b"READY=1";
const STOPPING: &[u8] = b"STOPPING=1";

/// Says that this process is ready, when whoever started it wants to know.
pub fn announce() {
    say(READY);
}

/// Says that this process takes on nothing any more, when whoever started it wants to know.
pub fn announce_end() {
    say(STOPPING);
}

fn say(what: &[u8]) {
    let Some(name) = std::env::var_os(VARIABLE) else { return };
    if let Err(error) = say_to(&name, what) {
        tracing::warn!(%error, socket = %name.display(), "cannot say whether the storefront is ready");
    }
}

fn say_to(name: &OsStr, what: &[u8]) -> io::Result<()> {
    // A leading `@` stands for the zero byte of a name that is in no file system.
    let address = match name.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(Path::new(name))?,
    };
    UnixDatagram::unbound()?.send_to_addr(what, &address).map(drop)
}

/// The listening end: one process is waited for.
#[derive(Debug)]
pub struct Readiness {
    socket: tokio::net::UnixDatagram,
    /// The value of [`VARIABLE`] for that process.
    name: OsString,
}

impl Readiness {
    /// Opens a socket with a name of its own, outside the file system: that may be read-only.
    ///
    /// # Errors
    /// Fails when the socket cannot be made.
    pub fn new() -> io::Result<Self> {
        let name = format!("vitrine-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let socket = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket: tokio::net::UnixDatagram::from_std(socket)?, name: format!("@{name}").into() })
    }

    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// Completes when the process has said that it is ready.
    ///
    /// # Errors
    /// Fails when the socket does.
    pub async fn announced(&self) -> io::Result<()> {
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
    async fn only_the_announcement_counts() {
        let readiness = Readiness::new().unwrap();
        let name = &readiness.name().as_bytes()[1..];
        let address = SocketAddr::from_abstract_name(name).unwrap();
        UnixDatagram::unbound().unwrap().send_to_addr(b"STATUS=READY=1 soon", &address).unwrap();
        let early = tokio::time::timeout(std::time::Duration::from_millis(50), readiness.announced()).await;
        assert!(early.is_err());
        say_to(readiness.name(), READY).unwrap();
        readiness.announced().await.unwrap();
    }

    #[test]
    fn a_socket_in_the_file_system_is_reached() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        say_to(path.as_os_str(), READY).unwrap();
        let mut datagram = [0; 64];
        let length = socket.recv(&mut datagram).unwrap();
        assert_eq!(&datagram[..length], READY);
    }
}
