//! What follows from the shop's profile. When the profile changes it is replaced as a whole.

use std::num::NonZeroUsize;
use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::InvalidHeaderValue;

use super::crowd::Crowd;
use super::{Answers, ShopSettings};
use crate::contract;
use crate::document::icons::Icons;
use crate::document::{Site, security};
use crate::profile::Profile;

/// What every answer shows of the profile, and the answers that show it.
pub(crate) struct Face {
    pub(crate) profile: Arc<Profile>,
    /// What every page shows of the profile.
    pub(super) shown: Arc<contract::Shop>,
    pub(super) icons: Icons,
    /// The headers of every answer. They allow the profile's own styles.
    pub(crate) security: HeaderMap,
    pub(super) crowd: Crowd,
    /// Answers in the cache. One that is made while the profile changes is dropped with those of the former profile.
    pub(super) answers: Answers,
}

impl Face {
    /// With an empty cache, for a shop on so many cores.
    ///
    /// # Errors
    /// When one of the site's image sources is not valid in a header.
    pub(super) fn new(
        profile: Arc<Profile>,
        site: &Site,
        settings: &ShopSettings,
        cores: NonZeroUsize,
    ) -> Result<Self, InvalidHeaderValue> {
        Ok(Self {
            shown: Arc::new(contract::Shop::from(&*profile)),
            icons: Icons::of(&profile),
            security: security::headers(site, &profile)?,
            crowd: Crowd::new(cores, &profile),
            answers: settings.new_cache(),
            profile,
        })
    }
}
