//! Orders that every replica carries out: a stream of the latest ones, which each replica reads at its own
//! pace. The server sends a new order at once to the replicas that wait for it, and keeps it for the others.

use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::Share;
use super::connection::Connection;
use super::entries::{Entry, ID, StreamId, TEXT, entries, now};
use super::order::{CarryOut, Order, OrderId};
use super::pauses::Pauses;
use super::resp::Reply;
use super::server::{BUDGET, ShareError};
use super::stored::milliseconds;

/// Most orders that the server keeps.
const KEPT: &str = "256";
/// How long it keeps them after the latest one, or after a replica has read them.
const KEPT_FOR: Duration = Duration::from_secs(7 * 86_400);
/// Most orders that wait for a server in trouble.
const MOST_WAITING: usize = 64;
/// Most orders in a reply: all, because each reply causes a pass over all cached values. And the limit of that
/// reply in bytes; an order is shorter than 4 KiB.
const MOST_AT_ONCE: &str = KEPT;
const REPLY: usize = 2 << 20;
/// How long the server waits for a new order before it says that there is none, and time for its reply.
const BLOCK: Duration = Duration::from_secs(1);
const GRACE: Duration = Duration::from_millis(250);
/// The order that stands in for orders that were lost.
const EVERYTHING: &str = "all=1";
/// The text of an entry that only marks a place in the stream.
const MARK: &[u8] = b"";

/// How far this process has read the stream.
#[derive(Default)]
struct Followed {
    /// The place of the last entry.
    read: Option<StreamId>,
    /// When the oldest entry that the stream had at first was written.
    reach: Option<Instant>,
}

impl Share {
    /// Gives an order to the other replicas; later, if the server is in trouble. Returns whether it has been
    /// given.
    pub(crate) async fn publish(&self, text: &str, id: OrderId) -> bool {
        self.inner.orders.is_new(id);
        self.wait(text.into(), id).await;
        self.publish_waiting().await
    }

    /// Notes an order that another worker of this replica received `ago` before now. It is given to the other replicas
    /// unless the stream has it: that worker may have died before it could.
    pub(crate) fn inherit(&self, text: &str, id: OrderId, ago: Duration) {
        self.inner.orders.inherit(text, id, ago);
    }

    /// Queues an order for the server. If too many wait, one order that purges everything replaces them.
    async fn wait(&self, text: String, id: OrderId) {
        let mut waiting = self.inner.orders.waiting.lock().await;
        if waiting.len() < MOST_WAITING {
            waiting.push_back((text, id));
        } else {
            waiting.clear();
            waiting.push_back((EVERYTHING.into(), id));
        }
    }

    /// Queues the orders that this worker has inherited and the stream lacks.
    async fn wait_with_inherited(&self, reach: Option<Instant>) {
        for (text, id) in self.inner.orders.take_inherited(reach) {
            self.wait(text, id).await;
        }
    }

    /// Gives the other replicas the orders that the server has not taken yet. Returns whether it took all.
    async fn publish_waiting(&self) -> bool {
        let key = self.key("orders");
        let mut waiting = self.inner.orders.waiting.lock().await;
        if waiting.is_empty() {
            return true;
        }
        while let Some((text, id)) = waiting.front() {
            let id = id.to_string();
            let add: &[&[u8]] =
                &[b"XADD", &key, b"MAXLEN", KEPT.as_bytes(), b"*", TEXT, text.as_bytes(), ID, id.as_bytes()];
            let Ok(Reply::Bytes(Some(_))) = self.inner.server.command(add).await else { return false };
            waiting.pop_front();
            self.counters().orders_sent.increment();
        }
        // If this fails, the next order does it.
        let time = milliseconds(KEPT_FOR).to_string();
        let _ = self.inner.server.command(&[b"PEXPIRE", &key, time.as_bytes()]).await;
        true
    }

    /// Carries out the orders of other replicas for as long as the runtime lives, and finds out whether the
    /// server works; see [`Self::tried`].
    pub(crate) async fn follow(&self, carry_out: &CarryOut) {
        let (mut pauses, mut followed) = (Pauses::default(), Followed::default());
        loop {
            let connection = self.inner.server.recover(&mut pauses, || self.note_tried()).await;
            let ended = self.follow_on(connection, &mut followed, carry_out).await;
            if let Err(error) = ended {
                self.inner.server.fail(&error);
            }
            self.note_tried();
            tokio::time::sleep(pauses.next()).await;
        }
    }

