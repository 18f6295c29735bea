//! A client that sends and reads single frames of HTTP/2, well-formed or not.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;
use vitrine::http::connections::ConnectionLimits;

use crate::common::small_server::Server;
use crate::common::tls::{HTTP2, Identity, NAME, connect};
use crate::common::until::finishes;

pub(super) const DATA: u8 = 0;
pub(super) const HEADERS: u8 = 1;
pub(super) const RST_STREAM: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
pub(super) const PING: u8 = 6;
pub(super) const GOAWAY: u8 = 7;
pub(super) const WINDOW_UPDATE: u8 = 8;
pub(super) const CONTINUATION: u8 = 9;

pub(super) const ACK: u8 = 1;
pub(super) const END_STREAM: u8 = 1;
pub(super) const END_HEADERS: u8 = 4;

pub(super) const PROTOCOL_ERROR: u32 = 1;
pub(super) const ENHANCE_YOUR_CALM: u32 = 11;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
    pub(super) payload: Vec<u8>,
}

impl Frame {
    /// The reason of a frame that ends a stream or the connection.
    pub(super) fn reason(&self) -> u32 {
        let at = if self.kind == GOAWAY { 4 } else { 0 };
        u32::from_be_bytes(self.payload[at..at + 4].try_into().unwrap())
    }
}

pub(super) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// A setting of a `SETTINGS` frame.
pub(super) fn setting(id: u16, value: u32) -> Vec<u8> {
    [&id.to_be_bytes()[..], &value.to_be_bytes()].concat()
}

/// The fields of `GET path`, with indices of HPACK's static table.
pub(super) fn fields(path: &str) -> Vec<u8> {
    let literal =
        |index: u8, text: &str| [&[index, u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
    [vec![0x82, 0x87], literal(4, path), literal(1, NAME)].concat()
}

/// A whole request for a path.
pub(super) fn request(stream: u32, path: &str) -> Vec<u8> {
    frame(HEADERS, END_STREAM | END_HEADERS, stream, &fields(path))
}

pub(super) fn reset(stream: u32) -> Vec<u8> {
    frame(RST_STREAM, 0, stream, &8_u32.to_be_bytes())
}

/// A server, and a client with these settings, which may send it any frames.
pub(super) async fn connected(limits: ConnectionLimits, settings: &[u8]) -> (Identity, Server, Frames) {
    let (identity, server) = Server::encrypted(limits).await;
    let client = Frames::connect(server.address, &identity, settings).await;
    (identity, server, client)
}

pub(super) struct Frames {
    pub(super) stream: TlsStream<TcpStream>,
}

impl Frames {
    /// A connection after the preface, with these settings.
    pub(super) async fn connect(address: SocketAddr, identity: &Identity, settings: &[u8]) -> Self {
        let mut frames = Self { stream: connect(address, identity, &[HTTP2]).await };
        frames.send([PREFACE, &frame(SETTINGS, 0, 0, settings)].concat()).await;
        frames
    }

    /// Sends bytes. The server may have closed the connection, but must not just stop reading.
    pub(super) async fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> std::io::Result<()> {
        finishes("sending", async {
            self.stream.write_all(bytes.as_ref()).await?;
            self.stream.flush().await
        })
        .await
    }

    pub(super) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.try_send(bytes).await.unwrap();
    }

    /// The next frame; `None` when the server has closed the connection.
    pub(super) async fn next(&mut self) -> Option<Frame> {
        finishes("a frame", async {
            let [a, b, c, kind] = self.stream.read_u32().await.ok()?.to_be_bytes();
            let flags = self.stream.read_u8().await.ok()?;
            let stream = self.stream.read_u32().await.ok()?;
            let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
            self.stream.read_exact(&mut payload).await.ok()?;
            Some(Frame { kind, flags, stream, payload })
        })
        .await
    }

    /// The next frame of this kind.
    pub(super) async fn next_of(&mut self, kind: u8) -> Option<Frame> {
        loop {
            let frame = self.next().await?;
            if frame.kind == kind {
                return Some(frame);
            }
        }
    }

    /// Reads until the server closes the connection, and returns the reason that it gave, if any.
    pub(super) async fn reason_of_end(&mut self) -> Option<u32> {
        let mut reason = None;
        while let Some(frame) = self.next().await {
            if frame.kind == GOAWAY {
                reason = Some(frame.reason());
            }
        }
        reason
    }
}
