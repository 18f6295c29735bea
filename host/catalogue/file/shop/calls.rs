//! The calls of a shop: one at a time, with pauses, and with the operator's headers only where these belong.

use std::time::Duration;

use reqwest::header::{DATE, HeaderMap, HeaderValue, IF_NONE_MATCH, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};
use url::Url;

use super::super::client::client_for;
use super::error::ShopError;
use crate::pacing::parse_retry_after;
use crate::public_network::Reach;

/// Largest page, in bytes.
const LARGEST: usize = 8 << 20;

/// The times of calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Shortest time between the end of a call and the next one.
    pub(super) between: Duration,
    /// Longest time for a call.
    pub(super) call: Duration,
    /// The pause that an answer asks for without a length, and the longest one.
    pub(super) pause: Duration,
    pub(super) longest_pause: Duration,
    /// How often a call is repeated after a pause.
    pub(super) repeats: usize,
    /// Longest time for all pages.
    pub(super) pass: Duration,
}

impl Pace {
    pub(super) const USUAL: Self = Self {
        between: Duration::from_millis(500),
        call: Duration::from_secs(30),
        pause: Duration::from_secs(60),
        longest_pause: Duration::from_secs(10 * 60),
        repeats: 3,
        pass: Duration::from_secs(30 * 60),
    };
}

/// The calls of one shop.
#[derive(Debug)]
pub(super) struct Calls {
    /// The operator's address.
    own: Url,
    reach: Reach,
    client: Client,
    pub(super) pace: Pace,
    /// When the next call may begin. Locked while one is open.
    turn: Mutex<Instant>,
}

/// An answer.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    /// Where it comes from, after redirects.
    pub(super) url: Url,
    pub(super) body: Vec<u8>,
}

impl Calls {
    pub(super) fn new(own: Url, pace: Pace) -> Result<Self, ShopError> {
        let reach = Reach::of_shop(&own);
        let client = client_for(&reach).timeout(pace.call).redirect(Policy::none()).build();
        let client = client.map_err(|error| ShopError::Call(error.without_url()))?;
        Ok(Self { own, reach, client, pace, turn: Mutex::new(Instant::now()) })
    }

    /// Asks for an address, if it has another version than `etag`. Waits for its turn, and for the pauses that the shop asks
    /// for. Sends `headers` to the operator's host alone.
    ///
    /// # Errors
    /// When the shop does not answer, asks for too many pauses, or leads where nothing is asked.
    pub(super) async fn get(
        &self,
        address: &Url,
        headers: &HeaderMap,
        etag: Option<&HeaderValue>,
    ) -> Result<Answer, ShopError> {
        let mut turn = self.turn.lock().await;
        let (mut url, mut redirects, mut pauses) = (address.clone(), 0, 0);
        loop {
            sleep_until(*turn).await;
            // Also if the call is given up before its answer.
            *turn = Instant::now() + self.pace.between;
            let answer = self.call(&url, headers, etag).await;
            *turn = Instant::now() + self.pace.between;
            let answer = answer?;
            if let Some(pause) = self.requested_pause(&answer) {
                *turn = Instant::now() + pause.max(self.pace.between);
                pauses += 1;
                if pauses > self.pace.repeats {
                    return Err(ShopError::Paused(answer.status));
                }
                (url, redirects) = (address.clone(), 0);
                continue;
            }
            let Some(to) = answer.leads_to() else { return Ok(answer) };
            redirects += 1;
            self.reach.follow((&url, &to), redirects).map_err(ShopError::Redirect)?;
            url = to;
        }
    }

    async fn call(
        &self,
        url: &Url,
        headers: &HeaderMap,
        etag: Option<&HeaderValue>,
    ) -> Result<Answer, ShopError> {
        let failed = |error: reqwest::Error| ShopError::Call(error.without_url());
        let mut headers = if self.is_own(url) { headers.clone() } else { HeaderMap::new() };
        headers.extend(etag.map(|etag| (IF_NONE_MATCH, etag.clone())));
        let mut answer = self.client.get(url.clone()).headers(headers).send().await.map_err(failed)?;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(failed)? {
            if body.len() + chunk.len() > LARGEST {
                return Err(ShopError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        let headers = std::mem::take(answer.headers_mut());
        Ok(Answer { status: answer.status(), headers, url: url.clone(), body })
    }

    /// Whether an address is of the operator's host, with or without `www.`.
    fn is_own(&self, url: &Url) -> bool {
        let name = |url: &Url| {
            let host = url.host_str().unwrap_or_default();
            host.strip_prefix("www.").unwrap_or(host).to_owned()
        };
        let is_as_safe = url.scheme() == "https" || self.own.scheme() == "http";
        is_as_safe && name(url) == name(&self.own) && url.port() == self.own.port()
    }

    /// For how long an answer asks for no calls.
    fn requested_pause(&self, answer: &Answer) -> Option<Duration> {
        let text = |name| answer.headers.get(name)?.to_str().ok();
        let pause = || parse_retry_after(text(RETRY_AFTER), text(DATE)).unwrap_or(self.pace.pause);
        // 430 is Shopify's own.
        matches!(answer.status.as_u16(), 429 | 430 | 503).then(|| pause().min(self.pace.longest_pause))
    }
}

impl Answer {
    /// Where a redirect leads.
    fn leads_to(&self) -> Option<Url> {
        let location = self.headers.get(LOCATION)?.to_str().ok()?;
        let is_redirect = matches!(self.status.as_u16(), 301 | 302 | 303 | 307 | 308);
        is_redirect.then(|| self.url.join(location).ok()).flatten()
    }

    /// Checks that it has JSON.
    ///
    /// # Errors
    /// Why it has none.
    pub(super) fn check(&self) -> Result<(), ShopError> {
        match self.status.as_u16() {
            200 => {}
            401 | 403 => return Err(ShopError::Refused(self.status)),
            404 | 410 => return Err(ShopError::Off),
            _ => return Err(ShopError::Status(self.status)),
        }
        match self.body.trim_ascii_start().first() {
            Some(b'<') if self.url.path().ends_with("/password") => Err(ShopError::Password),
            Some(b'<') => Err(ShopError::WebPage),
            _ => Ok(()),
        }
    }
}
