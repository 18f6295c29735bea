//! Orders that every replica carries out: a stream of the latest ones, which each replica reads at its own
//! pace. The server sends a new one at once to those who wait for it, and keeps it for those who do not.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, oneshot};
use tokio::time::timeout;

use super::Share;
use super::connection::Connection;
use super::resp::Reply;
use super::server::{BUDGET, Pauses, ShareError};

/// Most orders that the server keeps.
const KEPT: &str = "256";
/// How long it keeps them after the latest one, in milliseconds: a week.
const KEPT_FOR: &str = "604800000";
/// Most orders that wait for a server in trouble.
const MOST_WAITING: usize = 64;
/// How many orders are known as carried out; more than a server and a supervisor keep.
const MOST_KNOWN: usize = 1_024;
/// Most orders in a reply, and the limit of that reply in bytes. An order is shorter than 4 KiB.
const MOST_AT_ONCE: &str = "64";
const REPLY: usize = 512 << 10;
/// How long the server waits for a new order before it says that there is none, and time for its reply.
const BLOCK: Duration = Duration::from_secs(1);
const GRACE: Duration = Duration::from_millis(250);
/// What is ordered when orders have been lost.
const EVERYTHING: &str = "all=1";
/// Names of an entry's fields.
const TEXT: &[u8] = b"order";
const ID: &[u8] = b"id";
/// The text of an entry that only marks a place in the stream.
const MARK: &[u8] = b"";

/// A random number that tells an order from every other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OrderId(u64);

impl OrderId {
    pub(crate) fn new() -> Self {
        Self(fastrand::u64(..))
    }
}

impl fmt::Display for OrderId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

impl FromStr for OrderId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u64::from_str_radix(text, 16).map(Self)
    }
}

/// An order of another replica.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) text: String,
    /// How long ago it was given.
    pub(crate) ago: Duration,
}

/// Carries out an order.
pub(crate) type CarryOut = dyn Fn(Order) -> BoxFuture<'static, ()> + Send + Sync;

/// What this replica knows of orders.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// Orders that the server has not taken yet.
    waiting: AsyncMutex<VecDeque<(String, OrderId)>>,
    /// The orders that were carried out last.
    known: Mutex<VecDeque<OrderId>>,
}

/// A place in the stream: the server's time in milliseconds, and a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Place(u64, u64);

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.0, self.1)
    }
}

/// An entry of the stream.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    place: Place,
    /// `None` for a mark, and for what other programs have written.
    order: Option<(String, OrderId)>,
}

impl Share {
    /// Whether an order is new to this process; from now on it is known.
    pub(crate) fn is_new(&self, id: OrderId) -> bool {
        let mut known = self.inner.orders.known.lock();
        let is_new = !known.contains(&id);
        if is_new {
            known.push_back(id);
            if known.len() > MOST_KNOWN {
                known.pop_front();
            }
        }
        is_new
    }

    /// Gives an order to the other replicas; later, if the server is in trouble. Returns whether it has been
    /// given.
    pub(crate) async fn publish(&self, text: &str, id: OrderId) -> bool {
        self.is_new(id);
        let mut waiting = self.inner.orders.waiting.lock().await;
        if waiting.len() >= MOST_WAITING {
            waiting.clear();
            waiting.push_back((EVERYTHING.into(), id));
        } else {
            waiting.push_back((text.into(), id));
        }
        drop(waiting);
        self.publish_waiting().await
    }

    /// Gives the orders to the other replicas that the server has not taken yet.
    async fn publish_waiting(&self) -> bool {
        let key = self.key("orders");
        let mut waiting = self.inner.orders.waiting.lock().await;
        while let Some((text, id)) = waiting.front() {
            let id = id.to_string();
            let add: &[&[u8]] =
                &[b"XADD", &key, b"MAXLEN", KEPT.as_bytes(), b"*", TEXT, text.as_bytes(), ID, id.as_bytes()];
            let Ok(Reply::Bytes(Some(_))) = self.inner.server.command(add).await else { return false };
            waiting.pop_front();
            self.counters().orders_sent.increment();
        }
        // If it fails, the next one does it.
        let _ = self.inner.server.command(&[b"PEXPIRE", &key, KEPT_FOR.as_bytes()]).await;
        true
    }

    /// Carries out the orders of other replicas for as long as the runtime lives, and finds out whether the
    /// server works. Drops `tried` when it has done so for the first time.
    pub(crate) async fn follow(&self, tried: oneshot::Sender<()>, carry_out: &CarryOut) {
        let (mut pauses, mut read, mut tried) = (Pauses::default(), None, Some(tried));
        loop {
            let connection = self.inner.server.recover(&mut pauses, || tried = None).await;
            let followed = self.follow_on(connection, &mut read, &mut tried, carry_out).await;
            if let Err(error) = followed {
                self.inner.server.fail(&error);
            }
            tried = None;
            tokio::time::sleep(pauses.next()).await;
        }
    }

