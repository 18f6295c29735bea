//! The listener for operators on a Unix socket.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;

use super::until::{HANGS, blocking_until};

pub(crate) const TOKEN: &str = "correct horse battery staple";

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
