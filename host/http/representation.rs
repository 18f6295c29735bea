//! A response body with what HTTP caching needs: compressed variants, an entity tag for each, and the
//! date of what is embedded.

use std::sync::Arc;
use std::time::SystemTime;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use headers::{ETag, HeaderMapExt as _, IfModifiedSince, IfNoneMatch, LastModified};
use twox_hash::XxHash3_128;

use super::build_date::build_date;
use super::caching::Caching;
use super::compression::{Accepted, Effort};
use super::dictionary::{self, DictionaryId};
use super::exchange::{Exchange, Sent};
use super::variants::{Variant, Variants, entity_tag, without_spare_capacity};
use crate::observe::ErrorChain;

/// Smaller bodies, in bytes, are sent uncompressed: they fit into one packet anyway.
const MIN_COMPRESSIBLE_BYTES: usize = 512;

/// The content types of formats that are already compressed.
const COMPRESSED_FORMATS: [&str; 2] = ["image/png", "font/woff2"];

/// A body that can be sent any number of times.
#[derive(Debug)]
pub(crate) struct Representation {
    content_type: &'static str,
    variants: Arc<Variants>,
    effort: Effort,
    /// A hash of the body, without quotes.
    tag: String,
    /// When it was last changed, if that is the same in every replica.
    modified: Option<SystemTime>,
}

impl Representation {
    /// A body that was made just now.
    pub(crate) fn new(content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        let body = without_spare_capacity(body.into());
        Self::of(content_type, tag(&body), Variants::new(body))
    }

    fn of(content_type: &'static str, tag: String, variants: Variants) -> Self {
        Self { content_type, tag, variants: Arc::new(variants), effort: Effort::Quick, modified: None }
    }

    /// A body whose variants were compressed at build time.
    pub(crate) fn precompressed(
        content_type: &'static str,
        identity: Bytes,
        brotli: Bytes,
        gzip: Bytes,
    ) -> Self {
        Self::of(content_type, tag(&identity), Variants::embedded(identity, brotli, gzip))
    }

    /// Dates the body by the build: for bodies that are embedded in the executable, or made only from embedded data.
    pub(crate) fn embedded(self) -> Self {
        Self { modified: Some(build_date()), ..self }
    }

    /// The same body, whose variants are made with this effort when somebody waits for them.
    pub(crate) fn with_effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// Whether `body` is this body, by its length and hash.
    pub(crate) fn is_of(&self, body: &[u8]) -> bool {
        self.variants.length() == body.len() && self.tag == tag(body)
    }

    /// The body with its variants.
    pub(crate) fn variants(&self) -> &Arc<Variants> {
        &self.variants
    }

    /// Estimated memory use with the compressed variants, in bytes.
    pub(crate) fn weight(&self) -> usize {
        // Markup compresses to about an eighth, and there are up to three variants.
        self.variants.length() / 8 * 11
    }

    /// The response to a request with these headers: 304 when its conditions show that the client has
    /// the current body, otherwise `status` with the variant that the client accepts.
    ///
    /// A variant that needs a dictionary is for this client alone: a shared cache that ignores `Vary` would give it to
    /// clients without the dictionary.
    pub(crate) async fn answer(&self, request: &HeaderMap, status: StatusCode, caching: Caching) -> Response {
        // An answer that is not stored cannot be revalidated.
        let conditional = status == StatusCode::OK && caching != Caching::Never;
        let accepted = if self.is_compressible() { Accepted::by(request) } else { Accepted::default() };
        let may_be_private = conditional && matches!(caching, Caching::Shared { .. } | Caching::Revalidated);
        let dictionary = may_be_private.then(|| DictionaryId::available(request)).flatten();
        let known = conditional.then(|| self.known_variant(request, accepted, dictionary)).flatten();
        let (mut response, variant) = if let Some(known) = known {
            (StatusCode::NOT_MODIFIED.into_response(), known)
        } else {
            let with_dictionary = dictionary.map(Variant::WithDictionary);
            let ready = with_dictionary.and_then(|variant| Some((variant, self.variants.get(variant)?)));
            let ready = match ready {
                Some(ready) => Ok(ready),
                None => self.variants.ready_or_made(accepted, self.effort).await,
            };
            let (variant, body) = match ready {
                Ok(ready) => ready,
                Err(error) => {
                    tracing::error!(error = %ErrorChain(&error), "a body was not decompressed");
                    return StatusCode::INTERNAL_SERVER_ERROR.into_response();
                }
            };
            let mut response = (status, Body::from(body)).into_response();
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
            if let Some(coding) = variant.content_encoding() {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
            }
            (response, variant)
        };
        let headers = response.headers_mut();
        if let Variant::WithDictionary(_) = variant {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
            headers.insert(header::VARY, dictionary::VARY);
        } else {
            headers.insert(header::CACHE_CONTROL, caching.header());
            if self.is_compressible() {
                headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            }
        }
        if conditional {
            self.modified.into_iter().for_each(|date| headers.typed_insert(LastModified::from(date)));
            if let Some(tag) = self.entity_tag(variant) {
                headers.typed_insert(tag);
            }
        }
        let variants = Arc::downgrade(&self.variants);
        Exchange::of_mut(&mut response).sent = Some(Sent { variants, variant });
        response
    }

