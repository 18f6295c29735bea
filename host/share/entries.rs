//! The entries of a stream, as the server sends them.

use std::fmt;

use super::order::OrderId;
use super::resp::Reply;

/// Names of an entry's fields.
pub(super) const TEXT: &[u8] = b"order";
pub(super) const ID: &[u8] = b"id";

/// Names a place in the stream: the server's time in milliseconds, and a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StreamId(pub(super) u64, u64);

impl fmt::Display for StreamId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.0, self.1)
    }
}

/// An entry of the stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) place: StreamId,
    /// `None` for a mark, and for what other programs have written.
    pub(super) order: Option<(String, OrderId)>,
}

/// The entries of the only stream in a reply; `None` if the reply has another form.
pub(super) fn entries(reply: Reply) -> Option<Vec<Entry>> {
    let streams = match reply {
        Reply::Array(streams) => streams,
        Reply::Bytes(None) => return Some(Vec::new()),
        _ => return None,
    };
    let Some(stream) = streams.into_iter().next() else { return Some(Vec::new()) };
    let Reply::Array(stream) = stream else { return None };
    let Reply::Array(entries) = stream.into_iter().nth(1)? else { return None };
    entries.into_iter().map(entry).collect()
}

fn entry(reply: Reply) -> Option<Entry> {
    let Reply::Array(parts) = reply else { return None };
    let mut parts = parts.into_iter();
    let (Reply::Bytes(Some(place)), Reply::Array(fields)) = (parts.next()?, parts.next()?) else {
        return None;
    };
    let (time, number) = std::str::from_utf8(&place).ok()?.split_once('-')?;
    let place = StreamId(time.parse().ok()?, number.parse().ok()?);
    Some(Entry { place, order: order(fields) })
}

fn order(fields: Vec<Reply>) -> Option<(String, OrderId)> {
    let mut fields = fields.into_iter().map(|field| match field {
        Reply::Bytes(Some(bytes)) => String::from_utf8(bytes).ok(),
        _ => None,
    });
    let mut value_of =
        |name: &[u8]| (fields.next()??.as_bytes() == name).then(|| fields.next().flatten()).flatten();
    let text = value_of(TEXT)?;
    let id = value_of(ID)?.parse().ok()?;
    Some((text, id))
}

/// The server's time in milliseconds.
pub(super) fn now(reply: &Reply) -> Option<u64> {
    let Reply::Array(parts) = reply else { return None };
    let number = |part: &Reply| match part {
        Reply::Bytes(Some(text)) => std::str::from_utf8(text).ok()?.parse::<u64>().ok(),
        _ => None,
    };
    let (seconds, micros) = (number(parts.first()?)?, number(parts.get(1)?)?);
    seconds.checked_mul(1_000)?.checked_add(micros / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Reply {
        Reply::Bytes(Some(text.into()))
    }

    fn stream(entries: Vec<Reply>) -> Reply {
        Reply::Array(vec![Reply::Array(vec![bytes("key"), Reply::Array(entries)])])
    }

    fn raw(place: &str, fields: &[&str]) -> Reply {
        Reply::Array(vec![bytes(place), Reply::Array(fields.iter().map(|field| bytes(field)).collect())])
    }

    #[test]
    fn orders_are_read_and_foreign_entries_are_no_orders() {
        let read = entries(stream(vec![
            raw("5-0", &["order", "product=5", "id", "00000000000000ff"]),
            raw("5-1", &["order", ""]),
            raw("6-0", &["other", "x"]),
        ]));
        let orders = [Some(("product=5".to_owned(), OrderId(255))), None, None];
        let places = [StreamId(5, 0), StreamId(5, 1), StreamId(6, 0)];
        let expected = places.into_iter().zip(orders).map(|(place, order)| Entry { place, order }).collect();
        assert_eq!(read, Some(expected));
        assert_eq!(entries(Reply::Bytes(None)), Some(Vec::new()), "nothing within the time");
    }

    #[test]
    fn other_replies_are_refused() {
        for reply in [
            Reply::Number(1),
            bytes("x"),
            Reply::Array(vec![Reply::Number(1)]),
            stream(vec![Reply::Number(1)]),
            stream(vec![raw("five", &[])]),
            stream(vec![raw("5-x", &[])]),
            stream(vec![raw("99999999999999999999-0", &[])]),
        ] {
            assert_eq!(entries(reply.clone()), None, "{reply:?}");
        }
        assert_eq!(now(&Reply::Array(vec![bytes("18446744073709551615"), bytes("0")])), None);
        assert_eq!(now(&Reply::Array(vec![bytes("2"), bytes("500000")])), Some(2_500));
    }
}
