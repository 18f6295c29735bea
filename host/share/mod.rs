//! What replicas of a shop share through a server of the Redis protocol: orders to purge, and the catalogue, which one of
//! them reads for all.
//!
//! - `address`: the server's address, shown without its credentials.
//! - `resp`, `connection`: the protocol, with a limit for everything that the server says.
//! - `server`, `pauses`: commands within a budget of time, and not at all while the server is in trouble.
//! - `stored`: the format of stored values.
//! - `lease`: who reads the catalogue; `version`: what was read.
//! - `order`, `entries`, `orders`: orders, and the stream of them.
//! - `trial`: what `vitrine check` asks.
//!
//! `docs/decisions/0030-replicas-share.md` says why.
//!
//! The server makes a shop cheaper and is never needed: every function here answers soon, and says at worst
//! that this replica goes on alone.

mod address;
mod connection;
mod counters;
mod entries;
mod lease;
mod order;
mod orders;
mod pauses;
mod resp;
mod server;
mod stored;
mod tls;
mod trial;
mod version;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use tokio::sync::watch;

pub use self::address::{AddressError, ShareAddress};
pub use self::counters::{OperationResult, ShareCounters};
use self::order::Orders;
pub(crate) use self::order::{Order, OrderId};
use self::server::Server;
pub(crate) use self::server::ShareError;
use self::stored::StoredError;
pub(crate) use self::trial::Distance;
pub(crate) use self::version::{MOST_PARTS, PART, SharedVersion, pack};

/// Version of the keys and values. Replicas with another version share nothing with these.
const KEYS_VERSION: u32 = 2;
/// Digits of the hash of the catalogue's address in the keys.
const HASH: usize = 16;

/// What this replica shares with others. Clones share it too.
#[derive(Clone, Debug)]
pub struct Share {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    server: Server,
    /// Start of every key: version and catalogue.
    prefix: String,
    orders: Orders,
    /// Whether the server has been tried, see [`Share::tried`].
    tried: watch::Sender<bool>,
    /// This replica's name in the lease, and whether it holds it.
    id: String,
    is_reader: AtomicBool,
    /// Until when this replica does not take the lease.
    rests_until: Mutex<Option<Instant>>,
}

impl Share {
    /// What shops of the catalogue at this address share through a server. Makes no connection.
    pub fn new(address: ShareAddress, catalogue: &str) -> Self {
        let hash = blake3::hash(catalogue.trim_end_matches('/').as_bytes()).to_hex();
        let prefix = format!("vitrine:{KEYS_VERSION}:{}:", &hash[..HASH]);
        let inner = Inner {
            server: Server::new(address),
            prefix,
            orders: Orders::default(),
            tried: watch::Sender::new(false),
            id: format!("{:016x}", fastrand::u64(..)),
            is_reader: AtomicBool::default(),
            rests_until: Mutex::default(),
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

    /// Whether this replica reads the catalogue for all.
    pub fn is_reader(&self) -> bool {
        self.inner.is_reader.load(Ordering::Relaxed)
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

    /// Whether an order is new to this process; from now on it is known.
    pub(crate) fn is_new(&self, id: OrderId) -> bool {
        self.inner.orders.is_new(id)
    }

    /// Counts a value that cannot be used.
    pub(crate) fn note_unusable(&self) {
        self.inner.server.count(OperationResult::Unusable);
    }

    /// Counts a value that cannot be used, and logs why.
    fn unusable(&self, error: Option<&StoredError>) -> ShareError {
        self.note_unusable();
        self.inner.server.warn_of_value(error);
        ShareError::Unexpected
    }

    fn key(&self, name: &str) -> Vec<u8> {
        format!("{}{name}", self.inner.prefix).into_bytes()
    }
}
