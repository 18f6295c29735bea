//! Reads a catalogue's file again whenever it has changed, or a sale begins or ends.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::catalogue::{FileCatalogue, Occasion, now, until};
use super::feed::{Feed, Known};
use super::origin::Place;
use super::reading::Stamp;
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::off_runtime;

/// Time between two looks at a file, and shortest time between two questions for a feed.
const PERIOD: Duration = Duration::from_secs(2);
/// Longest time that a reading for a sale is begun ahead.
const LONGEST_AHEAD: Duration = Duration::from_secs(60);
/// Pause after a reading for a sale that has failed.
const AGAIN: Duration = Duration::from_secs(60);
/// A pause after each reading for a sale, as a multiple of its time: a feed with many dates must not keep a processor busy.
const REST: u32 = 4;

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
        Place::Feed(feed) => {
            let Received { bytes, known } = received;
            let (sender, arrivals) = mpsc::channel(1);
            tokio::spawn(ask_again(Arc::clone(&catalogue), feed, known, fresh.max(PERIOD), sender));
            follow_feed(&catalogue, bytes, arrivals).await;
        }
    }
}

async fn follow_file(catalogue: &FileCatalogue) {
    let mut last = stamp(catalogue).await;
    let mut sales = Sales::new();
    loop {
        // A new version is read first, once it does not change any more.
        let is_current = last == catalogue.stamp();
        let due = sales.next(catalogue).filter(|_| is_current).map(|due| due.duration_since(Instant::now()));
        let pause = due.unwrap_or(PERIOD).min(PERIOD);
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
        if is_ordered || is_changed {
            let accepts_loss = is_ordered && catalogue.takes_loss();
            catalogue.take(None, last.clone(), accepts_loss).await;
        } else if last == catalogue.stamp() && sales.is_due(catalogue) {
            sales.carry_out(catalogue, None).await;
        }
    }
}

/// A version of a feed.
struct Arrival {
    bytes: Bytes,
    stamp: Option<Stamp>,
    accepts_loss: bool,
}

/// Sells what arrives of a feed. `bytes` are those on sale.
async fn follow_feed(
    catalogue: &FileCatalogue,
    mut bytes: Option<Bytes>,
    mut arrivals: mpsc::Receiver<Arrival>,
) {
    let mut sales = Sales::new();
    loop {
        // Only a sale needs them again.
        bytes = bytes.filter(|_| catalogue.changes_at().is_some());
        let next = sales.next(catalogue).filter(|_| bytes.is_some());
        let due = async {
            match next {
                Some(next) => sleep_until(next).await,
                None => pending().await,
            }
        };
        tokio::select! {
            arrival = arrivals.recv() => {
                let Some(Arrival { bytes: new, stamp, accepts_loss }) = arrival else { return };
                if catalogue.take(Some(new.clone()), stamp, accepts_loss).await {
                    bytes = Some(new);
                }
            }
            () = due => sales.carry_out(catalogue, bytes.clone()).await,
        }
    }
}

/// Asks for a feed each time that `fresh` has passed, or an operator orders it, and sends versions that are not known. Sales
/// do not wait for it.
async fn ask_again(
    catalogue: Arc<FileCatalogue>,
    feed: Arc<Feed>,
    mut known: Known,
    fresh: Duration,
    arrivals: mpsc::Sender<Arrival>,
) {
    loop {
        let is_ordered = timeout(fresh, catalogue.reload.notified()).await.is_ok();
        let accepts_loss = is_ordered && catalogue.takes_loss();
        let stamp = stamp(&catalogue).await;
        // An order or other options may make a version usable that is known.
        if is_ordered || stamp != catalogue.stamp() {
            known = Known::default();
        }
        match feed.receive(&mut known).await {
            Ok(Some(bytes)) => {
                if arrivals.send(Arrival { bytes, stamp, accepts_loss }).await.is_err() {
                    return;
                }
            }
            Ok(None) => {}
            Err(error) if catalogue.throttle.allows("receive") => tracing::warn!(
                feed = %Bounded(feed.address()), error = %ErrorChain(&error),
                "the feed is not received; what was read before stays on sale"
            ),
            Err(_) => {}
        }
    }
}

/// When the file is read for sales.
struct Sales {
    /// How long before a sale its reading begins.
    ahead: Duration,
    not_before: Instant,
}

impl Sales {
    fn new() -> Self {
        Self { ahead: PERIOD, not_before: Instant::now() }
    }

    /// When the next reading begins, if a sale begins or ends.
    fn next(&self, catalogue: &FileCatalogue) -> Option<Instant> {
        let wait = until(catalogue.changes_at()?).saturating_sub(self.ahead);
        Some(Instant::now().checked_add(wait)?.max(self.not_before))
    }

    fn is_due(&self, catalogue: &FileCatalogue) -> bool {
        self.next(catalogue).is_some_and(|next| next <= Instant::now())
    }

    /// Reads the file, or what was `received` of a feed, with the prices of the next sale, and sells it from that moment on.
    async fn carry_out(&mut self, catalogue: &FileCatalogue, received: Option<Bytes>) {
        let Some(at) = catalogue.changes_at() else { return };
        // If several moments have passed meanwhile, this one reading serves them all.
        let at = at.max(now());
        let began = Instant::now();
        let read = catalogue.read(received, Occasion::Sale { at }).await;
        let took = began.elapsed();
        self.not_before = Instant::now() + took * REST;
        self.ahead = PERIOD + (took * 2).min(LONGEST_AHEAD);
        match read {
            Ok(version) => tokio::select! {
                () = sleep(until(at)) => catalogue.sell(version),
                // An order has a new reading, with the prices of its moment.
                () = catalogue.reload.notified() => catalogue.reload.notify_one(),
            },
            Err(error) => {
                self.not_before = Instant::now() + AGAIN;
                if catalogue.throttle.allows("sale") {
                    catalogue.log_refusal(&error);
                }
            }
        }
    }
}

async fn stamp(catalogue: &FileCatalogue) -> Option<Stamp> {
    let origin = catalogue.origin.clone();
    off_runtime(move || origin.stamp()).await
}
