//! Orders that every replica carries out: a stream of the latest ones, which each replica reads at its own
//! pace. The server sends a new one at once to those who wait for it, and keeps it for those who do not.

use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::Share;
use super::connection::Connection;
use super::entries::{Entry, ID, Place, TEXT, entries, now};
use super::order::{CarryOut, Order, OrderId};
use super::resp::Reply;
use super::server::{BUDGET, Pauses, ShareError};

/// Most orders that the server keeps.
const KEPT: &str = "256";
/// How long it keeps them after the latest one, in milliseconds: a week.
const KEPT_FOR: &str = "604800000";
/// Most orders that wait for a server in trouble.
const MOST_WAITING: usize = 64;
/// Most orders in a reply, and the limit of that reply in bytes. An order is shorter than 4 KiB.
const MOST_AT_ONCE: &str = "64";
const REPLY: usize = 512 << 10;
/// How long the server waits for a new order before it says that there is none, and time for its reply.
const BLOCK: Duration = Duration::from_secs(1);
const GRACE: Duration = Duration::from_millis(250);
/// What is ordered when orders have been lost.
const EVERYTHING: &str = "all=1";
/// The text of an entry that only marks a place in the stream.
const MARK: &[u8] = b"";

impl Share {
    /// Gives an order to the other replicas; later, if the server is in trouble. Returns whether it has been
    /// given.
    pub(crate) async fn publish(&self, text: &str, id: OrderId) -> bool {
        self.inner.orders.is_new(id);
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
            if self.inner.orders.is_new(id) {
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
