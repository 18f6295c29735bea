//! The version that replicas share: one of them reads the source, and the others sell what it has read, by the rules of the
//! state file: what is read is as untrusted as the service.

use std::error::Error;
use std::io;
use std::mem;
use std::sync::{Arc, Weak};
use std::time::Duration;

use blake3::Hash;
use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use super::Followed;
use super::past::Past;
use super::state::{self, StateError};
use crate::catalogue::Source;
use crate::catalogue::version::Version;
use crate::observe::{ErrorChain, LogThrottle};
use crate::process::compute::in_background;
use crate::share::{MOST_PARTS, PART, Share, SharedVersion, pack};

/// How often a replica looks at what is shared, and how often while visitors wait for what a purge has asked for.
const LOOK: Duration = Duration::from_secs(1);
const LOOK_SOON: Duration = Duration::from_millis(100);
/// How often the replica that reads does so, and has its lease extended.
const EXTEND: Duration = Duration::from_secs(3);
/// How long the start waits for the server, and then for the version that others have read.
const SERVER_ANSWERS: Duration = Duration::from_millis(150);
const FIRST_LOOK: Duration = Duration::from_secs(2);
/// How long a replica that could not read, or not share what it has read, leaves the lease to the others at least.
const REST: Duration = Duration::from_secs(3);
/// Shortest time between two attempts to receive a version, after one that was of no use.
const AGAIN: Duration = Duration::from_secs(10);
/// The largest version that is shared, in bytes: the server has it in memory.
const LARGEST: u64 = MOST_PARTS as u64 * PART as u64;
/// Most bytes of a product that are read of another replica; `service/pages/` allows as many.
const MOST_OF_PRODUCT: u64 = 2_048;
/// Shortest time between two warnings of a kind.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(3_600);

type Failure = Box<dyn Error + Send + Sync>;

/// Whether this replica reads the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// For itself: there is no other replica that could be known of, or it has nothing that can be used.
    #[default]
    Alone,
    /// For all replicas.
    Reads,
    /// Another replica reads.
    Follows,
}

/// A version that could not be used.
#[derive(Debug)]
struct Refused {
    /// `None` if it may be of use the next time.
    digest: Option<Hash>,
    at: Instant,
}

impl Refused {
    /// Whether the version with this digest is not received now. Each attempt costs its whole transfer.
    fn forbids(&self, digest: &Hash) -> bool {
        self.digest.as_ref() == Some(digest) || self.at.elapsed() < AGAIN
    }
}

/// What replicas share of one service's catalogue. Clones share it.
#[derive(Clone, Debug)]
pub struct SharedVersions {
    share: Share,
    service: String,
    /// The last version that was of no use.
    refused: Arc<Mutex<Option<Refused>>>,
    throttle: Arc<LogThrottle>,
}

impl SharedVersions {
    /// What is shared of the service at this address.
    pub fn new(share: Share, service: &str) -> Self {
        Self {
            share,
            service: state::address(service),
            refused: Arc::default(),
            throttle: Arc::new(LogThrottle::every(PERIOD_OF_WARNINGS)),
        }
    }

    /// Sells what others have read, if the server answers soon.
    pub async fn begin<C: Source>(&self, catalogue: &Arc<Followed<C>>) {
        if matches!(timeout(SERVER_ANSWERS, self.share.version()).await, Ok(Ok(_))) {
            catalogue.role.send_replace(Role::Follows);
            // A large version comes later.
            let _ = timeout(FIRST_LOOK, self.look(catalogue)).await;
        } else {
            self.share.note_tried();
        }
    }

    /// Sells what others have read, and takes the lease when it is free, until the catalogue is gone.
    pub async fn keep_looking<C: Source>(self, catalogue: Weak<Followed<C>>) {
        loop {
            let Some(followed) = catalogue.upgrade() else { return };
            let mut awaited = followed.awaited.subscribe();
            self.look(&followed).await;
            let is_awaited = awaited.borrow().is_some_and(|until| until > Instant::now());
            let pause = match *followed.role.borrow() {
                Role::Reads => EXTEND,
                Role::Follows | Role::Alone if is_awaited => LOOK_SOON,
                Role::Follows | Role::Alone => LOOK,
            };
            drop(followed);
            let _ = timeout(pause, awaited.changed()).await;
        }
    }

