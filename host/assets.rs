//! The client's files, embedded: hashed, compressed at build time, cacheable for ever.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum_extra::TypedHeader;
use axum_extra::headers::{ETag, IfNoneMatch};

use crate::catalogue::sample::artwork;

/// A file of the client bundle with its compressed variants.
pub struct Asset {
    pub name: &'static str,
    pub content_type: &'static str,
    pub identity: &'static [u8],
    pub brotli: &'static [u8],
    pub gzip: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/bundles.rs"));

const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// These change with a new version of the program only.
const ONE_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

static ICONS: [(&str, &[u8]); 4] = [
    ("32.png", include_bytes!("../client/icons/32.png")),
    ("180.png", include_bytes!("../client/icons/180.png")),
    ("192.png", include_bytes!("../client/icons/192.png")),
    ("512.png", include_bytes!("../client/icons/512.png")),
];

const VERSION_TAG: &str = concat!("\"", env!("CARGO_PKG_VERSION"), "\"");

/// `/assets/{name}`
pub async fn show_asset(
    Path(name): Path<String>,
    if_none_match: Option<TypedHeader<IfNoneMatch>>,
    headers: HeaderMap,
) -> Response {
    let Some(asset) = FILES.iter().find(|asset| asset.name == name) else {
        return (StatusCode::NOT_FOUND, "There is no such file.").into_response();
    };
    let (encoding, body) = match Encoding::best(&headers) {
        Encoding::Brotli => (Some("br"), asset.brotli),
        Encoding::Gzip => (Some("gzip"), asset.gzip),
        Encoding::Identity => (None, asset.identity),
    };
    // The name carries the content's hash; each variant is a representation of its own.
    let tag = format!("\"{}{}\"", asset.name, encoding.map_or(String::new(), |name| format!("-{name}")));
    let mut response = conditional(&tag, if_none_match, IMMUTABLE, asset.content_type, body);
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let (Some(encoding), StatusCode::OK) = (encoding, response.status()) {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// `/sample-images/{name}`
pub async fn show_sample_image(
    Path(name): Path<String>,
    if_none_match: Option<TypedHeader<IfNoneMatch>>,
) -> Response {
    let Some(image) = artwork::draw(&name) else {
        return (StatusCode::NOT_FOUND, "There is no such image.").into_response();
    };
    conditional(VERSION_TAG, if_none_match, ONE_DAY, "image/svg+xml", image)
}

/// `/icons/{size}.png`
pub async fn show_icon(
    Path(name): Path<String>,
    if_none_match: Option<TypedHeader<IfNoneMatch>>,
) -> Response {
    match ICONS.iter().find(|(known, _)| *known == name) {
        Some((_, icon)) => conditional(VERSION_TAG, if_none_match, ONE_DAY, "image/png", *icon),
        None => (StatusCode::NOT_FOUND, "There is no such icon.").into_response(),
    }
}

/// `/favicon.ico`, which browsers ask for by themselves; they take a PNG as well.
pub async fn show_favicon_ico(if_none_match: Option<TypedHeader<IfNoneMatch>>) -> Response {
    conditional(VERSION_TAG, if_none_match, ONE_DAY, "image/png", ICONS[0].1)
}

/// `/favicon.svg`
pub async fn show_favicon(if_none_match: Option<TypedHeader<IfNoneMatch>>) -> Response {
    let icon = include_bytes!("../client/favicon.svg").as_slice();
    conditional(VERSION_TAG, if_none_match, ONE_DAY, "image/svg+xml", icon)
}

/// 304 when the client has it, else 200 with the body.
fn conditional(
    tag: &str,
    if_none_match: Option<TypedHeader<IfNoneMatch>>,
    caching: HeaderValue,
    content_type: &'static str,
    body: impl IntoResponse,
) -> Response {
    let known =
        |tag: &ETag| if_none_match.as_ref().is_some_and(|condition| !condition.precondition_passes(tag));
    let etag = tag.parse::<ETag>().ok();
    let mut response = if etag.as_ref().is_some_and(known) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, content_type)], body).into_response()
    };
    response.headers_mut().insert(header::CACHE_CONTROL, caching);
    if let Ok(tag) = HeaderValue::from_str(tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// The variants that exist of every asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    /// The smallest variant that the client accepts. A quality of zero is a refusal.
    fn best(headers: &HeaderMap) -> Self {
        let accepted = headers.get_all(header::ACCEPT_ENCODING);
        let accepts = |wanted: &str| {
            accepted.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(
                |item| {
                    let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
                    let quality = parameters.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f32>);
                    name.trim().eq_ignore_ascii_case(wanted) && quality.is_ok_and(|quality| quality > 0.0)
                },
            )
        };
        if accepts("br") {
            Self::Brotli
        } else if accepts("gzip") {
            Self::Gzip
        } else {
            Self::Identity
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_accepted_variant_is_chosen() {
        for (accept, chosen) in [
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip;q=0.8, br;q=0", Encoding::Gzip),
            ("GZIP", Encoding::Gzip),
            ("br;q=x", Encoding::Identity),
            ("", Encoding::Identity),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accept))]);
            assert_eq!(Encoding::best(&headers), chosen, "{accept}");
        }
    }
}
