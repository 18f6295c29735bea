//! The last good catalogue on the server that replicas share, by the rules of the state file: only products
//! replace products, and what is read is as untrusted as the service.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Remembered;
use super::state::{self, SnapshotBytes, StateError};
use crate::catalogue::Source;
use crate::observe::{ErrorChain, LogThrottle};
use crate::share::{SavedState, SavedSummary, Share};

/// Delay before the first save. It is short, because the catalogue may soon be gone.
const FIRST_PERIOD: Duration = Duration::from_secs(3);
/// Time between two saves of all replicas.
const PERIOD: Duration = Duration::from_secs(30);
/// Without a copy of the whole catalogue, unchanged answers are saved again after this time, or after this part of the
/// time for which they may be served, if that is shorter. So saved answers count as older by up to that much.
const UNCHANGED_FOR: Duration = Duration::from_secs(600);
const UNCHANGED_PART: u32 = 10;
/// An unchanged copy is saved again after this part of the time for which it may be served. Until then it is only
/// confirmed.
const CONFIRMED_PART: u32 = 2;
/// Shortest time between two warnings about failed loads and saves.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(3_600);

/// The outcome of an attempt to save.
enum Saving {
    /// Everything that was known at that time is saved, or is worth less than what is saved.
    Settled,
    /// It is another replica's turn to save; the answers known here are not saved.
    NotOurTurn,
}

/// The last good answers of one service, on the server that replicas share.
#[derive(Clone, Debug)]
pub struct SharedState {
    share: Share,
    service: String,
    /// Limits warnings about loading, which is tried repeatedly.
    throttle: Arc<LogThrottle>,
}

impl SharedState {
    /// The state of the service at this address.
    pub fn new(share: Share, service: &str) -> Self {
        let throttle = Arc::new(LogThrottle::every(PERIOD_OF_WARNINGS));
        Self { share, service: state::address(service), throttle }
    }

    /// Loads the saved answers into the cache, unless it has younger ones. Failures are logged: the shop
    /// starts without them.
    pub async fn load<C: Source>(&self, catalogue: &Arc<Remembered<C>>) {
        let saved = match self.share.load_state().await {
            Ok(saved) => saved,
            Err(error) => {
                if self.throttle.allows("load") {
                    tracing::warn!(
                        server = %self.share.address(), error = %ErrorChain(&error),
                        "starting without what replicas share"
                    );
                }
                return;
            }
        };
        let Some(saved) = saved else { return };
        let youngest = saved.confirmed.unwrap_or(saved.age).min(saved.age);
        if catalogue.has_products() && catalogue.staleness().silence().unwrap_or_default() <= youngest {
            return;
        }
        let (catalogue, service) = (Arc::clone(catalogue), self.service.clone());
        let restored = tokio::task::spawn_blocking(move || {
            let SavedState { bytes, age, confirmed } = saved;
            state::restore(&catalogue, &service, bytes, age, confirmed)
        });
        match restored.await {
            Ok(Ok(())) => {
                tracing::info!(age_seconds = youngest.as_secs(), "starting from another replica's catalogue")
            }
            Ok(Err(error)) if self.throttle.allows("restore") => {
                tracing::warn!(error = %ErrorChain(&error), "another replica's catalogue cannot be used");
            }
            Ok(Err(_)) | Err(_) => {}
        }
    }

    /// Saves new answers every 30 seconds if no other replica does, for as long as the program runs.
    pub async fn keep_saving<C: Source>(self, catalogue: Arc<Remembered<C>>) {
        let throttle = LogThrottle::every(PERIOD_OF_WARNINGS);
        let (mut period, mut saved_at, mut sent) = (FIRST_PERIOD, Instant::now(), None);
        loop {
            tokio::time::sleep(period).await;
            if !self.share.is_up() || !catalogue.has_new_answer(saved_at.elapsed()) {
                continue;
            }
            period = PERIOD;
            // Answers that come during the save are not in it.
            let began = Instant::now();
            match self.save(&catalogue, &mut sent).await {
                Ok(Saving::Settled) => saved_at = began,
                Ok(Saving::NotOurTurn) => {}
                Err(error) if throttle.allows("state") => {
                    tracing::warn!(error = %ErrorChain(&*error), "the catalogue was not saved for other replicas");
                }
                Err(_) => {}
            }
        }
    }

    async fn save<C: Source>(
        &self,
        catalogue: &Arc<Remembered<C>>,
        sent: &mut Option<(blake3::Hash, Instant)>,
    ) -> Result<Saving, Box<dyn std::error::Error + Send + Sync>> {
        let Some(SavedSummary { products: saved, content }) = self.share.turn_to_save().await? else {
            return Ok(Saving::NotOurTurn);
        };
        let lasts = catalogue.ages.fresh.saturating_add(catalogue.ages.stale);
        let began = Instant::now();
        if let (Some(content), Some((copy, ago))) = (&content, catalogue.last_mirror_since_asked())
            && content.age < lasts / CONFIRMED_PART
        {
            let hash = tokio::task::spawn_blocking(move || copy.hash()).await?;
            if hash.map_err(StateError::from)? == content.copy {
                // Hashing may have taken long.
                self.share.confirm_state(content, ago + began.elapsed(), lasts).await?;
                return Ok(Saving::Settled);
            }
        }
        let (source, service) = (Arc::clone(catalogue), self.service.clone());
        let unchanged_for = UNCHANGED_FOR.min(lasts / UNCHANGED_PART);
        // The server may have lost the saved answers.
        let is_there = saved > 0;
        let same = sent.filter(|(_, at)| is_there && at.elapsed() < unchanged_for).map(|(same, _)| same);
        let snapshot =
            tokio::task::spawn_blocking(move || state::snapshot_bytes(&source, &service, saved, same))
                .await?;
        // The answers known here are worth no more than the saved ones, or have not changed.
        let Some(SnapshotBytes { bytes, products, copy, fingerprint }) = snapshot? else {
            return Ok(Saving::Settled);
        };
        self.share.save_state(bytes, products, copy, lasts).await?;
        *sent = Some((fingerprint, Instant::now()));
        Ok(Saving::Settled)
    }
}
