//! An answer's body with everything that HTTP caching asks of it: its compressed variants, an
//! entity tag for each, and the time since when it is what it is.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::{Duration, SystemTime};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum_extra::headers::{ETag, HeaderMapExt as _, IfModifiedSince, IfNoneMatch, LastModified};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use tokio::sync::{OnceCell, Semaphore};

/// Smaller bodies than this fit in a packet anyway.
const WORTH_COMPRESSING: usize = 512;
/// As much as a page has; a larger window only takes longer to set up.
const BROTLI_WINDOW: i32 = 18;

/// No more bodies are compressed at once than there are cores; a crowd for as many new pages would
/// otherwise leave none for those who answer.
static COMPRESSORS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(available_parallelism().map_or(1, NonZeroUsize::get)));

/// How much time compressing a body is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    /// It is sent often.
    Thorough,
    /// It is sent once or twice. A quarter of the time makes a sixth more bytes.
    Quick,
    /// It is sent once, and perhaps in a crowd that leaves no time.
    Least,
}

impl Effort {
    fn brotli_quality(self) -> i32 {
        match self {
            Self::Thorough => 5,
            Self::Quick | Self::Least => 3,
        }
    }

    fn gzip_level(self) -> flate2::Compression {
        match self {
            Self::Thorough => flate2::Compression::default(),
            Self::Quick => flate2::Compression::new(3),
            Self::Least => flate2::Compression::fast(),
        }
    }

    /// The encodings from best to worst.
    fn preference(self) -> [Encoding; 2] {
        match self {
            Self::Thorough | Self::Quick => [Encoding::Brotli, Encoding::Gzip],
            // At its fastest it takes a third of the time.
            Self::Least => [Encoding::Gzip, Encoding::Brotli],
        }
    }
}

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
        let encoding =
            if self.is_compressible() { Encoding::best(request, self.effort) } else { Encoding::Identity };
        let mut response = if conditional && self.is_known(request, encoding) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let (encoding, body) = self.variant(encoding).await;
            let mut response = (status, Body::from(body)).into_response();
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
            if let Some(name) = encoding.name() {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
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
    fn is_known(&self, request: &HeaderMap, encoding: Encoding) -> bool {
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
    fn entity_tag(&self, encoding: Encoding) -> Option<ETag> {
        let tag = &self.tag;
        let text = encoding.name().map_or_else(|| format!("\"{tag}\""), |name| format!("\"{tag}-{name}\""));
        text.parse().ok()
    }

    fn is_compressible(&self) -> bool {
        self.content_type != "image/png" && self.identity.len() >= WORTH_COMPRESSING
    }

    /// The variant, or the body as it was made should compressing fail.
    async fn variant(&self, encoding: Encoding) -> (Encoding, Bytes) {
        let (cell, compress): (_, Compress) = match encoding {
            Encoding::Identity => return (encoding, self.identity.clone()),
            Encoding::Brotli => (&self.brotli, brotli),
            Encoding::Gzip => (&self.gzip, gzip),
        };
        let (identity, effort) = (self.identity.clone(), self.effort);
        let compressed = cell.get_or_try_init(async || {
            let compress = move || compress(&identity, effort).map(exact);
            // The way to another thread and back would take longer than the work.
            if effort == Effort::Least {
                return compress();
            }
            let _permit = COMPRESSORS.acquire().await.map_err(std::io::Error::other)?;
            tokio::task::spawn_blocking(compress).await?
        });
        match compressed.await {
            Ok(compressed) => (encoding, compressed.clone()),
            Err(_) => (Encoding::Identity, self.identity.clone()),
        }
    }
}

/// Without the room that a buffer has grown ahead, which may be as much again and would be kept for
/// as long as the body. Copied, because an allocator may shrink a block without giving anything back.
fn exact(body: Vec<u8>) -> Bytes {
    if body.capacity() > body.len() / 8 * 9 { Bytes::copy_from_slice(&body) } else { body.into() }
}

type Compress = fn(&[u8], Effort) -> std::io::Result<Vec<u8>>;

fn brotli(body: &[u8], effort: Effort) -> std::io::Result<Vec<u8>> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: effort.brotli_quality(),
        lgwin: BROTLI_WINDOW,
        size_hint: body.len(),
        ..Default::default()
    };
    let mut compressed = Vec::with_capacity(body.len() / 6);
    brotli::BrotliCompress(&mut &*body, &mut compressed, &parameters)?;
    Ok(compressed)
}