    /// The variant that the client has, if the request's conditions show that it has one. It need not be
    /// the variant that the client would get now: all variants are the same body, and a 304 with the tag of
    /// the client's variant lets it keep using that one. `If-Modified-Since` counts only without `If-None-Match`
    /// (RFC 9110, section 13.2.2).
    fn known_variant(
        &self,
        request: &HeaderMap,
        accepted: Accepted,
        dictionary: Option<DictionaryId>,
    ) -> Option<Variant> {
        let mut sendable = Variant::sendable(accepted, dictionary, self.is_compressible());
        match request.typed_get::<IfNoneMatch>() {
            Some(condition) => sendable.find(|variant| {
                self.entity_tag(*variant).is_some_and(|tag| !condition.precondition_passes(&tag))
            }),
            None => {
                let since = request.typed_get::<IfModifiedSince>()?;
                if since.is_modified(self.modified?) {
                    return None;
                }
                // The request does not say which variant the client has, so it gets the tag of a ready one.
                let first = sendable.next();
                let is_ready = |variant: &Variant| self.variants.get(*variant).is_some();
                first.into_iter().chain(sendable).find(is_ready).or(first)
            }
        }
    }

    fn entity_tag(&self, variant: Variant) -> Option<ETag> {
        entity_tag(&self.tag, variant)
    }

    fn is_compressible(&self) -> bool {
        !COMPRESSED_FORMATS.contains(&self.content_type) && self.variants.length() >= MIN_COMPRESSIBLE_BYTES
    }
}

