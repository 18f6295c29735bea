//! Makes copies of pictures before somebody asks for them, and finds out how each picture fits into a frame.

use std::collections::HashSet;
use std::ptr;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::Instant;

use super::make_ahead::RenderAhead;
use crate::catalogue::{ServedPicture, Version};
use crate::pictures::{Copies, Original as _, Size, Width};
use crate::process::compute::off_runtime;
use crate::shop::Shop;

/// The widest copy that is made ahead; the smaller ones come along. Cards have it on most screens.
const AHEAD: Size = Size::Width(Width::W480);
/// Time between two looks for a new version.
const PERIOD: Duration = Duration::from_secs(1);
/// Pause between two looks whether the shop is idle.
const PAUSE: Duration = Duration::from_millis(20);
/// Shortest time between two readings of the catalogue because it is known how more pictures fit.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(300);

/// What is remembered from one version to the next.
#[derive(Default)]
struct Known {
    /// The pictures that were done, by the hash of their content.
    done: HashSet<u128>,
    /// When the catalogue was read because of what is known of its pictures.
    read_again: Option<Instant>,
}

/// Goes through the pictures of each version for as long as the runtime lives, one at a time, while nothing is rendered.
/// Copies are made if `ahead` says so; how each picture fits is always found out.
pub(crate) async fn copy_ahead(shop: Arc<Shop>, ahead: RenderAhead) {
    let Some(copies) = shop.catalogue.copies() else { return };
    let (mut last, mut known) = (Weak::<Version>::new(), Known::default());
    loop {
        if let Some(version) =
            shop.catalogue.version().filter(|new| !ptr::eq(last.as_ptr(), Arc::as_ptr(new)))
        {
            last = Arc::downgrade(&version);
            if ahead == RenderAhead::On {
                let first = shown_first(&shop, version).await;
                known.go_through(&shop, &copies, first, AHEAD).await;
            }
            let all = shop.catalogue.pictures();
            let hashes: HashSet<u128> = all.iter().map(ServedPicture::hash).collect();
            known.done.retain(|hash| hashes.contains(hash));
            known.go_through(&shop, &copies, all, Size::Fit).await;
        }
        known.tell(&shop, &copies).await;
        tokio::time::sleep(PERIOD).await;
    }
}

/// The first picture of each product, in the order of the products.
async fn shown_first(shop: &Arc<Shop>, version: Arc<Version>) -> Vec<ServedPicture> {
    let shop = Arc::clone(shop);
    let find = move || {
        let thumbnails = version.products().products().filter_map(|product| product.thumbnail);
        let own = thumbnails.filter_map(|address| shop.catalogue.picture(address.strip_prefix("/images/")?));
        own.collect()
    };
    off_runtime(find).await
}

impl Known {
    /// Makes something of each of these pictures that is not done.
    async fn go_through(
        &mut self,
        shop: &Arc<Shop>,
        copies: &Copies,
        pictures: Vec<ServedPicture>,
        size: Size,
    ) {
        for picture in pictures {
            let size = size.at_most(picture.header());
            if self.done.contains(&picture.hash()) || !size.is_of(picture.header()) {
                continue;
            }
            while !shop.renderer.is_idle() || shop.pressure.is_tight() || copies.jobs() > 0 {
                tokio::time::sleep(PAUSE).await;
            }
            if size != Size::Fit && !copies.has_much_room().await {
                return;
            }
            copies.prepare(&picture, size).await;
            if size == Size::Fit || copies.fit(picture.hash()).is_some() {
                self.done.insert(picture.hash());
            }
            // The first time when all are known: a new shop changes once.
            if self.read_again.is_some() {
                self.tell(shop, copies).await;
            }
        }
    }

    /// Lets the catalogue be read again if more is known of its pictures, but not too often.
    async fn tell(&mut self, shop: &Arc<Shop>, copies: &Copies) {
        if self.read_again.is_some_and(|last| last.elapsed() < READ_AGAIN_AFTER) {
            return;
        }
        let (catalogue, saving) = (Arc::clone(&shop.catalogue), copies.clone());
        let save = move || {
            let hashes: HashSet<u128> = catalogue.pictures().iter().map(ServedPicture::hash).collect();
            saving.save_fits(|hash| hashes.contains(&hash))
        };
        if copies.knows_more() && off_runtime(save).await {
            self.read_again = Some(Instant::now());
            shop.catalogue.read_again();
        }
    }
}
