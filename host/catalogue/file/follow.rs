//! Reads a catalogue's file again whenever it has changed, or a sale begins or ends.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, timeout, timeout_at};

use super::catalogue::{FileCatalogue, until};
use super::feed::{Feed, Known};
use super::origin::Place;
use super::reading::Stamp;
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::off_runtime;

/// Time between two looks at a file, and shortest time between two questions for a feed.
const PERIOD: Duration = Duration::from_secs(2);
/// Longest time that a reading for a sale is begun ahead.
const LONGEST_AHEAD: Duration = Duration::from_secs(60);

/// What is known of a feed at the start.
#[derive(Default)]
pub(crate) struct Received {
    pub(crate) bytes: Option<Bytes>,
    pub(crate) known: Known,
}

/// Follows the file of a catalogue, or asks for its feed each time that `fresh` has passed, for as long as the program runs.
pub(crate) async fn follow(catalogue: Arc<FileCatalogue>, received: Received, fresh: Duration) {
    match catalogue.origin.place().clone() {
        Place::File(_) => follow_file(&catalogue).await,
        Place::Feed(feed) => follow_feed(&catalogue, &feed, received, fresh.max(PERIOD)).await,
    }
}

async fn follow_file(catalogue: &FileCatalogue) {
    let mut last = stamp(catalogue).await;
    let mut ahead = PERIOD;
    loop {
        let pause = due(catalogue, ahead).unwrap_or(PERIOD).min(PERIOD);
        let is_ordered = timeout(pause, catalogue.reload.notified()).await.is_ok();
        let stamp = stamp(catalogue).await;
        if last.is_some() && stamp.is_none() {
            tracing::warn!(
                file = %Bounded(catalogue.origin.name()),
                "the file is gone; what was read before stays on sale"
            );
        }
        // A file that is being written changes again.
        let is_changed = stamp.is_some() && stamp == last && stamp != catalogue.stamp();
        last = stamp;
        let is_due = due(catalogue, ahead).is_some_and(|due| due.is_zero());
        if is_ordered || is_changed || is_due {
            let at = catalogue.changes_at().filter(|_| !is_ordered && !is_changed);
            let began = Instant::now();
            catalogue.read_again(None, last.clone(), at).await;
            ahead = ahead_after(began);
        }
    }
}

async fn follow_feed(catalogue: &FileCatalogue, feed: &Feed, received: Received, fresh: Duration) {
    let Received { mut bytes, mut known } = received;
    let (mut asked, mut ahead) = (Instant::now(), PERIOD);
    loop {
        // Only a sale needs them again.
        bytes = bytes.filter(|_| catalogue.changes_at().is_some());
        let next = due(catalogue, ahead).filter(|_| bytes.is_some()).map(|due| Instant::now() + due);
        let next = (asked + fresh).min(next.unwrap_or(asked + fresh));
        let is_ordered = timeout_at(next, catalogue.reload.notified()).await.is_ok();
        let stamp = stamp(catalogue).await;
        let began = Instant::now();
        if is_ordered || asked.elapsed() >= fresh {
            asked = Instant::now();
            // An order or other options may make a version usable that is known.
            if is_ordered || stamp != catalogue.stamp() {
                known = Known::default();
            }
            match feed.receive(&mut known).await {
                Ok(Some(new)) => {
                    if catalogue.read_again(Some(new.clone()), stamp, None).await {
                        bytes = Some(new);
                    }
                }
                Ok(None) => {}
                Err(error) if catalogue.throttle.allows("receive") => tracing::warn!(
                    feed = %Bounded(feed.address()), error = %ErrorChain(&error),
                    "the feed is not received; what was read before stays on sale"
                ),
                Err(_) => {}
            }
        } else if let Some(bytes) = &bytes {
            catalogue.read_again(Some(bytes.clone()), stamp, catalogue.changes_at()).await;
        }
        ahead = ahead_after(began);
    }
}

/// How long it is until a reading for the next sale begins, `ahead` of it.
fn due(catalogue: &FileCatalogue, ahead: Duration) -> Option<Duration> {
    catalogue.changes_at().map(|at| until(at).saturating_sub(ahead))
}

/// How long before a sale a file is read that was read in the time since `began`.
fn ahead_after(began: Instant) -> Duration {
    PERIOD + (began.elapsed() * 2).min(LONGEST_AHEAD)
}

async fn stamp(catalogue: &FileCatalogue) -> Option<Stamp> {
    let origin = catalogue.origin.clone();
    off_runtime(move || origin.stamp()).await
}
