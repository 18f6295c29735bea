//! The catalogue that the settings choose, and what keeps it warm.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use url::Url;

use super::mirror::mirror_policy;
use super::own_catalogue::open_own;
use super::profile::{currency_of, profile_of};
use crate::catalogue::file::{Feed, Place};
use crate::catalogue::{Catalogue, Remembered, Sample, Service, ServiceLimits, SharedState, StateDir};
use crate::observe::ErrorChain;
use crate::profile::{Currency, Profile, ShopFile};
use crate::settings::{CatalogueChoice, ServeSettings};
use crate::share::Share;

/// Pause between attempts to get the first products.
const WARM_UP_AGAIN: Duration = Duration::from_secs(5);
/// How long the first calls wait for the orders of other replicas; those are read once the renderer has started.
const SHARE_TRIED: Duration = Duration::from_secs(2);

/// How long the start waits for an answer from the server that replicas share.
const SHARE_ANSWERS: Duration = Duration::from_millis(150);

/// A catalogue, and the task that warms it up, if there is one.
pub(super) struct OpenCatalogue {
    pub(super) catalogue: Arc<dyn Catalogue>,
    /// What the shop says of itself.
    pub(super) profile: Arc<Profile>,
    pub(super) warming: Option<JoinHandle<()>>,
    pub(super) share: Option<Share>,
}

/// Opens the catalogue. Adds the shop file's currency and the hosts of an own catalogue's pictures to the settings.
pub(super) async fn open_catalogue(
    settings: &mut ServeSettings,
    file: Option<&ShopFile>,
) -> anyhow::Result<OpenCatalogue> {
    settings.currency = settings.currency.or(file.and_then(ShopFile::currency));
    let currency = currency_of(settings, file);
    let profile = profile_of(settings, file, currency);
    warn_of_unused(settings);
    let base = match &settings.catalogue {
        CatalogueChoice::Sample => {
            return Ok(OpenCatalogue {
                catalogue: Arc::new(load_sample(currency)?),
                profile,
                warming: None,
                share: None,
            });
        }
        CatalogueChoice::File(path) => return own(Place::File(path.clone()), settings, file).await,
        CatalogueChoice::Feed(address) => {
            let feed = Feed::new(address.clone()).context("the feed cannot be asked for")?;
            return own(Place::Feed(Arc::new(feed)), settings, file).await;
        }
        CatalogueChoice::Service(base) => base,
    };
    let saved_as = saved_as(base, currency);
    let share = settings.share().context("--share cannot be used")?;
    let state = settings.state_dir.as_deref().map(|directory| StateDir::new(directory, saved_as.as_str()));
    let service = service(base, currency)?;
    let catalogue = Arc::new(remembered(service.shared(share.clone()), settings));
    if let Some(state) = state {
        if let Err(error) = state.load(&catalogue) {
            tracing::warn!(error = %ErrorChain(&error), "starting without the saved catalogue");
        }
        tokio::spawn(state.keep_saving(Arc::clone(&catalogue)));
    }
    // With `--fresh 0` nothing is cached, so there is nothing to save or to warm up.
    if settings.fresh.is_zero() {
        return Ok(OpenCatalogue { catalogue, profile, warming: None, share });
    }
    let shared = share.clone().map(|share| SharedState::new(share, &saved_as));
    if let Some(shared) = &shared {
        if let Some(share) = &share
            && !share.answers_within(SHARE_ANSWERS).await
        {
            // The start does not wait for the server. What it has is used later if nothing newer is there.
            share.note_tried();
            let loading = (shared.clone(), Arc::clone(&catalogue));
            tokio::spawn(async move { loading.0.load(&loading.1).await });
        } else {
            shared.load(&catalogue).await;
        }
        tokio::spawn(shared.clone().keep_saving(Arc::clone(&catalogue)));
    }
    let warming = tokio::spawn(warm_up(Arc::clone(&catalogue), share.clone(), shared));
    Ok(OpenCatalogue { catalogue, profile, warming: Some(warming), share })
}

/// Warns of settings that have no effect with this catalogue.
fn warn_of_unused(settings: &ServeSettings) {
    if settings.share.is_some() && !matches!(settings.catalogue, CatalogueChoice::Service(_)) {
        tracing::warn!("--share has no effect: every replica has all products itself");
    }
    if settings.images.is_some() && !matches!(settings.catalogue, CatalogueChoice::File(_)) {
        tracing::warn!("--images has no effect: it is for pictures beside a file");
    }
}

/// The catalogue of a file or a feed.
async fn own(
    place: Place,
    settings: &mut ServeSettings,
    file: Option<&ShopFile>,
) -> anyhow::Result<OpenCatalogue> {
    let (catalogue, profile) = open_own(place, settings, file).await?;
    Ok(OpenCatalogue { catalogue, profile, warming: None, share: None })
}

/// The name that the service's answers are saved under. Amounts are saved in the currency's smallest unit, so amounts
/// in another currency must not be read. Versions that knew only the default currency saved under the address.
fn saved_as(base: &Url, currency: Currency) -> String {
    if currency == Currency::default() { base.to_string() } else { format!("{base}#{}", currency.code()) }
}

/// Gets what every visitor needs, from the service or from other replicas, until there are products.
async fn warm_up(catalogue: Arc<Remembered<Service>>, share: Option<Share>, shared: Option<SharedState>) {
    if let Some(share) = &share {
        // Otherwise the first calls would be made by each replica for itself.
        let _ = timeout(SHARE_TRIED, share.tried()).await;
    }
    catalogue.warm_up().await;
    // A shop that is not ready has no visitors whose requests would get the products.
    while !catalogue.is_stocked() {
        tokio::time::sleep(WARM_UP_AGAIN).await;
        if let (Some(share), Some(shared)) = (&share, &shared) {
            // The first request only opens the connection. It must not ask for the saved catalogue: the next
            // ones would find lists that other replicas have received, and nothing else would be sold.
            if share.answers_within(SHARE_TRIED).await {
                shared.load(&catalogue).await;
            }
        }
        catalogue.warm_up().await;
    }
}

/// The service at `base`, with prices in `currency`.
pub(crate) fn service(base: &Url, currency: Currency) -> anyhow::Result<Service> {
    let service = Service::new(base.clone(), ServiceLimits::DEFAULT)
        .context("the catalogue's HTTP client cannot be made")?;
    Ok(service.in_currency(currency))
}

/// The catalogue of a service, with nothing remembered yet.
pub(crate) fn remembered(service: Service, settings: &ServeSettings) -> Remembered<Service> {
    Remembered::new(service, settings.ages(), mirror_policy(settings))
}

pub(crate) fn load_sample(currency: Currency) -> anyhow::Result<Sample> {
    Sample::load_in(currency).context("the embedded sample catalogue is broken")
}
