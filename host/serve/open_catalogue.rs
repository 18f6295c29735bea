//! The catalogue that the settings choose, and what keeps it warm.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::task::JoinHandle;
use url::Url;

use crate::catalogue::{Catalogue, Remembered, Sample, Service, ServiceLimits, SharedState, StateDir};
use crate::observe::ErrorChain;
use crate::settings::{CatalogueChoice, ServeSettings};
use crate::share::Share;

/// Pause between attempts to get the first products.
const WARM_UP_AGAIN: Duration = Duration::from_secs(5);

/// A catalogue, and the task that warms it up, if one does.
pub(super) struct OpenCatalogue {
    pub(super) catalogue: Arc<dyn Catalogue>,
    pub(super) warming: Option<JoinHandle<()>>,
    pub(super) share: Option<Share>,
}

pub(super) async fn open_catalogue(settings: &ServeSettings) -> anyhow::Result<OpenCatalogue> {
    let base = match &settings.catalogue {
        CatalogueChoice::Sample => {
            return Ok(OpenCatalogue { catalogue: Arc::new(load_sample()?), warming: None, share: None });
        }
        CatalogueChoice::Service(base) => base,
    };
    let share = settings.share().context("--share cannot be used")?;
    let catalogue = Arc::new(remembered(base, settings, share.clone())?);
    if let Some(directory) = &settings.state_dir {
        let state = StateDir::new(directory, base.as_str());
        if let Err(error) = state.load(&catalogue) {
            tracing::warn!(error = %ErrorChain(&error), "starting without the saved catalogue");
        }
        tokio::spawn(state.keep_saving(Arc::clone(&catalogue)));
    }
    if let Some(share) = share.clone().filter(|_| !settings.fresh.is_zero()) {
        let state = SharedState::new(share, base.as_str());
        state.load(&catalogue).await;
        tokio::spawn(state.keep_saving(Arc::clone(&catalogue)));
    }
    // With `--fresh 0` nothing is cached, so there is nothing to warm up.
    let warming = (!settings.fresh.is_zero()).then(|| {
        let warming = Arc::clone(&catalogue);
        tokio::spawn(async move {
            warming.warm_up().await;
            // A shop that is not ready has no visitors who would ask.
            while !warming.is_stocked() {
                tokio::time::sleep(WARM_UP_AGAIN).await;
                warming.warm_up().await;
            }
        })
    });
    Ok(OpenCatalogue { catalogue, warming, share })
}

/// The catalogue of the service at `base`, with nothing remembered yet. Replicas make its calls for each other
/// if there is a `share`.
pub(crate) fn remembered(
    base: &Url,
    settings: &ServeSettings,
    share: Option<Share>,
) -> anyhow::Result<Remembered<Service>> {
    let service = Service::new(base.clone(), ServiceLimits::default())
        .context("the catalogue's HTTP client cannot be made")?;
    Ok(Remembered::new(service.shared(share), settings.ages(), settings.mirror))
}

pub(crate) fn load_sample() -> anyhow::Result<Sample> {
    Sample::load().context("the embedded sample catalogue is broken")
}
