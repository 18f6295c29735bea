//! Orders that another replica received.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::time::timeout;

use super::{Admin, purge};
use crate::share::Order;
use crate::shop::{GivenOrder, PurgeOrder};

/// How long a start waits for the orders that were given before it.
const CATCH_UP: Duration = Duration::from_millis(500);

/// Starts to carry out the orders that other replicas receive, for as long as the runtime lives. Returns when the
/// orders that were given so far have been carried out, or after [`CATCH_UP`].
pub(crate) async fn follow_replicas(admin: &Arc<Admin>) {
    let Some(share) = admin.share.clone() else { return };
    let admin = Arc::clone(admin);
    let following = share.clone();
    tokio::spawn(async move {
        let carry_out = move |orders: Vec<Order>| {
            let admin = Arc::clone(&admin);
            async move {
                let orders = orders.into_iter().filter_map(|order| given(&admin, &order)).collect();
                purge::carry_out(&admin, orders).await;
            }
            .boxed()
        };
        following.follow(&carry_out).await;
    });
    // The shop opens even if this takes longer.
    let _ = timeout(CATCH_UP, share.tried()).await;
}

/// Parses and counts another replica's order.
fn given(admin: &Admin, Order { text, ago }: &Order) -> Option<GivenOrder> {
    match PurgeOrder::parse(text) {
        Ok(order) => {
            // An order older than this process was counted by the processes that ran then.
            if *ago <= admin.started.elapsed() {
                admin.purges.of(order.mode).increment();
            }
            Some(GivenOrder { order, ago: *ago })
        }
        // A later version of the program sent it, or a program that is not a replica.
        Err(error) => {
            tracing::warn!(%error, "another replica's order is not understood");
            None
        }
    }
}