    /// The same on one connection, until an exchange fails.
    async fn follow_on(
        &self,
        mut connection: Connection,
        read: &mut Option<Place>,
        tried: &mut Option<oneshot::Sender<()>>,
        carry_out: &CarryOut,
    ) -> Result<(), ShareError> {
        let key = self.key("orders");
        let mut place = self.find_place(&mut connection, &key, read, carry_out).await?;
        // What was ordered meanwhile, so that no answer is used that was purged.
        while let Some(entries) = self.next(&mut connection, &key, place, None).await? {
            place = self.carry_out_all(&mut connection, entries, place, carry_out).await?;
            *read = Some(place);
        }
        *read = Some(place);
        self.inner.server.trust();
        *tried = None;
        self.publish_waiting().await;
        loop {
            let asked = Instant::now();
            let next = self.next(&mut connection, &key, place, Some(BLOCK));
            let entries = tokio::select! {
                biased;
                next = next => next?,
                () = self.inner.server.doubted() => return Ok(()),
            };
            match entries {
                Some(entries) => {
                    place = self.carry_out_all(&mut connection, entries, place, carry_out).await?;
                    *read = Some(place);
                }
                // A server that does not wait would be asked without end.
                None if asked.elapsed() < BLOCK / 2 => return Err(ShareError::Unexpected),
                None => {}
            }
        }
    }

    /// Where to read on. If the stream has lost that place, it may have lost orders too.
    async fn find_place(
        &self,
        connection: &mut Connection,
        key: &[u8],
        read: &Option<Place>,
        carry_out: &CarryOut,
    ) -> Result<Place, ShareError> {
        if let Some(place) = *read {
            let text = place.to_string();
            let range: &[&[u8]] = &[b"XRANGE", key, text.as_bytes(), text.as_bytes()];
            let Reply::Array(found) = self.ask(connection, range, BUDGET).await? else {
                return Err(ShareError::Unexpected);
            };
            if !found.is_empty() {
                return Ok(place);
            }
            carry_out(Order { text: EVERYTHING.into(), ago: Duration::ZERO }).await;
        }
        // There is a place to find again, even before the first order.
        let mark: &[&[u8]] = &[b"XADD", key, b"MAXLEN", KEPT.as_bytes(), b"*", TEXT, MARK];
        let Reply::Number(length) = self.ask(connection, &[b"XLEN", key], BUDGET).await? else {
            return Err(ShareError::Unexpected);
        };
        if length == 0 && self.ask(connection, mark, BUDGET).await.is_ok() {
            self.ask(connection, &[b"PEXPIRE", key, KEPT_FOR.as_bytes()], BUDGET).await?;
        }
        Ok(Place::default())
    }

    /// The entries after a place; `None` if there are none.
    async fn next(
        &self,
        connection: &mut Connection,
        key: &[u8],
        after: Place,
        block: Option<Duration>,
    ) -> Result<Option<Vec<Entry>>, ShareError> {
        let (place, milliseconds) = (after.to_string(), block.unwrap_or_default().as_millis().to_string());
        let mut command: Vec<&[u8]> = vec![b"XREAD", b"COUNT", MOST_AT_ONCE.as_bytes()];
        if block.is_some() {
            command.extend([&b"BLOCK"[..], milliseconds.as_bytes()]);
        }
        command.extend([&b"STREAMS"[..], key, place.as_bytes()]);
        let reply = self.ask(connection, &command, block.unwrap_or_default() + GRACE).await?;
        let entries = entries(reply).ok_or(ShareError::Unexpected)?;
        // Otherwise the same ones would be read without end.
        if entries.iter().any(|entry| entry.place <= after) {
            return Err(ShareError::Unexpected);
        }
        Ok(Some(entries).filter(|entries| !entries.is_empty()))
    }

    /// Carries out what is new, and returns the place of the last entry.
    async fn carry_out_all(
        &self,
        connection: &mut Connection,
        entries: Vec<Entry>,
        mut place: Place,
        carry_out: &CarryOut,
    ) -> Result<Place, ShareError> {
        let now = now(&self.ask(connection, &[b"TIME"], BUDGET).await?).ok_or(ShareError::Unexpected)?;
        for entry in entries {
            place = place.max(entry.place);
            let Some((text, id)) = entry.order else { continue };
            if self.is_new(id) {
                self.counters().orders_received.increment();
                let ago = Duration::from_millis(now.saturating_sub(entry.place.0));
                carry_out(Order { text, ago }).await;
            }
        }
        Ok(place)
    }

    /// One command on the connection of orders.
    async fn ask(
        &self,
        connection: &mut Connection,
        command: &[&[u8]],
        budget: Duration,
    ) -> Result<Reply, ShareError> {
        let answered = timeout(budget, connection.exchange(&[command], REPLY)).await;
        let replies = answered.map_err(|_| ShareError::TimedOut(budget))?.map_err(ShareError::Exchange)?;
        self.inner.server.accepted(replies.into_iter().next().ok_or(ShareError::Unexpected)?)
    }
}

/// The entries of the only stream in a reply; `None` if it is another reply.
fn entries(reply: Reply) -> Option<Vec<Entry>> {
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
    let place = Place(time.parse().ok()?, number.parse().ok()?);
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
fn now(reply: &Reply) -> Option<u64> {
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
        let places = [Place(5, 0), Place(5, 1), Place(6, 0)];
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

    #[test]
    fn an_order_is_new_once() {
        let share = Share::new("redis://127.0.0.1".parse().unwrap(), "http://catalogue");
        let ids: Vec<_> = (0..2_000).map(OrderId).collect();
        assert!(ids.iter().all(|id| share.is_new(*id)));
        assert!(!share.is_new(ids[1_999]));
        assert_eq!(share.inner.orders.known.lock().len(), MOST_KNOWN);
        assert_eq!(ids[1_999].to_string().parse(), Ok(ids[1_999]));
    }
}
