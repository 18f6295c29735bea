//! Orders, and what this process knows of them.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::Mutex as AsyncMutex;

/// How many orders are known as carried out; more than a server and a supervisor keep.
const MOST_KNOWN: usize = 1_024;

/// A random number that tells an order from every other one.
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

/// Carries out an order.
pub(crate) type CarryOut = dyn Fn(Order) -> BoxFuture<'static, ()> + Send + Sync;

/// What this replica knows of orders.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// Orders that the server has not taken yet.
    pub(super) waiting: AsyncMutex<VecDeque<(String, OrderId)>>,
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
}
