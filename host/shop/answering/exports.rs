//! Answers with the shop's products as files for other programs. A short file is made once for each version of the
//! catalogue, like files for crawlers. So is a longer one for clients that take gzip, which is sent while it grows
//! (`long_exports.rs`). For other clients, and if it is too large to be kept, it is made while it is sent, part by part.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::Instant;

use super::export_limits::{ExportLimits, Place};
use super::missing_file::Missing;
use super::visit::{in_time, respond};
use crate::cache::Hit;
use crate::catalogue::{ProductSet, Version};
use crate::exports::{About, Format, Writing, WritingError};
use crate::http::answer_log::Timing;
use crate::http::caching::Caching;
use crate::http::compression::Encoding;
use crate::http::packing::Packing;
use crate::http::streamed::Streamed;
use crate::observe::{Bounded, ErrorChain};
use crate::shop::Shop;
use crate::shop::making::answer::{Answer, Made, ROBOTS};
use crate::shop::making::key::{File, Key};

/// The longest export that is kept like a page, in bytes.
const LONGEST_KEPT: usize = 2 << 20;
/// Longest time that a client may take for a part.
const PART_WITHIN: Duration = Duration::from_secs(60);
/// Longest time that a client may take for all parts. Until then the export keeps its version of the catalogue in
/// memory, which may have been replaced.
const ALL_WITHIN: Duration = Duration::from_secs(1_800);

/// Answers with an export.
pub(in crate::shop) async fn answer(shop: &Arc<Shop>, format: Format, request: &HeaderMap) -> Response {
    let mut response = in_time(shop, async {
        let mut hit = shop.cached(&shop.in_cache(Key::File(File::Export(format)))).await?;
        // A program that comes once a day must not get yesterday's prices.
        if hit.stale
            && let Ok(value) = make(shop, format, Some(Arc::clone(&hit.value))).await
        {
            hit = Hit { value, age: Duration::ZERO, stale: false, refresh_failed: false };
        }
        if !matches!(hit.value.answer, Answer::Streamed) {
            return Ok(respond(shop, &hit, request).await);
        }
        match stream(shop, format, request).await {
            Ok(response) => Ok(response),
            Err(missing) => Ok(missing.answer(&shop.throttle).answer.respond(request, None).await),
        }
    })
    .await;
    if matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED) {
        // Merchants' crawlers read it; search results should lead to the pages.
        response.headers_mut().insert(ROBOTS, HeaderValue::from_static("noindex"));
    }
    response
}

/// The version of the catalogue, if it has products.
async fn version(shop: &Shop) -> Result<Arc<Version>, Missing> {
    let stock = shop.catalogue.stock().await;
    stock.version().filter(|version| !version.products().is_empty()).map(Arc::clone).ok_or(Missing::NoVersion)
}

fn writing(shop: &Shop, format: Format, products: Arc<ProductSet>) -> Writing {
    let about = About { profile: Arc::clone(shop.profile()), site: shop.site.clone() };
    Writing::new(format, about, products)
}

/// Makes an export, if it is short. `last` is its previous version.
pub(in crate::shop) async fn make(
    shop: &Shop,
    format: Format,
    last: Option<Arc<Made>>,
) -> Result<Arc<Made>, Missing> {
    let version = version(shop).await?;
    if let Some(last) = last.as_ref().filter(|last| last.is_made_from(&version)) {
        return Ok(Arc::clone(last));
    }
    let fresh = shop.settings.ages.fresh;
    let mut writing = writing(shop, format, Arc::clone(version.products()));
    let work = move || match kept(&mut writing)? {
        Some(bytes) => Ok(Made::file(format.content_type(), bytes, fresh, Some(&version), last)),
        None => Ok(Arc::new(Made::new(Answer::Streamed, Timing::of("file"), Some(&version)))),
    };
    shop.exports.run(work).await.map_err(Missing::Export)
}

