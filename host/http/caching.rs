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
    /// Shortens the freshness so that it ends when the content changes, if that time is known.
    pub(crate) fn until(self, change: Option<Duration>) -> Self {
        let Some(change) = change else { return self };
        match self {
            // A stale answer is served for as long again.
            Self::Shared { fresh, stale } => Self::Shared { fresh: fresh.min(change / 2), stale },
            Self::For(time) => Self::For(time.min(change)),
            other => other,
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_soon_is_not_fresh_for_longer() {
        let seconds = Duration::from_secs;
        let page = Caching::Shared { fresh: seconds(60), stale: seconds(9) };
        for (change, caching) in [
            (None, page),
            (Some(seconds(200)), page),
            (Some(seconds(50)), Caching::Shared { fresh: seconds(25), stale: seconds(9) }),
            (Some(seconds(0)), Caching::Shared { fresh: seconds(0), stale: seconds(9) }),
        ] {
            assert_eq!(page.until(change), caching, "{change:?}");
        }
        assert_eq!(Caching::For(seconds(60)).until(Some(seconds(5))), Caching::For(seconds(5)));
        assert_eq!(Caching::Forever.until(Some(seconds(5))), Caching::Forever);
    }
}
