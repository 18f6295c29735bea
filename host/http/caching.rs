//! How long an answer may be kept, and by whom.

use std::time::Duration;

use axum::http::HeaderValue;

/// How long browsers and shared caches may store a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caching {
    /// Not stored: an error, or an incomplete page.
    Never,
    /// Browsers revalidate every time (and get 304). Shared caches store it for `fresh`, serve it for
    /// as long again while they revalidate, and for `stale` while revalidation fails.
    Shared { fresh: Duration, stale: Duration },
    /// Stored, and revalidated every time.
    Revalidated,
    /// Fresh for this long, in browsers and shared caches.
    For(Duration),
    /// Fresh for a year: the URL changes with the content.
    Forever,
}

impl Caching {
    /// The value of `Cache-Control`.
    pub(crate) fn header(self) -> HeaderValue {
        let text = match self {
            Self::Never => return HeaderValue::from_static("no-store"),
            Self::Revalidated => return HeaderValue::from_static("no-cache"),
            Self::Forever => return HeaderValue::from_static("public, max-age=31536000, immutable"),
            Self::For(time) => format!("public, max-age={}", time.as_secs()),
            Self::Shared { fresh, stale } => {
                let (fresh, stale) = (fresh.as_secs(), stale.as_secs());
                format!(
                    "public, max-age=0, s-maxage={fresh}, stale-while-revalidate={fresh}, stale-if-error={stale}"
                )
            }
        };
        // ASCII text is always a valid header value.
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("no-store"))
    }
}