/// All parts of an export, if they may be kept in memory.
fn kept(writing: &mut Writing) -> Result<Option<Vec<u8>>, WritingError> {
    let mut all = Vec::new();
    while let Some(part) = writing.next_part()? {
        if all.len() + part.len() > LONGEST_KEPT {
            return Ok(None);
        }
        all.extend_from_slice(&part);
    }
    Ok(Some(all))
}

/// Answers with an export that is sent while it is made.
async fn stream(shop: &Shop, format: Format, request: &HeaderMap) -> Result<Response, Missing> {
    let products = Arc::clone(version(shop).await?.products());
    let count = products.len();
    let writing = writing(shop, format, products);
    let (tag, writing) = shop.exports.run(move || (writing.tag(), writing)).await;
    let tag = tag.map_err(|error| Missing::Export(error.into()))?;
    let caching = Caching::For(shop.settings.ages.fresh).until(shop.catalogue.changes_in());
    let streamed = Streamed { content_type: format.content_type(), tag, caching };
    if let Some(unchanged) = streamed.unchanged(request) {
        return Ok(unchanged);
    }
    let gzip = Streamed::coding(request, [Encoding::Gzip]);
    if gzip.is_some()
        && let Some(export) = shop.long_exports.of(format, &streamed.tag, count)
    {
        // What is made already takes no more memory.
        if !export.is_begun() && shop.pressure.is_tight() {
            return Err(Missing::Crowded);
        }
        return Ok(streamed.whole(gzip, shop.long_exports.body(export, writing, shop.exports.clone())));
    }
    let place = shop.exports.place().filter(|_| !shop.pressure.is_tight()).ok_or(Missing::Crowded)?;
    let coding = Streamed::coding(request, Encoding::BY_TIME);
    let packing = Packing::begin(coding).map_err(|error| Missing::Export(error.into()))?;
    let (parts, received) = mpsc::channel(1);
    let making = Making { format, writing, packing, until: Instant::now() + ALL_WITHIN };
    tokio::spawn(send(making, parts, shop.exports.clone(), place));
    Ok(streamed.whole(coding, body(received)))
}

/// An export that is being sent.
struct Making {
    format: Format,
    writing: Writing,
    packing: Packing,
    /// When the client has to have all of it.
    until: Instant,
}

/// What a client is sent: a part, or that there are no further ones.
type Part = io::Result<Option<Bytes>>;

/// Makes one part after the other, each when the client has taken the one before. A client that takes too long, or is
/// gone, ends this. `place` is held until then.
async fn send(mut making: Making, parts: Sender<Part>, limits: ExportLimits, _place: Place) {
    loop {
        let (format, until) = (making.format, making.until);
        let work = move || {
            let Some(part) = making.writing.next_part()? else { return Ok((making.packing.end()?, None)) };
            let packed = making.packing.add(&part)?;
            Ok::<_, WritingError>((packed, Some(making)))
        };
        let (packed, rest) = match limits.run(work).await {
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
        if !packed.is_empty() && parts.send_timeout(Ok(Some(packed)), within()).await.is_err() {
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
fn body(parts: Receiver<Part>) -> Body {
    Body::from_stream(stream::try_unfold(parts, |mut parts| async move {
        match parts.recv().await {
            Some(part) => Ok(part?.map(|bytes| (bytes, parts))),
            None => Err(io::Error::other("the export has no end")),
        }
    }))
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;
    use crate::catalogue::Sample;
    use crate::document::Site;
    use crate::process::compute::off_runtime;

    async fn received(parts: Vec<Part>) -> Result<Bytes, axum::Error> {
        let (sender, receiver) = mpsc::channel(parts.len().max(1));
        for part in parts {
            sender.send(part).await.unwrap();
        }
        drop(sender);
        to_bytes(body(receiver), usize::MAX).await
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
        let packing = Packing::begin(None).unwrap();
        let making = Making { format: Format::Lines, writing, packing, until: Instant::now() + within };
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
