//! Answers with the shop's products as files for other programs. A short file is made once for each version of the
//! catalogue, like files for crawlers. So is a longer one, which is sent while it grows (`long_exports.rs`). What is too
//! large to be kept is made for each client, while it is sent (`sent_exports.rs`).

use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;

use super::missing_file::Missing;
use super::sent_exports;
use super::visit::{in_time, respond};
use crate::cache::Patience;
use crate::catalogue::{ProductSet, Version};
use crate::exports::{About, Format, Writing, WritingError};
use crate::http::caching::Caching;
use crate::http::compression::{Accepted, Encoding};
use crate::http::streamed::Streamed;
use crate::process::compute::OffRuntime;
use crate::shop::Shop;
use crate::shop::making::answer::{Kind, Made, ROBOTS};
use crate::shop::making::key::{File, Key};

/// The longest export that is kept like a page, in bytes.
const LONGEST_KEPT: usize = 2 << 20;

/// Answers with an export.
pub(in crate::shop) async fn answer(
    shop: &Arc<Shop>,
    format: Format,
    method: &Method,
    request: &HeaderMap,
) -> Response {
    let mut response = in_time(shop, async {
        // A program that comes once a day must not get yesterday's prices.
        let hit =
            shop.cached_within(&shop.in_cache(Key::File(File::Export(format))), Patience::UntilFresh).await?;
        if !matches!(hit.value.kind, Kind::LongExport { .. }) {
            return Ok(respond(shop, &hit, request).await);
        }
        match long(shop, format, &hit.value, method, request).await {
            Ok(response) => Ok(response),
            Err(missing) => Ok(missing.answer(&shop.throttle).respond(request, None).await),
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

/// Makes an export, if it is short, or else its tag. `last` is its previous version.
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
    let work = move |off: &OffRuntime| match kept(off, &mut writing)? {
        Some(bytes) => Ok(Made::file(format.content_type(), bytes, fresh, Some(&version), last)),
        None => Ok(Arc::new(Made::long_export(writing.tag(off)?, &version))),
    };
    shop.exports.run(work).await.map_err(Missing::Export)
}

/// All parts of an export, if they may be kept in memory.
fn kept(off: &OffRuntime, writing: &mut Writing) -> Result<Option<Vec<u8>>, WritingError> {
    let mut all = Vec::new();
    while let Some(part) = writing.next_part(off)? {
        if all.len() + part.len() > LONGEST_KEPT {
            return Ok(None);
        }
        all.extend_from_slice(&part);
    }
    Ok(Some(all))
}

/// Answers with a long export. `made` has its tag.
async fn long(
    shop: &Shop,
    format: Format,
    made: &Made,
    method: &Method,
    request: &HeaderMap,
) -> Result<Response, Missing> {
    let version = version(shop).await?;
    let writing = writing(shop, format, Arc::clone(version.products()));
    let (tag, writing) = match &made.kind {
        Kind::LongExport { tag } if made.is_made_from(&version) => (tag.clone(), writing),
        // There is a newer version since.
        _ => {
            let (tag, writing) = shop.exports.run(move |off: &OffRuntime| (writing.tag(off), writing)).await;
            (tag.map_err(|error| Missing::Export(error.into()))?, writing)
        }
    };
    let caching = Caching::For(shop.settings.ages.fresh).until(shop.catalogue.changes_in());
    // They are kept in one coding. No program is known that takes only another one.
    let coding = Accepted::by(request).first([Encoding::Gzip]);
    let streamed = Streamed { content_type: format.content_type(), tag, caching, coding };
    if let Some(unchanged) = streamed.unchanged(request) {
        return Ok(unchanged);
    }
    let body = match *method {
        Method::HEAD => Body::from_stream(stream::empty::<io::Result<Bytes>>()),
        _ => body(shop, &streamed.tag, writing, coding).await.ok_or(Missing::Crowded)?,
    };
    Ok(streamed.whole(body))
}

/// The body of a long export; `None` if too much is made already.
async fn body(shop: &Shop, tag: &str, writing: Writing, coding: Option<Encoding>) -> Option<Body> {
    let exports = &shop.long_exports;
    let mut export = exports.known(writing.format(), tag);
    // What is made already takes no more memory.
    if export.is_none() {
        if shop.pressure.is_tight() {
            return None;
        }
        export = exports.begin(tag, writing.clone(), &shop.exports).await;
    }
    match export {
        Some(export) => Some(exports.body(export, coding)),
        None => sent_exports::body(writing, coding, shop.exports.clone()),
    }
}
