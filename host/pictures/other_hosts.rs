//! Copies of pictures on other hosts, which are received when a copy is asked for.

use std::collections::HashMap;
use std::fmt::{self, Debug, Formatter};
use std::io::{self, Cursor};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::timeout;
use url::Url;

use super::fetch::{FetchError, Fetcher, Received};
use super::fit::Fit;
use super::header::{Header, Kind};
use super::maker::{Copies, Original, QUEUE, WAIT};
use super::origin::Origin;
use super::room::{Key, hash_of};
use super::size::Size;
use crate::observe::{Bounded, ErrorChain, LogThrottle};
use crate::process::compute::off_runtime;
use crate::public_network::Reach;

/// For how long a picture is not asked for that was not received.
const PAUSE: Duration = Duration::from_secs(600);
/// Most such pictures that are remembered.
const MOST_FAILED: usize = 10_000;
/// Most pictures of which it is remembered in memory what they are.
const MOST_KNOWN: usize = 200_000;
/// How often a request looks for its copy: another request may have had a smaller one made.
const LOOKS: usize = 3;
/// Shortest time between two log lines about pictures that were not received.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(60);

/// Copies of pictures on other hosts. A clone shares them.
#[derive(Clone)]
pub(crate) struct OtherHosts(Arc<Shared>);

struct Shared {
    copies: Copies,
    fetcher: Fetcher,
    /// What is known of pictures, by the hash of their addresses.
    known: Mutex<HashMap<u128, Arc<Origin>>>,
    /// Pictures that were not received, and when.
    failed: Mutex<HashMap<u128, Instant>>,
    /// The pictures that are being received or wait for it. The sender is dropped when that ends.
    running: Mutex<HashMap<u128, watch::Receiver<()>>>,
    /// Whether pages can say more than before.
    has_news: AtomicBool,
    throttle: LogThrottle,
}

impl Debug for OtherHosts {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OtherHosts").field("copies", &self.0.copies).finish_non_exhaustive()
    }
}

/// A picture on another host that may be received.
#[derive(Clone, Debug)]
pub(crate) struct OtherPicture {
    url: Url,
    hash: u128,
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

impl OtherPicture {
    /// The first 16 digits of the hash of its address.
    pub(crate) fn code(&self) -> String {
        format!("{:016x}", self.hash >> 64)
    }

    /// Its address without what is not sent.
    pub(crate) fn address(&self) -> &str {
        self.url.as_str()
    }

    /// Its address without its query, which may have a key.
    pub(crate) fn name(&self) -> &str {
        self.url.as_str().split('?').next().unwrap_or_default()
    }

    fn key(&self) -> Key {
        Key { hash: self.hash, size: Size::Origin }
    }
}

impl OtherHosts {
    /// Copies of pictures within this reach, which are kept among `copies`.
    ///
    /// # Errors
    /// When no client can be made, such as on a machine that trusts no certificates.
    pub(crate) fn new(copies: Copies, reach: Reach) -> Result<Self, FetchError> {
        let fetcher = Fetcher::new(reach, copies.memory_of_jobs())?;
        Ok(Self(Arc::new(Shared {
            copies,
            fetcher,
            known: Mutex::default(),
            failed: Mutex::default(),
            running: Mutex::default(),
            has_news: AtomicBool::default(),
            throttle: LogThrottle::every(PERIOD_OF_WARNINGS),
        })))
    }

    /// The copies among which these are kept.
    pub(crate) fn copies(&self) -> &Copies {
        &self.0.copies
    }

    /// Remembers what was kept of pictures, so that pages can say it.
    pub(crate) async fn recall(&self) {
        let (room, hosts) = (self.0.copies.room().await.clone(), self.clone());
        let recall = move || {
            for key in room.keys().filter(|key| key.size == Size::Origin).take(MOST_KNOWN) {
                if let Some(origin) = room.get(key).and_then(|bytes| Origin::from_bytes(&bytes)) {
                    hosts.remember(key.hash, Arc::new(origin));
                    hosts.0.has_news.store(true, Ordering::Relaxed);
                }
            }
        };
        off_runtime(recall).await;
    }

    /// Whether pages can say more of pictures since the last call.
    pub(crate) fn take_news(&self) -> bool {
        self.0.has_news.swap(false, Ordering::Relaxed)
    }

    /// The picture at an address; `None` if its host may not be called.
    pub(crate) fn picture(&self, address: &str) -> Option<OtherPicture> {
        let mut url = Url::parse(address).ok()?;
        url.set_fragment(None);
        let hash = u128::from_be_bytes(hash_of(address.as_bytes()));
        self.0.fetcher.reach().check(&url).ok().map(|()| OtherPicture { url, hash })
    }

