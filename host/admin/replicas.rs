//! Orders that another replica received.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{Admin, purge};
use crate::share::Order;
use crate::shop::{GivenOrder, PurgeOrder};

/// How long a start waits for the orders that were given before it.
const CATCH_UP: Duration = Duration::from_millis(500);

/// Carries out what other replicas are ordered, for as long as the runtime lives. Returns when those orders
/// have been carried out that were given so far, or soon.
pub(crate) async fn follow_replicas(admin: &Arc<Admin>) {
    let Some(share) = admin.share.clone() else { return };
    let admin = Arc::clone(admin);
    let (tried, has_tried) = oneshot::channel();
    tokio::spawn(async move {
        let carry_out = move |Order { text, ago }| {
            let admin = Arc::clone(&admin);
            async move {
                match PurgeOrder::parse(&text) {
                    Ok(order) => {
                        // Whoever was there when it was given has counted it.
                        if ago <= admin.started.elapsed() {
                            admin.purges.of(order.mode).increment();
                        }
                        purge::carry_out(&admin, vec![GivenOrder { order, ago }]).await;
                    }
                    // Of a later version, or of somebody else.
                    Err(error) => tracing::warn!(%error, "another replica's order is not understood"),
                }
            }
            .boxed()
        };
        share.follow(tried, &carry_out).await;
    });
    // An error means that it was tried; nothing is ever sent.
    let _ = timeout(CATCH_UP, has_tried).await;
}
