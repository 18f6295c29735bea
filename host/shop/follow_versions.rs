//! Pages follow a catalogue that changes without being asked.

use std::sync::Arc;

use super::Shop;
use crate::cache::Purge;

/// Has cached answers compared with the catalogue at their next visit whenever it has a new version. What has not changed
/// is not made again. Ends when there can be no new version.
pub(crate) fn follow_versions(shop: &Arc<Shop>) -> impl Future<Output = ()> + use<> {
    let (versions, shop) = (shop.catalogue.versions(), Arc::clone(shop));
    async move {
        let Some(mut versions) = versions else { return };
        while versions.changed().await.is_ok() {
            shop.answers.purge(|_, _, _| Some(Purge::Overdue));
        }
    }
}
