//! One bad request: its bytes, under a name that a failure shows. HTTP is spoken by hand, because a client library
//! would correct what the shop has to cope with.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context as _, Result};
use axum::http::Response;
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::until::finishes;

pub(crate) type Answer = Response<Vec<u8>>;

/// Longer targets are refused by the HTTP library, which holds lengths in 16 bits.
const LONGEST_TARGET: usize = 65_000;
/// More and longer header lines are refused as well.
const MOST_HEADERS: usize = 95;
const LONGEST_HEADERS: usize = 300_000;

/// A request as it goes over the wire.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) bytes: Vec<u8>,
    /// HTTP itself forbids these bytes, so that a 4xx without a page, or the end of the connection, is
    /// accepted too. They may not even be a whole request, so its client sends nothing more.
    pub(crate) refusable: bool,
}

impl Case {
    pub(crate) fn get(target: impl AsRef<[u8]>) -> Self {
        Self::with_headers::<&str>(target, &[])
    }

    pub(crate) fn with_headers<V: AsRef<[u8]>>(target: impl AsRef<[u8]>, headers: &[(&str, V)]) -> Self {
        let target = target.as_ref();
        let mut bytes = [b"GET ", target, b" HTTP/1.1\r\n"].concat();
        if headers.iter().all(|(name, _)| !name.eq_ignore_ascii_case("host")) {
            bytes.extend_from_slice(b"Host: shop.example\r\n");
        }
        for (name, value) in headers {
            bytes.extend_from_slice(&[name.as_bytes(), b": ", value.as_ref(), b"\r\n"].concat());
        }
        bytes.extend_from_slice(b"\r\n");
        let refusable = !is_target(target)
            || headers.len() > MOST_HEADERS
            || bytes.len() - target.len() > LONGEST_HEADERS
            || headers.iter().any(|(_, value)| !is_field_value(value.as_ref()));
        Self { bytes, refusable }
    }

    /// Bytes that may not even be a request.
    pub(crate) fn raw(bytes: impl AsRef<[u8]>) -> Self {
        Self { bytes: bytes.as_ref().to_vec(), refusable: true }
    }

    /// The marks that an answer may repeat, escaped: those of the address, not of the headers.
    pub(crate) fn marks(&self) -> Vec<String> {
        let line = self.bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        marks(&String::from_utf8_lossy(line))
    }

    /// Sends it on a connection of its own. Returns `None` when the shop closes the connection without a whole answer.
    pub(crate) async fn ask(&self, shop: SocketAddr) -> Result<Option<Answer>> {
        finishes(&shown(&self.bytes), async {
            let mut stream = TcpStream::connect(shop).await?;
            // A shop that refuses a request may stop reading it, which is no failure.
            let _ = stream.write_all(&self.bytes).await;
            if self.refusable {
                let _ = stream.shutdown().await;
            }
            let mut bytes = Vec::with_capacity(1 << 16);
            loop {
                let answer = answer_in(&bytes)?;
                if answer.is_some() || stream.read_buf(&mut bytes).await.unwrap_or_default() == 0 {
                    return anyhow::Ok(answer);
                }
            }
        })
        .await
    }
}

/// The first answer in these bytes, once it is whole.
fn answer_in(bytes: &[u8]) -> Result<Option<Answer>> {
    let Some(end) = bytes.windows(4).position(|end| end == b"\r\n\r\n") else { return Ok(None) };
    let shown = || format!("no answer: {}", bytes[..end].escape_ascii());
    let mut answer = head(&bytes[..end]).with_context(shown)?;
    if !matches!(answer.status().as_u16(), 204 | 304) {
        let length: usize = text(&answer, "content-length").parse().with_context(shown)?;
        let Some(body) = bytes[end + 4..].get(..length) else { return Ok(None) };
        *answer.body_mut() = body.to_vec();
    }
    Ok(Some(answer))
}

/// Splits at CR LF only: a lone CR or LF stays in the value, which is no value then.
fn head(head: &[u8]) -> Option<Answer> {
    let mut lines = std::str::from_utf8(head).ok()?.split("\r\n");
    let status: u16 = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let mut answer = Response::builder().status(status);
    for line in lines {
        let (name, value) = line.split_once(':')?;
        answer = answer.header(name, value.trim_matches(' '));
    }
    answer.body(Vec::new()).ok()
}

/// The text of a header; empty if there is none.
pub(crate) fn text<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// What RFC 3986 allows in a path with its query.
fn is_target(target: &[u8]) -> bool {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@%/?".contains(byte);
    target.first() == Some(&b'/') && target.len() <= LONGEST_TARGET && target.iter().all(allowed)
}

/// What RFC 9110 allows in a field's value.
fn is_field_value(value: &[u8]) -> bool {
    value.iter().all(|byte| *byte == b'\t' || (*byte >= b' ' && *byte != 0x7f))
}

/// A text that does harm wherever it is written without escapes, with a name that no other text has.
pub(crate) fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("zq{:05}z", NEXT.fetch_add(1, Ordering::Relaxed));
    format!("{name}\"'&<{name} {name}=1>")
}

/// The names of the marks in a text.
pub(crate) fn marks(text: &str) -> Vec<String> {
    let found = text.match_indices("zq").filter_map(|(at, _)| text.get(at..at + 8));
    found
        .filter(|name| name.ends_with('z') && name[2..7].bytes().all(|byte| byte.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// Everything but letters and digits percent-encoded.
pub(crate) fn escaped(text: impl AsRef<[u8]>) -> String {
    percent_encode(text.as_ref(), NON_ALPHANUMERIC).to_string()
}

/// A readable name of bytes, of bounded length.
pub(crate) fn shown(bytes: impl AsRef<[u8]>) -> String {
    const LONGEST: usize = 160;
    let bytes = bytes.as_ref();
    let mut shown = bytes[..bytes.len().min(LONGEST)].escape_ascii().to_string();
    if bytes.len() > LONGEST {
        // Writing to a string cannot fail.
        let _ = write!(shown, "… ({} bytes)", bytes.len());
    }
    shown
}
