//! The copy of the catalogue on the server that replicas share, by the rules of the state file: what is read is as
//! untrusted as the service.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Followed;
use super::state::{self, StateError};
use crate::catalogue::Source;
use crate::observe::{ErrorChain, LogThrottle};
use crate::share::{SavedState, Share, TurnToSave};

/// Delay before the first save. It is short, because the catalogue may soon be gone.
const FIRST_PERIOD: Duration = Duration::from_secs(3);
/// Time between two saves of all replicas.
const PERIOD: Duration = Duration::from_secs(30);
/// An unchanged copy is saved again after this part of the time for which it may be served. Until then it is only
/// confirmed.
const CONFIRMED_PART: u32 = 2;
/// Shortest time between two warnings about failed loads and saves.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(3_600);

/// The outcome of an attempt to save.
enum Saving {
    /// The copy is saved, or there is none.
    Settled,
    /// It is another replica's turn to save.
    NotOurTurn,
}

/// The copy of one service's catalogue, on the server that replicas share.
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

    /// Sells the saved copy, unless a younger one is sold. Failures are logged: the shop
    /// starts without them.
    pub async fn load<C: Source>(&self, catalogue: &Arc<Followed<C>>) {
        if catalogue.most == 0 {
            return;
        }
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
        if catalogue.current().is_some_and(|(_, age)| age <= youngest) {
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

    /// Saves a new copy every 30 seconds if no other replica does, for as long as the program runs.
    pub async fn keep_saving<C: Source>(self, catalogue: Arc<Followed<C>>) {
        let throttle = LogThrottle::every(PERIOD_OF_WARNINGS);
        let (mut period, mut saved_at) = (FIRST_PERIOD, Instant::now());
        loop {
            tokio::time::sleep(period).await;
            if !self.share.is_up() || !catalogue.has_new_version(saved_at.elapsed()) {
                continue;
            }
            period = PERIOD;
            // A copy that comes during the save is not in it.
            let began = Instant::now();
            match self.save(&catalogue).await {
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
        catalogue: &Arc<Followed<C>>,
    ) -> Result<Saving, Box<dyn std::error::Error + Send + Sync>> {
        let Some((copy, ago)) = catalogue.current() else { return Ok(Saving::Settled) };
        let TurnToSave::Ours(saved) = self.share.turn_to_save().await? else {
            return Ok(Saving::NotOurTurn);
        };
        let lasts = catalogue.ages.fresh.saturating_add(catalogue.ages.stale);
        let began = Instant::now();
        let hash = tokio::task::spawn_blocking(move || copy.digest()).await?.map_err(StateError::from)?;
        if let Some(saved) = saved.filter(|saved| saved.copy == hash && saved.age < lasts / CONFIRMED_PART) {
            // Hashing may have taken long.
            self.share.confirm_state(&saved, ago + began.elapsed(), lasts).await?;
            return Ok(Saving::Settled);
        }
        let (source, service) = (Arc::clone(catalogue), self.service.clone());
        let bytes = tokio::task::spawn_blocking(move || state::bytes(&source, &service)).await?;
        // There may be another copy by now.
        if let Some((bytes, hash)) = bytes? {
            self.share.save_state(bytes, hash, lasts).await?;
        }
        Ok(Saving::Settled)
    }
}
