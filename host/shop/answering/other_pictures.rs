//! Copies of pictures on other hosts, at addresses that name a product and one of its pictures, never a host.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::own_pictures::missing;
use crate::catalogue::ProductKey;
use crate::http::caching::Caching;
use crate::pictures::{OtherHosts, OtherName, OtherPicture};
use crate::shop::Shop;

/// Longest time that a copy may be used: its host is asked as often whether it has changed.
const FRESH: Duration = Duration::from_secs(24 * 60 * 60);

/// `/pictures/{key}/{name}`; the name contains the number of the product's picture, the hash of its address and the width of a
/// copy.
pub(in crate::shop) async fn show(
    State(shop): State<Arc<Shop>>,
    Path((key, name)): Path<(String, String)>,
) -> Response {
    let Some((hosts, picture, name)) = find(&shop, &key, &name).await else { return missing() };
    match hosts.get(&picture, name.size).await {
        Some(copy) => (
            [(header::CONTENT_TYPE, HeaderValue::from_static(name.size.content_type()))],
            [(header::CACHE_CONTROL, Caching::For(FRESH).header())],
            copy,
        )
            .into_response(),
        None => match HeaderValue::from_str(picture.address()) {
            Ok(address) => (
                StatusCode::FOUND,
                [(header::LOCATION, address), (header::CACHE_CONTROL, Caching::Never.header())],
            )
                .into_response(),
            Err(_) => missing(),
        },
    }
}

/// The picture of a product that is on sale.
async fn find<'a>(
    shop: &'a Shop,
    key: &str,
    name: &'a str,
) -> Option<(&'a OtherHosts, OtherPicture, OtherName<'a>)> {
    let hosts = shop.elsewhere.hosts()?;
    let (name, key) = (OtherName::parse(name)?, ProductKey::parse(key)?);
    let version = shop.catalogue.version()?;
    let product = version.product(&key).await.ok()??;
    let picture = shop.elsewhere.find(product.picture(name.number)?, name)?;
    Some((hosts, picture, name))
}
