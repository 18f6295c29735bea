//! Reads a catalogue's file again whenever it has changed, or a sale begins or ends.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::catalogue::{FileCatalogue, Occasion, now, until};
use super::feed::{Feed, Known, PERIOD};
use super::origin::Place;
use super::reading::Stamp;
use crate::catalogue::store::Bytes;
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::off_runtime;

/// Longest time, beyond [`PERIOD`], that a reading for a sale begins ahead of it.
const LONGEST_AHEAD: Duration = Duration::from_secs(60);
/// Time between two looks at the clock while a feed is waited for.
const LOOK_AT_CLOCK: Duration = Duration::from_secs(60);
/// A file that was replaced by another one before each of so many checks is read all the same.
const RESTLESS: u32 = 5;
/// Pause after a failed reading for a sale.
const AGAIN: Duration = Duration::from_secs(60);
/// The pause after a reading for a sale, as a multiple of its time: many dates must not keep a processor busy.
const REST: u32 = 4;

/// What is known of a feed at the start.
#[derive(Default)]
pub(crate) struct Received {
    pub(crate) bytes: Option<Bytes>,
    pub(crate) known: Known,
    /// After what time it is asked for, if that does not follow from its age.
    pub(crate) ask_after: Option<Duration>,
}

/// Follows the file of a catalogue, or asks for its feed each time that `fresh` has passed, for as long as the program runs.
pub(crate) async fn follow(catalogue: Arc<FileCatalogue>, received: Received, fresh: Duration) {
    match catalogue.origin.place().clone() {
        Place::File(_) => follow_file(&catalogue).await,
        Place::Feed(feed) => {
            let Received { bytes, known, ask_after } = received;
            let fresh = fresh.max(feed.shortest());
            let first = feed.pause(ask_after.unwrap_or(fresh));
            let (sender, arrivals) = mpsc::channel(1);
            tokio::spawn(ask_again(Arc::clone(&catalogue), feed, known, (first, fresh), sender));
            follow_feed(&catalogue, bytes, arrivals).await;
        }
    }
}

async fn follow_file(catalogue: &FileCatalogue) {
    let mut last = stamp(catalogue).await;
    let mut sales = Sales::new();
    let mut replaced = 0;
    loop {
        // A changed file comes before a sale: it is read once it no longer changes.
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
        replaced = if is_replaced(stamp.as_ref(), last.as_ref()) { replaced + 1 } else { 0 };
        // A file that is still being written has changed since the last check.
        let is_settled = stamp == last || replaced >= RESTLESS;
        let is_changed = stamp.is_some() && is_settled && stamp != catalogue.stamp();
        last = stamp;
        if is_ordered || is_changed {
            replaced = 0;
            let accepts_loss = catalogue.take_permission();
            catalogue.take(None, last.clone(), accepts_loss).await;
        } else if last == catalogue.stamp() && sales.is_due(catalogue) {
            sales.carry_out(catalogue, None).await;
        }
    }
}

/// Whether another file has taken the place of the last one.
fn is_replaced(now: Option<&Stamp>, last: Option<&Stamp>) -> bool {
    let file = |stamp: Option<&Stamp>| stamp.and_then(|stamp| stamp.catalogue);
    file(now).zip(file(last)).is_some_and(|(now, last)| now.is_of_another_file(&last))
}

/// A version of a feed.
struct Arrival {
    bytes: Bytes,
    stamp: Option<Stamp>,
    accepts_loss: bool,
}

/// Sells each version of a feed that arrives. `bytes` are those of the version on sale.
async fn follow_feed(
    catalogue: &FileCatalogue,
    mut bytes: Option<Bytes>,
    mut arrivals: mpsc::Receiver<Arrival>,
) {
    let mut sales = Sales::new();
    let mut ordered = None;
    loop {
        // The bytes are only needed again for a sale to come.
        bytes = bytes.filter(|_| catalogue.changes().next.is_some());
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
            // The clock may have been set, which no timer notices.
            () = sleep(LOOK_AT_CLOCK) => {
                let changes = catalogue.changes();
                // Once, because the server may want pauses.
                if bytes.is_none() && !changes.contain(now()) && ordered.replace(changes) != Some(changes) {
                    catalogue.reload.notify_one();
                }
            }
        }
    }
}

/// Asks for a feed after the time `first`, and each time that `fresh` has passed, or later if its server wants a pause, or at once when an operator orders
/// it. Sends versions that are not known. Sales do not wait for the download.
async fn ask_again(
    catalogue: Arc<FileCatalogue>,
    feed: Arc<Feed>,
    mut known: Known,
    (first, fresh): (Duration, Duration),
    arrivals: mpsc::Sender<Arrival>,
) {
    let mut pause = first;
    loop {
        let is_ordered = timeout(pause, catalogue.reload.notified()).await.is_ok();
        let accepts_loss = catalogue.take_permission();
        let stamp = stamp(&catalogue).await;
        // After an order, or with other options, the version that is known may be usable.
        if is_ordered || stamp != catalogue.stamp() {
            known = Known::default();
        }
        match feed.receive(&mut known).await {
            Ok(Some(bytes)) => {
                if arrivals.send(Arrival { bytes, stamp, accepts_loss }).await.is_err() {
                    return;
                }
            }
            Ok(None) => catalogue.permit(accepts_loss),
            Err(error) => {
                catalogue.permit(accepts_loss);
                if catalogue.throttle.allows("receive") {
                    tracing::warn!(
                        feed = %Bounded(feed.address()), error = %ErrorChain(&error),
                        "the feed is not received; what was read before stays on sale"
                    );
                }
            }
        }
        pause = feed.pause(fresh);
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

    /// When the next reading for a sale begins: ahead of the next change of prices, or at once if those on sale are not
    /// those of this moment. `None` if no sale begins or ends.
    fn next(&self, catalogue: &FileCatalogue) -> Option<Instant> {
        let changes = catalogue.changes();
        let wait = match changes.contain(now()) {
            true => until(changes.next?).saturating_sub(self.ahead),
            false => Duration::ZERO,
        };
        Some(Instant::now().checked_add(wait)?.max(self.not_before))
    }

    fn is_due(&self, catalogue: &FileCatalogue) -> bool {
        self.next(catalogue).is_some_and(|next| next <= Instant::now())
    }

    /// Reads the file, or the bytes `received` of a feed, with the prices after their next change. Sells it from then.
    async fn carry_out(&mut self, catalogue: &FileCatalogue, received: Option<Bytes>) {
        // If several moments have passed meanwhile, this one reading serves them all.
        let (changes, now) = (catalogue.changes(), now());
        let at = if changes.contain(now) { changes.next.unwrap_or(now) } else { now };
        let began = Instant::now();
        let read = catalogue.read(received, Occasion::Sale { at }).await;
        let took = began.elapsed();
        self.not_before = Instant::now() + took * REST;
        self.ahead = PERIOD + (took * 2).min(LONGEST_AHEAD);
        match read {
            Ok(version) => tokio::select! {
                () = sleep(until(at)) => catalogue.sell(version),
                // An order causes a new reading, with the prices of that moment.
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
