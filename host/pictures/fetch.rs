//! Receives pictures from other hosts: few at a time, within bounds, and not from hosts that have asked for a pause.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use parking_lot::Mutex;
use reqwest::header::{ACCEPT, ETAG, HeaderValue, IF_NONE_MATCH};
use reqwest::{Client, StatusCode};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use crate::pacing::requested_pause;
use crate::public_network::Reach;

/// Longest time for a picture.
const WITHIN: Duration = Duration::from_secs(10);
/// Largest picture, in bytes.
pub(super) const LARGEST: usize = 20 << 20;
/// Most pictures that are received at a time, and of one host.
const AT_ONCE: u64 = 4;
const OF_A_HOST: usize = 2;
/// Most hosts that are remembered, with their pauses.
const MOST_HOSTS: usize = 1_000;
/// Longest tag that is kept.
const LONGEST_TAG: usize = 200;
/// Shortest pause after an answer that asks for one.
const SHORTEST_PAUSE: Duration = Duration::from_secs(10);
/// What can be copied: some hosts choose by this.
const KINDS: HeaderValue = HeaderValue::from_static("image/jpeg,image/png,image/webp");

/// Why a picture was not received.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("its host does not answer")]
    Call(#[source] reqwest::Error),
    #[error("its host answers with {0}")]
    Status(StatusCode),
    #[error("it is larger than 20 MiB")]
    TooLarge,
    #[error("no JPEG, PNG, WebP, GIF or AVIF")]
    Kind,
    #[error("its host has asked for a pause")]
    Paused,
}

/// A picture that was received.
pub(super) struct Received {
    pub(super) bytes: Bytes,
    pub(super) tag: Option<Box<str>>,
}

/// Receives pictures.
pub(super) struct Fetcher {
    client: Client,
    reach: Reach,
    turns: Arc<Semaphore>,
    hosts: Mutex<HashMap<Box<str>, Host>>,
}

#[derive(Default)]
struct Host {
    turns: Option<Arc<Semaphore>>,
    paused_until: Option<Instant>,
}

impl Host {
    fn is_paused(&self) -> bool {
        self.paused_until.is_some_and(|until| until > Instant::now())
    }

    /// Whether a picture of it is received, or waits for that.
    fn is_asked(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| Arc::strong_count(turns) > 1)
    }
}

/// Permission to receive a picture and to have it in memory.
pub(super) struct Turn {
    _of_host: Option<OwnedSemaphorePermit>,
    _of_all: Option<OwnedSemaphorePermit>,
}

impl Fetcher {
    /// Receives pictures within this reach, while copies may take `memory` bytes.
    ///
    /// # Errors
    /// When no client can be made, such as on a machine that trusts no certificates.
    pub(super) fn new(reach: Reach, memory: u64) -> Result<Self, FetchError> {
        let client = Client::builder()
            .user_agent(concat!("vitrine/", env!("CARGO_PKG_VERSION")))
            .timeout(WITHIN)
            .referer(false)
            // Pictures are compressed, and a proxy would resolve names by itself.
            .gzip(false)
            .brotli(false)
            .no_proxy()
            .redirect(reach.policy())
            .dns_resolver(Arc::new(reach.resolver()))
            .build()
            .map_err(FetchError::Call)?;
        // A received picture is in memory beside its copies.
        let at_once = (memory / 2 / LARGEST as u64).clamp(1, AT_ONCE);
        let turns = Arc::new(Semaphore::new(usize::try_from(at_once).unwrap_or(1)));
        Ok(Self { client, reach, turns, hosts: Mutex::default() })
    }

    pub(super) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Waits until a picture of this host may be received; `None` while the host is paused.
    pub(super) async fn turn(&self, url: &Url) -> Option<Turn> {
        let turns = {
            let mut hosts = self.hosts.lock();
            let name = url.host_str().unwrap_or_default();
            if !hosts.contains_key(name) {
                hosts.retain(|_, host| host.is_paused() || host.is_asked());
                if hosts.len() >= MOST_HOSTS {
                    return None;
                }
            }
            let host = hosts.entry(name.into()).or_default();
            if host.is_paused() {
                return None;
            }
            Arc::clone(host.turns.get_or_insert_with(|| Arc::new(Semaphore::new(OF_A_HOST))))
        };
        // The semaphores are never closed. That of the host comes first, so that what waits for a host is in nobody's way.
        let of_host = turns.acquire_owned().await.ok();
        let of_all = Arc::clone(&self.turns).acquire_owned().await.ok();
        (!self.is_paused(url)).then_some(Turn { _of_host: of_host, _of_all: of_all })
    }

    /// Whether the host of this address has asked for a pause.
    pub(super) fn is_paused(&self, url: &Url) -> bool {
        self.hosts.lock().get(url.host_str().unwrap_or_default()).is_some_and(Host::is_paused)
    }

    /// Receives a picture; `None` if it has this tag still.
    ///
    /// # Errors
    /// When its host does not send it, or it is too large.
    pub(super) async fn receive(&self, url: &Url, tag: Option<&str>) -> Result<Option<Received>, FetchError> {
        let call = |error: reqwest::Error| FetchError::Call(error.without_url());
        let mut asked = self.client.get(url.clone()).header(ACCEPT, KINDS);
        if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(tag).ok()) {
            asked = asked.header(IF_NONE_MATCH, tag);
        }
        let mut answer = asked.send().await.map_err(call)?;
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::NOT_MODIFIED if tag.is_some() => return Ok(None),
            status @ (StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) => {
                let pause = requested_pause(status, answer.headers()).max(SHORTEST_PAUSE);
                if let Some(host) = self.hosts.lock().get_mut(url.host_str().unwrap_or_default()) {
                    host.paused_until = Some(Instant::now() + pause);
                }
                return Err(FetchError::Status(status));
            }
            status => return Err(FetchError::Status(status)),
        }
        let length = answer.content_length().unwrap_or_default();
        if length > LARGEST as u64 {
            return Err(FetchError::TooLarge);
        }
        let mut bytes = BytesMut::new();
        while let Some(part) = answer.chunk().await.map_err(call)? {
            if bytes.len() + part.len() > LARGEST {
                return Err(FetchError::TooLarge);
            }
            bytes.extend_from_slice(&part);
        }
        let tag = answer.headers().get(ETAG).and_then(|tag| tag.to_str().ok());
        let tag = tag.filter(|tag| tag.len() <= LONGEST_TAG).map(Into::into);
        Ok(Some(Received { bytes: bytes.freeze(), tag }))
    }
}
