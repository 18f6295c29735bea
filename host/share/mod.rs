//! What replicas of a shop share through a server of the Redis protocol: orders to purge, one call of the
//! catalogue for all of them, and the last good catalogue.
//!
//! - `address`: the server's address, shown without its credentials.
//! - `resp`, `connection`: the protocol, with a limit for everything that the server says.
//! - `server`, `pauses`: commands within a budget of time, and not at all while the server is in trouble.
//! - `stored`: the format of stored values.
//! - `lease`: whose turn it is to call the catalogue; `answers`: what it has answered.
//! - `order`, `entries`, `orders`: orders, and the stream of them.
//! - `state`: the saved catalogue.
//! - `trial`: what `vitrine check` asks.
//!
//! `docs/decisions/0030-replicas-share.md` says why.
//!
//! The server makes a shop cheaper and is never needed: every function here answers soon, and says at worst
//! that this replica goes on alone.

mod address;
mod answers;
mod connection;
mod counters;
mod entries;
mod lease;
mod order;
mod orders;
mod pauses;
mod resp;
mod server;
mod state;
mod stored;
mod tls;
mod trial;

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::timeout;

pub use self::address::{AddressError, ShareAddress};
pub(crate) use self::answers::{LeaseResult, Question, SharedAnswer, SharedBody};
pub use self::counters::{LeaseOutcome, OperationResult, ShareCounters};
pub(crate) use self::lease::Turn;
use self::order::Orders;
pub(crate) use self::order::{Order, OrderId};
use self::server::Server;
pub(crate) use self::state::{SavedState, TurnToSave};
pub(crate) use self::trial::Distance;

/// Version of the keys and values. Replicas with another version share nothing with these.
const KEYS_VERSION: u32 = 1;
/// Digits of the hash of the catalogue's address in the keys.
const HASH: usize = 16;

/// What this replica shares with others. Clones share it too.
#[derive(Clone, Debug)]
pub struct Share {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    server: Arc<Server>,
    /// Start of every key: version and catalogue.
    prefix: String,
    orders: Orders,
    /// Whether the server has been tried, see [`Share::tried`].
    tried: watch::Sender<bool>,
    /// Answers from before this moment were purged.
    purged: Mutex<Option<Instant>>,
}

impl Share {
    /// What shops of the catalogue at this address share through a server. Makes no connection.
    pub fn new(address: ShareAddress, catalogue: &str) -> Self {
        let hash = blake3::hash(catalogue.trim_end_matches('/').as_bytes()).to_hex();
        let prefix = format!("vitrine:{KEYS_VERSION}:{}:", &hash[..HASH]);
        let inner = Inner {
            server: Arc::new(Server::new(address)),
            prefix,
            orders: Orders::default(),
            tried: watch::Sender::new(false),
            purged: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The server's address without its credentials.
    pub fn address(&self) -> &ShareAddress {
        self.inner.server.address()
    }

    /// Whether the server answers quickly enough to be asked.
    pub fn is_up(&self) -> bool {
        self.inner.server.is_up()
    }

    /// Whether the server answers within this time.
    pub(crate) async fn answers_within(&self, time: Duration) -> bool {
        matches!(timeout(time, self.inner.server.prepare()).await, Ok(Ok(())))
    }

    /// Completes when the orders that were given before this process started have been carried out, or when
    /// the server was found to be in trouble.
    pub(crate) async fn tried(&self) {
        // The sender lives as long as `self`.
        let _ = self.inner.tried.subscribe().wait_for(|tried| *tried).await;
    }

    /// Wakes everything that waits for [`Self::tried`].
    pub(crate) fn note_tried(&self) {
        self.inner.tried.send_if_modified(|tried| !std::mem::replace(tried, true));
    }

    /// What was counted since the start.
    pub fn counters(&self) -> &ShareCounters {
        self.inner.server.counters()
    }

    /// Stops using answers that other replicas received at least `ago` before now.
    pub(crate) fn distrust_answers(&self, ago: Duration) {
        // If the machine started after that moment, everything that this process knows is younger.
        let Some(moment) = Instant::now().checked_sub(ago) else { return };
        let mut purged = self.inner.purged.lock();
        *purged = (*purged).max(Some(moment));
    }

    /// Whether an answer of this age is younger than the latest purge.
    fn is_trusted(&self, age: Duration) -> bool {
        let purged = *self.inner.purged.lock();
        purged.is_none_or(|purged| purged.elapsed() > age)
    }

    /// Whether an order is new to this process; from now on it is known.
    pub(crate) fn is_new(&self, id: OrderId) -> bool {
        self.inner.orders.is_new(id)
    }

    fn key(&self, name: &str) -> Vec<u8> {
        format!("{}{name}", self.inner.prefix).into_bytes()
    }
}