/// The text that identifies a body: a hash of it.
fn tag(body: &[u8]) -> String {
    // Two bodies of one address collide only if made on purpose, by somebody who decides what the page shows
    // anyway. So a hash that costs a tenth of a cryptographic one is enough.
    URL_SAFE_NO_PAD.encode(XxHash3_128::oneshot(body).to_be_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use std::time::Duration;

    use super::*;
    use crate::http::compression::Encoding;
    use crate::http::dictionary::tests::{decoded, dictionary, having};
    use crate::http::variants::Grade;

    fn request(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    async fn answer(representation: &Representation, request: &HeaderMap) -> Response {
        representation.answer(request, StatusCode::OK, Caching::Forever).await
    }

    #[tokio::test]
    async fn every_variant_is_the_body_in_the_coding_that_it_names() {
        let text = "A shelf of mugs. ".repeat(1_000);
        let representation = Representation::new("text/plain", text.clone());
        for (name, encoding) in [("br", Encoding::Brotli), ("gzip", Encoding::Gzip), ("zstd", Encoding::Zstd)]
        {
            let response = answer(&representation, &request(header::ACCEPT_ENCODING, name)).await;
            assert_eq!(response.headers()[header::CONTENT_ENCODING], name);
            let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
            assert!(body.len() < text.len() / 10);
            assert!(encoding.decompress(&body, text.len()).unwrap() == text.as_bytes(), "{name}");
        }
    }

    #[tokio::test]
    async fn a_client_that_has_the_variant_gets_304() {
        let representation = Representation::new("text/plain", "x".repeat(MIN_COMPRESSIBLE_BYTES)).embedded();
        let whole = answer(&representation, &HeaderMap::new()).await;
        let tag = whole.headers()[header::ETAG].to_str().unwrap().to_owned();
        let modified = whole.headers()[header::LAST_MODIFIED].to_str().unwrap().to_owned();
        let later = httpdate(SystemTime::now() + Duration::from_secs(60));
        let earlier = httpdate(build_date() - Duration::from_secs(60));
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
    async fn what_each_replica_makes_for_itself_has_no_date() {
        let representation = Representation::new("text/plain", "a page");
        let later = httpdate(SystemTime::now() + Duration::from_secs(60));
        let response = answer(&representation, &request(header::IF_MODIFIED_SINCE, &later)).await;
        assert_eq!(response.status(), 200);
        assert!(!response.headers().contains_key(header::LAST_MODIFIED));
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

    /// The coding and the tag of the answer to a client that accepts these codings.
    async fn coding(representation: &Representation, accepted: &str) -> (String, String) {
        let answer = answer(representation, &request(header::ACCEPT_ENCODING, accepted)).await;
        let text = |name| answer.headers()[name].to_str().unwrap().to_owned();
        (text(header::CONTENT_ENCODING), text(header::ETAG))
    }

    #[tokio::test]
    async fn the_first_variant_is_the_quickest_one_and_the_final_one_takes_its_place() {
        let text = "a line like the others\n".repeat(100);
        let new = || Representation::new("text/plain", text.clone());
        assert_eq!(coding(&new(), "gzip, deflate, br").await.0, "gzip");
        assert_eq!(coding(&new(), "br, zstd;q=0.9").await.0, "br");

        let representation = new();
        let (first, old) = coding(&representation, "gzip, deflate, br, zstd").await;
        assert_eq!(first, "zstd");
        let accepted = Accepted::by(&request(header::ACCEPT_ENCODING, "gzip, br, zstd"));
        assert_eq!(representation.variants().claim_missing(accepted), Some(Encoding::Brotli));
        representation.variants().finish(Encoding::Brotli, None).unwrap();
        assert_eq!(representation.variants().claim_missing(accepted), None);
        let (last, new) = coding(&representation, "gzip, deflate, br, zstd").await;
        assert_eq!(last, "br");
        assert!(new.ends_with("-br\"") && new != old, "{new} {old}");

        // A client that has the first variant keeps it.
        let mut condition = request(header::IF_NONE_MATCH, &old);
        condition.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, br, zstd"));
        let unchanged = answer(&representation, &condition).await;
        assert_eq!(unchanged.status(), 304);
        assert_eq!(unchanged.headers()[header::ETAG], *old);
        // A client that no longer accepts its coding does not.
        condition.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, br"));
        assert_eq!(answer(&representation, &condition).await.status(), 200);
    }

    #[tokio::test]
    async fn a_final_variant_replaces_the_first_one_of_its_coding() {
        let representation = Representation::new("text/plain", "so many words, so few\n".repeat(100));
        let first = coding(&representation, "gzip").await;
        representation.variants().finish(Encoding::Gzip, None).unwrap();
        assert_ne!(coding(&representation, "gzip").await.1, first.1, "other bytes have another tag");
        assert_eq!(representation.variants().get(Variant::Coded(Encoding::Gzip, Grade::First)), None);
    }

    #[tokio::test]
    async fn only_a_client_with_the_dictionary_gets_the_variant_that_needs_it() {
        let (shelf, other) = (dictionary("A shelf of mugs. "), dictionary("so many words, so few\n"));
        let text = "so many words, so few\n".repeat(100);
        let representation = Representation::new("text/plain", text.clone());
        let page = Caching::Shared { fresh: Duration::from_secs(60), stale: Duration::ZERO };
        let ask = async |headers: &HeaderMap, caching| {
            let answer = representation.answer(headers, StatusCode::OK, caching).await;
            let text = |name| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
            let [coding, vary] = [header::CONTENT_ENCODING, header::VARY].map(text);
            let [caching, tag] = [header::CACHE_CONTROL, header::ETAG].map(|name| text(name).unwrap());
            let status = answer.status().as_u16();
            let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
            (status, coding.unwrap_or_default(), vary.unwrap(), caching, tag, body)
        };
        let has = having(other.id(), "br, dcz");
        assert_eq!(ask(&has, page).await.1, "br", "it is made with the final variant");
        representation.variants().finish(Encoding::Brotli, Some(&other)).unwrap();

        let (status, coding, vary, caching, tag, body) = ask(&has, page).await;
        assert_eq!((status, &*coding, &*caching), (200, "dcz", "private, no-cache"));
        assert_eq!(vary, "accept-encoding, available-dictionary");
        assert_eq!(decoded(&other, &body, text.len()), text.as_bytes());
        let mut known = has.clone();
        known.insert(header::IF_NONE_MATCH, HeaderValue::from_str(&tag).unwrap());
        let (status, _, again, caching, same, body) = ask(&known, page).await;
        assert_eq!(
            (status, &*again, &*caching, same, body.len()),
            (304, &*vary, "private, no-cache", tag.clone(), 0)
        );

        // Everybody else gets what can be read without it, also if it is asked whether the body is still the same.
        for mut headers in [having(shelf.id(), "br, dcz"), having(other.id(), "br"), HeaderMap::new()] {
            for condition in [None, Some(&tag)] {
                headers.remove(header::IF_NONE_MATCH);
                headers.extend(
                    condition.map(|tag| (header::IF_NONE_MATCH, HeaderValue::from_str(tag).unwrap())),
                );
                let (status, coding, vary, caching, ..) = ask(&headers, page).await;
                assert_eq!((status, coding == "dcz", &*vary), (200, false, "accept-encoding"), "{headers:?}");
                assert_eq!(caching, page.header().to_str().unwrap());
            }
        }
        assert_eq!(ask(&has, Caching::Forever).await.1, "br", "shared caches may keep it");
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
