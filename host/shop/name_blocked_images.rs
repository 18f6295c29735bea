//! Looks at the whole catalogue's images once, after the start.

use std::sync::Arc;

use super::Shop;
use crate::catalogue::Listing;
use crate::observe::ErrorChain;

/// Names the hosts of images that the content security policy blocks, so that an operator learns of them
/// before shoppers see gaps. Later ones are named when a page shows them.
pub(crate) fn name_blocked_images(shop: &Shop) -> impl Future<Output = ()> + Send + 'static {
    let (catalogue, site) = (Arc::clone(&shop.catalogue), shop.site.clone());
    let blocked_images = Arc::clone(&shop.blocked_images);
    async move {
        // A catalogue that does not answer is logged when a page needs it.
        let Ok(products) = catalogue.ask(&Listing::All).await else { return };
        // Every address is parsed, which takes a while with many products.
        let named = tokio::task::spawn_blocking(move || {
            let images = products.products().filter_map(|product| product.thumbnail);
            blocked_images.note(images, &site);
        });
        if let Err(error) = named.await {
            tracing::error!(error = %ErrorChain(&error), "the catalogue's images were not looked at");
        }
    }
}
