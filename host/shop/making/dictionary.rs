//! Makes the dictionary that pages are compressed with for browsers that have it: from documents of the embedded sample in
//! the shop's own frame, so that replicas make the same one, whatever is on sale.

use std::sync::Arc;

use super::make::document_of;
use crate::catalogue::{Catalogue as _, Sample, Stock, Version};
use crate::document::dictionary::dictionary_of;
use crate::http::compression::Accepted;
use crate::http::dictionary::Dictionary;
use crate::observe::ErrorChain;
use crate::pages::address::Address;
use crate::pages::listing_query::ListingQuery;
use crate::process::compute::off_runtime;
use crate::shop::Shop;
use crate::shop::error::AppError;

/// Makes the dictionary of the shop with the menu of this version. After a failure the last one stays.
pub(super) async fn renew_dictionary(shop: &Shop, version: &Arc<Version>) {
    let currency = shop.profile().numbers.currency();
    // One category is enough for both documents.
    let sample = match off_runtime(move || Sample::load_first(1, currency)).await {
        Ok(sample) => sample,
        Err(error) => return tracing::error!(error = %ErrorChain(&*error), "no dictionary was made"),
    };
    match documents(shop, &sample, version).await {
        Ok(Some(documents)) => {
            let new = off_runtime(move || Dictionary::new(dictionary_of(&documents))).await;
            if let Some(known) = shop.dictionaries.renew(new) {
                shop.finish_later(known.file.variants(), Accepted::ALL);
            }
        }
        Ok(None) => {}
        Err(error) => tracing::error!(error = %ErrorChain(&error), "no dictionary was made"),
    }
}

/// A product and a category of the sample; `None` if one of them was not rendered.
async fn documents(
    shop: &Shop,
    sample: &Sample,
    version: &Arc<Version>,
) -> Result<Option<[String; 2]>, AppError> {
    let Some(sample) = sample.version() else { return Ok(None) };
    let (key, category) = (sample.products().keys().next(), sample.categories().first());
    let (Some(key), Some(category)) = (key, category) else { return Ok(None) };
    let product = Address::Product(key);
    let listing = Address::Category(category.slug.clone(), ListingQuery::default());
    let (sample, stock) = (Stock::from(sample), Stock::from(Arc::clone(version)));
    let product = document_of(shop, &sample, &stock, &product).await?;
    let listing = document_of(shop, &sample, &stock, &listing).await?;
    Ok(product.zip(listing).map(Into::into))
}