    /// Width, height and fit of a picture, if that is known; zero for the sides of one that is not copied.
    pub(crate) fn known(&self, picture: &OtherPicture) -> Option<(u32, u32, Option<Fit>)> {
        self.remembered(picture.hash).map(|origin| (origin.width, origin.height, origin.fit))
    }

    /// A copy; `None` if the picture itself is to be shown: no copy is better, or none could be made in time.
    pub(crate) async fn get(&self, picture: &OtherPicture, size: Size) -> Option<Bytes> {
        let copy = timeout(WAIT, self.made(picture, size)).await.ok().flatten();
        let copy = copy.filter(|copy| !copy.is_empty());
        if copy.is_some() {
            self.0.copies.counters().sent.increment();
        }
        copy
    }

    async fn made(&self, picture: &OtherPicture, size: Size) -> Option<Bytes> {
        for _ in 0..LOOKS {
            if let Some(origin) = self.origin(picture).await {
                let size = origin.copy(size)?;
                let copy = self.0.copies.look(Key { hash: origin.content, size }).await;
                if copy.is_some() {
                    if origin.is_old(now()) {
                        self.receive(picture, size, Some(origin));
                    }
                    return copy;
                }
            }
            // An error means that the job has ended.
            let _ = self.receive(picture, size, None)?.changed().await;
        }
        let origin = self.origin(picture).await?;
        self.0.copies.look(Key { hash: origin.content, size: origin.copy(size)? }).await
    }

    fn remembered(&self, hash: u128) -> Option<Arc<Origin>> {
        self.0.known.lock().get(&hash).cloned()
    }

    fn remember(&self, hash: u128, origin: Arc<Origin>) {
        let mut known = self.0.known.lock();
        if known.len() >= MOST_KNOWN && !known.contains_key(&hash) {
            // It is read again from what is kept, where it is asked for.
            known.clear();
        }
        known.insert(hash, origin);
    }

    /// Whether a picture was not received a short time ago.
    fn has_failed(&self, hash: u128) -> bool {
        self.0.failed.lock().get(&hash).is_some_and(|at| at.elapsed() < PAUSE)
    }

    fn note_failure(&self, hash: u128) {
        let mut failed = self.0.failed.lock();
        failed.retain(|_, at| at.elapsed() < PAUSE);
        if failed.len() < MOST_FAILED {
            failed.insert(hash, Instant::now());
        }
    }

    async fn origin(&self, picture: &OtherPicture) -> Option<Arc<Origin>> {
        if let Some(origin) = self.remembered(picture.hash) {
            return Some(origin);
        }
        let kept = self.0.copies.look(picture.key()).await?;
        let origin = Arc::new(Origin::from_bytes(&kept)?);
        self.remember(picture.hash, Arc::clone(&origin));
        Some(origin)
    }

    /// The job that receives a picture and makes its copies, unless it is still the `known` one. `None` if it is not to be
    /// asked for now.
    fn receive(
        &self,
        picture: &OtherPicture,
        size: Size,
        known: Option<Arc<Origin>>,
    ) -> Option<watch::Receiver<()>> {
        let shared = &self.0;
        let mut running = shared.running.lock();
        if let Some(end) = running.get(&picture.hash) {
            return Some(end.clone());
        }
        if self.has_failed(picture.hash) || shared.fetcher.is_paused(&picture.url) {
            return None;
        }
        if running.len() >= QUEUE || shared.copies.is_full() {
            shared.copies.counters().refused.increment();
            return None;
        }
        let (sender, end) = watch::channel(());
        running.insert(picture.hash, end.clone());
        drop(running);
        let job = Job { hosts: self.clone(), hash: picture.hash, _end: sender };
        tokio::spawn(job.run(picture.clone(), size, known));
        Some(end)
    }

    /// Bytes of a picture, and of its copy of this size; of the picture again if there is none. For the check of settings.
    ///
    /// # Errors
    /// When the picture is not received.
    pub(crate) async fn weigh(&self, picture: &OtherPicture, size: Size) -> Result<(u64, u64), FetchError> {
        let _turn = self.0.fetcher.turn(&picture.url).await.ok_or(FetchError::Paused)?;
        let received = self.0.fetcher.receive(&picture.url, None).await?.ok_or(FetchError::Kind)?;
        let length = received.bytes.len() as u64;
        let origin = self.copied(picture, received, size).await?;
        let copied = origin.and_then(|origin| Some(Key { hash: origin.content, size: origin.copy(size)? }));
        let copy = match copied {
            Some(key) => self.0.copies.look(key).await.filter(|copy| !copy.is_empty()),
            None => None,
        };
        Ok((length, copy.map_or(length, |copy| copy.len() as u64)))
    }

