//! A client that does little more than write and read, so that it takes little of the machine.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A connection that is kept between requests.
pub(super) struct Client {
    shop: SocketAddr,
    stream: Option<TcpStream>,
    received: Vec<u8>,
}

/// The answer to a request.
pub(super) struct Answer {
    pub(super) status: u16,
    /// The entity tag with its quotation marks.
    pub(super) tag: Option<String>,
}

/// A request for a path, with further header lines that each end with a line end.
pub(super) fn get(path: &str, headers: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: shop.example\r\n{headers}\r\n").into_bytes()
}

impl Client {
    pub(super) fn of(shop: SocketAddr) -> Self {
        Self { shop, stream: None, received: Vec::new() }
    }

    /// Sends a request, on a new connection if the last answer ended the old one, and reads the whole answer.
    ///
    /// # Errors
    /// When the connection cannot be made or breaks; the next request gets a new one.
    pub(super) async fn ask(&mut self, request: &[u8]) -> io::Result<Answer> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => TcpStream::connect(self.shop).await?,
        };
        stream.write_all(request).await?;
        self.received.clear();
        let head_end = loop {
            if let Some(at) = self.received.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            read_more(&mut stream, &mut self.received).await?;
        };
        let head = String::from_utf8_lossy(&self.received[..head_end]).into_owned();
        let status = head.get(9..12).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status: {head}")))?;
        let length = field(&head, "content-length").and_then(|length| length.parse().ok());
        let length: usize = if status == 304 { 0 } else { length.unwrap_or_default() };
        while self.received.len() < head_end + length {
            read_more(&mut stream, &mut self.received).await?;
        }
        if field(&head, "connection") != Some("close") {
            self.stream = Some(stream);
        }
        Ok(Answer { status, tag: field(&head, "etag").map(str::to_owned) })
    }
}

/// The value of a header; the shop writes names in lower case.
fn field<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

async fn read_more(stream: &mut TcpStream, received: &mut Vec<u8>) -> io::Result<()> {
    match stream.read_buf(received).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}
