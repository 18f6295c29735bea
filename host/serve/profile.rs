//! What the shop says of itself.

use std::sync::Arc;

use crate::profile::{Currency, Profile};
use crate::settings::{Buy, CatalogueChoice, ServeSettings};

/// The texts of the sample shop.
pub(crate) fn profile() -> Arc<Profile> {
    Arc::default()
}

/// What the shop of these settings says of itself, with amounts in the currency of its catalogue.
pub(crate) fn profile_of(settings: &ServeSettings, currency: Currency) -> Arc<Profile> {
    match settings.catalogue {
        CatalogueChoice::File(_) | CatalogueChoice::Feed(_) => own_profile(settings.buy, currency),
        CatalogueChoice::Sample | CatalogueChoice::Service(_) => profile(),
    }
}

/// What the shop of a file says of itself.
pub(super) fn own_profile(buy: Buy, currency: Currency) -> Arc<Profile> {
    Arc::new(Profile { links: buy == Buy::Link, ..Profile::neutral(currency) })
}
