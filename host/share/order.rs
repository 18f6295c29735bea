//! Orders, and what this process knows of them.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::Mutex as AsyncMutex;

/// How many orders are known as carried out; more than a server and a supervisor keep.
const MOST_KNOWN: usize = 1_024;

/// A random number that identifies an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OrderId(pub(super) u64);

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

/// Carries out orders together.
pub(crate) type CarryOut = dyn Fn(Vec<Order>) -> BoxFuture<'static, ()> + Send + Sync;

/// An order that an earlier worker of this replica received, and may not have given to the others.
#[derive(Debug)]
struct Inherited {
    text: String,
    id: OrderId,
    received: Instant,
}

/// What this replica knows of orders.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// Orders that the server has not taken yet.
    pub(super) waiting: AsyncMutex<VecDeque<(String, OrderId)>>,
    /// Orders of earlier workers, until the stream has been read and tells which of them it lacks.
    inherited: Mutex<Vec<Inherited>>,
    /// The orders that were carried out last.
    known: Mutex<VecDeque<OrderId>>,
}

impl Orders {
    /// Whether an order is new to this process; from now on it is known.
    pub(super) fn is_new(&self, id: OrderId) -> bool {
        let mut known = self.known.lock();
        let is_new = !known.contains(&id);
        if is_new {
            known.push_back(id);
            if known.len() > MOST_KNOWN {
                known.pop_front();
            }
        }
        is_new
    }

    /// Notes an order that another worker of this replica received `ago` before now.
    pub(super) fn inherit(&self, text: &str, id: OrderId, ago: Duration) {
        // The machine started after that moment, so `ago` cannot be right.
        let Some(received) = Instant::now().checked_sub(ago) else { return };
        let mut inherited = self.inherited.lock();
        if inherited.len() < MOST_KNOWN {
            inherited.push(Inherited { text: text.into(), id, received });
        }
    }

    /// Forgets an inherited order, because the stream has it.
    pub(super) fn forget_inherited(&self, id: OrderId) {
        self.inherited.lock().retain(|order| order.id != id);
    }

    /// Takes the inherited orders that the stream lacks, after all of it has been read. Orders that were
    /// received before `reach`, the time of its oldest entry, may have been in it and are left out: otherwise every
    /// new worker would repeat a busy day's purges.
    pub(super) fn take_inherited(&self, reach: Option<Instant>) -> Vec<(String, OrderId)> {
        let inherited = std::mem::take(&mut *self.inherited.lock());
        let lacking =
            inherited.into_iter().filter(|order| reach.is_some_and(|reach| order.received >= reach));
        lacking.map(|order| (order.text, order.id)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_new_once() {
        let orders = Orders::default();
        let ids: Vec<_> = (0..2_000).map(OrderId).collect();
        assert!(ids.iter().all(|id| orders.is_new(*id)));
        assert!(!orders.is_new(ids[1_999]));
        assert_eq!(orders.known.lock().len(), MOST_KNOWN);
        assert_eq!(ids[1_999].to_string().parse(), Ok(ids[1_999]));
    }

    #[test]
    fn only_inherited_orders_that_the_stream_lacks_are_taken_once() {
        let orders = Orders::default();
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        let reach = Instant::now().checked_sub(minutes(10));
        assert!(reach.is_some(), "the machine has run for ten minutes");
        for (text, id, ago) in [("lost", 1, 5), ("given", 2, 5), ("before", 3, 15)] {
            orders.inherit(text, OrderId(id), minutes(ago));
        }
        orders.forget_inherited(OrderId(2));
        assert_eq!(orders.take_inherited(reach), [("lost".to_owned(), OrderId(1))]);
        assert_eq!(orders.take_inherited(reach), []);
        orders.inherit("unknown", OrderId(4), minutes(5));
        assert_eq!(orders.take_inherited(None), [], "how far the stream reaches is unknown");
    }
}
