//! A client that sends and reads bytes, well-formed or not.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::until::finishes;

pub(crate) struct Raw {
    pub(crate) stream: TcpStream,
}

impl Raw {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        Self { stream: finishes("connecting", TcpStream::connect(address)).await.unwrap() }
    }

    pub(crate) async fn connect_and_send(address: SocketAddr, bytes: impl AsRef<[u8]>) -> Self {
        let mut raw = Self::connect(address).await;
        raw.send(bytes).await;
        raw
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        finishes("sending", self.stream.write_all(bytes.as_ref())).await.unwrap();
    }

    pub(crate) async fn finish_sending(&mut self) {
        self.stream.shutdown().await.unwrap();
    }

    /// Everything until the server closes; what came before a reset counts as well.
    pub(crate) async fn read_to_end(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // It may be closed with a reset; the caller checks what came before.
        let _ = finishes("the end of the connection", self.stream.read_to_end(&mut bytes)).await;
        bytes
    }

    pub(crate) async fn read_text(&mut self) -> String {
        String::from_utf8(self.read_to_end().await).unwrap()
    }

    /// One answer with a body of this text.
    pub(crate) async fn read_answer(&mut self, body: &str) -> String {
        let mut bytes = Vec::new();
        let end = format!("\r\n\r\n{body}");
        while !bytes.ends_with(end.as_bytes()) {
            let read = finishes("an answer", self.stream.read_buf(&mut bytes)).await.unwrap();
            assert_ne!(read, 0, "closed after {:?}", String::from_utf8_lossy(&bytes));
        }
        String::from_utf8(bytes).unwrap()
    }
}

pub(crate) fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: shop.example\r\n\r\n")
}

pub(crate) fn last_get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: shop.example\r\nconnection: close\r\n\r\n")
}

/// What a good client gets on a connection of its own.
pub(crate) async fn good_request(address: SocketAddr, path: &str) -> String {
    Raw::connect_and_send(address, last_get(path)).await.read_text().await
}

/// The statuses of all answers in `bytes`. No body in these tests looks like a status line.
pub(crate) fn statuses(bytes: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.match_indices("HTTP/1.");
    lines.filter_map(|(at, line)| text.get(at + line.len() + 2..)?.get(..3)?.parse().ok()).collect()
}
