//! Answers with the cards of products that a browser has saved, as JSON.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::missing_file::Missing;
use super::visit::{in_time, respond};
use crate::cache::Outcome;
use crate::catalogue::ProductKey;
use crate::http::caching::Caching;
use crate::pages::elsewhere::show_copies_on;
use crate::pages::saved;
use crate::shop::Shop;
use crate::shop::making::answer::Made;
use crate::shop::making::key::Key;

pub(in crate::shop) const PATH: &str = "/_cards";

const JSON: &str = "application/json";
/// Longest time that browsers and shared caches may use an answer.
const FRESH: Duration = Duration::from_secs(60);

/// Answers with the cards of the products that the parameter `keys` names.
pub(in crate::shop) async fn answer(shop: &Arc<Shop>, raw_query: &str, request: &HeaderMap) -> Response {
    let Some(keys) = saved::keys(raw_query) else {
        let no_store = [(header::CACHE_CONTROL, Caching::Never.header())];
        return (StatusCode::BAD_REQUEST, no_store, "Name up to 60 products: keys=KEY,KEY").into_response();
    };
    in_time(shop, async {
        let hit = shop.cached(&shop.in_cache(Key::Cards(keys))).await?;
        Ok(respond(shop, &hit, request).await)
    })
    .await
}

/// Makes the cards. `last` is their previous version.
pub(in crate::shop) fn make(shop: &Shop, keys: &[ProductKey], last: Option<Arc<Made>>) -> Outcome<Arc<Made>> {
    match made(shop, keys, last) {
        Ok(made) if shop.pressure.is_tight() => Outcome::Discard(made),
        Ok(made) => Outcome::Store(made),
        Err(missing) => Outcome::Discard(missing.answer(&shop.throttle)),
    }
}

fn made(shop: &Shop, keys: &[ProductKey], last: Option<Arc<Made>>) -> Result<Arc<Made>, Missing> {
    let version = shop.catalogue.version().ok_or(Missing::NoVersion)?;
    if let Some(last) = last.as_ref().filter(|last| last.is_made_from(&version)) {
        return Ok(Arc::clone(last));
    }
    let mut cards = saved::cards(shop.profile(), keys, version.products());
    show_copies_on(&mut cards.products, &shop.elsewhere);
    let fresh = shop.settings.ages.fresh.min(FRESH);
    Ok(Made::file(JSON, serde_json::to_string(&cards)?, fresh, Some(&version), last))
}
