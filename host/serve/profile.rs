//! What the shop says of itself.

use std::sync::Arc;

use anyhow::Context as _;

use crate::observe::Bounded;
use crate::profile::{Accent, Currency, Profile, ShopFile};
use crate::settings::{Buy, CatalogueChoice, ServeSettings, bounded_text_of};

/// What the operator's file says of the shop; `None` without such a file.
///
/// # Errors
/// When there is one that cannot be used.
pub(crate) fn read_shop_file(settings: &ServeSettings) -> anyhow::Result<Option<ShopFile>> {
    let Some(path) = &settings.shop else { return Ok(None) };
    let named = || format!("cannot use {} (--shop)", path.display());
    let text = bounded_text_of(path).with_context(named)?;
    let file = ShopFile::parse(&text).with_context(named)?;
    if let Some((accent, shown)) =
        file.accent().map(Accent::named_and_shown).filter(|(own, shown)| own != shown)
    {
        tracing::info!(accent = %Bounded(&accent), shown = %Bounded(&shown), "the shop's colour would not be readable, and is shown darker");
    }
    Ok(Some(file))
}

/// The currency of the sample and of a service, which name none: with a shop's file that of the settings, which the file
/// has been joined to, else the sample's.
pub(crate) fn currency_of(settings: &ServeSettings, file: Option<&ShopFile>) -> Currency {
    file.and(settings.currency).unwrap_or_default()
}

/// What the shop of these settings and this file says of itself, with amounts in the currency of its catalogue. The
/// texts of the sample shop are for the sample and a service without such a file.
pub(crate) fn profile_of(
    settings: &ServeSettings,
    file: Option<&ShopFile>,
    currency: Currency,
) -> Arc<Profile> {
    let is_own = matches!(settings.catalogue, CatalogueChoice::File(_) | CatalogueChoice::Feed(_));
    let profile = match file {
        Some(file) => file.profile(currency),
        None if is_own => Profile::neutral(currency),
        None => return Arc::default(),
    };
    Arc::new(Profile { links: settings.buy == Buy::Link, ..profile })
}
