//! Versions of answers: enough to recognise an unchanged answer, and to let the service say that it is unchanged.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::header::{
    DATE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
};

/// Longest validator that is sent back, in bytes.
const LONGEST: usize = 256;
/// How long a service that says "not modified" is believed. After that the whole answer is asked for, so that a
/// validator that does not change with the answer hides a change for at most this long.
const BELIEVED_FOR: Duration = Duration::from_secs(3_600);
/// Time in which an answer may change without a new `Last-Modified`, which has whole seconds.
const SECOND: Duration = Duration::from_secs(1);

/// A revision of an answer. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Revision {
    digest: blake3::Hash,
    validator: Option<Arc<Validator>>,
    /// When the whole answer was last received.
    received: Instant,
}

/// A validator of HTTP: with it a service can be asked for an answer only if the answer has changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Validator {
    Tag(HeaderValue),
    Modified(HeaderValue),
}

/// A new answer, or the fact that the answer of a known revision has not changed.
#[derive(Clone, Debug)]
pub enum Change<A> {
    /// The answer is the same. The revision may have a new validator.
    Unchanged(Revision),
    /// The new answer, with its revision if the catalogue has revisions.
    New(A, Option<Revision>),
}

impl Revision {
    /// The revision of the answer with this digest, which was received now.
    pub(super) fn new(digest: blake3::Hash, validator: Option<Validator>) -> Self {
        Self { digest, validator: validator.map(Arc::new), received: Instant::now() }
    }

    /// The hash of the answer's bytes.
    pub(super) fn digest(&self) -> blake3::Hash {
        self.digest
    }

    /// Time since the whole answer was received. Since then the service has only said that it is the same.
    pub(super) fn age(&self) -> Duration {
        self.received.elapsed()
    }

    /// The validator to send at the time `now`.
    pub(super) fn validator(&self, now: Instant) -> Option<&Validator> {
        let is_believed = now.saturating_duration_since(self.received) < BELIEVED_FOR;
        self.validator.as_deref().filter(|_| is_believed)
    }
}

impl Validator {
    /// The validator in the head of an answer, if it has one that may be sent back. `Last-Modified` is used only if the
    /// answer was given more than a second later.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        if let Some(tag) = only(headers, ETAG) {
            return is_tag(tag.as_bytes()).then(|| Self::Tag(tag.clone()));
        }
        let modified = only(headers, LAST_MODIFIED)?;
        let time = |value: &HeaderValue| httpdate::parse_http_date(value.to_str().ok()?).ok();
        let settled = time(only(headers, DATE)?)?.duration_since(time(modified)?).ok()?;
        (settled > SECOND).then(|| Self::Modified(modified.clone()))
    }

    /// The header that asks for an answer only if it differs from this one.
    pub(super) fn condition(&self) -> (HeaderName, HeaderValue) {
        match self {
            Self::Tag(tag) => (IF_NONE_MATCH, tag.clone()),
            Self::Modified(date) => (IF_MODIFIED_SINCE, date.clone()),
        }
    }
}

/// The value of a header that occurs once and is not too long.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|value| values.next().is_none() && value.len() <= LONGEST)
}

/// Whether a value is an entity tag: RFC 9110, 8.8.3, without the bytes above ASCII.
fn is_tag(value: &[u8]) -> bool {
    let opaque = value.strip_prefix(b"W/").unwrap_or(value);
    let inner = opaque.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    inner.is_some_and(|inner| inner.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(HeaderName, &[u8])]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(name, HeaderValue::from_bytes(value).unwrap());
        }
        headers
    }

    #[test]
    fn only_valid_validators_are_sent_back() {
        let tag = |value: &[u8]| Validator::of(&headers(&[(ETAG, value)])).is_some();
        for good in [&b"\"a\""[..], b"W/\"a-b\"", b"\"\"", &[b"\"", &[b'a'; LONGEST - 2][..], b"\""].concat()]
        {
            assert!(tag(good), "{good:?}");
        }
        for bad in [
            &b""[..],
            b"a",
            b"\"",
            b"w/\"a\"",
            b"\"a\", \"b\"",
            b"*",
            b"\"a b\"",
            b"\"\xff\"",
            b"\"a\tb\"",
            &[b"\"", &[b'a'; LONGEST][..], b"\""].concat(),
        ] {
            assert!(!tag(bad), "{bad:?}");
        }
        assert_eq!(Validator::of(&headers(&[(ETAG, b"\"a\""), (ETAG, b"\"b\"")])), None, "which of them");
        assert_eq!(Validator::of(&HeaderMap::new()), None);
    }

    #[test]
    fn a_date_is_of_use_only_if_the_answer_has_not_changed_just_then() {
        let modified = b"Thu, 26 Nov 2026 09:00:00 GMT";
        let is_used = |date: &[u8]| {
            let validator = Validator::of(&headers(&[(LAST_MODIFIED, modified), (DATE, date)]));
            validator.is_some_and(|validator| validator.condition().0 == IF_MODIFIED_SINCE)
        };
        assert!(is_used(b"Thu, 26 Nov 2026 09:00:02 GMT"));
        for date in ["Thu, 26 Nov 2026 09:00:01 GMT", "Thu, 26 Nov 2026 08:00:00 GMT", "now", ""] {
            assert!(!is_used(date.as_bytes()), "{date}");
        }
        assert_eq!(Validator::of(&headers(&[(LAST_MODIFIED, modified)])), None, "without a Date");
        let tag = Validator::of(&headers(&[(ETAG, b"\"a\""), (LAST_MODIFIED, modified)]));
        assert_eq!(tag.map(|tag| tag.condition().0), Some(IF_NONE_MATCH));
    }

    #[test]
    fn a_service_is_believed_for_an_hour_that_nothing_has_changed() {
        let validator = Validator::of(&headers(&[(ETAG, b"\"a\"")]));
        let revision = Revision::new(blake3::hash(b""), validator);
        let at = |time| revision.validator(revision.received + time).is_some();
        assert!(at(Duration::ZERO) && at(BELIEVED_FOR - SECOND) && !at(BELIEVED_FOR));
    }
}
