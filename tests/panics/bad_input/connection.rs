//! HTTP by hand, because a client library would correct what the shop has to cope with.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::until::HANGS;

/// An answer, byte by byte.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_slice())
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        self.header(name).and_then(|value| std::str::from_utf8(value).ok()).unwrap_or_default()
    }
}

/// A connection that is opened when it is needed.
pub(crate) struct Connection {
    shop: SocketAddr,
    stream: Option<TcpStream>,
}

impl Connection {
    pub(crate) fn new(shop: SocketAddr) -> Self {
        Self { shop, stream: None }
    }

    /// Sends a request. Returns `None` when the shop closes the connection without an answer.
    ///
    /// # Errors
    /// When the connection breaks, or the shop neither answers nor closes it.
    pub(crate) async fn ask(&mut self, request: &[u8], alone: bool) -> io::Result<Option<Answer>> {
        if alone {
            self.stream = None;
        }
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => TcpStream::connect(self.shop).await?,
        };
        let exchange = async {
            // A shop that refuses a request may stop reading it, which is no failure.
            let sent = stream.write_all(request).await;
            if alone {
                let _ = stream.shutdown().await;
            }
            let head_only = request.starts_with(b"HEAD ");
            match read_answer(&mut stream, head_only).await {
                Ok(answer) => Ok(answer),
                Err(error) => sent.and(Err(error)),
            }
        };
        let answer = tokio::time::timeout(HANGS, exchange).await.map_err(|_| io::ErrorKind::TimedOut)??;
        let stays = !alone && answer.as_ref().is_some_and(|answer| answer.text("connection") != "close");
        self.stream = stays.then_some(stream);
        Ok(answer)
    }
}

async fn read_answer(stream: &mut TcpStream, head_only: bool) -> io::Result<Option<Answer>> {
    let mut bytes = Vec::with_capacity(64 << 10);
    loop {
        let head_end = loop {
            if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut bytes).await? == 0 {
                return if bytes.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
            }
        };
        let mut answer = parse_head(&bytes[..head_end - 4])?;
        bytes.drain(..head_end);
        // 100 only asks for the request's body.
        if answer.status < 200 {
            continue;
        }
        let bodiless = head_only || matches!(answer.status, 204 | 304);
        let length = if bodiless { 0 } else { body_length(&answer)? };
        while bytes.len() < length {
            if stream.read_buf(&mut bytes).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        bytes.truncate(length);
        answer.body = bytes;
        return Ok(Some(answer));
    }
}

fn body_length(answer: &Answer) -> io::Result<usize> {
    answer.text("content-length").parse().map_err(|_| io::Error::other("an answer without its length"))
}

/// Splits at CR LF only, so that a lone CR or LF stays in the value and is found there.
fn parse_head(head: &[u8]) -> io::Result<Answer> {
    let bad = || io::Error::other(format!("no answer's head: {}", head.escape_ascii()));
    let mut lines = Vec::new();
    let mut rest = head;
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        lines.push(&rest[..end]);
        rest = &rest[end + 2..];
    }
    lines.push(rest);
    let status = std::str::from_utf8(lines[0]).ok().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let mut answer = Answer { status: status.ok_or_else(bad)?, ..Answer::default() };
    for line in &lines[1..] {
        let colon = line.iter().position(|byte| *byte == b':').ok_or_else(bad)?;
        let name = String::from_utf8_lossy(&line[..colon]).to_lowercase();
        answer.headers.push((name, line[colon + 1..].trim_ascii().to_vec()));
    }
    Ok(answer)
}
