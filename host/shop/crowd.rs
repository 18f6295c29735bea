//! What visitors get when far more pages are asked for than can be rendered.
//!
//! A page that cannot be rendered is sent without markup, and the browser draws it. Making its data and its
//! document still costs a third of a render, so a crowd that gets nothing else takes the processor from the
//! renders. That is why only a number of them a second is made. Other visitors get a small page that is
//! always the same and asks again by itself, before anything is made for them.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use askama::Template;
use axum::Extension;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use tokio::time::Instant;

use super::answer::RETRY_AFTER;
use crate::document::first_paint;
use crate::http::caching::Caching;
use crate::http::representation::Representation;
use crate::observe::request_log::TurnedAway;
use crate::profile::Profile;

/// Time between two pages without markup, for each core. At a quarter of a millisecond each they take one
/// eightieth of the processor.
const INTERVAL: Duration = Duration::from_millis(20);
/// Pages without markup that may come at once.
const BURST: u32 = 64;

/// Reloads the page after this many seconds. Every browser knows it, and no standard but HTML's, which says
/// that it means the same as `<meta http-equiv=refresh>`.
const REFRESH: HeaderName = HeaderName::from_static("refresh");
/// Seconds until a visitor's browser asks again. Each visitor gets another number, so that a crowd does not
/// come back at once.
const AGAIN_AFTER: [&str; 10] = ["5", "11", "8", "14", "6", "12", "9", "7", "13", "10"];

/// The page itself.
#[derive(Template)]
#[template(path = "crowd.html", config = "host/askama.toml")]
struct CrowdPage<'a> {
    profile: &'a Profile,
    styles: &'static str,
}

/// Decides who is turned away, and with what.
#[derive(Debug)]
pub(super) struct Crowd {
    unrendered: RateLimit,
    page: Representation,
    turned_away: AtomicU64,
}

impl Crowd {
    /// For a shop with this profile that runs on this many cores.
    pub(super) fn new(cores: NonZeroUsize, profile: &Profile) -> Self {
        let cores = u32::try_from(cores.get()).unwrap_or(u32::MAX);
        Self::limited(INTERVAL / cores, profile)
    }

    /// For the same shop with another profile.
    pub(super) fn with_profile(&self, profile: &Profile) -> Self {
        Self::limited(Duration::from_nanos(self.unrendered.interval), profile)
    }

    fn limited(interval: Duration, profile: &Profile) -> Self {
        let html = CrowdPage { profile, styles: first_paint::of_plain_pages() }
            .render()
            // A template without expressions that can fail.
            .unwrap_or_else(|_| "The shop is full. Please come back in a moment.".into());
        Self {
            unrendered: RateLimit::new(interval, BURST),
            page: Representation::new("text/html; charset=utf-8", html),
            turned_away: AtomicU64::new(0),
        }
    }

    /// Whether one more page may be made that will probably not be rendered. If so, it is counted as made.
    pub(super) fn has_room(&self) -> bool {
        self.unrendered.allows()
    }

    /// The answer to a visitor who has to come back.
    pub(super) async fn turn_away(&self, request: &HeaderMap) -> Response {
        let mut response = self.page.answer(request, StatusCode::SERVICE_UNAVAILABLE, Caching::Never).await;
        let turn = self.turned_away.fetch_add(1, Ordering::Relaxed) % AGAIN_AFTER.len() as u64;
        let seconds = AGAIN_AFTER.get(turn as usize).copied().unwrap_or("10");
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, RETRY_AFTER);
        headers.insert(REFRESH, HeaderValue::from_static(seconds));
        (Extension(TurnedAway), response).into_response()
    }
}

/// Allows events at a rate, without a lock, by the generic cell rate algorithm (ITU-T I.371): an event is
/// allowed unless those before it have used up the time until `burst` intervals from now.
#[derive(Debug)]
struct RateLimit {
    origin: Instant,
    /// In nanoseconds.
    interval: u64,
    burst: u32,
    /// The time that the allowed events have used up, in nanoseconds since `origin`.
    used_until: AtomicU64,
}

impl RateLimit {
    fn new(interval: Duration, burst: u32) -> Self {
        Self { origin: Instant::now(), interval: nanoseconds(interval), burst, used_until: AtomicU64::new(0) }
    }

    fn allows(&self) -> bool {
        let now = nanoseconds(self.origin.elapsed());
        let latest = now.saturating_add(self.interval.saturating_mul(u64::from(self.burst)));
        let use_up = |used_until: u64| {
            let next = used_until.max(now).saturating_add(self.interval);
            (next <= latest).then_some(next)
        };
        self.used_until.fetch_update(Ordering::Relaxed, Ordering::Relaxed, use_up).is_ok()
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(limit: &RateLimit) -> usize {
        std::iter::from_fn(|| limit.allows().then_some(())).count()
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_allowed_and_then_one_event_for_each_interval() {
        let limit = RateLimit::new(Duration::from_millis(10), 5);
        assert_eq!(allowed(&limit), 5);
        tokio::time::advance(Duration::from_millis(9)).await;
        assert_eq!(allowed(&limit), 0);
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(allowed(&limit), 1);
        tokio::time::advance(Duration::from_millis(35)).await;
        assert_eq!(allowed(&limit), 3);
        tokio::time::advance(Duration::from_secs(3_600)).await;
        assert_eq!(allowed(&limit), 5, "time that nobody used is not kept");
    }

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