    /// Looks at what is shared, and finds out whether this replica is to read.
    async fn look<C: Source>(&self, catalogue: &Arc<Followed<C>>) {
        let is_served = match self.share.version().await {
            Ok(Some(found)) => self.adopt(catalogue, &found).await,
            // The first reading is under way.
            Ok(None) => true,
            Err(_) => false,
        };
        // After the version, so that who begins to read has the version of the one before.
        let role = match self.share.hold_lease().await {
            Ok(true) => Role::Reads,
            Ok(false) if is_served => Role::Follows,
            Ok(false) | Err(_) => Role::Alone,
        };
        let is_new = catalogue.role.send_if_modified(|known| mem::replace(known, role) != role);
        if is_new && role == Role::Reads {
            // It may have read for itself before. Meanwhile the lease is extended.
            let (shared, catalogue) = (self.clone(), Arc::clone(catalogue));
            tokio::spawn(async move { shared.share(&catalogue).await });
        }
    }

    /// Sells a version if it is younger than the one on sale. Returns whether it is of use to this replica.
    async fn adopt<C: Source>(&self, catalogue: &Arc<Followed<C>>, found: &SharedVersion) -> bool {
        catalogue.note_their_reading_time(found.reading_time);
        let (asked, whole) = (Past::new(found.asked), Past::new(found.whole));
        let sold = catalogue.sold.lock().current.clone();
        let is_first = sold.is_none();
        if let Some(sold) = sold {
            if digest(&sold.read).await.is_ok_and(|digest| digest == found.digest) {
                catalogue.confirm(&sold.read, asked, whole);
                return true;
            }
            if found.parts > 0 && !sold.asked.is_before(asked) {
                return true;
            }
        }
        let is_forbidden = self.refused.lock().as_ref().is_some_and(|last| last.forbids(&found.digest));
        if found.parts == 0 || is_forbidden {
            return false;
        }
        let received = self.receive(catalogue, found, (asked, whole)).await;
        match &received {
            Ok(()) => {
                self.share.counters().versions_received.increment();
                if is_first {
                    let age_seconds = asked.elapsed().as_secs();
                    tracing::info!(age_seconds, "starting from what another replica has read");
                }
            }
            Err(error) => {
                // What is missing may come, and a lost connection is made again.
                let digest = error.is::<StateError>().then_some(found.digest);
                if digest.is_some() {
                    self.share.note_unusable();
                }
                *self.refused.lock() = Some(Refused { digest, at: Instant::now() });
                self.warn("received", &**error, "what another replica has read cannot be used");
            }
        }
        received.is_ok()
    }

    /// Receives a version part by part, and sells it.
    async fn receive<C: Source>(
        &self,
        catalogue: &Arc<Followed<C>>,
        found: &SharedVersion,
        times: (Past, Past),
    ) -> Result<(), Failure> {
        let part = PART as u64;
        if u64::from(found.parts - 1) * part > catalogue.most.saturating_mul(MOST_OF_PRODUCT) {
            return Err(StateError::TooLarge.into());
        }
        let mut bytes = Vec::new();
        for number in 0..found.parts {
            let part = self.share.part(&found.digest, number).await?;
            bytes.extend(part.ok_or("a part of it is missing")?);
        }
        let (catalogue, service, digest) = (Arc::clone(catalogue), self.service.clone(), found.digest);
        // A task of its own, so that a panic ends only this attempt.
        let restored = in_background(move || state::restore(&catalogue, &service, bytes, digest, times));
        Ok(tokio::spawn(restored).await??)
    }

    /// Shares what this replica has read for all. If it could not read, or cannot share it, the next one tries.
    pub(super) async fn after_reading<C: Source>(
        &self,
        catalogue: &Arc<Followed<C>>,
        is_read: bool,
        pause: Duration,
    ) {
        if *catalogue.role.borrow() != Role::Reads {
            return;
        }
        if !(is_read && self.share(catalogue).await) {
            self.share.release_lease(pause.max(REST)).await;
            catalogue.role.send_if_modified(|role| mem::replace(role, Role::Follows) == Role::Reads);
        }
    }

    /// [`Self::publish`]. Returns whether that has worked.
    async fn share<C: Source>(&self, catalogue: &Arc<Followed<C>>) -> bool {
        let published = self.publish(catalogue).await;
        if let Err(error) = &published {
            self.warn("shared", &**error, "the catalogue was not shared with other replicas");
        }
        published.is_ok()
    }

