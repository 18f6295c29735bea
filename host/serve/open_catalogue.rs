//! The catalogue that the settings choose, and what keeps it warm.

use std::sync::Arc;

use anyhow::Context as _;
use url::Url;

use super::own_catalogue::open_own;
use super::profile::{currency_of, profile_of};
use crate::cache::Ages;
use crate::catalogue::file::{Feed, Place};
use crate::catalogue::{Catalogue, Followed, Sample, Service, ServiceLimits, SharedVersions, StateDir};
use crate::observe::ErrorChain;
use crate::profile::{Currency, Profile, ShopFile};
use crate::settings::{CatalogueChoice, ServeSettings};
use crate::share::Share;

/// A catalogue, with what belongs to it.
pub(super) struct OpenCatalogue {
    pub(super) catalogue: Arc<dyn Catalogue>,
    /// What the shop says of itself.
    pub(super) profile: Arc<Profile>,
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
            return Ok(OpenCatalogue { catalogue: Arc::new(load_sample(currency)?), profile, share: None });
        }
        CatalogueChoice::File(path) => return own(Place::File(path.clone()), settings, file).await,
        CatalogueChoice::Feed(address) => {
            let feed = Feed::new(address.clone(), settings.room_for_feed())
                .context("the feed cannot be asked for")?;
            return own(Place::Feed(Arc::new(feed)), settings, file).await;
        }
        CatalogueChoice::Shop(address) => {
            let feed = Feed::of_shop(address.clone(), settings.room_for_feed(), settings.shop_rules())
                .context("the shop cannot be asked for")?;
            return own(Place::Feed(Arc::new(feed)), settings, file).await;
        }
        CatalogueChoice::Service(base) => base,
    };
    let saved_as = saved_as(base, currency);
    let share = settings.share().context("--share cannot be used")?;
    let shared = share.clone().map(|share| SharedVersions::new(share, &saved_as));
    let catalogue = Arc::new(followed(service(base, currency)?, settings).sharing(shared.clone()));
    if let Some(directory) = settings.state_dir.as_deref() {
        let state = StateDir::new(directory, saved_as);
        if let Err(error) = state.load(&catalogue) {
            tracing::warn!(error = %ErrorChain(&error), "starting without the saved catalogue");
        }
        tokio::spawn(state.keep_saving(Arc::clone(&catalogue)));
    }
    if let Some(shared) = shared {
        shared.begin(&catalogue).await;
        tokio::spawn(shared.keep_looking(Arc::downgrade(&catalogue)));
    }
    tokio::spawn(catalogue.follow());
    Ok(OpenCatalogue { catalogue, profile, share })
}

/// Warns of settings that have no effect with this catalogue.
fn warn_of_unused(settings: &ServeSettings) {
    if settings.share.is_some() && !matches!(settings.catalogue, CatalogueChoice::Service(_)) {
        tracing::warn!("--share has no effect: every replica has all products itself");
    }
    if settings.catalogue_headers.is_some() && !matches!(settings.catalogue, CatalogueChoice::Shop(_)) {
        tracing::warn!("--catalogue-headers has no effect: it is for a shop (shop:)");
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
    Ok(OpenCatalogue { catalogue, profile, share: None })
}

/// The name that the service's answers are saved under. Amounts are saved in the currency's smallest unit, so amounts
/// in another currency must not be read. The default currency is not named, as in the files of earlier releases.
fn saved_as(base: &Url, currency: Currency) -> String {
    if currency == Currency::default() { base.to_string() } else { format!("{base}#{}", currency.code()) }
}

/// The service at `base`, with prices in `currency`.
pub(crate) fn service(base: &Url, currency: Currency) -> anyhow::Result<Service> {
    let service = Service::new(base.clone(), ServiceLimits::DEFAULT)
        .context("the catalogue's HTTP client cannot be made")?;
    Ok(service.in_currency(currency))
}

/// The catalogue of a service, of which nothing is read yet.
pub(crate) fn followed(service: Service, settings: &ServeSettings) -> Followed<Service> {
    // With `--fresh 0` no page is kept, but what was read is sold.
    let ages = Ages { fresh: settings.fresh, stale: settings.stale };
    Followed::new(service, ages, settings.most_copied())
}

pub(crate) fn load_sample(currency: Currency) -> anyhow::Result<Sample> {
    Sample::load_in(currency).context("the embedded sample catalogue is broken")
}
