//! What the shop says of itself.

use std::sync::Arc;

use crate::profile::{Currency, Profile};
use crate::settings::{CatalogueChoice, ServeSettings};

/// The texts of the sample shop.
pub(crate) fn profile() -> Arc<Profile> {
    Arc::default()
}

/// What the shop of these settings says of itself, with amounts in the currency of its catalogue.
pub(crate) fn profile_of(settings: &ServeSettings, currency: Currency) -> Arc<Profile> {
    match settings.catalogue {
        CatalogueChoice::File(_) | CatalogueChoice::Feed(_) => Arc::new(Profile::neutral(currency)),
        CatalogueChoice::Sample | CatalogueChoice::Service(_) => profile(),
    }
}
