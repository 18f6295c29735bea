//! Orders of operators that declare parts of the catalogue out of date.

use std::time::Duration;

use super::key::ProductKey;
use super::slug::Slug;

/// Older hard purges of everything accept no loss. A new worker reads all orders since the supervisor's start.
const BELIEVED_WITHIN: Duration = Duration::from_secs(60);

/// What an operator declares out of date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outdated {
    Everything,
    /// A product, and the lists that contain it.
    Product(ProductKey),
    /// A category, its products, and the lists that contain one of them.
    Category(Slug),
}

/// What becomes of outdated pages. The catalogue is asked again in both cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PurgeMode {
    /// They are stale: refreshed at the next use, and served if that fails.
    Soft,
    /// They are removed, and the next version is believed at once, even if it lists much less.
    Hard,
}

impl PurgeMode {
    /// Its name in the log and in the metric's label.
    pub fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
            Self::Hard => "hard",
        }
    }
}

/// An operator's order that concerns the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CataloguePurge {
    pub outdated: Outdated,
    pub mode: PurgeMode,
    /// How long ago it was ordered. What was asked for later stays.
    pub ago: Duration,
}

impl CataloguePurge {
    /// Whether half of the products or fewer are to be accepted: a recent order to remove everything says so.
    pub(super) fn accepts_loss(&self) -> bool {
        self.mode == PurgeMode::Hard && self.outdated == Outdated::Everything && self.ago < BELIEVED_WITHIN
    }
}
