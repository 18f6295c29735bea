//! What visitors get when far more pages are asked for than can be rendered.
//!
//! A page that cannot be rendered is sent without markup, and the browser draws it. Making its data and its
//! document still costs a third of a render, so a crowd that gets nothing else takes the processor from the
//! renders. That is why only a limited number of such pages is made each second. Before anything is made for
//! them, other visitors get a small page that is always the same and reloads by itself.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use askama::Template;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use parking_lot::Mutex;

use crate::document::first_paint;
use crate::http::caching::Caching;
use crate::http::exchange::{Exchange, TurnedAway};
use crate::http::representation::Representation;
use crate::pacing::TokenBucket;
use crate::profile::Profile;
use crate::shop::making::answer::RETRY_AFTER;
use crate::texts::{Key, Texts};

/// Pages without markup a second, for each core. At a quarter of a millisecond each they take one eightieth of the
/// processor.
const PER_SECOND: f64 = 50.0;
/// Pages without markup that may be made at once.
const BURST: u32 = 64;

/// Reloads the page after this many seconds. Every browser knows this header, but only the HTML standard
/// defines it: it means the same as `<meta http-equiv=refresh>`.
const REFRESH: HeaderName = HeaderName::from_static("refresh");
/// Seconds until a visitor's browser asks again. Visitors get these numbers one after the other, so that a crowd
/// does not come back at once.
const AGAIN_AFTER: [&str; 10] = ["5", "11", "8", "14", "6", "12", "9", "7", "13", "10"];

/// The page itself.
#[derive(Template)]
#[template(path = "crowd.html", config = "host/askama.toml")]
struct CrowdPage<'a> {
    profile: &'a Profile,
    texts: &'a Texts,
    styles: &'static str,
}

/// Decides who is turned away, and with what.
#[derive(Debug)]
pub(in crate::shop) struct Crowd {
    /// A token for each page without markup.
    unrendered: Mutex<TokenBucket>,
    cores: NonZeroUsize,
    page: Representation,
    turned_away: AtomicU64,
}

impl Crowd {
    /// Creates the page for a shop with this profile that runs on this many cores.
    pub(in crate::shop) fn new(cores: NonZeroUsize, profile: &Profile) -> Self {
        let html = CrowdPage { profile, texts: &profile.texts, styles: first_paint::of_plain_pages() }
            .render()
            // The template has no expressions that can fail.
            .unwrap_or_else(|_| "The shop is full. Please come back in a moment.".into());
        let per_second = PER_SECOND * f64::from(u32::try_from(cores.get()).unwrap_or(u32::MAX));
        Self {
            unrendered: Mutex::new(TokenBucket::new(per_second, BURST, Instant::now())),
            cores,
            page: Representation::new("text/html; charset=utf-8", html),
            turned_away: AtomicU64::new(0),
        }
    }

    /// [`Self::new`] for the same shop with another profile.
    pub(in crate::shop) fn with_profile(&self, profile: &Profile) -> Self {
        Self::new(self.cores, profile)
    }

    /// Whether one more page may be made that will probably not be rendered. If so, it is counted as made.
    pub(in crate::shop) fn has_room(&self) -> bool {
        self.unrendered.lock().reserve(Instant::now(), Duration::ZERO, 0.0).is_some()
    }

    /// The answer to a visitor who has to come back.
    pub(in crate::shop) async fn turn_away(&self, request: &HeaderMap) -> Response {
        let mut response = self.page.answer(request, StatusCode::SERVICE_UNAVAILABLE, Caching::Never).await;
        let turn = self.turned_away.fetch_add(1, Ordering::Relaxed) % AGAIN_AFTER.len() as u64;
        let seconds = AGAIN_AFTER.get(turn as usize).copied().unwrap_or("10");
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, RETRY_AFTER);
        headers.insert(REFRESH, HeaderValue::from_static(seconds));
        Exchange::of_mut(&mut response).turned_away = Some(TurnedAway::Crowd);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn visitors_are_asked_to_come_back_at_different_times() {
        let crowd = Crowd::new(NonZeroUsize::MIN, &Profile::default());
        let mut seconds = Vec::new();
        for _ in 0..AGAIN_AFTER.len() {
            let response = crowd.turn_away(&HeaderMap::new()).await;
            assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
            seconds.push(response.headers()[REFRESH].to_str().unwrap().parse::<u32>().unwrap());
        }
        seconds.sort_unstable();
        assert_eq!(seconds, (5..15).collect::<Vec<_>>());
    }
}
