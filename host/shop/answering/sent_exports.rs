//! Exports that are too large to be kept: each is made for one client, part by part, while it is sent. A slow client
//! holds a place.

use std::io;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::Instant;

use super::export_limits::{ExportLimits, Place};
use crate::exports::{Writing, WritingError};
use crate::http::blocks::{Packing, concatenated};
use crate::http::compression::Encoding;
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::OffRuntime;

/// Longest time that a client may take for a part.
const PART_WITHIN: Duration = Duration::from_secs(60);
/// Longest time that a client may take for all parts. Until then the export keeps its version of the catalogue in
/// memory, which may have been replaced.
const ALL_WITHIN: Duration = Duration::from_secs(1_800);

/// The body of an export, if there is a place for it.
pub(super) fn body(writing: Writing, coding: Option<Encoding>, limits: ExportLimits) -> Option<Body> {
    let place = limits.place()?;
    let (parts, received) = mpsc::channel(1);
    let packing = coding.map(|_| Packing::begin());
    tokio::spawn(send(Making { writing, packing, until: Instant::now() + ALL_WITHIN }, parts, limits, place));
    Some(body_of(received))
}

/// An export that is being sent.
struct Making {
    writing: Writing,
    /// `None` for a client that takes no gzip.
    packing: Option<Packing>,
    /// When the client has to have all of it.
    until: Instant,
}

impl Making {
    /// Makes the next part. Returns what is sent of it, and whether there are more.
    fn step(&mut self, off: &OffRuntime) -> Result<(Bytes, bool), WritingError> {
        let part = self.writing.next_part(off)?;
        let goes_on = part.is_some();
        let sent = match (&mut self.packing, part) {
            (None, part) => part.unwrap_or_default(),
            (Some(packing), Some(part)) => concatenated(&packing.add(&part)?),
            (Some(packing), None) => concatenated(&packing.end()?),
        };
        Ok((sent.into(), goes_on))
    }
}

/// What a client is sent: a part, or that there are no further ones.
type Part = io::Result<Option<Bytes>>;

/// Makes one part after the other, each when the client has taken the one before. A client that takes too long, or is
/// gone, ends this. `place` is held until then.
async fn send(mut making: Making, parts: Sender<Part>, limits: ExportLimits, _place: Place) {
    loop {
        let (format, until) = (making.writing.format(), making.until);
        let work =
            move |off: &OffRuntime| making.step(off).map(|(sent, goes_on)| (sent, goes_on.then_some(making)));
        let (sent, rest) = match limits.run(work).await {
            Ok(made) => made,
            Err(error) => {
                tracing::warn!(
                    export = %Bounded(format.path()), error = %ErrorChain(&error),
                    "an export was not sent to its end"
                );
                let _ = parts.send_timeout(Err(io::Error::other(error)), PART_WITHIN).await;
                return;
            }
        };
        let within = || PART_WITHIN.min(until.saturating_duration_since(Instant::now()));
        if !sent.is_empty() && parts.send_timeout(Ok(Some(sent)), within()).await.is_err() {
            return;
        }
        let Some(rest) = rest else {
            let _ = parts.send_timeout(Ok(None), within()).await;
            return;
        };
        making = rest;
    }
}

/// The body of these parts. If the last one (`None`) is missing, the connection breaks: a cut file must not look whole.
fn body_of(parts: Receiver<Part>) -> Body {
    Body::from_stream(stream::try_unfold(parts, |mut parts| async move {
        match parts.recv().await {
            Some(part) => Ok(part?.map(|bytes| (bytes, parts))),
            None => Err(io::Error::other("the export has no end")),
        }
    }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::to_bytes;

    use super::*;
    use crate::catalogue::Sample;
    use crate::document::Site;
    use crate::exports::{About, Format};
    use crate::process::compute::off_runtime;

    async fn received(parts: Vec<Part>) -> Result<Bytes, axum::Error> {
        let (sender, receiver) = mpsc::channel(parts.len().max(1));
        for part in parts {
            sender.send(part).await.unwrap();
        }
        drop(sender);
        to_bytes(body_of(receiver), usize::MAX).await
    }

    #[tokio::test]
    async fn only_an_export_with_its_end_is_whole() {
        let part = |text: &'static str| Ok(Some(Bytes::from_static(text.as_bytes())));
        assert_eq!(received(vec![part("a"), part("b"), Ok(None)]).await.unwrap(), "ab");
        assert!(received(vec![part("a"), part("b")]).await.is_err(), "its maker has died");
        assert!(received(vec![part("a"), Err(io::Error::other("damaged"))]).await.is_err());
        assert!(received(vec![]).await.is_err());
    }

    /// Sends an export to a client that takes nothing.
    async fn send_in_vain(within: Duration, limits: &ExportLimits, place: Place) -> Receiver<Part> {
        let sample = off_runtime(|| Sample::load().unwrap()).await;
        let site = Site::new(&"https://shop.example".parse().unwrap(), Vec::new());
        let about = About { profile: Arc::default(), site };
        let writing = Writing::new(Format::Lines, about, sample.set());
        let making = Making { writing, packing: None, until: Instant::now() + within };
        let (sender, receiver) = mpsc::channel(1);
        sender.send(Ok(Some(Bytes::new()))).await.unwrap();
        send(making, sender, limits.clone(), place).await;
        receiver
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_nothing_loses_its_place() {
        let limits = ExportLimits::default();
        let mut places: Vec<_> = std::iter::from_fn(|| limits.place()).collect();
        for (within, lasts) in [(ALL_WITHIN, PART_WITHIN), (PART_WITHIN / 4, PART_WITHIN / 4)] {
            let begun = Instant::now();
            let mut received = send_in_vain(within, &limits, places.pop().unwrap()).await;
            assert!((lasts..2 * lasts).contains(&begun.elapsed()), "{:?}", begun.elapsed());
            assert!(received.recv().await.is_some() && received.recv().await.is_none(), "it has no end");
            places.push(limits.place().unwrap());
        }
    }
}