fn gzip(body: &[u8], effort: Effort) -> std::io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::with_capacity(body.len() / 6), effort.gzip_level());
    encoder.write_all(body)?;
    encoder.finish()
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
/// How a body may be encoded on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }

    /// The best variant for this effort that the client accepts.
    fn best(headers: &HeaderMap, effort: Effort) -> Self {
        let lines = headers.get_all(header::ACCEPT_ENCODING);
        let items = || lines.iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
        let accepted = |wanted| items().any(|item| accepts(item, wanted));
        let named = |encoding: &Self| encoding.name().is_some_and(accepted);
        effort.preference().into_iter().find(named).unwrap_or(Self::Identity)
    }
}

/// Whether one item of the list accepts `wanted`. A quality of zero is a refusal, and so is one that
/// is no number: whoever sends it gets what everybody can read.
fn accepts(item: &str, wanted: &str) -> bool {
    let mut parts = item.split(';').map(str::trim);
    let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted));
    let quality = parts.find_map(|parameter| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        name.trim_end().eq_ignore_ascii_case("q").then(|| value.trim_start().parse::<f32>())
    });
    named && quality.is_none_or(|quality| quality.is_ok_and(|quality| quality > 0.0))
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

    #[test]
    fn the_smallest_accepted_variant_is_chosen() {
        for (accept, chosen) in [
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip;q=0.8, br;q=0", Encoding::Gzip),
            ("GZIP", Encoding::Gzip),
            ("br;q=x", Encoding::Identity),
            ("br;Q=0, gzip;q=0.001", Encoding::Gzip),
            ("br; q = 0", Encoding::Identity),
            ("br;x=1;q=0", Encoding::Identity),
            ("br;x=1", Encoding::Brotli),
            ("br;q", Encoding::Identity),
            ("", Encoding::Identity),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accept))]);
            assert_eq!(Encoding::best(&headers, Effort::Thorough), chosen, "{accept}");
        }
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

    /// One item of the list, and the coding that it accepts or refuses.
    fn item() -> impl Strategy<Value = (String, &'static str, bool)> {
        let coding = prop::sample::select(vec!["br", "gzip", "deflate", "identity"]);
        let quality = prop::sample::select(vec![
            ("", true),
            (";q=1", true),
            ("; q=0.001", true),
            (";Q=0", false),
            (";q=0.000", false),
            (" ; q=NaN", false),
        ]);
        (coding, quality, any::<bool>()).prop_map(|(coding, (quality, accepted), upper)| {
            let spelled = if upper { coding.to_uppercase() } else { coding.into() };
            (format!("{spelled}{quality}"), coding, accepted)
        })
    }

    proptest! {
        #[test]
        fn only_what_is_accepted_is_chosen(items in prop::collection::vec(item(), 0..6)) {
            let list = items.iter().map(|(text, ..)| text.as_str()).collect::<Vec<_>>().join(", ");
            let accepted = |wanted| items.iter().any(|(_, coding, accepted)| *coding == wanted && *accepted);
            let expected = match (accepted("br"), accepted("gzip")) {
                (true, _) => Encoding::Brotli,
                (false, true) => Encoding::Gzip,
                (false, false) => Encoding::Identity,
            };
            let chosen = Encoding::best(&request(header::ACCEPT_ENCODING, &list), Effort::Thorough);
            prop_assert_eq!(chosen, expected, "{}", list);
        }

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