    /// Shares the version on sale, unless a younger one is shared.
    async fn publish<C: Source>(&self, catalogue: &Arc<Followed<C>>) -> Result<(), Failure> {
        let Some(sold) = catalogue.sold.lock().current.clone() else { return Ok(()) };
        let (digest, lasts) = (digest(&sold.read).await?, catalogue.lasts());
        // One that cannot be used is replaced.
        let known = self.share.version().await.ok().flatten();
        if sold.asked.elapsed() >= lasts
            || known.as_ref().is_some_and(|known| known.asked <= sold.asked.elapsed())
        {
            return Ok(());
        }
        let same = known.as_ref().filter(|known| known.digest == digest).map(|known| known.parts);
        let parts = match same {
            Some(parts) if self.share.keep_parts(&digest, parts, lasts).await? => parts,
            _ => self.write(Arc::clone(&sold.read), &digest, lasts).await?,
        };
        let version = SharedVersion {
            digest,
            parts,
            asked: sold.asked.elapsed(),
            whole: sold.whole.elapsed(),
            reading_time: catalogue.source.reading_time(),
        };
        Ok(self.share.share_version(&version, known.as_ref(), lasts).await?)
    }

    /// Stores the parts of a version. Returns their number, which is 0 for a version that is too large.
    async fn write(&self, version: Arc<Version>, digest: &Hash, lasts: Duration) -> Result<u32, Failure> {
        let (sender, mut packed) = mpsc::channel(1);
        let service = self.service.clone();
        let writing = tokio::spawn(in_background(move || {
            let mut parts = Parts { part: Vec::new(), sender };
            state::write(version, &service, LARGEST, &mut parts)?;
            Ok(parts.send()?)
        }));
        let mut parts = 0;
        while let Some(part) = packed.recv().await {
            self.share.store_part(digest, parts, &part).await?;
            parts += 1;
        }
        match writing.await? {
            Ok(()) => {}
            Err(StateError::TooLarge) => return Ok(0),
            Err(error) => return Err(error.into()),
        }
        if !self.share.keep_parts(digest, parts, lasts).await? {
            return Err("the server did not keep it".into());
        }
        self.share.counters().versions_sent.increment();
        Ok(parts)
    }

    fn warn(&self, about: &'static str, error: &(dyn Error + 'static), message: &'static str) {
        if self.throttle.allows(about) {
            tracing::warn!(server = %self.share.address(), error = %ErrorChain(error), "{message}");
        }
    }
}

/// A version's digest, which takes long to find out the first time.
async fn digest(version: &Arc<Version>) -> Result<Hash, Failure> {
    if let Some(known) = version.known_digest() {
        return Ok(known);
    }
    let version = Arc::clone(version);
    // A task of its own, so that a panic ends only this attempt.
    Ok(tokio::spawn(in_background(move || version.digest())).await??)
}

/// Packs what is written to it in parts, and hands over each of them.
struct Parts {
    part: Vec<u8>,
    sender: mpsc::Sender<Vec<u8>>,
}

impl Parts {
    fn send(&mut self) -> io::Result<()> {
        let packed = pack(&self.part)?;
        self.part.clear();
        // The server did not take an earlier part.
        self.sender.blocking_send(packed).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl io::Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PART - self.part.len());
        self.part.extend_from_slice(&bytes[..taken]);
        if self.part.len() == PART {
            self.send()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::catalogue::{Features, ProductSet, example_product};
    use crate::process::compute::off_runtime;
    use crate::profile::Currency;

    #[tokio::test]
    async fn what_is_written_is_handed_over_in_parts() {
        let (sender, mut packed) = mpsc::channel(3);
        let sent = off_runtime(move || {
            let mut parts = Parts { part: Vec::new(), sender };
            parts.write_all(&vec![1; PART + 5]).unwrap();
            parts.write_all(&vec![2; PART]).unwrap();
            parts.send().unwrap();
        });
        sent.await;
        let mut number = 0;
        while packed.recv().await.is_some() {
            number += 1;
        }
        assert_eq!(number, 3);
    }

    #[tokio::test]
    async fn nothing_is_written_of_a_version_that_is_too_large() {
        let written = off_runtime(|| {
            let products = ProductSet::of([example_product()].iter(), Currency::default());
            let version = Arc::new(Version::new(products, Arc::default(), Features::ALL));
            let mut whole = Vec::new();
            state::write(Arc::clone(&version), "s", u64::MAX, &mut whole).unwrap();
            [0, 1].map(|less| {
                let mut bytes = Vec::new();
                let outcome = state::write(Arc::clone(&version), "s", whole.len() as u64 - less, &mut bytes);
                (matches!(outcome, Err(StateError::TooLarge)), bytes == whole, bytes.is_empty())
            })
        });
        assert_eq!(written.await, [(false, true, false), (true, false, true)]);
    }
}
