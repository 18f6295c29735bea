//! A response body with what HTTP caching needs: compressed variants, an entity tag for each, and the
//! time of the last modification.

use std::time::SystemTime;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum_extra::headers::{ETag, HeaderMapExt as _, IfModifiedSince, IfNoneMatch, LastModified};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use tokio::sync::OnceCell;

use super::caching::Caching;
use super::compression::{Effort, Encoding, compress};

/// Smaller bodies, in bytes, are sent uncompressed: they fit into one packet anyway.
const MIN_COMPRESSIBLE_BYTES: usize = 512;

/// The content types of formats that are compressed themselves.
const COMPRESSED_FORMATS: [&str; 2] = ["image/png", "font/woff2"];

/// A body that can be sent any number of times.
#[derive(Debug)]
pub(crate) struct Representation {
    content_type: &'static str,
    /// The uncompressed body.
    identity: Bytes,
    effort: Effort,
    /// Made when first requested.
    brotli: OnceCell<Bytes>,
    /// Made when first requested.
    gzip: OnceCell<Bytes>,
    /// A hash of the body, without quotes.
    tag: String,
    modified: SystemTime,
}

impl Representation {
    /// A body that was made just now, which is its time of modification.
    pub(crate) fn new(content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self::of(content_type, without_spare_capacity(body.into()))
    }

    fn of(content_type: &'static str, identity: Bytes) -> Self {
        let hash = blake3::hash(&identity);
        Self {
            content_type,
            // 128 bits make a collision between two bodies practically impossible.
            tag: URL_SAFE_NO_PAD.encode(&hash.as_bytes()[..16]),
            identity,
            effort: Effort::Thorough,
            brotli: OnceCell::new(),
            gzip: OnceCell::new(),
            modified: SystemTime::now(),
        }
    }

    /// A body whose variants were compressed at build time.
    pub(crate) fn precompressed(
        content_type: &'static str,
        identity: Bytes,
        brotli: Bytes,
        gzip: Bytes,
    ) -> Self {
        let new = Self::of(content_type, identity);
        Self { brotli: OnceCell::new_with(Some(brotli)), gzip: OnceCell::new_with(Some(gzip)), ..new }
    }

    /// The same body, compressed with this effort.
    pub(crate) fn with_effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// The uncompressed body.
    pub(crate) fn identity(&self) -> &Bytes {
        &self.identity
    }

    /// Estimated memory use with the compressed variants, in bytes.
    pub(crate) fn weight(&self) -> usize {
        // Markup compresses to about an eighth, and there are two variants.
        self.identity.len() / 4 * 5
    }

    /// The response to a request with these headers: 304 when its conditions show that the client has
    /// the current body, otherwise `status` with the variant that the client accepts.
    pub(crate) async fn answer(&self, request: &HeaderMap, status: StatusCode, caching: Caching) -> Response {
        // An answer that is not stored cannot be revalidated.
        let conditional = status == StatusCode::OK && caching != Caching::Never;
        let mut encoding = self.is_compressible().then(|| Encoding::best(request, self.effort)).flatten();
        let mut response = if conditional && self.is_not_modified(request, encoding) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let body;
            (encoding, body) = self.variant(encoding).await;
            let mut response = (status, Body::from(body)).into_response();
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
            if let Some(encoding) = encoding {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
            }
            response
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, caching.header());
        if self.is_compressible() {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        if conditional {
            headers.typed_insert(LastModified::from(self.modified));
            if let Some(tag) = self.entity_tag(encoding) {
                headers.typed_insert(tag);
            }
        }
        response
    }

    /// Whether the request's conditions match. `If-Modified-Since` counts only without `If-None-Match`
    /// (RFC 9110, section 13.2.2).
    fn is_not_modified(&self, request: &HeaderMap, encoding: Option<Encoding>) -> bool {
        match request.typed_get::<IfNoneMatch>() {
            Some(condition) => {
                self.entity_tag(encoding).is_some_and(|tag| !condition.precondition_passes(&tag))
            }
            None => {
                request.typed_get::<IfModifiedSince>().is_some_and(|since| !since.is_modified(self.modified))
            }
        }
    }

    /// A strong tag for each variant, because a strong tag identifies exact bytes (RFC 9110, section
    /// 8.8.3).
    fn entity_tag(&self, encoding: Option<Encoding>) -> Option<ETag> {
        let tag = &self.tag;
        let text = match encoding {
            Some(encoding) => format!("\"{tag}-{}\"", encoding.name()),
            None => format!("\"{tag}\""),
        };
        text.parse().ok()
    }

    fn is_compressible(&self) -> bool {
        !COMPRESSED_FORMATS.contains(&self.content_type) && self.identity.len() >= MIN_COMPRESSIBLE_BYTES
    }

    /// The variant in this encoding, or the uncompressed body when compression fails.
    async fn variant(&self, encoding: Option<Encoding>) -> (Option<Encoding>, Bytes) {
        let Some(wanted) = encoding else { return (None, self.identity.clone()) };
        let variant = match wanted {
            Encoding::Brotli => &self.brotli,
            Encoding::Gzip => &self.gzip,
        };
        let compressed = variant.get_or_try_init(async || {
            compress(self.identity.clone(), wanted, self.effort).await.map(without_spare_capacity)
        });
        match compressed.await {
            Ok(compressed) => (encoding, compressed.clone()),
            Err(_) => (None, self.identity.clone()),
        }
    }
}

