//! What follows from the shop's profile. When the profile changes it is replaced as a whole.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::InvalidHeaderValue;

use super::answer::Made;
use super::crowd::Crowd;
use super::key::Key;
use crate::cache::Cache;
use crate::contract;
use crate::document::icons::Icons;
use crate::document::{Site, security};
use crate::profile::Profile;

/// Cached answers.
pub(super) type Answers = Cache<Key, Arc<Made>, Infallible>;

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
    /// For a shop on so many cores, with an empty cache.
    ///
    /// # Errors
    /// When one of the site's image sources is not valid in a header.
    pub(super) fn new(
        profile: Arc<Profile>,
        site: &Site,
        cores: NonZeroUsize,
        answers: Answers,
    ) -> Result<Self, InvalidHeaderValue> {
        Ok(Self {
            shown: Arc::new(contract::Shop::from(&*profile)),
            icons: Icons::of(&profile),
            security: security::headers(site, &profile)?,
            crowd: Crowd::new(cores, &profile),
            answers,
            profile,
        })
    }
}