    /// Makes copies of a picture. `None` if they could not be made now.
    async fn copied(
        &self,
        picture: &OtherPicture,
        received: Received,
        size: Size,
    ) -> Result<Option<Origin>, FetchError> {
        let Received { bytes, tag } = received;
        let kind = Kind::of(&bytes).ok_or(FetchError::Kind)?;
        let reading = bytes.clone();
        let read = off_runtime(move || -> io::Result<(Header, u128)> {
            Ok((Header::read(kind, Cursor::new(&reading))?, u128::from_be_bytes(hash_of(&reading))))
        });
        // A slice in memory can always be read.
        let Ok((header, hash)) = read.await else { return Err(FetchError::Kind) };
        let fetched = Fetched { hash, header, bytes, name: picture.name().into(), fit: Arc::default() };
        let size = size.at_most(&header);
        if size.is_of(&header) {
            let copies = &self.0.copies;
            copies.prepare(&fetched, size).await;
            let last = self.remembered(picture.hash).filter(|last| last.content == hash);
            if let Some(fit) = last.and_then(|last| last.fit) {
                fetched.takes_fit(fit);
            }
            if fetched.fit.get().is_none() {
                // They were made for the same picture at another address.
                copies.prepare(&fetched, Size::Fit).await;
            }
            if copies.look(Key { hash, size }).await.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(Origin::new(hash, now(), &header, fetched.fit.get().copied(), tag)))
    }
}

/// A picture that is being received. It is taken from the list when it is dropped, also by a panic.
struct Job {
    hosts: OtherHosts,
    hash: u128,
    _end: watch::Sender<()>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.hosts.0.running.lock().remove(&self.hash);
    }
}

impl Job {
    async fn run(self, picture: OtherPicture, size: Size, known: Option<Arc<Origin>>) {
        let shared = &self.hosts.0;
        // It is kept until the copies are made, because the picture is in memory until then.
        let Some(_turn) = shared.fetcher.turn(&picture.url).await else { return };
        let tag = known.as_ref().and_then(|known| known.tag.as_deref());
        let origin = match shared.fetcher.receive(&picture.url, tag).await {
            Ok(Some(received)) => self.hosts.copied(&picture, received, size).await,
            Ok(None) => Ok(known.map(|known| Origin { checked: now(), ..(*known).clone() })),
            Err(error) => Err(error),
        };
        match origin {
            Ok(Some(origin)) => self.keep(&picture, origin).await,
            // It would only be received again for the next request.
            Ok(None) => self.hosts.note_failure(picture.hash),
            Err(error) => {
                self.hosts.note_failure(picture.hash);
                shared.copies.counters().failed.increment();
                if shared.throttle.allows("other hosts") {
                    tracing::warn!(
                        picture = %Bounded(picture.name()), error = %ErrorChain(&error),
                        "a picture is sent as it is"
                    );
                }
            }
        }
    }

    async fn keep(&self, picture: &OtherPicture, origin: Origin) {
        let shared = &self.hosts.0;
        let last = self.hosts.remembered(picture.hash);
        let shows = |origin: &Origin| (origin.width, origin.height, origin.fit);
        if last.is_none_or(|last| shows(&last) != shows(&origin)) {
            shared.has_news.store(true, Ordering::Relaxed);
        }
        let (room, key, bytes) = (shared.copies.room().await.clone(), picture.key(), origin.to_bytes());
        self.hosts.remember(picture.hash, Arc::new(origin));
        off_runtime(move || room.keep(key, &bytes.into())).await;
    }
}

/// A picture that was received.
#[derive(Clone)]
struct Fetched {
    hash: u128,
    header: Header,
    bytes: Bytes,
    name: Arc<str>,
    fit: Arc<OnceLock<Fit>>,
}

impl Original for Fetched {
    fn hash(&self) -> u128 {
        self.hash
    }

    fn header(&self) -> &Header {
        &self.header
    }

    fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn name(&self) -> &str {
        &self.name
    }

    async fn whole(&self) -> Option<Bytes> {
        Some(self.bytes.clone())
    }

