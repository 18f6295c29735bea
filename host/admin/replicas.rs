//! Orders between replicas. Each has a number, because the workers of one supervisor also tell each other
//! through their journal, and none carries out an order twice.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{Admin, purge};
use crate::share::{Order, OrderId, Share};
use crate::shop::PurgeOrder;

/// How long a start waits for the orders that were given before it.
const CATCH_UP: Duration = Duration::from_millis(500);

/// What the journal of workers has of an order: its text and, after a space, which no text has, its number.
pub(super) fn line(text: &str, id: Option<OrderId>) -> String {
    id.map_or_else(|| text.to_owned(), |id| format!("{text} {id}"))
}

/// The text in such a line; `None` if the order has been carried out.
pub(super) fn text_of<'a>(line: &'a str, share: Option<&Share>) -> Option<&'a str> {
    let Some((text, id)) = line.split_once(' ') else { return Some(line) };
    let is_known = match (share, id.parse()) {
        (Some(share), Ok(id)) => !share.is_new(id),
        _ => false,
    };
    (!is_known).then_some(text)
}

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
                    Ok(order) => purge::carry_out(&admin, order, ago).await,
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
