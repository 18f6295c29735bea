//! The Redis protocol, version 2: commands are arrays of strings, replies are read within limits.
//!
//! A server that lies about lengths, or nests arrays, costs no more memory and stack than an honest one:
//! lengths are checked before anything is allocated, and only what the commands here can answer is read.

use std::io;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};

/// Longest line of a reply: a length, a number, a status or an error.
const LONGEST_LINE: u64 = 4_096;
/// Most entries of an array.
const MOST_ENTRIES: usize = 1_024;
/// A list of entries of a stream is the deepest reply: streams, a stream, its entries, an entry, its fields.
const DEEPEST: usize = 5;

/// What a server answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Status(String),
    /// The command was refused.
    Error(String),
    Number(i64),
    /// Absent for a missing value.
    Bytes(Option<Vec<u8>>),
    /// Empty for a missing list.
    Array(Vec<Reply>),
}

/// Why a reply cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RespError {
    #[error("the connection broke")]
    Io(#[from] io::Error),
    #[error("the server does not speak the Redis protocol")]
    Malformed,
    #[error("the server sends more than was asked for")]
    TooLarge,
}

/// Appends a command to the bytes to send.
pub(super) fn encode(command: &[&[u8]], to: &mut Vec<u8>) {
    to.extend_from_slice(format!("*{}\r\n", command.len()).as_bytes());
    for word in command {
        to.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
        to.extend_from_slice(word);
        to.extend_from_slice(b"\r\n");
    }
}

/// Reads a reply with at most `limit` bytes of strings.
///
/// # Errors
/// When the connection ends, or the reply is larger or not valid.
pub(super) async fn read(
    from: &mut (impl AsyncBufRead + Unpin + Send),
    limit: usize,
) -> Result<Reply, RespError> {
    let mut room = Room { bytes: limit, entries: MOST_ENTRIES };
    read_within(from, &mut room, DEEPEST).await
}

/// What a reply may still hold.
struct Room {
    bytes: usize,
    entries: usize,
}

fn read_within<'a, R: AsyncBufRead + Unpin + Send>(
    from: &'a mut R,
    room: &'a mut Room,
    depth: usize,
) -> BoxFuture<'a, Result<Reply, RespError>> {
    async move {
        let line = line(from).await?;
        let (kind, rest) = line.split_at_checked(1).ok_or(RespError::Malformed)?;
        match kind {
            "+" => Ok(Reply::Status(rest.to_owned())),
            "-" => Ok(Reply::Error(rest.to_owned())),
            ":" => rest.parse().map(Reply::Number).map_err(|_| RespError::Malformed),
            "$" => match length(rest)? {
                None => Ok(Reply::Bytes(None)),
                Some(length) => {
                    room.bytes = room.bytes.checked_sub(length).ok_or(RespError::TooLarge)?;
                    bytes(from, length).await.map(|bytes| Reply::Bytes(Some(bytes)))
                }
            },
            "*" => {
                let entries = length(rest)?.unwrap_or_default();
                let depth = depth.checked_sub(1).ok_or(RespError::TooLarge)?;
                room.entries = room.entries.checked_sub(entries).ok_or(RespError::TooLarge)?;
                let mut array = Vec::with_capacity(entries);
                for _entry in 0..entries {
                    array.push(read_within(from, room, depth).await?);
                }
                Ok(Reply::Array(array))
            }
            _ => Err(RespError::Malformed),
        }
    }
    .boxed()
}

/// A length; `None` for a missing value.
fn length(text: &str) -> Result<Option<usize>, RespError> {
    match text {
        "-1" => Ok(None),
        length => length.parse().map(Some).map_err(|_| RespError::Malformed),
    }
}

/// A line without its end.
async fn line(from: &mut (impl AsyncBufRead + Unpin)) -> Result<String, RespError> {
    let mut line = Vec::new();
    from.take(LONGEST_LINE).read_until(b'\n', &mut line).await?;
    if line.is_empty() {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    let line = line.strip_suffix(b"\r\n").ok_or(RespError::Malformed)?;
    String::from_utf8(line.to_vec()).map_err(|_| RespError::Malformed)
}

/// A string of this length, and the end of its line.
async fn bytes(from: &mut (impl AsyncBufRead + Unpin), length: usize) -> Result<Vec<u8>, RespError> {
    // Grows with what arrives, not with what is announced.
    let mut bytes = Vec::new();
    from.take(length as u64).read_to_end(&mut bytes).await?;
    if bytes.len() < length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    let mut end = [0; 2];
    from.read_exact(&mut end).await?;
    if end == *b"\r\n" { Ok(bytes) } else { Err(RespError::Malformed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn reply(text: &[u8], limit: usize) -> Result<Reply, RespError> {
        read(&mut &*text, limit).await
    }

    #[test]
    fn a_command_is_an_array_of_strings() {
        let mut sent = Vec::new();
        encode(&[b"GET", b"a\r\nb"], &mut sent);
        assert_eq!(sent, b"*2\r\n$3\r\nGET\r\n$4\r\na\r\nb\r\n");
    }

    #[tokio::test]
    async fn replies_of_every_kind_are_read() {
        for (text, expected) in [
            (&b"+OK\r\n"[..], Reply::Status("OK".into())),
            (b"-OOM command not allowed\r\n", Reply::Error("OOM command not allowed".into())),
            (b":-2\r\n", Reply::Number(-2)),
            (b"$-1\r\n", Reply::Bytes(None)),
            (b"$4\r\na\r\nb\r\n", Reply::Bytes(Some(b"a\r\nb".to_vec()))),
            (b"*-1\r\n", Reply::Array(Vec::new())),
            (b"*2\r\n:1\r\n$0\r\n\r\n", Reply::Array(vec![Reply::Number(1), Reply::Bytes(Some(Vec::new()))])),
        ] {
            assert_eq!(reply(text, 4).await.unwrap(), expected);
        }
    }

    #[tokio::test]
    async fn nothing_is_read_that_is_larger_than_what_was_asked_for() {
        for text in [
            "$5\r\nabcde\r\n".to_owned(),
            "$104857600\r\n".into(),
            "$18446744073709551615\r\n".into(),
            "*2\r\n$3\r\nabc\r\n$3\r\nabc\r\n".into(),
            "*1000000000\r\n".into(),
            // Each is small, and together they would take many times the memory of their text.
            format!("*2000\r\n{}", "$-1\r\n".repeat(2_000)),
            "*1\r\n".repeat(100_000),
            format!("*1000\r\n{}", "*1000\r\n".repeat(1_000)),
        ] {
            let read = reply(text.as_bytes(), 4).await;
            assert!(matches!(read, Err(RespError::TooLarge)), "{text:.20} {read:?}");
        }
    }

    #[tokio::test]
    async fn garbage_is_an_error() {
        for text in [
            &b"HTTP/1.1 400 Bad Request\r\n"[..],
            b"\r\n",
            b"+OK\n",
            b":one\r\n",
            b"$-2\r\n",
            b"$1\r\nabc",
            b"+\xff\r\n",
            b"\0\0\0\0",
            &[b'+'; 5_000],
        ] {
            let read = reply(text, 100).await;
            assert!(matches!(read, Err(RespError::Malformed)), "{text:?} {read:?}");
        }
        for text in [&b""[..], b"$5\r\nab", b"*2\r\n:1\r\n"] {
            assert!(matches!(reply(text, 100).await, Err(RespError::Io(_))), "{text:?}");
        }
    }
}
