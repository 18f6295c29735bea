//! One bad request: its bytes, under a name that a failure shows.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};

/// Longer targets are refused by the HTTP library, which holds lengths in 16 bits.
const LONGEST_TARGET: usize = 65_000;
/// More and longer header lines are refused as well.
const MOST_HEADERS: usize = 95;
const LONGEST_HEADERS: usize = 300_000;

/// A request as it goes over the wire.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// HTTP itself forbids these bytes, so that a 4xx without a page, or the end of the connection, is
    /// accepted too.
    pub(crate) refusable: bool,
    /// Later requests on its connection would be misunderstood, so it has a connection of its own.
    pub(crate) alone: bool,
}

impl Case {
    pub(crate) fn get(name: impl Into<String>, target: impl AsRef<[u8]>) -> Self {
        Self::with_headers(name, target, &[])
    }

    pub(crate) fn with_headers(
        name: impl Into<String>,
        target: impl AsRef<[u8]>,
        headers: &[(&str, Vec<u8>)],
    ) -> Self {
        let target = target.as_ref();
        let mut bytes = [b"GET ", target, b" HTTP/1.1\r\n"].concat();
        if headers.iter().all(|(name, _)| !name.eq_ignore_ascii_case("host")) {
            bytes.extend_from_slice(b"Host: shop.example\r\n");
        }
        for (name, value) in headers {
            bytes.extend_from_slice(&[name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        bytes.extend_from_slice(b"\r\n");
        let refusable = !is_target(target)
            || headers.len() > MOST_HEADERS
            || bytes.len() - target.len() > LONGEST_HEADERS
            || headers.iter().any(|(_, value)| !is_field_value(value));
        Self { name: name.into(), bytes, refusable, alone: false }
    }

    /// Bytes that may not even be a request.
    pub(crate) fn raw(name: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self { name: name.into(), bytes: bytes.as_ref().to_vec(), refusable: true, alone: true }
    }

    pub(crate) fn alone(self) -> Self {
        Self { alone: true, ..self }
    }

    pub(crate) fn refusable(self) -> Self {
        Self { refusable: true, ..self }
    }

    /// The marks that an answer may repeat, escaped: those of the address, not of the headers.
    pub(crate) fn marks(&self) -> Vec<String> {
        let line = self.bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        marks(&String::from_utf8_lossy(line))
    }
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
    let bytes = bytes.as_ref();
    let mut shown = bytes.iter().take(40).map(|byte| byte.escape_ascii().to_string()).collect::<String>();
    if bytes.len() > 40 {
        // Writing to a string cannot fail.
        let _ = write!(shown, "… ({} bytes)", bytes.len());
    }
    shown
}
