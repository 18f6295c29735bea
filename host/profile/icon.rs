//! The icons that a promise may have.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// An icon of the sprite (`client/ui/iconNames.ts`), by its name at lucide.dev. The type check of the client fails
/// for one that the sprite does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum PromiseIcon {
    Bell,
    Bookmark,
    #[default]
    Check,
    Headset,
    Heart,
    PackageOpen,
    Ruler,
    ShieldCheck,
    ShoppingBag,
    Sun,
    Truck,
    #[serde(rename = "undo-2")]
    Undo2,
    UserRound,
    Weight,
}
