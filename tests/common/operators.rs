//! The listener for operators on a Unix socket.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::until::{HANGS, blocking_until};

pub(crate) const TOKEN: &str = "correct horse battery staple";

/// A Unix socket in a folder of its own.
pub(crate) struct Socket(TempDir);

impl Socket {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("admin.sock")
    }

    /// The value of `--admin`.
    pub(crate) fn address(&self) -> String {
        format!("unix:{}", self.path().display())
    }

    /// The answer of the program that listens there, with its head.
    pub(crate) fn ask(&self, request: &str) -> String {
        ask(&self.path(), request)
    }
}

/// Sends a request, and returns the connection.
pub(crate) fn send(socket: &Path, request: &str) -> UnixStream {
    // It is opened after the listener for visitors.
    let mut stream = None;
    blocking_until("the listener for operators", || {
        stream = UnixStream::connect(socket).ok();
        stream.is_some()
    });
    let mut stream = stream.unwrap();
    stream.set_read_timeout(Some(HANGS)).unwrap();
    let head = "host: vitrine\r\nconnection: close\r\nauthorization: Bearer";
    write!(stream, "{request} HTTP/1.1\r\n{head} {TOKEN}\r\n\r\n").unwrap();
    stream
}

/// The answer, with its head.
pub(crate) fn ask(socket: &Path, request: &str) -> String {
    let mut answer = String::new();
    send(socket, request).read_to_string(&mut answer).unwrap();
    answer
}
