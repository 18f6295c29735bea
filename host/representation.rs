//! An answer's body with everything that HTTP caching asks of it: its compressed variants, an
//! entity tag for each, and the time since when it is what it is.

use std::time::{Duration, SystemTime};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum_extra::headers::{ETag, HeaderMapExt as _, IfModifiedSince, IfNoneMatch, LastModified};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use tokio::sync::OnceCell;

use crate::compression::{Effort, Encoding, compress};

/// Smaller bodies than this fit in a packet anyway.
const WORTH_COMPRESSING: usize = 512;

/// A body that can be answered any number of times.
#[derive(Debug)]
pub struct Representation {
    content_type: &'static str,
    identity: Bytes,
    effort: Effort,
    /// Made when somebody first asks for them.
    brotli: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
    /// A hash of the body, without quotes.
    tag: String,
    modified: SystemTime,
}

impl Representation {
    /// A body that has just become what it is.
    pub fn new(content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self::of(content_type, exact(body.into()))
    }

    fn of(content_type: &'static str, identity: Bytes) -> Self {
        let hash = blake3::hash(&identity);
        Self {
            content_type,
            // 128 bits of the hash are more than enough to tell two bodies apart.
            tag: URL_SAFE_NO_PAD.encode(&hash.as_bytes()[..16]),
            identity,
            effort: Effort::Thorough,
            brotli: OnceCell::new(),
            gzip: OnceCell::new(),
            modified: SystemTime::now(),
        }
    }

    /// A body whose variants were compressed at build time.
    pub fn precompressed(content_type: &'static str, identity: Bytes, brotli: Bytes, gzip: Bytes) -> Self {
        let new = Self::of(content_type, identity);
        Self { brotli: OnceCell::new_with(Some(brotli)), gzip: OnceCell::new_with(Some(gzip)), ..new }
    }

    /// The same for a body that few will ask for: it is compressed in less time, and less.
    pub fn for_few(self) -> Self {
        Self { effort: Effort::Quick, ..self }
    }

    /// The same for a body that nobody keeps, neither here nor anywhere.
    pub fn for_one(self) -> Self {
        Self { effort: Effort::Least, ..self }
    }

    /// The body as it was made.
    pub fn identity(&self) -> &Bytes {
        &self.identity
    }

    /// About how much memory it takes, with its variants, in bytes.
    pub fn weight(&self) -> usize {
        // Markup shrinks to about an eighth.
        self.identity.len() / 4 * 5
    }

    /// 304 when the request's conditions say that the client has it, else `status` with the variant
    /// that it accepts.
    pub async fn answer(&self, request: &HeaderMap, status: StatusCode, caching: Caching) -> Response {
        // What nobody keeps, nobody can have already.
        let conditional = status == StatusCode::OK && caching != Caching::Never;
        let mut encoding = self.is_compressible().then(|| Encoding::best(request, self.effort)).flatten();
        let mut response = if conditional && self.is_known(request, encoding) {
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

    /// The entity tag where there is one, otherwise the time, decides (RFC 9110, section 13.2.2).
    fn is_known(&self, request: &HeaderMap, encoding: Option<Encoding>) -> bool {
        match request.typed_get::<IfNoneMatch>() {
            Some(condition) => {
                self.entity_tag(encoding).is_some_and(|tag| !condition.precondition_passes(&tag))
            }
            None => {
                request.typed_get::<IfModifiedSince>().is_some_and(|since| !since.is_modified(self.modified))
            }
        }
    }

    /// Each variant is a sequence of bytes of its own and so has a strong tag of its own.
    fn entity_tag(&self, encoding: Option<Encoding>) -> Option<ETag> {
        let tag = &self.tag;
        let text = match encoding {
            Some(encoding) => format!("\"{tag}-{}\"", encoding.name()),
            None => format!("\"{tag}\""),
        };
        text.parse().ok()
    }

    fn is_compressible(&self) -> bool {
        self.content_type != "image/png" && self.identity.len() >= WORTH_COMPRESSING
    }

    /// The variant, or the body as it was made should compressing fail.
    async fn variant(&self, encoding: Option<Encoding>) -> (Option<Encoding>, Bytes) {
        let Some(wanted) = encoding else { return (None, self.identity.clone()) };
        let variant = match wanted {
            Encoding::Brotli => &self.brotli,
            Encoding::Gzip => &self.gzip,
        };
        let compressed = variant
            .get_or_try_init(async || compress(self.identity.clone(), wanted, self.effort).await.map(exact));
        match compressed.await {
            Ok(compressed) => (encoding, compressed.clone()),
            Err(_) => (None, self.identity.clone()),
        }
    }
}

/// Without the room that a buffer has grown ahead, which may be as much again and would be kept for
/// as long as the body. Copied, because an allocator may shrink a block without giving anything back.
fn exact(body: Vec<u8>) -> Bytes {
    if body.capacity() > body.len() / 8 * 9 { Bytes::copy_from_slice(&body) } else { body.into() }
}

/// How long others may keep an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caching {
    /// Nobody keeps it: an error, or a page that is not whole.
    Never,
    /// Browsers ask every time (and are answered 304); shared caches keep it for `fresh`, serve it
    /// for as long again while they ask, and for `stale` while there is no answer.
    Shared { fresh: Duration, stale: Duration },
    /// Everybody keeps it for this long.
    For(Duration),
    /// Its address changes with its content.
    Forever,
}

impl Caching {
    /// The value of `Cache-Control`.
    pub fn header(self) -> HeaderValue {
        let text = match self {
            Self::Never => return HeaderValue::from_static("no-store"),
            Self::Forever => return HeaderValue::from_static("public, max-age=31536000, immutable"),
            Self::For(time) => format!("public, max-age={}", time.as_secs()),
            Self::Shared { fresh, stale } => {
                let (fresh, stale) = (fresh.as_secs(), stale.as_secs());
                format!(
                    "public, max-age=0, s-maxage={fresh}, stale-while-revalidate={fresh}, stale-if-error={stale}"
                )
            }
        };
        // Digits and ASCII words are always a header value.
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("no-store"))
    }
}
#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use proptest::prelude::*;

    use super::*;

    fn request(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    async fn answer(representation: &Representation, request: &HeaderMap) -> Response {
        representation.answer(request, StatusCode::OK, Caching::Forever).await
    }

    #[tokio::test]
    async fn every_variant_unpacks_to_the_same_body() {
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
        let representation = Representation::new("text/plain", "x".repeat(WORTH_COMPRESSING));
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
        assert_eq!(response.status(), 200, "another variant is another thing");
    }

    #[tokio::test]
    async fn only_a_whole_answer_is_conditional() {
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
    async fn what_is_sent_once_is_compressed_in_the_least_time() {
        let accepted = request(header::ACCEPT_ENCODING, "gzip, deflate, br");
        let text = "a line like the others\n".repeat(100);
        let encoding = async |representation: Representation, caching| {
            let answer = representation.answer(&accepted, StatusCode::OK, caching).await;
            answer.headers()[header::CONTENT_ENCODING].clone()
        };
        let new = || Representation::new("text/plain", text.clone());
        let kept = Caching::For(Duration::from_secs(1));
        assert_eq!(encoding(new(), kept).await, "br");
        assert_eq!(encoding(new().for_few(), kept).await, "br");
        assert_eq!(encoding(new().for_one(), Caching::Never).await, "gzip");
    }

    proptest! {
        #[test]
        fn any_condition_is_answered_whole_or_not_at_all(
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