    /// [`Self::follow`] on one connection, until an exchange fails.
    async fn follow_on(
        &self,
        mut connection: Connection,
        followed: &mut Followed,
        carry_out: &CarryOut,
    ) -> Result<(), ShareError> {
        let key = self.key("orders");
        let mut place = self.find_place(&mut connection, &key, followed, carry_out).await?;
        // Orders given meanwhile are carried out first, so that no purged answer is used.
        while let Some(entries) = self.next(&mut connection, &key, place, None).await? {
            place = self.carry_out_all(&mut connection, entries, followed, carry_out).await?;
        }
        followed.read = Some(place);
        // This fails on a server that answers but does not write, such as a primary that became a secondary.
        let time = milliseconds(KEPT_FOR).to_string();
        self.ask(&mut connection, &[b"PEXPIRE", &key, time.as_bytes()], BUDGET).await?;
        self.inner.server.trust();
        self.note_tried();
        let mut given: Option<Instant> = None;
        loop {
            // Orders that the server has refused or could not take are given again, at most once in `BLOCK`
            // however many orders arrive.
            if given.is_none_or(|given| given.elapsed() >= BLOCK) {
                given = Some(Instant::now());
                self.wait_with_inherited(followed.reach).await;
                self.publish_waiting().await;
            }
            let asked = Instant::now();
            let next = self.next(&mut connection, &key, place, Some(BLOCK));
            let entries = tokio::select! {
                biased;
                next = next => next?,
                () = self.inner.server.doubted() => return Ok(()),
            };
            match entries {
                Some(entries) => {
                    place = self.carry_out_all(&mut connection, entries, followed, carry_out).await?;
                }
                // A server that does not wait would be asked without end.
                None if asked.elapsed() < BLOCK / 2 => return Err(ShareError::Unexpected),
                None => {}
            }
        }
    }

    /// The place after which to continue reading. If the stream has lost that place, it may have lost orders too.
    async fn find_place(
        &self,
        connection: &mut Connection,
        key: &[u8],
        followed: &mut Followed,
        carry_out: &CarryOut,
    ) -> Result<StreamId, ShareError> {
        if let Some(place) = followed.read {
            let text = place.to_string();
            let range: &[&[u8]] = &[b"XRANGE", key, text.as_bytes(), text.as_bytes()];
            let Reply::Array(found) = self.ask(connection, range, BUDGET).await? else {
                return Err(ShareError::Unexpected);
            };
            if !found.is_empty() {
                return Ok(place);
            }
            self.inner.server.warn_of_lost_orders();
            carry_out(vec![Order { text: EVERYTHING.into(), ago: Duration::ZERO }]).await;
        }
        *followed = Followed::default();
        // The mark is a place to find again, even before the first order.
        let mark: &[&[u8]] = &[b"XADD", key, b"MAXLEN", KEPT.as_bytes(), b"*", TEXT, MARK];
        let Reply::Number(length) = self.ask(connection, &[b"XLEN", key], BUDGET).await? else {
            return Err(ShareError::Unexpected);
        };
        if length == 0 {
            // Every earlier order is older than the stream keeps them, or is lost.
            followed.reach = Instant::now().checked_sub(KEPT_FOR);
            // If it is refused, the next replica that comes writes it.
            let _ = self.ask(connection, mark, BUDGET).await;
        }
        Ok(StreamId::default())
    }

    /// The entries after a place; `None` if there are none.
    async fn next(
        &self,
        connection: &mut Connection,
        key: &[u8],
        after: StreamId,
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
        // Otherwise the same entries would be read without end.
        if entries.iter().any(|entry| entry.place <= after) {
            return Err(ShareError::Unexpected);
        }
        Ok(Some(entries).filter(|entries| !entries.is_empty()))
    }

    /// Carries out the new orders, all together, and returns the place of the last entry.
    async fn carry_out_all(
        &self,
        connection: &mut Connection,
        entries: Vec<Entry>,
        followed: &mut Followed,
        carry_out: &CarryOut,
    ) -> Result<StreamId, ShareError> {
        let now = now(&self.ask(connection, &[b"TIME"], BUDGET).await?).ok_or(ShareError::Unexpected)?;
        let ago = |place: StreamId| Duration::from_millis(now.saturating_sub(place.0));
        let mut place = followed.read.unwrap_or_default();
        let mut orders = Vec::new();
        for entry in entries {
            followed.reach = followed.reach.or_else(|| Instant::now().checked_sub(ago(entry.place)));
            place = place.max(entry.place);
            let Some((text, id)) = entry.order else { continue };
            self.inner.orders.forget_inherited(id);
            if self.inner.orders.is_new(id) {
                self.counters().orders_received.increment();
                orders.push(Order { text, ago: ago(entry.place) });
            }
        }
        if !orders.is_empty() {
            carry_out(orders).await;
        }
        followed.read = Some(place);
        Ok(place)
    }

    /// Sends one command on the connection for orders.
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