    fn takes_fit(&self, fit: Fit) -> bool {
        // A second one is the same.
        let _ = self.fit.set(fit);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use axum::Router;
    use axum::http::{HeaderMap, StatusCode, header};
    use axum::response::IntoResponse as _;
    use axum::routing::get;

    use super::super::CopyMemory;
    use super::super::size::Width;
    use super::*;
    use crate::process::choose_cryptography;

    const W160: Size = Size::Width(Width::W160);

    /// A host of one picture that has a tag, and how often it has sent it and said that it is the same.
    async fn host() -> (String, Arc<Mutex<&'static [u8]>>, Arc<[AtomicUsize; 2]>) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/a.png", listener.local_addr().unwrap());
        let picture =
            Arc::new(Mutex::new(include_bytes!("../../tests/cases/pictures/16-bits.png").as_slice()));
        let calls = Arc::<[AtomicUsize; 2]>::default();
        let (sent, counted) = (Arc::clone(&picture), Arc::clone(&calls));
        let answer = async move |headers: HeaderMap| {
            let sent = *sent.lock();
            let tag = format!("\"{}\"", sent.len());
            let is_same = headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == *tag);
            counted[usize::from(is_same)].fetch_add(1, Ordering::Relaxed);
            match is_same {
                true => StatusCode::NOT_MODIFIED.into_response(),
                false => ([(header::ETAG, tag)], sent).into_response(),
            }
        };
        tokio::spawn(async { axum::serve(listener, Router::new().route("/a.png", get(answer))).await });
        (address, picture, calls)
    }

    fn hosts(address: &str) -> OtherHosts {
        choose_cryptography();
        let reach = Reach::of_catalogue(&[Url::parse(address).unwrap()]);
        OtherHosts::new(Copies::new(None, CopyMemory::MOST), reach).unwrap()
    }

    async fn until(reached: impl Fn() -> bool) {
        while !reached() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn a_host_is_asked_after_a_day_whether_its_picture_is_the_same() {
        let (address, sent, calls) = host().await;
        let hosts = hosts(&address);
        let picture = hosts.picture(&address).unwrap();
        let counts = || [0, 1].map(|index: usize| calls[index].load(Ordering::Relaxed));
        let first = hosts.get(&picture, W160).await.unwrap();
        assert_eq!(hosts.get(&picture, W160).await.as_ref(), Some(&first));
        assert_eq!(counts(), [1, 0]);
        assert!(hosts.take_news() && !hosts.take_news());
        let known = || hosts.remembered(picture.hash).unwrap();
        let age = || hosts.remember(picture.hash, Arc::new(Origin { checked: 1, ..(*known()).clone() }));
        age();
        assert_eq!(hosts.get(&picture, W160).await.as_ref(), Some(&first), "no visitor waits for the answer");
        until(|| known().checked > 1).await;
        assert_eq!(counts(), [1, 1]);
        assert!(!hosts.take_news());
        // Another picture is at the same address.
        *sent.lock() = include_bytes!("../../tests/cases/pictures/alpha.png");
        age();
        let content = known().content;
        assert_eq!(hosts.get(&picture, W160).await.as_ref(), Some(&first));
        until(|| known().content != content).await;
        assert_ne!(hosts.get(&picture, W160).await.unwrap(), first);
        assert_eq!(counts(), [2, 1]);
    }

    #[tokio::test]
    async fn a_picture_that_cannot_be_copied_now_is_not_received_for_each_request() {
        let (address, _, calls) = host().await;
        choose_cryptography();
        let reach = Reach::of_catalogue(&[Url::parse(&address).unwrap()]);
        let copies = Copies::new(None, CopyMemory { jobs: 1 << 10, ..CopyMemory::MOST });
        let hosts = OtherHosts::new(copies, reach).unwrap();
        let picture = hosts.picture(&address).unwrap();
        for _ in 0..3 {
            assert_eq!(hosts.get(&picture, W160).await, None);
        }
        assert_eq!(calls[0].load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn what_is_kept_of_a_picture_is_recalled() {
        let (address, _, calls) = host().await;
        let hosts = hosts(&address);
        let picture = hosts.picture(&address).unwrap();
        hosts.get(&picture, W160).await.unwrap();
        let shown = hosts.known(&picture).unwrap();
        assert_eq!((shown.0, shown.1), (96, 64));
        hosts.0.known.lock().clear();
        assert!(hosts.known(&picture).is_none() && hosts.take_news());
        hosts.recall().await;
        assert_eq!(hosts.known(&picture), Some(shown));
        assert!(hosts.take_news());
        assert_eq!(calls[0].load(Ordering::Relaxed), 1);
    }
}
