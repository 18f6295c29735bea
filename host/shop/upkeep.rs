//! What the shop does by itself: it frees memory, follows the catalogue, and names its versions and images that browsers
//! would block.

use std::sync::Arc;
use std::time::Duration;

use super::Shop;
use super::answers::Answers;
use super::making::answer::Kind;
use crate::cache::Purge;
use crate::observe::ErrorChain;
use crate::process::allocator;
use crate::process::compute::in_background;

/// Time between two rounds: freed memory shows in the process's numbers only after a moment.
const ROOM_PERIOD: Duration = Duration::from_secs(1);
/// Shortest time between two occasions at which pages are made anew because more is known of their pictures.
const PICTURES_PERIOD: Duration = Duration::from_secs(300);
/// Bytes of popular answers that are never removed: without them every request would need a render.
const ALWAYS_CACHED: u64 = 8 << 20;

/// Frees memory whenever it is short, for as long as the runtime lives.
pub(crate) fn make_room(shop: &Shop) -> impl Future<Output = ()> + Send + 'static {
    let (answers, renderer) = (shop.answers.clone(), shop.renderer.clone());
    let pressure = shop.pressure.clone();
    async move {
        loop {
            pressure.tightness().await;
            renderer.collect_garbage();
            let answers = answers.clone();
            let made_room = tokio::task::spawn_blocking(move || {
                remove_answers(&answers);
                allocator::release_free_memory();
            });
            if let Err(error) = made_room.await {
                tracing::error!(error = %ErrorChain(&error), "no memory was given back");
            }
            tokio::time::sleep(ROOM_PERIOD).await;
        }
    }
}

/// Removes the answers that are rarely requested twice; if there are none, the older half of all.
fn remove_answers(answers: &Answers) {
    let before = answers.weight();
    answers.retain(|made| made.is_popular());
    if answers.weight() == before && before > ALWAYS_CACHED {
        answers.remove_older_half();
    }
    tracing::debug!(before, after = answers.weight(), "cached answers were removed");
}

/// Looks up the links of the shop's file in each version of the catalogue, so that the log names what leads nowhere before a
/// page is asked for. Marks cached answers whenever there is a new version, so that their next visit compares them with it: an
/// answer that has not changed is not made again. Ends when there can be no new version.
pub(crate) fn follow_versions(shop: &Arc<Shop>) -> impl Future<Output = ()> + use<> {
    let (versions, shop) = (shop.catalogue.versions(), Arc::clone(shop));
    async move {
        let Some(mut versions) = versions else { return };
        loop {
            let looking = Arc::clone(&shop);
            drop(in_background(move || looking.frame(looking.catalogue.version().as_ref())).await);
            if versions.changed().await.is_err() {
                return;
            }
            shop.answers.purge(|_, _| Some(Purge::Overdue));
        }
    }
}

/// Has pages made anew that can say more of pictures on other hosts, but not too often. Ends where nothing is said of them.
pub(crate) fn follow_pictures(shop: &Arc<Shop>) -> impl Future<Output = ()> + use<> {
    let shop = Arc::clone(shop);
    async move {
        let Some(hosts) = shop.elsewhere.hosts() else { return };
        hosts.recall().await;
        loop {
            if hosts.take_news() {
                shop.answers.purge(|_, made| {
                    let page = made.filter(|made| matches!(made.kind, Kind::Page(_)))?;
                    // Otherwise it would count as the answer that this version gives.
                    page.note_made_from(None);
                    Some(Purge::Overdue)
                });
            }
            tokio::time::sleep(PICTURES_PERIOD).await;
        }
    }
}

/// Finds out the name of each version, by which operators compare replicas. Ends when there can be no new version.
pub(crate) fn name_versions(shop: &Shop) -> impl Future<Output = ()> + Send + 'static {
    let catalogue = Arc::clone(&shop.catalogue);
    async move {
        let mut versions = catalogue.versions();
        loop {
            if let Some(version) = catalogue.version() {
                // One whose details cannot be read has no name.
                let _ = in_background(move || version.digest()).await;
            }
            let Some(versions) = &mut versions else { return };
            if versions.changed().await.is_err() {
                return;
            }
        }
    }
}

/// Names the hosts of images that the content security policy blocks, so that an operator learns of them
/// before shoppers see gaps. Later images are named when a page shows them.
pub(crate) fn name_blocked_images(shop: &Shop) -> impl Future<Output = ()> + Send + 'static {
    let (catalogue, site) = (Arc::clone(&shop.catalogue), shop.site.clone());
    let blocked_images = Arc::clone(&shop.blocked_images);
    async move {
        let mut versions = catalogue.versions();
        let version = loop {
            if let Some(version) = catalogue.version() {
                break version;
            }
            let Some(versions) = &mut versions else { return };
            if versions.changed().await.is_err() {
                return;
            }
        };
        // Every address is parsed, which takes a while with many products.
        let named = tokio::task::spawn_blocking(move || {
            let images = version.products().products().filter_map(|product| product.thumbnail);
            blocked_images.note(images, &site);
        });
        if let Err(error) = named.await {
            tracing::error!(error = %ErrorChain(&error), "the catalogue's images were not looked at");
        }
    }
}