/// Drops a buffer's spare capacity, which may be as large as the body and would stay allocated as long
/// as the body. Copies, because an allocator may shrink a block in place without freeing any memory.
fn without_spare_capacity(body: Vec<u8>) -> Bytes {
    if body.capacity() > body.len() / 8 * 9 { Bytes::copy_from_slice(&body) } else { body.into() }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use proptest::prelude::*;

    use std::time::Duration;

    use super::*;

    fn request(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    async fn answer(representation: &Representation, request: &HeaderMap) -> Response {
        representation.answer(request, StatusCode::OK, Caching::Forever).await
    }

    #[tokio::test]
    async fn every_variant_decompresses_to_the_same_body() {
        let text = "A shelf of mugs. ".repeat(1_000);
        let representation = Representation::new("text/plain", text.clone());
        for encoding in ["br", "gzip"] {
            let response = answer(&representation, &request(header::ACCEPT_ENCODING, encoding)).await;
            assert_eq!(response.headers()[header::CONTENT_ENCODING], encoding);
            let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
            assert!(body.len() < text.len() / 10);
            let mut unpacked = String::new();
            match encoding {
                "br" => brotli::Decompressor::new(&*body, 4096).read_to_string(&mut unpacked).unwrap(),
                _ => flate2::read::GzDecoder::new(&*body).read_to_string(&mut unpacked).unwrap(),
            };
            assert_eq!(unpacked, text);
        }
    }

    #[tokio::test]
    async fn a_client_that_has_the_variant_gets_304() {
        let representation = Representation::new("text/plain", "x".repeat(MIN_COMPRESSIBLE_BYTES));
        let whole = answer(&representation, &HeaderMap::new()).await;
        let tag = whole.headers()[header::ETAG].to_str().unwrap().to_owned();
        let modified = whole.headers()[header::LAST_MODIFIED].to_str().unwrap().to_owned();
        let later = httpdate(SystemTime::now() + Duration::from_secs(60));
        let earlier = httpdate(SystemTime::now() - Duration::from_secs(60));
        for (name, value, status) in [
            (header::IF_NONE_MATCH, tag.as_str(), 304),
            (header::IF_NONE_MATCH, &format!("\"other\", W/{tag}"), 304),
            (header::IF_NONE_MATCH, "*", 304),
            (header::IF_NONE_MATCH, "\"other\"", 200),
            (header::IF_MODIFIED_SINCE, &modified, 304),
            (header::IF_MODIFIED_SINCE, &later, 304),
            (header::IF_MODIFIED_SINCE, &earlier, 200),
            (header::IF_MODIFIED_SINCE, "yesterday", 200),
        ] {
            let response = answer(&representation, &request(name.clone(), value)).await;
            assert_eq!(response.status(), status, "{name}: {value}");
            assert_eq!(response.headers()[header::ETAG], tag.as_str());
        }
        let mut both = request(header::IF_NONE_MATCH, "\"other\"");
        both.insert(header::IF_MODIFIED_SINCE, HeaderValue::from_str(&later).unwrap());
        assert_eq!(answer(&representation, &both).await.status(), 200, "the tag decides");
        let packed = [(header::ACCEPT_ENCODING, "gzip"), (header::IF_NONE_MATCH, &tag)];
        let packed = packed.map(|(name, value)| (name, HeaderValue::from_str(value).unwrap()));
        let response = answer(&representation, &HeaderMap::from_iter(packed)).await;
        assert_eq!(response.status(), 200, "each variant has its own tag");
    }

    #[tokio::test]
    async fn only_a_200_answer_is_conditional() {
        let representation = Representation::new("text/plain", "gone");
        let request = request(header::IF_NONE_MATCH, "*");
        let response = representation.answer(&request, StatusCode::NOT_FOUND, Caching::Forever).await;
        assert_eq!(response.status(), 404);
        assert!(!response.headers().contains_key(header::ETAG));
    }

    fn httpdate(time: SystemTime) -> String {
        let mut headers = HeaderMap::new();
        headers.typed_insert(LastModified::from(time));
        headers[header::LAST_MODIFIED].to_str().unwrap().to_owned()
    }

    #[tokio::test]
    async fn only_the_fastest_effort_prefers_gzip() {
        let accepted = request(header::ACCEPT_ENCODING, "gzip, deflate, br");
        let text = "a line like the others\n".repeat(100);
        let encoding = async |representation: Representation, caching| {
            let answer = representation.answer(&accepted, StatusCode::OK, caching).await;
            answer.headers()[header::CONTENT_ENCODING].clone()
        };
        let new = || Representation::new("text/plain", text.clone());
        let kept = Caching::For(Duration::from_secs(1));
        assert_eq!(encoding(new(), kept).await, "br");
        assert_eq!(encoding(new().with_effort(Effort::Quick), kept).await, "br");
        assert_eq!(encoding(new().with_effort(Effort::Fastest), Caching::Never).await, "gzip");
    }

    proptest! {
        #[test]
        fn any_condition_is_answered_with_200_or_304(
            condition in any::<bool>(),
            value in "[\\x20-\\x7e\\x{80}-\\x{ff}]{0,40}|\\*|(W/)?\"[a-z]{0,3}\"(, )?|[A-Z][a-z]{2}, [0-9]{2} Jan [0-9]{4} [0-9:]{8} GMT",
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let representation = Representation::new("text/plain", "short");
            let name = if condition { header::IF_NONE_MATCH } else { header::IF_MODIFIED_SINCE };
            runtime.block_on(async {
                let response = answer(&representation, &request(name, &value)).await;
                let status = response.status().as_u16();
                let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
                prop_assert!(matches!((status, body.as_ref()), (200, b"short") | (304, b"")), "{} {:?}", status, body);
                Ok(())
            })?;
        }
    }
}
