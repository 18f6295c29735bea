//! The pictures that lie beside a file of products, and their copies.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use headers::{ContentLength, ETag, HeaderMapExt as _, IfNoneMatch};

use crate::catalogue::{PictureError, ServedPicture};
use crate::http::caching::Caching;
use crate::pictures::Original as _;
use crate::shop::Shop;
use crate::shop::making::answer::RETRY_AFTER;

/// For how long a picture is kept that is sent in place of its copy.
const IN_PLACE: HeaderValue = HeaderValue::from_static("public, max-age=60");

/// `/images/{name}`; the name contains the content's hash, and the width of a copy.
pub(in crate::shop) async fn show(
    State(shop): State<Arc<Shop>>,
    Path(name): Path<String>,
    request: HeaderMap,
) -> Response {
    let Some(picture) = shop.catalogue.picture(&name) else { return missing() };
    if let Some(size) = picture.size() {
        return match picture.copy().await {
            Some(copy) => (
                [(header::CONTENT_TYPE, HeaderValue::from_static(size.content_type()))],
                [(header::CACHE_CONTROL, Caching::Forever.header())],
                copy,
            )
                .into_response(),
            None => itself(picture, &request, IN_PLACE).await,
        };
    }
    itself(picture, &request, Caching::Forever.header()).await
}

/// The picture as it is in its file.
async fn itself(picture: ServedPicture, request: &HeaderMap, caching: HeaderValue) -> Response {
    let tag: Option<ETag> = format!("\"{:032x}\"", picture.hash()).parse().ok();
    let condition: Option<IfNoneMatch> = request.typed_get();
    let is_known = tag.as_ref().zip(condition).is_some_and(|(tag, known)| !known.precondition_passes(tag));
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match picture.read(0).await {
            Ok(first) => whole(picture, first),
            Err(PictureError::Late(_)) => {
                let text = "The picture could not be read in time.";
                let mut late = failure(StatusCode::SERVICE_UNAVAILABLE, text);
                late.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
                return late;
            }
            // A picture that has changed has another address.
            Err(_) => return missing(),
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, caching);
    if let Some(tag) = tag {
        headers.typed_insert(tag);
    }
    response
}

pub(super) fn missing() -> Response {
    failure(StatusCode::NOT_FOUND, "There is no such picture.")
}

fn failure(status: StatusCode, text: &'static str) -> Response {
    (status, [(header::CACHE_CONTROL, Caching::Never.header())], text).into_response()
}

/// The picture, whose `first` bytes have been read already. Each further part is read when the client takes it.
fn whole(picture: ServedPicture, first: Bytes) -> Response {
    let (length, content_type) = (picture.length(), picture.content_type());
    let rest = stream::try_unfold((picture, first.len() as u64), |(picture, offset)| async move {
        if offset >= picture.length() {
            return Ok::<_, PictureError>(None);
        }
        let part = picture.read(offset).await?;
        let next = offset + part.len() as u64;
        Ok(Some((part, (picture, next))))
    });
    let mut response = Body::from_stream(stream::iter([Ok(first)]).chain(rest)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.typed_insert(ContentLength(length));
    response
}
